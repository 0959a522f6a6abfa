//! Who says which of several things holds.
//!
//! The rules are stated once, as questions with yes and no for an answer ([`Rules`]). Where a rule says *some* (some check, some
//! capture, some answer of the other side), it leaves to a [`Guide`] to say which. The verifier's guide reads that from the
//! certificate: one word, the number of the option that holds, which is then asked alone; or none, and then every option is
//! asked, and each must fail. So nothing is searched, each word is read once, and *no* is proved as *yes* is.

use super::frame::{Answer, Frame, FrameKey, Question};
use crate::board::{Move, Packed};
use crate::definitions::Definitions;
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// How deep mates and lines may go into one another.
const DEEPEST: u32 = 200;

/// What does not hold, in English and Chinese.
pub(crate) type Fault = (&'static str, &'static str);

/// The rules of a book, asked with a guide.
pub(crate) struct Rules<'d> {
    pub definitions: &'d Definitions,
    /// One program is made of the rules, whoever guides.
    guide: &'d dyn Guide,
    /// What was asked and answered already.
    pub known: HashMap<Question, Answer>,
    pub frames: HashMap<FrameKey, Rc<Frame>>,
    /// What does not hold of what was said, the first time.
    pub fault: Option<Fault>,
    depth: u32,
}

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
        if word == 0 {
            for option in 0..options {
                let holds = test(rules, option);
                if rules.fault.is_some() {
                    return false;
                }
                if holds {
                    rules.fail((
                        "an option holds of which it is said that none does",
                        "证书说都不成立，其中却有成立的",
                    ));
                    return false;
                }
            }
            return false;
        }
        let option = word as usize - 1;
        if option >= options {
            rules.fail((
                "an option is named that is not there",
                "证书所指的一项并不存在",
            ));
            return false;
        }
        let holds = test(rules, option);
        if !holds {
            rules.fail(("the option named does not hold", "证书所指的一项不成立"));
        }
        holds
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
    fn solve(&self, _rules: &mut Rules<'_>, _question: &Question) {}

    /// In a mate by consecutive checks: whether it mates from here and by which check (counted from 1, 0 for none), or which
    /// reply to the check holds out.
    fn in_mate(
        &self,
        rules: &mut Rules<'_>,
        _at: &Packed,
        _check: Option<Move>,
        _options: &[Move],
    ) -> u32 {
        rules.word().unwrap_or(0)
    }
}

impl<'d> Rules<'d> {
    pub fn new(definitions: &'d Definitions, guide: &'d dyn Guide) -> Self {
        Self {
            definitions,
            guide,
            known: HashMap::new(),
            frames: HashMap::new(),
            fault: None,
            depth: 0,
        }
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

    /// Some option for which the test holds; in order, the first: those before it are shown to fail. Where what is found
    /// matters, not only that something is, it cannot be chosen then.
    pub fn some<O: Copy, T>(
        &mut self,
        in_order: bool,
        options: &[O],
        mut test: impl FnMut(&mut Self, O) -> Option<T>,
    ) -> Option<T> {
        if !in_order {
            return self.any(options, test);
        }
        options.iter().find_map(|&option| {
            let found = test(self, option);
            found.filter(|_| self.fault.is_none())
        })
    }

    /// The most for which the question holds, if that is no less than the least, with its answer: that it holds is shown, and that no
    /// more does, unless there is no more. The answer is asked for with `true`.
    pub fn most<T>(
        &mut self,
        least: i32,
        mut ask: impl FnMut(&mut Self, i32, bool) -> Option<T>,
        worth: impl Fn(&T) -> i32,
        is_all: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let mut last = None;
        let holds = self
            .guide
            .most(self, least, &mut |rules, least, is_answer| {
                let found = ask(rules, least, is_answer)?;
                let told = (worth(&found), is_all(&found));
                last = Some(found);
                Some(told)
            });
        last.filter(|_| holds)
    }

    /// A question that may come again: it is answered once.
    pub fn lemma(
        &mut self,
        question: Question,
        answer: impl FnOnce(&mut Self) -> Answer,
    ) -> Answer {
        let mut answer = Some(answer);
        let mut once = |rules: &mut Self| answer.take().map_or(Answer::No, |answer| answer(rules));
        self.guide.lemma(self, question, &mut once)
    }

    /// As [`Guide::solve`].
    pub fn solve(&mut self, question: &Question) {
        self.guide.solve(self, question);
    }

    /// As [`Guide::in_mate`].
    pub fn in_mate(&mut self, at: &Packed, check: Option<Move>, options: &[Move]) -> u32 {
        self.guide.in_mate(self, at, check, options)
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
