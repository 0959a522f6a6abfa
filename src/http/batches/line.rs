//! Lines of a batch, and what is answered to them.

use crate::http::edge::language::Language;
use crate::http::edge::problem::ApiError;
#[cfg(feature = "openapi")]
use crate::wire::RulingJson;
use crate::wire::{BadRequest, RequestError};
use actix_web::web::Bytes;
use serde::Serialize;
use serde_json::Value;

/// What is answered to a line.
#[cfg(feature = "openapi")]
#[derive(Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only described")]
pub enum LineAnswer<'a> {
    /// The ruling.
    Ruling(Box<RulingJson>),
    /// The ruling under its number, where it is kept.
    Kept(Box<KeptLine>),
    /// Why there is none.
    Bad(BadLine<'a>),
}

/// A ruling that is kept.
#[cfg(feature = "openapi")]
#[derive(Serialize, utoipa::ToSchema)]
pub struct KeptLine {
    /// The caller's own, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    /// Its number.
    #[schema(example = "01KAJ1BXM0V9S4N7Q2ZC8TD6WE")]
    number: String,
    /// The ruling, to the byte as it is kept.
    ruling: RulingJson,
}

/// A line that could not be ruled on.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BadLine<'a> {
    /// The caller's own, as far as it can be read.
    id: &'a Value,
    /// The number of the line, from 1.
    line: u64,
    /// What is wrong with it.
    error: LineError<'a>,
}

/// What is wrong with a line.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LineError<'a> {
    /// A stable name, in snake case.
    code: &'a str,
    /// What is wrong, in the caller's language.
    detail: &'a str,
    /// The same in Chinese.
    detail_zh: &'a str,
    /// JSON pointer to the offending value of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'a str>,
    /// The move at fault, 0 for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// Seconds after which another try may do, where it is not the line that is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

/// A line of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// What it says.
    pub text: &'a str,
    /// What it is a part of.
    pub piece: &'a Bytes,
}

impl Line<'_> {
    /// What it says, to be held on to.
    pub fn kept(&self) -> Bytes {
        self.piece.slice_ref(self.text.as_bytes())
    }
}

/// A line that gets no ruling.
#[derive(Debug)]
pub struct Refused {
    /// The caller's id, as far as it can be read.
    pub id: Value,
    /// Why.
    pub error: ApiError,
}

impl From<Box<BadRequest>> for Refused {
    fn from(bad: Box<BadRequest>) -> Self {
        let BadRequest { id, error } = *bad;
        let error = error.into();
        Self { id, error }
    }
}

impl Refused {
    /// Why a line is not even read.
    pub fn unread(error: RequestError) -> Self {
        Self {
            id: Value::Null,
            error: error.into(),
        }
    }

    /// Writes why.
    pub fn put(&self, line: u64, language: Language, out: &mut Vec<u8>) {
        let fault = self.error.fault();
        let error = LineError {
            code: fault.code,
            detail: language.pick(&fault.detail_zh, &fault.detail),
            detail_zh: &fault.detail_zh,
            pointer: fault.pointer.as_deref(),
            index: fault.index,
            retry_after: self.error.wait(),
        };
        let id = &self.id;
        // Writing to memory does not fail.
        serde_json::to_writer(&mut *out, &BadLine { id, line, error }).ok();
        out.push(b'\n');
    }
}
