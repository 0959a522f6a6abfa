//! Gains by consecutive checks (29.1, 24.3), and what captures cost and bring elsewhere by such.

use super::chases::is_barred;
use super::frame::{
    Aims, Asked, Before, End, Frame, FrameKey, Leaf, Moves, Prefer, Question, Run, Takes, with_turn,
};
use super::guide::{Pick, Rules};
use super::line::{At, Walk, lesser};
use super::material::{Balance, EVEN, EVEN_TRADE, GAIN, exchange, grade, is_root, material, worth};
use crate::board::{Move, PieceId, PieceSet, Position, Role, Side, Square};
use crate::definitions::PawnCapture;
use std::rc::Rc;

impl Rules<'_> {
    /// The best gain of the taker by a run of checks, if it comes to the mark.
    pub fn by_checks(&mut self, frame: &Rc<Frame>, run: Run, aims: Aims) -> Option<Leaf> {
        let question = Question::Checks(frame.number, run, aims, Asked::Best);
        self.lemma(question, &mut |rules| {
            rules.most_by_checks(&mut Walk::aiming(frame, aims), run)
        })
    }

    /// Whether it gains as much as the mark so.
    pub fn gains_by_checks(&mut self, frame: &Rc<Frame>, run: Run, aims: Aims) -> bool {
        let question = Question::Checks(frame.number, run, aims, Asked::Whether);
        let gains = self.lemma(question, &mut |rules| {
            rules.check(&mut Walk::aiming(frame, aims), run)
        });
        gains.is_some()
    }

    /// All that falls by one run of checks or another that comes to the mark.
    pub fn whatever_falls(&mut self, frame: &Rc<Frame>, run: Run, aims: Aims) -> PieceSet {
        let question = Question::Checks(frame.number, run, aims, Asked::Every);
        let fallen = self.lemma(question, &mut |rules| {
            let mut walk = Walk::aiming(frame, aims);
            walk.pick = Pick::Every;
            rules.check(&mut walk, run)
        });
        fallen.map_or(PieceSet::EMPTY, |leaf| leaf.victims)
    }

    /// The same of these pieces. Where every answer is mated, those count that are not.
    pub fn what_falls(&mut self, frame: &Rc<Frame>, run: Run, among: PieceSet) -> PieceSet {
        let least = grade(self.definitions, Balance::MATING);
        let mates = self.gains_by_checks(frame, Run { least, ..run }, Aims::Among(among));
        let aims = if mates { Aims::Short } else { Aims::Among };
        self.whatever_falls(frame, run, aims(among))
    }

    /// Whether a run of checks wins as much of these pieces as the mark. What mates whatever the answers threatens mate
    /// (24.2) and wins none of them: then some answer has to be left.
    pub fn wins_by_checks(&mut self, frame: &Rc<Frame>, run: Run, among: PieceSet) -> bool {
        let aims = Aims::Among(among);
        let least = grade(self.definitions, Balance::MATING);
        self.gains_by_checks(frame, run, aims)
            && (self.gains_by_checks(frame, run, Aims::Short(among))
                || !self.gains_by_checks(frame, Run { least, ..run }, aims))
    }

    fn most_by_checks(&mut self, walk: &mut Walk, run: Run) -> Option<Leaf> {
        if run.depth == 0 {
            return None;
        }
        let found = self.at_best(walk, run, Self::check);
        walk.pick = Pick::Any;
        found
    }

    /// The most that comes of it: the answer itself is asked for at best.
    fn at_best(
        &mut self,
        walk: &mut Walk,
        run: Run,
        ask: impl Fn(&mut Self, &mut Walk, Run) -> Option<Leaf>,
    ) -> Option<Leaf> {
        self.most(
            run.least,
            &mut |rules, least, is_answer| {
                walk.pick = if is_answer { Pick::First } else { Pick::Any };
                ask(rules, walk, Run { least, ..run })
            },
            Leaf::mates,
        )
    }

    fn check(&mut self, walk: &mut Walk, run: Run) -> Option<Leaf> {
        if run.depth == 0 {
            return None;
        }
        let aside = walk.frame.aside(walk.frame.taker);
        let checks = self.checks_aside(&mut walk.position, aside);
        self.of(walk.pick, &checks.moves, &mut |rules, mv| {
            rules.one_check(walk, run, mv)
        })
    }

    fn one_check(&mut self, walk: &mut Walk, mut run: Run, mv: Move) -> Option<Leaf> {
        let frame = &Rc::clone(&walk.frame);
        if walk.path.is_empty() && frame.was_there(mv)
            || !frame.may_make(&walk.position, mv)
            || frame.takes_shielded(&walk.position, mv)
        {
            return None;
        }
        run.credit = Balance::EVEN;
        let target = walk.position.id_at(mv.to);
        let target = target.filter(|_| {
            self.may_take_in_checks(walk, mv) && !is_ward_let_go(frame, &mut walk.position, mv)
        });
        let by = walk.position.id_at(mv.from).map(|id| (id, mv.to));
        let fruits = walk.fruits;
        if let Some(target) = target {
            let won = material(target, mv.to);
            if walk.aims.leave(target, walk.path.is_empty()) {
                return None;
            }
            if walk.aims.contain(target) {
                walk.fruits = fruits.with(target);
                run.balance = run.balance.plus(won);
            } else {
                // What else the checks take only pays for them.
                run.credit = won;
            }
        }
        let found = walk.gone(mv, |walk| {
            // A check that needs another piece behind is not given by one alone.
            if frame
                .key
                .alone
                .is_some_and(|alone| !walk.position.checkers().without(alone).is_empty())
            {
                return None;
            }
            if is_helped(walk, target, mv.to) {
                return None;
            }
            let won = self.after_check(walk, run)?;
            if target.is_none() {
                return Some(won);
            }
            // An answer that gives check may win back what has just taken.
            self.less_taken_by_checks(walk, (mv.to, run.balance), won, run.least)
        });
        walk.fruits = fruits;
        found.map(|leaf| Leaf {
            taken_by: target.and(by).or(leaf.taken_by),
            ..leaf
        })
    }

    /// A line that stands where the piece that has just taken is won back by checks, or comes to as little as that.
    fn less_taken_by_checks(
        &mut self,
        walk: &mut Walk,
        (square, balance): (Square, Balance),
        leaf: Leaf,
        least: i32,
    ) -> Option<Leaf> {
        match self.taken_by_checks(walk, square, balance) {
            Some(back) if back.grade < leaf.grade => (back.grade >= least).then(|| Leaf {
                victims: walk.fruits,
                certain: walk.fruits,
                fallen: walk.fruits,
                ..leaf.won_back(back)
            }),
            _ => Some(leaf),
        }
    }

    /// What is left by a check: short of mate, not only mate whatever is answered.
    fn after_check(&mut self, walk: &mut Walk, run: Run) -> Option<Leaf> {
        let Aims::Short(among) = walk.aims else {
            return self.left_by_every_answer(walk, run);
        };
        walk.aims = Aims::Among(among);
        // What is found may be enough and not the best, which is what would show by itself whether it mates.
        let pick = std::mem::replace(&mut walk.pick, Pick::Any);
        let least = grade(self.definitions, Balance::MATING);
        let mates = self.left_by_every_answer(walk, Run { least, ..run });
        walk.pick = pick;
        let left = mates
            .is_none()
            .then(|| self.left_by_every_answer(walk, run));
        walk.aims = Aims::Short(among);
        if let Some(left) = left {
            return left;
        }
        let frame = &Rc::clone(&walk.frame);
        self.of_moves(walk, Moves::Legal, &mut |rules, walk, answer| {
            let shielded = frame.takes_shielded(&walk.position, answer);
            (!shielded)
                .then(|| rules.left_by(walk, run, answer))
                .flatten()
        })
    }

    /// What comes of some move.
    fn of_moves(
        &mut self,
        walk: &mut Walk,
        moves: Moves,
        test: &mut dyn FnMut(&mut Self, &mut Walk, Move) -> Option<Leaf>,
    ) -> Option<Leaf> {
        if walk.pick == Pick::Any {
            return self.any_move(walk, moves, test);
        }
        let all = moves.all(&mut walk.position);
        self.of(walk.pick, &all, &mut |rules, mv| test(rules, walk, mv))
    }

    fn left_by(&mut self, walk: &mut Walk, run: Run, answer: Move) -> Option<Leaf> {
        let given = walk.position.id_at(answer.to);
        let hung = self.takes_passer_by(walk, answer);
        let price = worth(&walk.position, answer.to);
        let balance = run.less(if hung { Balance::EVEN } else { price });
        let left = Run { balance, ..run };
        let taken_on = given.map(|_| answer.to);
        walk.gone(answer, |walk| self.fruit(walk, left, taken_on))
    }

    /// A piece that has no part in it is taken where it hung all along.
    fn takes_passer_by(&mut self, walk: &Walk, answer: Move) -> bool {
        let frame = &Rc::clone(&walk.frame);
        let (taken, side) = (walk.position.id_at(answer.to), walk.position.turn());
        taken.is_some()
            && taken == frame.key.passer_by
            && taken == frame.base.id_at(answer.to)
            && self.cap(frame, side, answer).is_some_and(|cap| cap > 0)
    }

    fn left_by_every_answer(&mut self, walk: &mut Walk, run: Run) -> Option<Leaf> {
        let frame = &Rc::clone(&walk.frame);
        let mut victims = PieceSet::EMPTY;
        let mut worst: Option<Leaf> = None;
        let after = |rules: &mut Self, walk: &mut Walk, answer: Move| {
            if frame.takes_shielded(&walk.position, answer) {
                return Some(None);
            }
            rules.left_by(walk, run, answer).map(Some)
        };
        let keep = |leaf: Option<Leaf>| {
            let Some(leaf) = leaf else { return };
            victims = victims.or(leaf.victims);
            worst = match worst {
                Some(worst) if worst.grade < leaf.grade => Some(worst),
                Some(worst) if worst.grade == leaf.grade => {
                    let certain = worst.certain.and(leaf.certain);
                    Some(Leaf { certain, ..worst })
                }
                _ => Some(leaf),
            };
        };
        if !self.whatever_is_answered(walk, after, keep) {
            return None;
        }
        if let Some(worst) = worst {
            return Some(Leaf { victims, ..worst });
        }
        let at = self.at(None, run.balance);
        let captor = walk.captor.take();
        let leaf = self.unanswered(walk, &at, run.least);
        walk.captor = captor;
        leaf
    }

    /// What the taker makes of an answer.
    fn fruit(&mut self, walk: &mut Walk, run: Run, taken_on: Option<Square>) -> Option<Leaf> {
        if walk.pick != Pick::First {
            return self.fruit_of(walk, run, taken_on);
        }
        let fruit = |rules: &mut Self, walk: &mut Walk, run| rules.fruit_of(walk, run, taken_on);
        let found = self.at_best(walk, run, fruit);
        walk.pick = Pick::First;
        found
    }

    /// It stops, takes something, or checks again.
    fn fruit_of(
        &mut self,
        walk: &mut Walk,
        mut run: Run,
        taken_on: Option<Square>,
    ) -> Option<Leaf> {
        let Run { balance, least, .. } = run;
        let frame = &Rc::clone(&walk.frame);
        let mut at = self.at(taken_on, balance);
        // Who is mated has no check and no capture either.
        let enough = grade(self.definitions, balance) >= least;
        let mut won = None;
        if enough && (frame.key.careless || walk.position.has_legal_move()) {
            won = self.stop(walk, at, least);
            if won.is_some() && walk.pick != Pick::Every {
                return won;
            }
        }
        let (pick, careless) = (walk.pick, frame.key.careless);
        let moves = Moves::Captures { careless };
        let taken = self.of_moves(walk, moves, &mut |rules, walk, mv| {
            let position = &mut walk.position;
            let target = position.id_at(mv.to)?;
            at.balance = balance.plus(material(target, mv.to));
            // Where it is no check the other side may leave it at that.
            let too_little = grade(rules.definitions, at.balance) < least;
            if !walk.aims.contain(target)
                || (too_little && !position.having(mv, |at| at.in_check()))
                || !frame.may_make(position, mv)
                || frame.takes_shielded(position, mv)
                || !rules.may_take_in_checks(walk, mv)
                || (careless && !frame.is_safe_but_for_check(&mut walk.position, mv))
                || !(Some(mv.to) == taken_on || rules.is_new_or_better(walk, mv))
                || is_ward_let_go(frame, &mut walk.position, mv)
            {
                return None;
            }
            at.last = Some(mv.to);
            at.answered = true;
            let (taken_at, fruits) = (walk.taken_at, walk.fruits);
            walk.captor = walk.position.id_at(mv.from);
            walk.taken_at = walk.path.len();
            walk.fruits = fruits.with(target);
            let leaf = walk.gone(mv, |walk| {
                if is_helped(walk, Some(target), mv.to) {
                    return None;
                }
                let leaf = rules.reply(walk, at, least)?;
                let leaf = rules.less_taken_by_checks(walk, (mv.to, at.balance), leaf, least)?;
                Some(Leaf {
                    taken_by: walk.captor.map(|id| (id, mv.to)),
                    ..leaf
                })
            });
            (walk.captor, walk.taken_at, walk.fruits) = (None, taken_at, fruits);
            leaf
        });
        won = Leaf::or(won, taken);
        if won.is_some() && pick != Pick::Every {
            return won;
        }
        run.depth -= 1;
        Leaf::or(won, self.check(walk, run))
    }

    /// Captures within a run of checks: kings' and pawns' count where they take back, as any root does; otherwise kings' never, pawns'
    /// by the book (supplement 8 of 1999, 26.8).
    fn may_take_in_checks(&self, walk: &mut Walk, mv: Move) -> bool {
        let Some(captor) = walk.position.id_at(mv.from) else {
            return false;
        };
        // What a capture costs is lost to whatever takes it.
        if walk.frame.key.beside {
            return true;
        }
        let uncovers = |position: &mut Position| {
            position.having(mv, |at| !at.checkers().without(captor).is_empty())
        };
        match (captor.role(), self.definitions.pawn_in_checks) {
            (Role::King | Role::Pawn, _) if takes_back(walk, mv) => true,
            (Role::King, _) | (Role::Pawn, PawnCapture::Never) => false,
            (Role::Pawn, PawnCapture::LeaningOnOthers) if others_have_checked(walk, captor) => true,
            (Role::Pawn, _) => uncovers(&mut walk.position),
            _ => true,
        }
    }

    /// What captures cost elsewhere is looked at: of a king left out of account nothing is asked.
    pub fn looks_elsewhere(&self, frame: &Frame) -> bool {
        !frame.key.careless && self.may_look_elsewhere(frame)
    }

    pub fn may_look_elsewhere(&self, frame: &Frame) -> bool {
        self.definitions.let_go_check_depth > 0 && !frame.key.beside
    }

    /// What a piece lets go of by taking is left out, unless it takes back (细则 4).
    pub fn ignores_loss(&self, frame: &Frame) -> bool {
        self.definitions.root_ignore_loss && frame.key.takes == Takes::Any
    }

    /// What is left of a capture where the other side takes elsewhere, by checks, what it could not have before.
    pub fn elsewhere(&mut self, walk: &mut Walk, won: Balance, leaf: Leaf) -> Leaf {
        let frame = &Rc::clone(&walk.frame);
        let side = frame.taker.opponent();
        let mut key = beside(frame, &walk.position);
        key.since = Some(frame.base.packed());
        key.let_go = walk
            .captor
            .filter(|_| self.ignores_loss(frame))
            .map(|id| (id, frame.base.square_of(id)));
        let other = self.frame(key);
        let depth = self.definitions.let_go_check_depth;
        let gain = Run::of(depth, Balance::EVEN, GAIN);
        let less = self.less_what_falls(walk, won, leaf, &other, gain);
        // How much the line itself comes to is not asked, only that it wins.
        let left = less.map_or(leaf, |less| lesser(Some(leaf), less));
        let wins = less.is_none_or(|less| less.grade >= EVEN_TRADE);
        // Pieces for pawns are no gain to the other side, nor do they leave one to the taker (25.3, 26.6); to who mates anyhow
        // they are less than that.
        let mut pawns = walk.position.pieces_like(side, Role::Pawn);
        let crossed = |id| material(id, walk.position.square_of(id)) != Balance::EVEN;
        if !wins || !pawns.any(crossed) || self.mates_anyhow(frame, side) {
            return left;
        }
        let for_pawns = Run::of(depth, Balance::EVEN.minus(won), EVEN + 1);
        let less = self.less_what_falls(walk, won, left, &other, for_pawns);
        less.map_or(left, |less| Leaf {
            balance: less.balance,
            ..Leaf::of(EVEN - 1)
        })
    }

    /// The same by a run of checks.
    fn less_what_falls(
        &mut self,
        walk: &mut Walk,
        won: Balance,
        leaf: Leaf,
        other: &Rc<Frame>,
        run: Run,
    ) -> Option<Leaf> {
        let frame = &Rc::clone(&walk.frame);
        // Whatever the taker answers, it need not go on to where it is left no gain.
        let mut key = other.key.clone();
        key.against = Some((won.plus(run.balance), run.least - 1));
        let against = &self.frame(key);
        // What is apart only takes something from it.
        if !self.gains_by_checks(against, run, Aims::ALL) {
            return None;
        }
        let net = |lost: &Leaf| won.minus(lost.balance.minus(run.balance));
        let side = frame.taker.opponent();
        let lost = self.newly_won(frame, (side, walk.captor), run, &mut |rules, aims, run| {
            rules.by_checks(if aims.are_among() { other } else { against }, run, aims)
        });
        let mut least = None;
        for (lost, anyhow) in lost {
            let falls = walk.captor.is_some_and(|id| lost.certain.contains(id));
            let mut left = self.less(walk, leaf, &lost, (net(&lost), !falls));
            // As much may be lost as won; what took first need not be among it, unless it can be for as much.
            if left.grade >= EVEN_TRADE {
                let mut key = against.key.clone();
                key.prefers = walk.captor.map(Prefer::Fall);
                let (other, least) = (self.frame(key), lost.grade);
                if self.gains_by_checks(&other, Run { least, ..run }, Aims::Apart(anyhow)) {
                    left = self.less(walk, leaf, &lost, (net(&lost), false));
                }
            }
            least = Some(lesser(least, left));
        }
        least
    }

    /// What is left where this falls elsewhere, and whether what took first lives.
    fn less(
        &mut self,
        walk: &mut Walk,
        leaf: Leaf,
        lost: &Leaf,
        (net, lives): (Balance, bool),
    ) -> Leaf {
        // Who takes elsewhere does not win back what took first.
        let end = if lives { End::Settled } else { End::WonBack };
        let at = At {
            dearest: leaf.dearest,
            ..self.at(None, net)
        };
        // What falls alone may be what the captor guarded.
        let alone = lost.taken_by.filter(|_| lost.fallen.len() == 1);
        let alone = alone.map(|(by, at)| Move::new(walk.position.square_of(by), at));
        let taken_at = walk.path.len();
        walk.path.extend(alone);
        let left = self.leaf(walk, &at, end);
        walk.path.truncate(taken_at);
        Leaf {
            captor_lives: lives && (leaf.captor_lives || leaf.end == End::WonBack),
            ..left
        }
    }

    /// What the taker makes of it where its first capture was retaken and it goes on by checks: a root that retakes and
    /// loses as much by it is a false one (24.17).
    pub fn falls_to_it(&mut self, walk: &mut Walk, at: At, least: i32) -> Option<Leaf> {
        let frame = &Rc::clone(&walk.frame);
        let side = frame.taker;
        let run = Run::of(self.definitions.let_go_check_depth, at.balance, GAIN);
        let kept = (walk.captor, walk.fruits, walk.aims, walk.taken_at);
        (walk.aims, walk.fruits) = (Aims::ALL, PieceSet::EMPTY);
        let least = least.max(GAIN);
        let wins = self.check(walk, Run { least, ..run }).is_some();
        let mut won = Vec::new();
        if wins {
            won = self.newly_won(frame, (side, None), run, &mut |rules, aims, run| {
                (walk.aims, walk.fruits) = (aims, PieceSet::EMPTY);
                rules.most_by_checks(walk, run)
            });
        }
        (walk.captor, walk.fruits, walk.aims, walk.taken_at) = kept;
        let won = won.into_iter().map(|(won, _)| won);
        won.max_by_key(|won| won.grade).map(|won| Leaf {
            captor_lives: false,
            victims: walk.fruits,
            ..won
        })
    }

    /// What is won of what the side could not have won before, short of mate, so as to come to as much; and what it could, which is
    /// left out of it. Where one of several falls by the answer, as it could before, each may still fall otherwise.
    pub fn newly_won(
        &mut self,
        frame: &Rc<Frame>,
        (side, captor): (Side, Option<PieceId>),
        from: Run,
        run: RunOf<'_, Self>,
    ) -> Vec<(Leaf, PieceSet)> {
        let mut found = Vec::new();
        // What took falls to a root of its victim whether or not it hung before.
        let hung = self.takeable_by(frame, side);
        let mut open = vec![captor.map_or(hung, |captor| hung.without(captor))];
        while let Some(anyhow) = open.pop() {
            let won = run(self, Aims::Apart(anyhow), from);
            let Some(won) = won.filter(|won| !won.mates() && self.fault.is_none()) else {
                continue;
            };
            let (each, one_of) = self.won_anyhow(frame, side, (won.victims, from), run);
            let (more, one_of) = (each.minus(anyhow), one_of.minus(anyhow));
            if !more.is_empty() {
                open.push(anyhow.or(more));
            } else if one_of.is_empty() {
                found.push((won, anyhow));
            } else {
                open.extend(one_of.map(|id| anyhow.with(id)));
            }
        }
        found
    }

    /// The pieces that a side could take at once to begin with, and win something.
    fn takeable_by(&mut self, frame: &Rc<Frame>, side: Side) -> PieceSet {
        let mut found = PieceSet::EMPTY;
        for &take in &*frame.captures_by(side) {
            if let Some(victim) = frame.base.id_at(take.to)
                && self.cap(frame, side, take).is_some_and(|cap| cap > 0)
            {
                found = found.with(victim);
            }
        }
        found
    }

    /// Those of the pieces that a side could win by checks to begin with, and as much as it wins of them now: each of these,
    /// and one or another of those.
    fn won_anyhow(
        &mut self,
        frame: &Rc<Frame>,
        side: Side,
        (among, from): (PieceSet, Run),
        run: RunOf<'_, Self>,
    ) -> (PieceSet, PieceSet) {
        // Where a king stands in check any move would be one.
        let stood = frame.key.stood.filter(|_| side != frame.taker);
        let stood = stood.map_or_else(|| frame.with(side), |stood| stood.position());
        let mut key = beside(frame, &stood);
        if side == frame.taker {
            key.before = frame.key.before;
            key.bans.clone_from(&frame.key.bans);
            key.alone = frame.key.alone;
        }
        let own = self.frame(key);
        let even = Run::of(from.depth, Balance::EVEN, from.least);
        if among.len() > 1 && !self.wins_by_checks(&own, even, among) {
            return (PieceSet::EMPTY, PieceSet::EMPTY);
        }
        let mut compared = |rules: &mut Self, these: PieceSet| {
            let then = short_of_mate(these, &mut |aims| rules.by_checks(&own, even, aims))?;
            let least = then.grade + 1;
            let more = Run { least, ..even };
            Some(short_of_mate(these, &mut |aims| run(rules, aims, more)).is_none())
        };
        let (mut each, mut left) = (PieceSet::EMPTY, among);
        if among.len() > 1 {
            for id in among {
                if let Some(same) = compared(self, PieceSet::EMPTY.with(id)) {
                    left = left.without(id);
                    each = if same { each.with(id) } else { each };
                }
            }
        }
        if left.is_empty() || compared(self, left) != Some(true) {
            (each, PieceSet::EMPTY)
        } else if left.len() == 1 {
            (each.or(left), PieceSet::EMPTY)
        } else {
            (each, left)
        }
    }
}

