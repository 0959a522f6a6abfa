//! Reads the parts that books and amendments are made of.

use super::book::{Article, NaturalLimit, Unwritten, VerdictRow, usual_minutes};
use super::fault::{FaultCode, meant};
use super::names::{Certainty, Ground, Outcome, Situation};
use super::parameters::{PARAMETERS, ParameterDoc};
use super::reader::{Node, Reader, Section, path};
use crate::game::limit::ExcessCheck;
use crate::language::{Text, both};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The text under a key, empty where there is none to be read.
pub fn word(reader: &mut Reader, section: &Section<'_>, key: &str) -> String {
    let node = section.get(key);
    node.and_then(|node| reader.text(&node)).unwrap_or_default()
}

fn both(reader: &mut Reader, section: &Section<'_>) -> Text {
    Text {
        zh: word(reader, section, "zh"),
        en: word(reader, section, "en"),
    }
}

/// A text in both languages under a key.
pub fn text(reader: &mut Reader, section: &Section<'_>, key: &str) -> Text {
    let table = section
        .get(key)
        .and_then(|node| reader.table(&node, &["zh", "en"], &[]));
    table.map_or_else(Text::default, |table| both(reader, &table))
}

/// The list under a key, empty where there is none.
pub fn list<'t>(reader: &mut Reader, section: &Section<'t>, key: &str) -> Vec<Node<'t>> {
    let node = section.get(key);
    node.and_then(|node| reader.list(&node, &both!("a list", "列表")))
        .unwrap_or_default()
}

/// The list of texts under a key, empty where there is none.
pub fn words(reader: &mut Reader, section: &Section<'_>, key: &str) -> Vec<String> {
    let node = section.get(key);
    node.and_then(|node| reader.texts(&node))
        .unwrap_or_default()
}

/// The texts under a key, one table each.
pub fn texts(reader: &mut Reader, section: &Section<'_>, key: &str) -> Vec<Text> {
    let mut texts = Vec::new();
    for node in list(reader, section, key) {
        let table = reader.table(&node, &["zh", "en"], &[]);
        texts.push(table.map_or_else(Text::default, |table| both(reader, &table)));
    }
    texts
}

fn certainty(reader: &mut Reader, section: &Section<'_>) -> Option<Certainty> {
    let node = section.get("certainty")?;
    let known = Certainty::ALL.iter().map(|certainty| certainty.id());
    reader.name(&node, known, Certainty::from_id)
}

/// The articles under a key. One of which the certainty cannot be read is taken for inferred, as
/// the file is at fault anyway.
pub fn articles(reader: &mut Reader, section: &Section<'_>, key: &str) -> Vec<Article> {
    let mut articles = Vec::new();
    for node in list(reader, section, key) {
        let required = ["id", "zh", "en", "certainty"];
        let table = reader.table(&node, &required, &["decides"]);
        // One that is no table keeps its place, for those after it are known by theirs.
        let table = table.unwrap_or_default();
        articles.push(Article {
            id: word(reader, &table, "id"),
            text: both(reader, &table),
            certainty: certainty(reader, &table).unwrap_or(Certainty::Inference),
            decides: words(reader, &table, "decides"),
        });
    }
    articles
}

/// The parameters no clause speaks of.
pub fn unwritten(reader: &mut Reader, section: &Section<'_>) -> Vec<Unwritten> {
    let mut unwritten = Vec::new();
    for node in list(reader, section, "unwritten") {
        let required = ["key", "zh", "en", "certainty"];
        let table = reader.table(&node, &required, &[]).unwrap_or_default();
        unwritten.push(Unwritten {
            key: word(reader, &table, "key"),
            text: both(reader, &table),
            certainty: certainty(reader, &table).unwrap_or(Certainty::Inference),
        });
    }
    unwritten
}

/// The parameters under `definitions`, as far as they are known and have a value they can take.
pub fn definitions(
    reader: &mut Reader,
    section: &Section<'_>,
    required: bool,
) -> Map<String, Value> {
    let mut values = Map::new();
    let keys: Vec<_> = PARAMETERS.iter().map(|parameter| parameter.key).collect();
    let (required, optional): (&[_], &[_]) = if required { (&keys, &[]) } else { (&[], &keys) };
    let table = section
        .get("definitions")
        .and_then(|node| reader.table(&node, required, optional));
    let Some(table) = table else { return values };
    for (key, node) in table.entries() {
        let Some(parameter) = ParameterDoc::of(&key) else {
            continue;
        };
        if let Some(value) = parameter_value(reader, &node, parameter) {
            values.insert(key, value);
        }
    }
    values
}

fn parameter_value(
    reader: &mut Reader,
    node: &Node<'_>,
    parameter: &ParameterDoc,
) -> Option<Value> {
    let Some(value) = Reader::plain(node) else {
        reader.of_another_kind(node, &parameter.expected());
        return None;
    };
    match parameter.refuses(&value) {
        None => Some(value),
        Some((code, message)) => {
            reader.fault(&node.pointer, code, message);
            None
        }
    }
}

