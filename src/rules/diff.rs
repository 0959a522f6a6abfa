//! What differs between two rule books.
//!
//! ```
//! use qili::rules::{Amendment, Catalog, EXAMPLES, diff};
//! let base = Catalog::builtin().get("cxa-1999")?;
//! let (file, text) = EXAMPLES[2];
//! let amended = base.amended(&Amendment::read(file, text).unwrap()).unwrap();
//! let diff = diff(&base.book, &amended.book);
//! assert_eq!(diff.parameters.len(), 1);
//! assert!(diff.en().contains("kill_is_attack: true → false"));
//! # Ok::<_, qili::rules::UnknownBook>(())
//! ```

use super::book::{Article, NaturalLimit, RuleBook, Unwritten, VerdictRow};
use super::names::{Ground, Situation};
use super::parameters::{PARAMETERS, values_of};
use crate::language::{Language, Text};
use crate::written::plain;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What differs between two books, from the one to the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BookDiff {
    /// The one.
    pub from: BookName,
    /// The other.
    pub to: BookName,
    /// Whether both are the same book, or amended from it. The numbers of the articles of
    /// unrelated books mean nothing to one another.
    pub related: bool,
    /// The parameters with another value.
    pub parameters: Vec<ParameterChange>,
    /// The verdict rows that differ.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub verdicts: Vec<Change<Situation, VerdictRow>>,
    /// The grounds whose clauses differ.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub grounds: Vec<Change<Ground, Vec<String>>>,
    /// The natural move limit, where it differs.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub natural_limit: Option<Change<(), NaturalLimit>>,
    /// The articles added, removed or changed.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub articles: Vec<Change<String, Article>>,
    /// What is said of parameters that no article decides, where it differs.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub unwritten: Vec<Change<&'static str, Unwritten>>,
}

/// Which book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BookName {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Its title.
    pub title: Text,
}

/// A parameter with another value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ParameterChange {
    /// The parameter.
    pub key: &'static str,
    /// In Chinese.
    pub zh: &'static str,
    /// In English.
    pub en: &'static str,
    /// In the one book.
    pub from: Value,
    /// In the other.
    pub to: Value,
    /// The articles that decide it in the one.
    pub from_articles: Vec<String>,
    /// The articles that decide it in the other.
    pub to_articles: Vec<String>,
}

/// Something that one book has and the other has not, or has otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change<K, V> {
    /// What.
    pub key: K,
    /// In the one book.
    pub from: Option<V>,
    /// In the other.
    pub to: Option<V>,
}

fn changes<'a, K: Ord + Clone, V: PartialEq + Clone + 'a>(
    keys: impl IntoIterator<Item = K>,
    from: impl Fn(&K) -> Option<&'a V>,
    to: impl Fn(&K) -> Option<&'a V>,
) -> Vec<Change<K, V>> {
    let keys = keys.into_iter();
    let changes = keys.filter_map(|key| {
        let (from, to) = (from(&key).cloned(), to(&key).cloned());
        (from != to).then_some(Change { key, from, to })
    });
    changes.collect()
}