/// What a run wins of these pieces; one that does not mate whatever the answers, where the best does.
fn short_of_mate(these: PieceSet, run: &mut dyn FnMut(Aims) -> Option<Leaf>) -> Option<Leaf> {
    let leaf = run(Aims::Among(these))?;
    if leaf.mates() {
        run(Aims::Short(these))
    } else {
        Some(leaf)
    }
}

/// The best run of checks with these aims that comes to the mark.
type RunOf<'r, R> = &'r mut dyn FnMut(&mut R, Aims, Run) -> Option<Leaf>;

/// What a position is compared in: without a further look at what captures bring elsewhere.
pub(super) fn beside(frame: &Frame, position: &Position) -> FrameKey {
    let mut key = FrameKey::of(position);
    key.beside = true;
    if let Before::Shield(_) = frame.key.before {
        key.before = frame.key.before;
    }
    key
}

/// Others of its side than the king keep a piece from taking one alone where it has come to (24.16): where it has taken a rook,
/// only one that is a rook itself (26.9).
fn is_helped(walk: &Walk, target: Option<PieceId>, at: Square) -> bool {
    let come = &walk.position;
    let rook = |id: PieceId| id.role() == Role::Rook;
    let alone = walk.frame.key.alone;
    alone.is_some_and(|alone| rook(alone) || !target.is_some_and(rook))
        && come.bearing_on(at, come.turn()).any(|root| {
            let take = Move::new(come.square_of(root), at);
            !come.is_legal(take) && is_barred(come, take)
        })
}

