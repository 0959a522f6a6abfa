//! Who says which of several things holds.
//!
//! The rules are stated once, as questions with yes and no for an answer ([`Rules`]). Where a rule says *some* (some check, some
//! capture, some answer of the other side), it leaves to a [`Guide`] to say which. The verifier's guide reads that from the
//! certificate: one word, which names the option that holds, and that is then asked alone; or none, and then every option is
//! asked, and each must fail. So nothing is searched, each word is read once, and *no* is proved as *yes* is.

use super::frame::{Answer, Ban, Frame, FrameKey, Leaf, Moves, Question};
use crate::board::{
    Move, MoveList, Packed, PieceSet, Position, Square, Table, checking_moves_but_for,
};
use crate::definitions::Definitions;
use std::cell::Cell;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

/// How deep mates and lines may go into one another.
const DEEPEST: u32 = 200;

/// A table with room for as much as most certificates need.
fn room<K, V>() -> Table<K, V> {
    Table::with_capacity_and_hasher(56, BuildHasherDefault::default())
}

/// Which of several options that hold are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// Whichever the guide names.
    Any,
    /// The first: those before it are shown to fail. Where what is found matters, not only that something is, it cannot be
    /// chosen then.
    First,
    /// All that hold.
    Every,
}

/// What does not hold, in English and Chinese.
pub(crate) type Fault = (&'static str, &'static str);

/// The rules of a book, asked with a guide.
pub(crate) struct Rules<'d> {
    pub definitions: &'d Definitions,
    /// One program is made of the rules, whoever guides.
    pub guide: &'d dyn Guide,
    /// What was asked and answered already.
    pub known: Table<Question, Answer>,
    pub frames: Table<FrameKey, Rc<Frame>>,
    /// The moves that check, of every position in which they have been looked for, and what kept the side to move from nothing
    /// though it checks.
    checks: Table<(Packed, PieceSet), Checks>,
    /// Where they are looked for.
    found: MoveList,
    /// No move that checks, as in half of those positions.
    none: Rc<[Move]>,
    /// What does not hold of what was said, the first time.
    pub fault: Option<Fault>,
    depth: u32,
}

/// The moves that check in a position, and its number among those in which they have been looked for.
#[derive(Clone)]
pub(crate) struct Checks {
    pub number: usize,
    pub moves: Rc<[Move]>,
}

/// Whatever moves are played on, in thought.
pub(crate) trait Board {
    fn position(&mut self) -> &mut Position;
}

impl Board for Position {
    fn position(&mut self) -> &mut Position {
        self
    }
}

/// The number that names a move.
pub(crate) fn word_of(mv: Move) -> u32 {
    let word = 1 + 90 * mv.from.index() + mv.to.index();
    u32::try_from(word).unwrap_or(0)
}

/// The move that a number above 0 names, if it names one.
fn named(word: u32) -> Option<Move> {
    let square = |index: u32| u8::try_from(index).ok().and_then(Square::from_index);
    let word = word.checked_sub(1)?;
    Some(Move::new(square(word / 90)?, square(word % 90)?))
}

const NOT_THERE: Fault = (
    "an option is named that is not there",
    "证书所指的一项并不存在",
);
const HOLDS: Fault = (
    "an option holds of which it is said that none does",
    "证书说都不成立，其中却有成立的",
);

/// A test of one of several options, by its place among them.
pub(crate) type Test<'t, 'd> = &'t mut dyn FnMut(&mut Rules<'d>, usize) -> bool;

/// Whether at least so much holds, and then how much does and whether that is all there can be. The answer itself is
/// asked for with `true`.
pub(crate) type Ask<'t, 'd> = &'t mut dyn FnMut(&mut Rules<'d>, i32, bool) -> Option<(i32, bool)>;

/// Answers a question.
pub(crate) type Solve<'t, 'd> = &'t mut dyn FnMut(&mut Rules<'d>) -> Answer;

/// Says which of several things holds, where it is said: in a certificate, or by whoever makes one.
pub(crate) trait Guide {
    /// The next word of what is said; none where there is none left.
    fn word(&self) -> Option<u32>;

