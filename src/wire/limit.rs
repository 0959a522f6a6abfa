//! The audit of the natural move limit as it is told.

use crate::game::limit::Audit;
use crate::rules::Text;
use crate::written::tree;
use serde_json::Value;

/// An audit in the shape in which it is told.
pub fn limit_json(audit: &Audit) -> Value {
    let mut told = tree(audit);
    if let Value::Object(members) = &mut told {
        let reason = Text {
            zh: audit.zh().concat(),
            en: audit.en().join(" "),
        };
        let left_out: Vec<_> = audit.left_out().collect();
        members.insert("clauses".to_owned(), tree(&audit.rule.clauses));
        members.insert("left_out".to_owned(), tree(&left_out));
        members.insert("reason".to_owned(), tree(&reason));
    }
    told
}
