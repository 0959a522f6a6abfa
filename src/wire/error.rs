//! What can be wrong with a request, in the caller's terms.

use super::{place, shape};
use crate::game::{CycleError, IllegalMove};
use crate::language::{Text, both};
use crate::notation::LineError;
use crate::notation::fen::FenError;
use crate::record::Fault;
use crate::rules::UnknownBook;
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::error::Category;

/// What is wrong with a request, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[error("{detail}")]
pub struct RequestError {
    /// A stable name, in snake case.
    pub code: &'static str,
    /// What is wrong, in English.
    pub detail: String,
    /// The same in Chinese.
    pub detail_zh: String,
    /// JSON pointer to the offending value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The move at fault, 0 for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
}

/// A line that is no request: the error, and the caller's id as far as it could be read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BadRequest {
    /// The caller's own.
    pub id: Value,
    /// What is wrong.
    pub error: RequestError,
}

impl RequestError {
    /// An error at a place of the request.
    pub fn at(code: &'static str, pointer: impl Into<Option<String>>, told: Text) -> Self {
        Self {
            code,
            detail: told.en,
            detail_zh: told.zh,
            pointer: pointer.into(),
            index: None,
        }
    }

    /// Text that is not the JSON of what was asked for.
    pub(super) fn of_json(text: &str, inner: &serde_json::Error) -> Self {
        let pointer = Some(place::pointer(text, inner)).filter(|p| !p.is_empty());
        // Where one of several names is expected, whatever is no text is told as if it were no JSON.
        let is_json = || serde_json::from_str::<IgnoredAny>(text).is_ok();
        let is_shape = match inner.classify() {
            Category::Data => true,
            Category::Syntax => is_json(),
            Category::Eof | Category::Io => false,
        };
        if !is_shape {
            return Self {
                pointer,
                ..Self::of_syntax(inner)
            };
        }
        let message = inner.to_string();
        let told = if message.starts_with("expected value") {
            both!("a text is expected", "应为文字")
        } else {
            shape::in_words(&message)
        };
        let at = pointer.as_ref().map(|at| both!("`{at}`: ", "“{at}”："));
        let line = inner.line();
        let at = at.unwrap_or_else(|| {
            both!("line {line}: ", "第{line}行：").only_if(text.trim_end().contains('\n'))
        });
        Self::at(
            "request_shape",
            pointer,
            both!(at, told; "{at}{told}", "{at}{told}"),
        )
    }

    /// Text that goes on behind its JSON, or is none.
    pub(super) fn of_syntax(error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let why = shape::in_words(&error.to_string()).zh;
        let told = Text {
            en: error.to_string(),
            zh: format!("不是合法的 JSON：第{line}行第{column}列，{why}"),
        };
        Self::at("json_syntax", None, told)
    }

    /// A book that is not there, asked for at a place.
    pub fn of_book(unknown: &UnknownBook, pointer: Option<&str>) -> Self {
        let at = pointer.map(str::to_owned);
        Self::at(unknown.code(), at, unknown.text())
    }

    /// A file that is no record of games.
    pub fn of_file(fault: &Fault) -> Self {
        Self::at(fault.code(), None, fault.kind.text())
    }

    /// A position that cannot be read.
    pub fn of_fen(error: &FenError) -> Self {
        Self::at(error.code(), "/fen".to_owned(), error.text())
    }

    pub(super) fn of_line(error: &LineError) -> Self {
        let pointer = format!("/moves/{}", error.index);
        let mut fault = Self::at(error.code(), pointer, error.text());
        fault.index = Some(error.index);
        fault
    }

    pub(super) fn of_illegal(illegal: &IllegalMove) -> Self {
        let pointer = format!("/moves/{}", illegal.ply);
        Self::at(illegal.code(), pointer, illegal.text())
    }

    pub(super) fn of_cycle(error: &CycleError) -> Self {
        let pointer = error
            .ply()
            .map_or("/moves".to_owned(), |ply| format!("/moves/{ply}"));
        let mut fault = Self::at(error.code(), pointer, error.text());
        fault.index = error.ply();
        fault
    }
}