/// What differs between two books.
pub fn diff(from: &RuleBook, to: &RuleBook) -> BookDiff {
    let (from_values, to_values) = (values_of(&from.definitions), values_of(&to.definitions));
    let deciding = |book: &RuleBook, key: &str| -> Vec<String> {
        let target = format!("definitions.{key}");
        book.deciding(&target).map(|a| a.id.clone()).collect()
    };
    let parameters = PARAMETERS.iter().filter_map(|parameter| {
        let (old, new) = (
            from_values.get(parameter.key)?,
            to_values.get(parameter.key)?,
        );
        (old != new).then(|| ParameterChange {
            key: parameter.key,
            zh: parameter.zh,
            en: parameter.en,
            from: old.clone(),
            to: new.clone(),
            from_articles: deciding(from, parameter.key),
            to_articles: deciding(to, parameter.key),
        })
    });
    // In the order of the one book, then what only the other has, in its order.
    let ids = from
        .articles
        .iter()
        .chain(&to.articles)
        .map(|article| article.id.clone());
    let mut seen = BTreeSet::new();
    let ids: Vec<_> = ids.filter(|id| seen.insert(id.clone())).collect();
    let limit = [()].into_iter();
    BookDiff {
        from: BookName::of(from),
        to: BookName::of(to),
        related: from.root_id() == to.root_id(),
        parameters: parameters.collect(),
        verdicts: changes(
            Situation::ALL,
            |key| from.verdicts.get(key),
            |key| to.verdicts.get(key),
        ),
        grounds: changes(
            Ground::ALL,
            |key| from.grounds.get(key),
            |key| to.grounds.get(key),
        ),
        natural_limit: changes(
            limit,
            |()| from.natural_limit.as_ref(),
            |()| to.natural_limit.as_ref(),
        )
        .pop(),
        articles: changes(ids, |id| from.article(id), |id| to.article(id)),
        unwritten: changes(
            PARAMETERS.iter().map(|parameter| parameter.key),
            |key| note(from, key),
            |key| note(to, key),
        ),
    }
}

fn note<'b>(book: &'b RuleBook, key: &str) -> Option<&'b Unwritten> {
    let mut notes = book.unwritten.iter();
    notes.find(|unwritten| unwritten.key == key)
}

impl BookName {
    fn of(book: &RuleBook) -> Self {
        Self {
            id: book.id.clone(),
            version: book.version.clone(),
            title: book.title.clone(),
        }
    }
}

impl BookDiff {
    /// Whether nothing differs but the names.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
            && self.verdicts.is_empty()
            && self.grounds.is_empty()
            && self.natural_limit.is_none()
            && self.articles.is_empty()
            && self.unwritten.is_empty()
    }

    /// As text in Chinese.
    pub fn zh(&self) -> String {
        self.text(Language::Zh)
    }

    /// As text in English.
    pub fn en(&self) -> String {
        self.text(Language::En)
    }

    fn text(&self, language: Language) -> String {
        let words = Words(language);
        let mut text = format!(
            "{}@{} → {}@{}\n",
            self.from.id, self.from.version, self.to.id, self.to.version
        );
        let mut part = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                let _ = write!(text, "\n{title}\n  {}\n", lines.join("\n  "));
            }
        };
        part(
            language.pick("参数", "parameters"),
            self.parameters
                .iter()
                .map(|change| words.parameter(change))
                .collect(),
        );
        let row = |change: &Change<Situation, VerdictRow>| {
            let name = language.pick(change.key.zh(), change.key.en());
            let (from, to) = (
                words.row(change.from.as_ref()),
                words.row(change.to.as_ref()),
            );
            format!("{} ({name}): {from} → {to}", change.key.id())
        };
        part(
            language.pick("裁决", "verdicts"),
            self.verdicts.iter().map(row).collect(),
        );
        let ground = |change: &Change<Ground, Vec<String>>| {
            let name = language.pick(change.key.zh(), change.key.en());
            let clauses = |list: Option<&Vec<String>>| {
                let list = list.filter(|list| !list.is_empty());
                list.map_or_else(|| words.absent(), |list| list.join(", "))
            };
            let (from, to) = (clauses(change.from.as_ref()), clauses(change.to.as_ref()));
            format!("{} ({name}): {from} → {to}", change.key.id())
        };
        part(
            language.pick("依据", "grounds"),
            self.grounds.iter().map(ground).collect(),
        );
        let limit = self.natural_limit.iter().map(|change| {
            let told = |limit: Option<&NaturalLimit>| {
                limit.map_or_else(|| words.absent(), |limit| limit.told(language))
            };
            let (from, to) = (told(change.from.as_ref()), told(change.to.as_ref()));
            format!("{from} → {to}")
        });
        part(
            language.pick("自然限着", "natural move limit"),
            limit.collect(),
        );
        let articles = if self.related || self.articles.is_empty() {
            self.articles
                .iter()
                .map(|change| words.article(change))
                .collect()
        } else {
            vec![
                language
                    .pick(
                        "两书条文各自编号，不逐条对照。",
                        "The books number their articles each in its own way; they are not set side by side.",
                    )
                    .to_owned(),
            ]
        };
        part(language.pick("条文", "articles"), articles);
        part(
            language.pick("无明文参数", "unwritten"),
            self.unwritten
                .iter()
                .map(|change| words.unwritten(change))
                .collect(),
        );
        if self.is_empty() {
            let same = language.pick("两者无异。", "They do not differ.");
            let _ = write!(text, "\n{same}\n");
        }
        text
    }
}

