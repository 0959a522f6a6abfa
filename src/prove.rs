//! Makes certificates of rulings: the rules of [`crate::proof`], guided by trying every option instead of by what is told.
//!
//! What is found is kept question by question; only what the verifier will ask is written down, in the order in which it asks.

use crate::board::{Move, Position, Square};
use crate::definitions::Assertions;
use crate::exchange::{AtOnce, Ban as Banned, Bans, Budget, Shown, Watch, Work, shown};
use crate::notation::fen;
use crate::proof::{
    Answer, Ask, Ban, Book, Certificate, FORMAT, Guide, Moves, Question, Rules, Solve, Test,
    judge_line, text_of, verify, word_of,
};
use crate::rules::{LoadedBook, Outcome, Situation};
use crate::ruling::Judged;
use std::cell::RefCell;
use std::collections::HashMap;

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// The line does not lead back to its start by legal moves.
    Line,
    /// It takes more work than is granted, or a mate could not be settled: which, in English and Chinese.
    Open(&'static str, &'static str),
    /// The ruling leaves something open itself.
    Undetermined,
    /// What is proved is not what was ruled.
    Differs,
}

/// Steps that are granted for a certificate: the dearest that was found by looking for it takes three quarters, most
/// less than a hundredth.
pub const STEPS: u32 = 1_000_000;

impl std::fmt::Display for Unproved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match *self {
            Self::Line => "the line does not lead back to its start by legal moves",
            Self::Open(why, _) => why,
            Self::Undetermined => "the ruling leaves open what a move is",
            Self::Differs => "what can be proved is not what was ruled",
        })
    }
}

impl Unproved {
    /// The same in Chinese.
    pub const fn zh(self) -> &'static str {
        match self {
            Self::Line => "着法不能合法地回到原局面",
            Self::Open(_, zh) => zh,
            Self::Undetermined => "裁决本身未定",
            Self::Differs => "所能证明的与所裁决的不同",
        }
    }
}

impl std::error::Error for Unproved {}

/// What proves an answer, in its order.
#[derive(Clone, Copy)]
enum Said {
    Word(u32),
    /// All that proves the answer to another question, the first time it comes.
    Lemma(usize),
}

/// Finds out which option holds by trying them.
struct Finder<'w>(RefCell<Found<'w>>);

/// What was found so far.
struct Found<'w> {
    said: Vec<Said>,
    answers: HashMap<Question, (Answer, usize)>,
    lemmas: Vec<Vec<Said>>,
    /// Steps that are granted; whoever asked may call them off.
    steps: Budget<'w>,
    /// Positions a mate may take.
    mate_budget: u32,
    /// The mate that is written down.
    mate: Option<Shown>,
}

fn bans_of(bans: &[Ban]) -> Bans {
    let mut all = Bans::default();
    for ban in bans {
        all.push(Banned {
            from: ban.from,
            to: ban.to,
            offered: ban.offered,
            partner: ban.partner,
            given: ban.given,
        });
    }
    all
}