    /// Whether the test holds of some of so many options: of the one that was tried last.
    fn any<'d>(&self, rules: &mut Rules<'d>, options: usize, test: Test<'_, 'd>) -> bool {
        let Some(word) = rules.word() else {
            return false;
        };
        let Some(option) = (word as usize).checked_sub(1) else {
            return rules.none(options, test);
        };
        if option >= options {
            rules.fail(NOT_THERE);
            return false;
        }
        let holds = test(rules, option);
        rules.holding(holds)
    }

    /// The move that holds, where one is named. It has to be one of these.
    fn named(&self, rules: &mut Rules<'_>, position: &mut Position, moves: Moves) -> Option<Move> {
        let word = rules.word().filter(|&word| word > 0)?;
        let mv = named(word).filter(|&mv| moves.have(position, mv));
        if mv.is_none() {
            rules.fail(NOT_THERE);
        }
        mv
    }

    /// Whether the test holds of some of these moves, of which none is named: of the one that was tried last.
    fn any_move<'d>(&self, rules: &mut Rules<'d>, moves: &[Move], test: Test<'_, 'd>) -> bool {
        rules.none(moves.len(), test)
    }

    /// In which order the answers to a check are looked at, by their places; nothing where in their own.
    fn order(
        &self,
        _rules: &mut Rules<'_>,
        _position: &mut Position,
        _answers: &[Move],
    ) -> Vec<usize> {
        Vec::new()
    }

    /// Whether every answer to a check leaves something, where none is named that does not.
    fn whatever<'d>(
        &self,
        rules: &mut Rules<'d>,
        answers: &[Move],
        _order: &[usize],
        leaves: Test<'_, 'd>,
    ) -> bool {
        (0..answers.len()).all(|at| {
            let left = leaves(rules, at);
            if !left {
                rules.fail(HOLDS);
            }
            left && rules.fault.is_none()
        })
    }

    /// Whether the least holds: then the answer about the most that does was asked for last of what holds. That it holds is
    /// shown, and that no more does, unless there is no more.
    fn most<'d>(&self, rules: &mut Rules<'d>, least: i32, ask: Ask<'_, 'd>) -> bool {
        let Some(word) = rules.word() else {
            return false;
        };
        let above = i32::try_from(word).unwrap_or(i32::MAX).min(1 << 20);
        if above == 0 {
            if ask(rules, least, false).is_some() {
                rules.fail((
                    "something holds of which it is said that it does not",
                    "证书说不成立，却成立",
                ));
            }
            return false;
        }
        let most = least + above - 1;
        let Some((_, is_all)) = ask(rules, most, true) else {
            rules.fail(("it is less than is said", "所得少于证书所说"));
            return false;
        };
        if !is_all && ask(rules, most + 1, false).is_some() {
            rules.fail(("it is more than is said", "所得多于证书所说"));
            return false;
        }
        true
    }

    /// A question that may come again: it is answered once.
    fn lemma<'d>(
        &self,
        rules: &mut Rules<'d>,
        question: Question,
        answer: Solve<'_, 'd>,
    ) -> Answer {
        if let Some(known) = rules.known.get(&question) {
            return *known;
        }
        let found = rules.nested(answer);
        if rules.fault.is_none() {
            rules.known.insert(question, found);
        }
        found
    }

    /// A mate by consecutive checks is about to be asked for; whoever has to find it does so now.
    fn solve(&self, _: &mut Rules<'_>, _at: &Position, _first: Option<Square>, _bans: &[Ban]) {}

    /// In a mate by consecutive checks: which check mates from here, if one does, or which reply to the check holds out.
    fn in_mate(&self, rules: &mut Rules<'_>, _at: &Position, _check: Option<Move>) -> Option<Move> {
        rules.word().and_then(named)
    }
}

impl<'d> Rules<'d> {
    pub fn new(definitions: &'d Definitions, guide: &'d dyn Guide) -> Self {
        Self {
            definitions,
            guide,
            known: room(),
            frames: room(),
            checks: room(),
            found: MoveList::new(),
            none: Rc::default(),
            fault: None,
            depth: 0,
        }
    }

    /// The moves that give check: half of the time they have been looked for already.
    pub fn checks(&mut self, position: &mut Position) -> Checks {
        self.checks_aside(position, PieceSet::EMPTY)
    }

    /// The same where these pieces keep the side to move from nothing.
    pub fn checks_aside(&mut self, position: &mut Position, aside: PieceSet) -> Checks {
        let number = self.checks.len();
        let known = self.checks.entry((position.packed(), aside));
        let known = known.or_insert_with(|| {
            let found = &mut self.found;
            checking_moves_but_for(position, aside, found);
            let moves = if found.is_empty() {
                Rc::clone(&self.none)
            } else {
                Rc::from(&**found)
            };
            Checks { number, moves }
        });
        known.clone()
    }

    pub fn fail(&mut self, why: Fault) {
        self.fault.get_or_insert(why);
    }

    pub fn word(&mut self) -> Option<u32> {
        if self.fault.is_some() {
            return None;
        }
        let word = self.guide.word();
        if word.is_none() {
            self.fail(("the certificate ends too early", "证明不全，过早结束"));
        }
        word
    }

    /// What is said to hold.
    fn holding(&mut self, holds: bool) -> bool {
        if !holds {
            self.fail(("the option named does not hold", "证书所指的一项不成立"));
        }
        holds
    }

    /// None of so many holds: never that one does.
    fn none(&mut self, options: usize, test: Test<'_, 'd>) -> bool {
        for option in 0..options {
            let holds = test(self, option);
            if self.fault.is_some() {
                break;
            }
            if holds {
                self.fail(HOLDS);
                break;
            }
        }
        false
    }