/// A table whose keys are of a closed set of names; others are faults.
fn keyed<'t, T>(
    reader: &mut Reader,
    section: &Section<'t>,
    key: &str,
    known: &[&'static str],
    from_id: impl Fn(&str) -> Option<T>,
) -> Vec<(T, Node<'t>)> {
    let table = section
        .get(key)
        .and_then(|node| reader.table(&node, &[], known));
    let entries = table.map(|table| table.entries()).unwrap_or_default();
    entries
        .into_iter()
        .filter_map(|(key, node)| Some((from_id(&key)?, node)))
        .collect()
}

/// The verdict table.
pub fn verdicts(reader: &mut Reader, section: &Section<'_>) -> BTreeMap<Situation, VerdictRow> {
    let known: Vec<_> = Situation::ALL.iter().map(|s| s.id()).collect();
    let mut rows = BTreeMap::new();
    for (situation, node) in keyed(reader, section, "verdicts", &known, Situation::from_id) {
        let required = ["outcome", "clauses"];
        let Some(table) = reader.table(&node, &required, &["unasked"]) else {
            continue;
        };
        let outcomes = Outcome::ALL.iter().map(|outcome| outcome.id());
        let outcome = table
            .get("outcome")
            .and_then(|node| reader.name(&node, outcomes, Outcome::from_id));
        rows.insert(
            situation,
            VerdictRow {
                outcome: outcome.unwrap_or(Outcome::Undetermined),
                clauses: words(reader, &table, "clauses"),
                unasked: words(reader, &table, "unasked"),
            },
        );
    }
    rows
}

/// The clauses behind each ground.
pub fn grounds(reader: &mut Reader, section: &Section<'_>) -> BTreeMap<Ground, Vec<String>> {
    let known: Vec<_> = Ground::ALL.iter().map(|ground| ground.id()).collect();
    let mut grounds = BTreeMap::new();
    for (ground, node) in keyed(reader, section, "grounds", &known, Ground::from_id) {
        grounds.insert(ground, reader.texts(&node).unwrap_or_default());
    }
    grounds
}

/// The natural move limit.
pub fn natural_limit(reader: &mut Reader, section: &Section<'_>) -> Option<NaturalLimit> {
    let node = section.get("natural_limit")?;
    let required = ["unit", "count", "claimant_checks", "clauses"];
    let optional = [
        "excess_check_removes",
        "second_false_claim_loses",
        "false_claim_minutes",
        "false_claim_is_technical",
    ];
    let table = reader.table(&node, &required, &optional)?;
    let number = |reader: &mut Reader, key, least| {
        let node = table.get(key);
        node.and_then(|node| reader.count(&node, least..NaturalLimit::MOST + 1))
            .unwrap_or(least)
    };
    let removes = table.get("excess_check_removes").and_then(|node| {
        reader.name(&node, ["round", "ply"], |name| match name {
            "round" => Some(ExcessCheck::Round),
            "ply" => Some(ExcessCheck::Ply),
            _ => None,
        })
    });
    let flag = |reader: &mut Reader, key| table.get(key).and_then(|node| reader.flag(&node));
    let unit = table.get("unit").and_then(|node| {
        let units = ["rounds", "plies"];
        reader.name(&node, units, |name| {
            units.contains(&name).then(|| name.to_owned())
        })
    });
    Some(NaturalLimit {
        unit: unit.unwrap_or_default(),
        count: number(reader, "count", 1),
        claimant_checks: number(reader, "claimant_checks", 0),
        clauses: words(reader, &table, "clauses"),
        excess_check_removes: removes.unwrap_or(ExcessCheck::Round),
        second_false_claim_loses: flag(reader, "second_false_claim_loses").unwrap_or(false),
        false_claim_minutes: table
            .get("false_claim_minutes")
            .and_then(|node| reader.count(&node, 0..NaturalLimit::MOST + 1))
            .unwrap_or_else(usual_minutes),
        false_claim_is_technical: flag(reader, "false_claim_is_technical").unwrap_or(false),
    })
}

impl ParameterDoc {
    /// Why it does not take that value, if it does not.
    pub fn refuses(&self, value: &Value) -> Option<(FaultCode, Text)> {
        use super::parameters::ParameterKind::{Choice, Count, Flag};
        if self.takes(value) {
            return None;
        }
        let key = path(&format!("/definitions/{}", self.key));
        let expected = self.expected();
        Some(match (self.kind, value) {
            (Choice { values }, Value::String(name)) => {
                let meant = meant(name, values.iter().map(|value| value.id));
                let told = both!(meant; "`{key}` is `{name}`{meant}", "`{key}` 是“{name}”{meant}");
                (FaultCode::UnknownValue, told)
            }
            (Count { .. }, Value::Number(number)) => {
                let told = both!(
                    expected;
                    "`{key}` is {number}, expected {expected}",
                    "`{key}` 是{number}，应为{expected}",
                );
                (FaultCode::OutOfRange, told)
            }
            (Flag | Choice { .. } | Count { .. }, _) => {
                let kind = match value {
                    Value::String(_) => both!("a text", "文字"),
                    Value::Number(_) => both!("a number", "数"),
                    Value::Bool(_) => both!("`true` or `false`", "true 或 false"),
                    Value::Array(_) => both!("a list", "列表"),
                    Value::Object(_) | Value::Null => both!("no plain value", "别的东西"),
                };
                let told = both!(
                    kind, expected;
                    "`{key}` is {kind}, expected {expected}",
                    "`{key}` 是{kind}，应为{expected}",
                );
                (FaultCode::WrongType, told)
            }
        })
    }
}