impl Guide for Finder<'_> {
    fn word(&self) -> Option<u32> {
        None
    }

    fn any<'d>(&self, rules: &mut Rules<'d>, options: usize, test: Test<'_, 'd>) -> bool {
        let word = |at: usize| u32::try_from(at + 1).unwrap_or(0);
        self.try_each(rules, options, word, test)
    }

    fn named(&self, _: &mut Rules<'_>, _: &mut Position, _: Moves) -> Option<Move> {
        None
    }

    fn any_move<'d>(&self, rules: &mut Rules<'d>, moves: &[Move], test: Test<'_, 'd>) -> bool {
        let word = |at: usize| moves.get(at).map_or(0, |&mv| word_of(mv));
        self.try_each(rules, moves.len(), word, test)
    }

    /// What leaves the fewest further checks takes the least to show.
    fn order(
        &self,
        rules: &mut Rules<'_>,
        position: &mut Position,
        answers: &[Move],
    ) -> Vec<usize> {
        let mut order = Vec::with_capacity(answers.len());
        for (at, &answer) in answers.iter().enumerate() {
            let undo = position.make(answer);
            order.push((rules.checks(position).moves.len(), at));
            position.unmake(undo);
        }
        order.sort_unstable();
        order.into_iter().map(|(_, at)| at).collect()
    }

    fn whatever<'d>(
        &self,
        rules: &mut Rules<'d>,
        answers: &[Move],
        order: &[usize],
        leaves: Test<'_, 'd>,
    ) -> bool {
        if !self.may_go_on(rules) {
            return false;
        }
        let outer = std::mem::take(&mut self.0.borrow_mut().said);
        let mut each: Vec<Vec<Said>> = answers.iter().map(|_| Vec::new()).collect();
        let mut spoilt = None;
        for &at in order {
            if !leaves(rules, at) {
                spoilt = answers.get(at);
                break;
            }
            if let Some(said) = each.get_mut(at) {
                *said = std::mem::take(&mut self.0.borrow_mut().said);
            }
        }
        let said = &mut self.0.borrow_mut().said;
        let last = std::mem::replace(said, outer);
        said.push(Said::Word(spoilt.map_or(0, |&mv| word_of(mv))));
        if rules.fault.is_some() {
            return false;
        }
        if spoilt.is_some() {
            said.extend(last);
            return false;
        }
        said.extend(each.into_iter().flatten());
        true
    }

    fn most<'d>(&self, rules: &mut Rules<'d>, least: i32, ask: Ask<'_, 'd>) -> bool {
        let place = self.say(Said::Word(0));
        let Some((worth, mut is_all)) = ask(rules, least, false) else {
            return false;
        };
        let mut most = worth.max(least);
        let mut no_more = Vec::new();
        while !is_all {
            self.0.borrow_mut().said.truncate(place + 1);
            let Some((worth, all)) = ask(rules, most + 1, false) else {
                no_more = self.0.borrow_mut().said.split_off(place + 1);
                break;
            };
            most = worth.max(most + 1);
            is_all = all;
        }
        self.0.borrow_mut().said.truncate(place);
        let above = u32::try_from(most - least + 1).unwrap_or(0);
        self.say(Said::Word(above));
        let holds = ask(rules, most, true).is_some();
        self.0.borrow_mut().said.append(&mut no_more);
        holds
    }

    fn lemma<'d>(
        &self,
        rules: &mut Rules<'d>,
        question: Question,
        answer: Solve<'_, 'd>,
    ) -> Answer {
        let known = self.0.borrow().answers.get(&question).copied();
        if let Some((known, number)) = known {
            self.say(Said::Lemma(number));
            return known;
        }
        let outer = std::mem::take(&mut self.0.borrow_mut().said);
        let found = rules.nested(answer);
        let mut all = self.0.borrow_mut();
        let said = std::mem::replace(&mut all.said, outer);
        let number = all.lemmas.len();
        all.lemmas.push(said);
        all.answers.insert(question, (found, number));
        all.said.push(Said::Lemma(number));
        found
    }

    fn solve(&self, rules: &mut Rules<'_>, at: &Position, first: Option<Square>, bans: &[Ban]) {
        let passes = |mv: Move| first.is_none_or(|square| Position::passes(mv, square));
        let mut all = self.0.borrow_mut();
        let mut budget = all.steps.work().budget(all.mate_budget);
        all.mate = shown(at, passes, &bans_of(bans), &mut budget);
        if all.mate.is_none() {
            rules.fail(("a mate is not settled", "有杀着未能判明"));
        }
    }

    fn in_mate(
        &self,
        _rules: &mut Rules<'_>,
        position: &Position,
        check: Option<Move>,
    ) -> Option<Move> {
        let mut all = self.0.borrow_mut();
        let named = all.mate.as_ref().and_then(|shown| match check {
            Some(check) => shown.reply(position, check),
            None => shown.check(position),
        });
        all.said.push(Said::Word(named.map_or(0, word_of)));
        named
    }
}

impl Finder<'_> {
    /// Writes down what comes next, and tells its place.
    fn say(&self, next: Said) -> usize {
        let said = &mut self.0.borrow_mut().said;
        said.push(next);
        said.len() - 1
    }

    /// How much is written down.
    fn said(&self) -> usize {
        self.0.borrow().said.len()
    }

    /// Whether nothing speaks against one more step.
    fn may_go_on(&self, rules: &mut Rules<'_>) -> bool {
        if rules.fault.is_none() && !self.0.borrow_mut().steps.take() {
            rules.fail(("it takes too long", "所需步数超过限度"));
        }
        rules.fault.is_none()
    }

    /// Whether the test holds of some option: the first is named by its word.
    fn try_each<'d>(
        &self,
        rules: &mut Rules<'d>,
        options: usize,
        word: impl Fn(usize) -> u32,
        test: Test<'_, 'd>,
    ) -> bool {
        if !self.may_go_on(rules) {
            return false;
        }
        let place = self.say(Said::Word(0));
        for option in 0..options {
            let before = self.said();
            if test(rules, option) {
                let said = &mut self.0.borrow_mut().said;
                if let Some(slot) = said.get_mut(place) {
                    *slot = Said::Word(word(option));
                }
                // What does not hold need not be shown then.
                said.drain(place + 1..before);
                return true;
            }
            if rules.fault.is_some() {
                return false;
            }
        }
        false
    }
}

