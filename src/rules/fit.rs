//! Puts an amendment into a book, and says where it does not fit.

use super::amendment::Amendment;
use super::book::{Applied, RuleBook};
use super::draft::{Complaint, Draft, complaints};
use super::fault::{FaultCode, meant, near};
use super::parameters::{PARAMETERS, ParameterDoc, definitions_of, values_of};
use super::reader::{below, path};
use crate::language::{Text, both};
use std::collections::BTreeSet;

/// The amended book, if its parameters make one, and what is wrong with it.
pub fn fit(base: &RuleBook, amendment: &Amendment) -> (Option<RuleBook>, Vec<Complaint>) {
    let mut fitting = Fitting {
        base,
        amendment,
        book: base.clone(),
        complaints: Vec::new(),
    };
    fitting.identity();
    fitting.strikes();
    fitting.articles();
    fitting.rows();
    let sound = fitting.definitions();
    if sound {
        fitting.result();
    }
    let Fitting {
        book, complaints, ..
    } = fitting;
    (sound.then_some(book), complaints)
}

struct Fitting<'a> {
    base: &'a RuleBook,
    amendment: &'a Amendment,
    book: RuleBook,
    complaints: Vec<Complaint>,
}

impl Fitting<'_> {
    fn say(&mut self, pointer: &str, code: FaultCode, message: Text) {
        self.complaints.push(Complaint::new(pointer, code, message));
    }

    fn came(&mut self, target: String) {
        self.book.origins.insert(target, self.amendment.id.clone());
    }

    fn identity(&mut self) {
        let (base, amendment) = (self.base, self.amendment);
        let (id, version) = match amendment.base.split_once('@') {
            Some((id, version)) => (id, Some(version)),
            None => (amendment.base.as_str(), None),
        };
        let further = base.id.strip_prefix(id);
        let of_it = further.is_some_and(|further| further.is_empty() || further.starts_with('+'));
        if !of_it || version.is_some_and(|version| version != base.version) {
            let message = both!(
                "`base` is `{}`, but the book to amend is `{}@{}`",
                "`base` 是“{}”，而要修订的规则是“{}@{}”",
                amendment.base,
                base.id,
                base.version
            );
            self.say("/base", FaultCode::BaseMismatch, message);
        }
        if base
            .amendments
            .iter()
            .any(|applied| applied.id == amendment.id)
        {
            let message = both!(
                "the book is amended by `{}` already",
                "此规则已经过修订“{}”",
                amendment.id
            );
            self.say("/id", FaultCode::NoChange, message);
        }
        let book = &mut self.book;
        book.id = format!("{}+{}", base.id, amendment.id);
        book.title = Text {
            zh: format!("{}（{}）", base.title.zh, amendment.title.zh),
            en: format!("{} ({})", base.title.en, amendment.title.en),
        };
        if !amendment.effective.is_empty() {
            book.effective.clone_from(&amendment.effective);
        }
        book.amendments.push(Applied {
            id: amendment.id.clone(),
            title: amendment.title.clone(),
            reason: amendment.reason.clone(),
            effective: amendment.effective.clone(),
            struck: amendment.strike.clone(),
        });
    }

    fn strikes(&mut self) {
        let mut seen = BTreeSet::new();
        for (at, clause) in self.amendment.strike.iter().enumerate() {
            let pointer = format!("/strike/{at}");
            if !seen.insert(clause) {
                let message = both!("`{clause}` is struck twice", "条款“{clause}”删了两次");
                self.say(&pointer, FaultCode::NoChange, message);
            } else if self.base.article(clause).is_none() {
                let known = self.base.articles.iter().map(|article| article.id.as_str());
                let (id, near) = (&self.base.id, near(clause, known));
                let message = both!(
                    near;
                    "`{clause}` is struck, but `{id}` has no such article{near}",
                    "要删的条款“{clause}”，“{id}”中没有{near}",
                );
                self.say(&pointer, FaultCode::UnknownArticle, message);
            }
            if self.amendment.articles.iter().any(|put| put.id == *clause) {
                let message = both!(
                    "article `{clause}` is both struck and put",
                    "条款“{clause}”既删又改"
                );
                self.say(&pointer, FaultCode::Contradiction, message);
            }
            self.book.articles.retain(|article| article.id != *clause);
            self.book.origins.remove(&format!("articles.{clause}"));
        }
    }

    fn articles(&mut self) {
        let mut seen = BTreeSet::new();
        for (at, put) in self.amendment.articles.iter().enumerate() {
            let pointer = format!("/articles/{at}");
            if !put.id.is_empty() && !seen.insert(&put.id) {
                let message = both!("article `{}` is put twice", "条款“{}”改了两次", put.id);
                self.say(&below(&pointer, "id"), FaultCode::DuplicateArticle, message);
                continue;
            }
            if self.base.article(&put.id) == Some(put) {
                let message = both!(
                    "article `{}` is put as it stands already",
                    "条款“{}”与原文相同",
                    put.id
                );
                self.say(&pointer, FaultCode::NoChange, message);
            }
            match self
                .book
                .articles
                .iter_mut()
                .find(|article| article.id == put.id)
            {
                Some(article) => article.clone_from(put),
                None => self.book.articles.push(put.clone()),
            }
            self.came(format!("articles.{}", put.id));
        }
        self.unwritten();
    }

    /// What an article now decides is not unwritten any more; what is said to be so replaces what was said.
    fn unwritten(&mut self) {
        let put = self.amendment.articles.iter();
        let decided: BTreeSet<_> = put
            .flat_map(|article| &article.decides)
            .filter_map(|target| target.strip_prefix("definitions."))
            .collect();
        let said: BTreeSet<_> = self
            .amendment
            .unwritten
            .iter()
            .map(|put| put.key.as_str())
            .collect();
        self.book.unwritten.retain(|unwritten| {
            let key = unwritten.key.as_str();
            !decided.contains(key) && !said.contains(key)
        });
        for (at, put) in self.amendment.unwritten.iter().enumerate() {
            if self.base.unwritten.contains(put) {
                let message = both!(
                    "unwritten `{}` is put as it stands already",
                    "`[[unwritten]]` 的“{}”与原来相同",
                    put.key
                );
                self.say(&format!("/unwritten/{at}"), FaultCode::NoChange, message);
            }
            self.book.unwritten.push(put.clone());
        }
    }

    fn rows(&mut self) {
        let unchanged = |what: &str| {
            both!(
                "`{what}` is set to what it is already",
                "`{what}` 与原来相同"
            )
        };
        for (situation, row) in &self.amendment.verdicts {
            let pointer = below("/verdicts", situation.id());
            if self.base.verdicts.get(situation) == Some(row) {
                self.say(&pointer, FaultCode::NoChange, unchanged(&path(&pointer)));
            }
            self.book.verdicts.insert(*situation, row.clone());
            self.came(format!("verdicts.{}", situation.id()));
        }
        for (ground, clauses) in &self.amendment.grounds {
            let pointer = below("/grounds", ground.id());
            if self.base.grounds.get(ground) == Some(clauses) {
                self.say(&pointer, FaultCode::NoChange, unchanged(&path(&pointer)));
            }
            self.book.grounds.insert(*ground, clauses.clone());
            self.came(format!("grounds.{}", ground.id()));
        }
        if let Some(limit) = &self.amendment.natural_limit {
            if self.base.natural_limit.as_ref() == Some(limit) {
                let message = unchanged("natural_limit");
                self.say("/natural_limit", FaultCode::NoChange, message);
            }
            self.book.natural_limit = Some(limit.clone());
            self.came("natural_limit".to_owned());
        }
    }

    /// Sets the parameters; whether they then make a book.
    fn definitions(&mut self) -> bool {
        let mut values = values_of(&self.base.definitions);
        for (key, value) in &self.amendment.definitions {
            let pointer = below("/definitions", key);
            let Some(parameter) = ParameterDoc::of(key) else {
                let meant = meant(key, PARAMETERS.iter().map(|parameter| parameter.key));
                let message = both!(
                    meant;
                    "unknown key `{key}` in `definitions`{meant}",
                    "`definitions` 中没有“{key}”这一项{meant}",
                );
                self.say(&pointer, FaultCode::UnknownKey, message);
                continue;
            };
            if let Some((code, message)) = parameter.refuses(value) {
                self.say(&pointer, code, message);
                continue;
            }
            if values.get(key) == Some(value) {
                let message = both!(
                    "`definitions.{key}` is set to {value}, which it is already",
                    "`definitions.{key}` 设为{value}，原来就是如此"
                );
                self.say(&pointer, FaultCode::NoChange, message);
            }
            values.insert(key.clone(), value.clone());
            self.came(format!("definitions.{key}"));
        }
        let definitions = definitions_of(&values);
        let sound = definitions.is_some();
        if let Some(definitions) = definitions {
            self.book.definitions = definitions;
        }
        sound
    }

    /// What is wrong with the amended book, told of what in the amendment made it so.
    fn result(&mut self) {
        const HEAD: &[&str] = &["id", "version", "title", "edition", "effective", "sources"];
        for mut complaint in complaints(&Draft::from(&self.book)) {
            let mut parts = complaint.pointer.splitn(4, '/').skip(1);
            let mut part = || parts.next().unwrap_or_default().to_owned();
            let (table, key, rest) = (part(), part(), part());
            if HEAD.contains(&table.as_str()) {
                continue;
            }
            let at = key.parse().ok();
            let moved = |at: Option<usize>| {
                at.map_or_else(String::new, |at| format!("/{table}/{at}/{rest}"))
            };
            let clause = complaint.clause.as_deref();
            let absent = matches!(
                complaint.code,
                FaultCode::MissingRow | FaultCode::MissingGround
            );
            if let Some((struck, clause)) = self.struck(clause).zip(clause) {
                let citing = if table == "natural_limit" {
                    table
                } else {
                    format!("{table}.{key}")
                };
                complaint.message = both!(
                    "`{clause}` is struck, but `{citing}` still cites it",
                    "条款“{clause}”已删，而 `{citing}` 仍引用它"
                );
                complaint.pointer = struck;
            } else if absent {
                "/definitions".clone_into(&mut complaint.pointer);
            } else if table == "articles" {
                complaint.pointer = moved(self.put_article(at));
            } else if table == "unwritten" {
                complaint.pointer = moved(self.put_unwritten(at));
            } else if table == "definitions" {
                complaint.pointer = self.cause_of(&key);
            }
            self.complaints.push(complaint);
        }
    }

    /// The place in the amendment of an article of the amended book.
    fn put_article(&self, at: Option<usize>) -> Option<usize> {
        let article = self.book.articles.get(at?)?;
        let mut put = self.amendment.articles.iter();
        put.position(|put| put.id == article.id)
    }

    fn put_unwritten(&self, at: Option<usize>) -> Option<usize> {
        // What is put stands last.
        let others = self.book.unwritten.len() - self.amendment.unwritten.len();
        at?.checked_sub(others)
    }

    /// Where a clause is struck.
    fn struck(&self, clause: Option<&str>) -> Option<String> {
        let clause = clause?;
        let mut strikes = self.amendment.strike.iter();
        let at = strikes.position(|struck| struck == clause)?;
        Some(format!("/strike/{at}"))
    }

    /// What left a parameter without an article: a change of it, or of the article it had.
    fn cause_of(&self, key: &str) -> String {
        let amendment = self.amendment;
        if amendment.definitions.contains_key(key) {
            return below("/definitions", key);
        }
        let target = format!("definitions.{key}");
        let had: BTreeSet<_> = self.base.deciding(&target).map(|a| a.id.as_str()).collect();
        let mut strikes = amendment.strike.iter();
        if let Some(at) = strikes.position(|clause| had.contains(clause.as_str())) {
            return format!("/strike/{at}");
        }
        let mut put = amendment.articles.iter();
        put.position(|article| had.contains(article.id.as_str()))
            .map_or_else(|| "/definitions".to_owned(), |at| format!("/articles/{at}"))
    }
}