/// It takes what has just taken another piece than a pawn in answer to a check.
fn takes_back(walk: &Walk, mv: Move) -> bool {
    let Some((answer, before)) = walk.path.split_last() else {
        return false;
    };
    answer.to == mv.to && {
        let mut position = walk.frame.base.clone();
        for &mv in before {
            position.make(mv);
        }
        let taken = position.id_at(answer.to);
        taken.is_some_and(|id| id.role() != Role::Pawn)
    }
}

/// Another piece gave one of the checks so far: what this one takes then it does not take by itself.
fn others_have_checked(walk: &Walk, captor: PieceId) -> bool {
    let mut position = walk.frame.base.clone();
    walk.path.iter().enumerate().any(|(ply, &mv)| {
        position.make(mv);
        ply % 2 == 0 && !position.checkers().without(captor).is_empty()
    })
}

/// A capture of what a piece was the root of before it took: it stands where it stood, and with that piece back the capture
/// would win less, or could not be made although it is guarded (细则 4).
fn is_ward_let_go(frame: &Frame, position: &mut Position, mv: Move) -> bool {
    let Some((captor, home)) = frame.key.let_go else {
        return false;
    };
    let victim = position.id_at(mv.to);
    if victim == Some(captor) || victim != frame.base.id_at(mv.to) || !position.is_alive(captor) {
        return false;
    }
    if !position.is_empty(home) {
        // Where the run has come to its square, what it guarded before it took tells.
        let then = frame.key.since.as_ref().zip(position.id_at(mv.from));
        return then.is_some_and(|(since, taker)| {
            let mut since = with_turn(since.position(), taker.side());
            let take = Move::new(since.square_of(taker), mv.to);
            if since.is_pseudo_legal(take) {
                is_root(&mut since, take, None, captor)
            } else {
                since.bears(since.square_of(captor), mv.to)
            }
        });
    }
    let now = exchange(position, mv, None).number();
    let back = Move::new(position.square_of(captor), home);
    position.having(back, |position| {
        position.pass();
        let guarded = if position.is_legal(mv) {
            exchange(position, mv, None).number() < now && is_root(position, mv, None, captor)
        } else {
            position.bears(home, mv.to)
        };
        position.pass();
        guarded
    })
}