impl Found<'_> {
    /// What the verifier reads: what proves an answer stands where its question comes first.
    fn words(mut self) -> Vec<u32> {
        let mut words = Vec::new();
        let mut open = vec![self.said.into_iter()];
        while let Some(said) = open.last_mut() {
            match said.next() {
                None => drop(open.pop()),
                Some(Said::Word(word)) => words.push(word),
                Some(Said::Lemma(number)) => {
                    if let Some(said) = self.lemmas.get_mut(number) {
                        open.push(std::mem::take(said).into_iter());
                    }
                }
            }
        }
        words
    }
}

/// The certificate of what was judged of a line, under the book and the assertions by which it was judged. An order to change,
/// and whether it was kept, is no part of it.
///
/// # Errors
/// Where there is nothing to prove, or it would take too much, or is called off.
pub fn certify(
    loaded: &LoadedBook,
    judged: &Judged,
    assertions: Assertions,
    watch: Option<&dyn Watch>,
) -> Result<Certificate, Unproved> {
    let start = judged.moves.first().ok_or(Unproved::Line)?;
    let line: Vec<Move> = judged.moves.iter().map(|judged| judged.scene.mv).collect();
    let natures: Option<Vec<_>> = judged.moves.iter().map(|m| m.finding.nature).collect();
    let natures = natures.ok_or(Unproved::Undetermined)?;
    // What it has at hand may be some 200 MB: it is made in one go.
    let watch = watch.map(AtOnce);
    let made = prove(
        loaded,
        start.scene.before.position(),
        &line,
        assertions,
        STEPS,
        watch.as_ref().map(|watch| watch as &dyn Watch),
    )?;
    let verdict = &judged.verdict;
    let same = match verdict.situation {
        // That the order was not kept is seen from the game.
        Some(Situation::NotChanged) => {
            (Outcome::MustChange, verdict.side) == (made.claims.outcome, made.claims.side)
        }
        situation => {
            situation == Some(made.claims.situation)
                && (verdict.outcome, verdict.side) == (made.claims.outcome, made.claims.side)
        }
    };
    // What is handed out has been verified.
    if same && made.claims.natures == natures && verify(loaded, &made).is_ok() {
        Ok(made)
    } else {
        Err(Unproved::Differs)
    }
}

/// Proves what a line that leads back to its start comes to under a book, with so many steps at most.
///
/// # Errors
/// Where there is nothing to prove, or it would take too much, or is called off.
pub fn prove(
    loaded: &LoadedBook,
    start: &Position,
    line: &[Move],
    assertions: Assertions,
    steps: u32,
    watch: Option<&dyn Watch>,
) -> Result<Certificate, Unproved> {
    let work = Work::free(watch);
    let book = &loaded.book;
    let text = fen::write(start);
    // As whoever verifies it reads it.
    let start = fen::parse(&text).map_err(|_| Unproved::Line)?;
    let finder = Finder(RefCell::new(Found {
        said: Vec::new(),
        answers: HashMap::new(),
        lemmas: Vec::new(),
        steps: work.budget(steps),
        mate_budget: book.definitions.kill_budget,
        mate: None,
    }));
    let mut rules = Rules::new(&book.definitions, &finder);
    let claims = judge_line(&mut rules, book, &start, line, assertions, &mut |_| {});
    if let Some((en, zh)) = rules.fault {
        return Err(Unproved::Open(en, zh));
    }
    Ok(Certificate {
        format: FORMAT.to_owned(),
        rules: Book {
            id: book.id.clone(),
            version: book.version.clone(),
            digest: loaded.digest.clone(),
        },
        fen: text,
        moves: line.to_vec(),
        assertions,
        claims: claims.ok_or(Unproved::Line)?,
        proof: text_of(&finder.0.into_inner().words()),
    })
}
