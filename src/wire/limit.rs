//! The audit of the natural move limit as it is told.

use crate::game::limit::Audit;
use serde_json::{Value, json};

/// An audit in the shape in which it is told.
pub fn limit_json(audit: &Audit) -> Value {
    json!({
        "rule": audit.rule,
        "claim": audit.claim,
        "reached": audit.reached,
        "count": audit.count,
        "if_claimed": audit.if_claimed,
        "since": audit.since,
        "checks": audit.checks,
        "consequence": audit.consequence,
        "clauses": audit.rule.clauses,
        "left_out": audit.left_out().collect::<Vec<_>>(),
        "plies": audit.plies,
        "reason": {"zh": audit.zh().concat(), "en": audit.en().join(" ")},
    })
}
