//! Lines of a batch, ruled on; those whose rulings are kept are not answered before they are.

use crate::http::batches::line::{Line, Refused};
use crate::http::desk::cache::Apart;
use crate::http::desk::gate::Task;
use crate::http::desk::judging;
use crate::http::desk::state::State;
use crate::http::edge::problem::{ApiError, Result};
use crate::http::keeping::recording::{Keeper, keep, store_to_keep};
use crate::store::{Entry, Number};
use crate::wire::{Details, Request};
use actix_web::web::Bytes;
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;

/// A ruling that is to be kept before its line is answered.
pub struct ToKeep {
    id: Option<Value>,
    entry: Entry,
    keeper: Arc<Keeper>,
    line: Bytes,
}

/// A ruling that is kept.
pub struct KeptRuling {
    /// The caller's own.
    pub id: Option<Value>,
    /// Its number.
    pub number: Number,
    /// What it says.
    pub ruling: String,
}

impl KeptRuling {
    /// Writes it.
    pub fn put(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        if let Some(id) = &self.id {
            out.extend_from_slice(b"\"id\":");
            // Writing to memory does not fail.
            serde_json::to_writer(&mut *out, id).ok();
            out.push(b',');
        }
        out.extend_from_slice(b"\"number\":\"");
        out.extend_from_slice(self.number.to_string().as_bytes());
        out.extend_from_slice(b"\",\"ruling\":");
        out.extend_from_slice(self.ruling.as_bytes());
        out.extend_from_slice(b"}\n");
    }
}

/// What comes of a line: its answer was added, or something must be kept before it can be given.
pub type Answered = Result<Option<Box<ToKeep>>, Refused>;

/// Adds the ruling on a line of a batch, or gives what is to be kept first.
pub fn rule_line(
    keeper: &Arc<Keeper>,
    state: &State,
    task: &Arc<Task>,
    line: &Line<'_>,
    out: &mut Vec<u8>,
) -> Answered {
    let apart = Apart::of(line.text);
    // What asks to be kept is never found by its text.
    if !keeper.records_always() && judging::recalled(state, apart, out) {
        return Ok(None);
    }
    let note = |error: &ApiError| keeper.note_error(state, error, line.text.as_bytes());
    let mut request = Request::parse(line.text).map_err(|bad| {
        let refused = Refused::from(bad);
        if keeper.records_always() {
            note(&refused.error);
        }
        refused
    })?;
    let ruled = match keeper.wanted(&mut request) {
        Ok(None) => {
            let ruled = judging::rule_on(state, task, apart, request, out);
            ruled.map(|()| None)
        }
        Ok(Some(details)) => {
            let entry = entry_of(keeper, state, task, line, request, details);
            entry.inspect_err(note).map(|(id, entry)| {
                Some(Box::new(ToKeep {
                    id,
                    entry,
                    keeper: Arc::clone(keeper),
                    line: line.kept(),
                }))
            })
        }
        Err(error) => {
            note(&error);
            Err(error)
        }
    };
    ruled.map_err(|error| Refused {
        id: id_of(line.text),
        error,
    })
}

/// The id of a line that can be read.
fn id_of(line: &str) -> Value {
    let request = Request::parse(line).ok();
    request
        .and_then(|request| request.id)
        .unwrap_or(Value::Null)
}

fn entry_of(
    keeper: &Keeper,
    state: &State,
    task: &Arc<Task>,
    line: &Line<'_>,
    request: Request,
    details: Details,
) -> Result<(Option<Value>, Entry)> {
    let begun = Instant::now();
    store_to_keep(state)?;
    let word = keeper.word(line.text.as_bytes(), Some(line.number))?;
    let id = request.id.clone();
    let asked = judging::prepare(state, request)?;
    let asking = keeper.asking(asked.book(), &asked.canonical(), details, word, begun)?;
    let mut ruling = Vec::with_capacity(1 << 10);
    asked.answer(state, task, &mut ruling)?;
    let ruling = String::from_utf8(ruling).map_err(|_| ApiError::broken())?;
    Ok((id, asking.entry(ruling)?))
}

impl ToKeep {
    /// Keeps the ruling.
    pub async fn keep(self: Box<Self>, state: &State) -> Result<KeptRuling, Refused> {
        let Self {
            id,
            entry,
            keeper,
            line,
        } = *self;
        let kept = async { keep(store_to_keep(state)?, entry, true).await };
        match kept.await {
            Ok((number, ruling)) => Ok(KeptRuling { id, number, ruling }),
            Err(error) => {
                keeper.note_error(state, &error, &line);
                let id = id.unwrap_or(Value::Null);
                Err(Refused { id, error })
            }
        }
    }
}
