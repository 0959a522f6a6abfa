//! Who says which of several things holds.
//!
//! The rules are stated once, as questions with yes and no for an answer ([`Rules`]). Where a rule says *some* (some check, some
//! capture, some answer of the other side), it leaves to a [`Guide`] to say which. The verifier's guide reads that from the
//! certificate: one word, the number of the option that holds, which is then asked alone; or none, and then every option is
//! asked, and each must fail. So nothing is searched, each word is read once, and *no* is proved as *yes* is.

use super::frame::{Answer, Frame, FrameKey, Question};
use crate::board::{Move, Packed};
use crate::definitions::Definitions;
use std::collections::HashMap;
use std::rc::Rc;

/// How deep mates and lines may go into one another.
const DEEPEST: u32 = 200;

/// What does not hold, in English and Chinese.
pub(crate) type Fault = (&'static str, &'static str);

/// The rules of a book, asked with a guide.
pub(crate) struct Rules<'d, G> {
    pub definitions: &'d Definitions,
    pub guide: G,
    /// What was asked and answered already.
    pub known: HashMap<Question, Answer>,
    pub frames: HashMap<FrameKey, Rc<Frame>>,
    /// What does not hold of what was said, the first time.
    pub fault: Option<Fault>,
    depth: u32,
}

/// Says which of several things holds, where it is said: in a certificate, or by whoever makes one.
pub(crate) trait Guide: Sized {
    /// The next word of what is said; none where there is none left.
    fn word(&mut self) -> Option<u32>;

    /// Some option for which the test holds.
    fn any<'d, O: Copy, T>(
        rules: &mut Rules<'d, Self>,
        options: &[O],
        mut test: impl FnMut(&mut Rules<'d, Self>, O) -> Option<T>,
    ) -> Option<T> {
        if options.is_empty() || rules.fault.is_some() {
            return None;
        }
        let word = rules.word()?;
        if word == 0 {
            for &option in options {
                let holds = test(rules, option).is_some();
                if rules.fault.is_some() {
                    return None;
                }
                if holds {
                    rules.fail((
                        "an option holds of which it is said that none does",
                        "证书说都不成立，其中却有成立的",
                    ));
                    return None;
                }
            }
            return None;
        }
        let Some(&option) = options.get(word as usize - 1) else {
            rules.fail((
                "an option is named that is not there",
                "证书所指的一项并不存在",
            ));
            return None;
        };
        let found = test(rules, option);
        if found.is_none() {
            rules.fail(("the option named does not hold", "证书所指的一项不成立"));
        }
        found
    }

    /// The first option for which the test holds: those before it are shown to fail. Where what is found matters, not
    /// only that something is, it cannot be chosen then.
    fn first<'d, O: Copy, T>(
        rules: &mut Rules<'d, Self>,
        options: &[O],
        mut test: impl FnMut(&mut Rules<'d, Self>, O) -> Option<T>,
    ) -> Option<T> {
        options.iter().find_map(|&option| {
            let found = test(rules, option);
            found.filter(|_| rules.fault.is_none())
        })
    }

    /// The most for which the question holds, if that is no less than the least, with its answer: that it holds is shown, and that no
    /// more does, unless there is no more. The answer is asked for with `true`.
    fn most<'d, T>(
        rules: &mut Rules<'d, Self>,
        least: i32,
        mut ask: impl FnMut(&mut Rules<'d, Self>, i32, bool) -> Option<T>,
        _worth: impl Fn(&T) -> i32,
        is_all: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let word = rules.word()?;
        let above = i32::try_from(word).unwrap_or(i32::MAX).min(1 << 20);
        if above == 0 {
            if ask(rules, least, false).is_some() {
                rules.fail((
                    "something holds of which it is said that it does not",
                    "证书说不成立，却成立",
                ));
            }
            return None;
        }
        let most = least + above - 1;
        let Some(found) = ask(rules, most, true) else {
            rules.fail(("it is less than is said", "所得少于证书所说"));
            return None;
        };
        if !is_all(&found) && ask(rules, most + 1, false).is_some() {
            rules.fail(("it is more than is said", "所得多于证书所说"));
            return None;
        }
        Some(found)
    }

    /// A question that may come again: it is answered once.
    fn lemma<'d>(
        rules: &mut Rules<'d, Self>,
        question: Question,
        answer: impl FnOnce(&mut Rules<'d, Self>) -> Answer,
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
    fn solve(_rules: &mut Rules<'_, Self>, _question: &Question) {}

    /// In a mate by consecutive checks: whether it mates from here and by which check (counted from 1, 0 for none), or which
    /// reply to the check holds out.
    fn in_mate(
        rules: &mut Rules<'_, Self>,
        _at: &Packed,
        _check: Option<Move>,
        _options: &[Move],
    ) -> u32 {
        rules.word().unwrap_or(0)
    }
}

impl<'d, G: Guide> Rules<'d, G> {
    pub fn new(definitions: &'d Definitions, guide: G) -> Self {
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

    /// Some option for which the test holds; in order, the first.
    pub fn some<O: Copy, T>(
        &mut self,
        in_order: bool,
        options: &[O],
        test: impl FnMut(&mut Self, O) -> Option<T>,
    ) -> Option<T> {
        if in_order {
            G::first(self, options, test)
        } else {
            G::any(self, options, test)
        }
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
pub(crate) struct Told<'w>(pub std::slice::Iter<'w, u32>);

impl Guide for Told<'_> {
    fn word(&mut self) -> Option<u32> {
        self.0.next().copied()
    }
}
