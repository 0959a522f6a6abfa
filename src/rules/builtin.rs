//! Reads the books that are built in, which a test wrote and compares with their files: what is wrong with one need not be told.
//!
//! A reader that tells everything, as it is derived, is ten times this, and is built where others read books.

use super::book::{Article, NaturalLimit, RuleBook, Unwritten, VerdictRow, usual_minutes};
use super::names::{Certainty, Ground, Outcome, Situation};
use super::parameters::{Field, definitions_of};
use crate::game::limit::ExcessCheck;
use crate::language::Text;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The books of a list, each with what was read of it.
pub(super) fn books(list: &str) -> Vec<(RuleBook, Value)> {
    let books: Vec<Value> = match serde_json::from_str(list) {
        Ok(Value::Array(books)) => books,
        _ => Vec::new(),
    };
    let read = books.into_iter();
    read.filter_map(|value| Some((book(&value)?, value)))
        .collect()
}

fn book(value: &Value) -> Option<RuleBook> {
    Some(RuleBook {
        id: word(value, "id")?,
        version: word(value, "version")?,
        title: text(value.get("title")?)?,
        edition: word(value, "edition")?,
        effective: word(value, "effective")?,
        sources: all(value.get("sources")?, text)?,
        definitions: definitions_of(members(value, "definitions")?)?,
        verdicts: by_name(members(value, "verdicts")?, Situation::from_id, row)?,
        grounds: by_name(members(value, "grounds")?, Ground::from_id, |clauses| {
            all(clauses, own)
        })?,
        natural_limit: value.get("natural_limit").and_then(natural_limit),
        unwritten: some(value, "unwritten", unwritten),
        articles: all(value.get("articles")?, article)?,
        // None of them is amended.
        amendments: Vec::new(),
        origins: BTreeMap::new(),
    })
}

fn own(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn word(value: &Value, key: &str) -> Option<String> {
    own(value.get(key)?)
}

fn number(value: &Value, key: &str) -> Option<u32> {
    u32::of(value.get(key)?)
}

fn flag(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}

fn members<'v>(value: &'v Value, key: &str) -> Option<&'v Map<String, Value>> {
    value.get(key)?.as_object()
}

/// Every item of a list.
fn all<T>(list: &Value, item: fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    list.as_array()?.iter().map(item).collect()
}

/// Every item of a list that may be missing.
fn some<T>(value: &Value, key: &str, item: fn(&Value) -> Option<T>) -> Vec<T> {
    let list = value.get(key).and_then(|list| all(list, item));
    list.unwrap_or_default()
}

fn by_name<K: Ord, T>(
    members: &Map<String, Value>,
    named: fn(&str) -> Option<K>,
    member: fn(&Value) -> Option<T>,
) -> Option<BTreeMap<K, T>> {
    let pairs = members.iter();
    pairs
        .map(|(name, value)| Some((named(name)?, member(value)?)))
        .collect()
}

fn text(value: &Value) -> Option<Text> {
    Some(Text {
        zh: word(value, "zh")?,
        en: word(value, "en")?,
    })
}

fn certainty(value: &Value) -> Option<Certainty> {
    Certainty::from_id(value.get("certainty")?.as_str()?)
}

fn row(value: &Value) -> Option<VerdictRow> {
    Some(VerdictRow {
        outcome: Outcome::from_id(value.get("outcome")?.as_str()?)?,
        clauses: all(value.get("clauses")?, own)?,
        unasked: some(value, "unasked", own),
    })
}

fn natural_limit(value: &Value) -> Option<NaturalLimit> {
    let removes = value.get("excess_check_removes").and_then(Field::of);
    Some(NaturalLimit {
        unit: word(value, "unit")?,
        count: number(value, "count")?,
        claimant_checks: number(value, "claimant_checks")?,
        clauses: all(value.get("clauses")?, own)?,
        excess_check_removes: removes.unwrap_or(ExcessCheck::Round),
        second_false_claim_loses: flag(value, "second_false_claim_loses"),
        false_claim_minutes: number(value, "false_claim_minutes").unwrap_or(usual_minutes()),
        false_claim_is_technical: flag(value, "false_claim_is_technical"),
    })
}

fn unwritten(value: &Value) -> Option<Unwritten> {
    Some(Unwritten {
        key: word(value, "key")?,
        text: text(value)?,
        certainty: certainty(value)?,
    })
}

fn article(value: &Value) -> Option<Article> {
    Some(Article {
        id: word(value, "id")?,
        text: text(value)?,
        certainty: certainty(value)?,
        decides: some(value, "decides", own),
    })
}
