//! Makes certificates of rulings: the rules of [`crate::proof`], guided by trying every option instead of by what is told.
//!
//! What is found is kept question by question; only what the verifier will ask is written down, in the order in which it asks.

use crate::board::{Move, Packed, Position};
use crate::definitions::Assertions;
use crate::exchange::{Ban as Banned, Bans, Budget, Shown, shown};
use crate::notation::fen;
use crate::proof::{
    Answer, Ban, Book, Certificate, FORMAT, Guide, Question, Rules, judge_line, text_of,
};
use crate::rules::{LoadedBook, Situation};
use crate::ruling::Judged;
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

/// Steps that are granted for a certificate: the dearest of some 50,000 took a tenth.
pub const STEPS: u32 = 3_000_000;

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
struct Finder {
    said: Vec<Said>,
    found: HashMap<Question, (Answer, usize)>,
    lemmas: Vec<Vec<Said>>,
    /// Steps that are granted; whoever asked may call them off.
    steps: Budget,
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
        });
    }
    all
}

impl Guide for Finder {
    fn word(&mut self) -> Option<u32> {
        None
    }

    fn any<'d, O: Copy, T>(
        rules: &mut Rules<'d, Self>,
        options: &[O],
        mut test: impl FnMut(&mut Rules<'d, Self>, O) -> Option<T>,
    ) -> Option<T> {
        if options.is_empty() || rules.fault.is_some() {
            return None;
        }
        if !rules.guide.steps.take() {
            rules.fail(("it takes too long", "所需步数超过限度"));
            return None;
        }
        let place = rules.guide.said.len();
        rules.guide.said.push(Said::Word(0));
        for (&option, word) in options.iter().zip(1..) {
            let before = rules.guide.said.len();
            if let Some(found) = test(rules, option) {
                if let Some(slot) = rules.guide.said.get_mut(place) {
                    *slot = Said::Word(word);
                }
                // What does not hold need not be shown then.
                rules.guide.said.drain(place + 1..before);
                return Some(found);
            }
            if rules.fault.is_some() {
                return None;
            }
        }
        None
    }

    fn most<'d, T>(
        rules: &mut Rules<'d, Self>,
        least: i32,
        mut ask: impl FnMut(&mut Rules<'d, Self>, i32, bool) -> Option<T>,
        worth: impl Fn(&T) -> i32,
        is_all: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let place = rules.guide.said.len();
        rules.guide.said.push(Said::Word(0));
        let mut found = ask(rules, least, false)?;
        let mut most = worth(&found).max(least);
        let mut no_more = Vec::new();
        while !is_all(&found) {
            rules.guide.said.truncate(place + 1);
            let Some(more) = ask(rules, most + 1, false) else {
                no_more = rules.guide.said.split_off(place + 1);
                break;
            };
            most = worth(&more).max(most + 1);
            found = more;
        }
        rules.guide.said.truncate(place);
        let above = u32::try_from(most - least + 1).unwrap_or(0);
        rules.guide.said.push(Said::Word(above));
        let found = ask(rules, most, true);
        rules.guide.said.append(&mut no_more);
        found
    }

    fn lemma<'d>(
        rules: &mut Rules<'d, Self>,
        question: Question,
        answer: impl FnOnce(&mut Rules<'d, Self>) -> Answer,
    ) -> Answer {
        if let Some(&(known, number)) = rules.guide.found.get(&question) {
            rules.guide.said.push(Said::Lemma(number));
            return known;
        }
        let outer = std::mem::take(&mut rules.guide.said);
        let found = rules.nested(answer);
        let said = std::mem::replace(&mut rules.guide.said, outer);
        let number = rules.guide.lemmas.len();
        rules.guide.lemmas.push(said);
        rules.guide.found.insert(question, (found, number));
        rules.guide.said.push(Said::Lemma(number));
        found
    }

    fn solve(rules: &mut Rules<'_, Self>, question: &Question) {
        let Question::Kill(at, first, bans) = question else {
            return;
        };
        let passes = |mv: Move| first.is_none_or(|square| Position::passes(mv, square));
        let mut budget = Budget::new(rules.guide.mate_budget);
        rules.guide.mate = shown(&at.position(), passes, &bans_of(bans), &mut budget);
        if rules.guide.mate.is_none() {
            rules.fail(("a mate is not settled", "有杀着未能判明"));
        }
    }

    fn in_mate(
        rules: &mut Rules<'_, Self>,
        at: &Packed,
        check: Option<Move>,
        options: &[Move],
    ) -> u32 {
        let position = at.position();
        let named = rules.guide.mate.as_ref().and_then(|shown| match check {
            Some(check) => shown.reply(&position, check),
            None => shown.check(&position),
        });
        let place = named.and_then(|mv| options.iter().position(|&option| option == mv));
        let word = place.map_or(0, |place| u32::try_from(place + 1).unwrap_or(0));
        rules.guide.said.push(Said::Word(word));
        word
    }
}

impl Finder {
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
/// Where there is nothing to prove, or it would take too much.
pub fn certify(
    loaded: &LoadedBook,
    judged: &Judged,
    assertions: Assertions,
) -> Result<Certificate, Unproved> {
    let start = judged.moves.first().ok_or(Unproved::Line)?;
    let line: Vec<Move> = judged.moves.iter().map(|judged| judged.scene.mv).collect();
    let natures: Option<Vec<_>> = judged.moves.iter().map(|m| m.finding.nature).collect();
    let natures = natures.ok_or(Unproved::Undetermined)?;
    let made = prove(
        loaded,
        start.scene.before.position(),
        &line,
        assertions,
        STEPS,
    )?;
    let verdict = &judged.verdict;
    let same = match verdict.situation {
        // That the order was not kept is seen from the game.
        Some(Situation::NotChanged) => made.claims.situation == Situation::OneForbidden,
        situation => {
            situation == Some(made.claims.situation)
                && (verdict.outcome, verdict.side) == (made.claims.outcome, made.claims.side)
        }
    };
    if same && made.claims.natures == natures {
        Ok(made)
    } else {
        Err(Unproved::Differs)
    }
}

/// Proves what a line that leads back to its start comes to under a book, with so many steps at most.
///
/// # Errors
/// Where there is nothing to prove, or it would take too much.
pub fn prove(
    loaded: &LoadedBook,
    start: &Position,
    line: &[Move],
    assertions: Assertions,
    steps: u32,
) -> Result<Certificate, Unproved> {
    let book = &loaded.book;
    let text = fen::write(start);
    // As whoever verifies it reads it.
    let start = fen::parse(&text).map_err(|_| Unproved::Line)?;
    let finder = Finder {
        said: Vec::new(),
        found: HashMap::new(),
        lemmas: Vec::new(),
        steps: Budget::new(steps),
        mate_budget: book.definitions.kill_budget,
        mate: None,
    };
    let mut rules = Rules::new(&book.definitions, finder);
    let claims = judge_line(&mut rules, book, &start, line, assertions, |_| {});
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
        proof: text_of(&rules.guide.words()),
    })
}