    /// Some option for which the test holds.
    pub fn any<O: Copy, T>(
        &mut self,
        options: &[O],
        mut test: impl FnMut(&mut Self, O) -> Option<T>,
    ) -> Option<T> {
        if options.is_empty() || self.fault.is_some() {
            return None;
        }
        let mut found = None;
        let holds = self.guide.any(self, options.len(), &mut |rules, at| {
            found = options.get(at).and_then(|&option| test(rules, option));
            found.is_some()
        });
        found.filter(|_| holds)
    }

    /// Some move for which the test holds. It is named itself, so that the others need not be looked for.
    pub fn any_move<B: Board, T>(
        &mut self,
        board: &mut B,
        moves: Moves,
        mut test: impl FnMut(&mut Self, &mut B, Move) -> Option<T>,
    ) -> Option<T> {
        if let Some(mv) = self.guide.named(self, board.position(), moves) {
            let found = test(self, board, mv);
            self.holding(found.is_some());
            return found;
        }
        if self.fault.is_some() {
            return None;
        }
        let all = moves.all(board.position());
        let mut found = None;
        let holds = self.guide.any_move(self, &all, &mut |rules, at| {
            found = all.get(at).and_then(|&mv| test(rules, board, mv));
            found.is_some()
        });
        found.filter(|_| holds)
    }

    /// What is left after every answer to a check, one by one, unless some answer leaves nothing.
    pub fn whatever_is_answered<B: Board, T>(
        &mut self,
        board: &mut B,
        mut left: impl FnMut(&mut Self, &mut B, Move) -> Option<T>,
        keep: impl FnMut(T),
    ) -> bool {
        if let Some(mv) = self.guide.named(self, board.position(), Moves::Legal) {
            let spoilt = left(self, board, mv).is_none();
            self.holding(spoilt);
            return false;
        }
        if self.fault.is_some() {
            return false;
        }
        let answers = Moves::Legal.all(board.position());
        let order = self.guide.order(self, board.position(), &answers);
        let mut found: Vec<Option<T>> = answers.iter().map(|_| None).collect();
        let stands = self
            .guide
            .whatever(self, &answers, &order, &mut |rules, at| {
                let place = answers.get(at).zip(found.get_mut(at));
                place.is_some_and(|(&mv, place)| {
                    *place = left(rules, board, mv);
                    place.is_some()
                })
            });
        if stands {
            found.into_iter().flatten().for_each(keep);
        }
        stands
    }

    /// What comes of some option.
    pub fn of(
        &mut self,
        pick: Pick,
        options: &[Move],
        test: &mut dyn FnMut(&mut Self, Move) -> Option<Leaf>,
    ) -> Option<Leaf> {
        if pick == Pick::Any {
            return self.any(options, test);
        }
        let mut found = None;
        for &option in options {
            let leaf = test(self, option);
            found = Leaf::or(found, leaf.filter(|_| self.fault.is_none()));
            if found.is_some() && pick == Pick::First {
                break;
            }
        }
        found
    }

    /// The most for which the question holds, if that is no less than the least, with its answer: that it holds is shown, and that no
    /// more does, unless there is no more. The answer is asked for with `true`.
    pub fn most(
        &mut self,
        least: i32,
        ask: &mut dyn FnMut(&mut Self, i32, bool) -> Option<Leaf>,
        is_all: fn(&Leaf) -> bool,
    ) -> Option<Leaf> {
        let mut answer = None;
        let holds = self
            .guide
            .most(self, least, &mut |rules, least, is_answer| {
                let found = ask(rules, least, is_answer)?;
                answer = Some(found);
                Some((found.grade, is_all(&found)))
            });
        answer.filter(|_| holds)
    }

    /// A question that may come again: it is answered once.
    pub fn lemma(&mut self, question: Question, answer: Solve<'_, 'd>) -> Answer {
        self.guide.lemma(self, question, answer)
    }

    /// Asks something within something else, no deeper than any ruling goes.
    pub fn nested<T: Default>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= DEEPEST {
            self.fail(("it goes too deep", "层次过深"));
            return T::default();
        }
        self.depth += 1;
        let found = ask(self);
        self.depth -= 1;
        found
    }
}

/// Reads what is said from the words of a certificate.
pub(crate) struct Told<'w>(Cell<&'w [u32]>);

impl<'w> Told<'w> {
    pub fn of(words: &'w [u32]) -> Self {
        Self(Cell::new(words))
    }

    /// How many words are left.
    pub fn left(&self) -> usize {
        self.0.get().len()
    }
}

impl Guide for Told<'_> {
    fn word(&self) -> Option<u32> {
        let (&word, left) = self.0.get().split_first()?;
        self.0.set(left);
        Some(word)
    }
}