/// The words of a language.
struct Words(Language);

impl Words {
    fn absent(&self) -> String {
        self.0.pick("无", "none").to_owned()
    }

    fn parameter(&self, change: &ParameterChange) -> String {
        let articles = |list: &[String]| match list {
            [] => self.absent(),
            list => list.join(", "),
        };
        let name = self.0.pick(change.zh, change.en);
        let (from, to) = (plain(&change.from), plain(&change.to));
        let (old, new) = (
            articles(&change.from_articles),
            articles(&change.to_articles),
        );
        let by = if old == new {
            old
        } else {
            format!("{old} → {new}")
        };
        format!("{}: {from} → {to}  [{by}] {name}", change.key)
    }

    fn row(&self, row: Option<&VerdictRow>) -> String {
        let Some(row) = row else {
            return self.absent();
        };
        let outcome = self.0.pick(row.outcome.zh(), row.outcome.en());
        let clauses = row.clauses.join(", ");
        if row.unasked.is_empty() {
            format!("{outcome} [{clauses}]")
        } else {
            format!("{outcome} [{clauses} | {}]", row.unasked.join(", "))
        }
    }

    /// Two texts in this language, or, where they differ in the other alone, in that.
    fn said(&self, from: Option<&Text>, to: Option<&Text>) -> (Option<String>, Option<String>) {
        let zh = |text: Option<&Text>| text.map(|text| text.zh.clone());
        let en = |text: Option<&Text>| text.map(|text| text.en.clone());
        let (zh, en) = ((zh(from), zh(to)), (en(from), en(to)));
        let (own, other) = self.0.pick((zh.clone(), en.clone()), (en, zh));
        if own.0 == own.1 { other } else { own }
    }

    fn unwritten(&self, change: &Change<&'static str, Unwritten>) -> String {
        let (from, to) = (change.from.as_ref(), change.to.as_ref());
        let (from, to) = self.said(from.map(|one| &one.text), to.map(|one| &one.text));
        let certainty = |note: &Option<Unwritten>| {
            let note = note.as_ref();
            note.map_or("", |note| note.certainty.id())
        };
        let (was, is) = (certainty(&change.from), certainty(&change.to));
        let mut text = change.key.to_owned();
        for (sign, said, certainty) in [('-', from, was), ('+', to, is)] {
            if let Some(said) = said {
                let _ = write!(text, "\n    {sign} {said} ({certainty})");
            }
        }
        text
    }

    fn article(&self, change: &Change<String, Article>) -> String {
        let mark = match (&change.from, &change.to) {
            (None, _) => '+',
            (_, None) => '-',
            (Some(_), Some(_)) => '~',
        };
        let (from, to) = (change.from.as_ref(), change.to.as_ref());
        let (from, to) = self.said(from.map(|one| &one.text), to.map(|one| &one.text));
        let mut text = format!("{mark} {}", change.key);
        let mut lines = |was: Option<String>, is: Option<String>| {
            for (sign, said) in [('-', was), ('+', is)] {
                if let Some(said) = said {
                    let _ = write!(text, "\n    {sign} {said}");
                }
            }
        };
        if from != to {
            lines(from, to);
        }
        // How certain it is and what it decides.
        let decides = |article: &Article| {
            format!("{}; {}", article.certainty.id(), article.decides.join(", "))
        };
        if let (Some(was), Some(is)) = (&change.from, &change.to) {
            let (was, is) = (decides(was), decides(is));
            if was != is {
                lines(Some(was), Some(is));
            }
        }
        text
    }
}
