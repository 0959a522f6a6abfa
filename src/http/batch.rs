//! Batches: lines taken in as they come, so many at a time, and ruled on by every core.

use super::body;
use super::gate::{Gone, presence};
use super::language::Language;
use super::observe::language;
use super::problem::ApiError;
use super::settings::Settings;
use super::state::State;
use crate::wire::{BadRequest, RequestError, RulingJson};
use actix_web::http::header::HeaderMap;
use actix_web::web::{self, Bytes, BytesMut, Payload};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use utoipa::ToSchema;

/// Bytes handed to one thread at a time, unless a line is longer: enough lines that handing them
/// over costs little, few enough that every core has some.
const PIECE: usize = 32 << 10;

/// Whole lines of a batch, or what is wrong with one.
#[derive(Debug)]
pub enum Piece {
    /// Lines, the number of the first.
    Lines {
        /// Its number, from 1.
        first: u64,
        /// They themselves.
        text: Bytes,
    },
    /// A line that cannot be taken.
    Bad {
        /// Its number, from 1.
        line: u64,
        /// Why not.
        error: RequestError,
    },
}

/// The lines of a body.
pub struct Lines {
    payload: Payload,
    held: BytesMut,
    line: u64,
    /// The rest of a line that was too long is passed over.
    skipping: bool,
    ended: bool,
    most: usize,
    wait: Duration,
}

impl Lines {
    /// The lines of a body under the bounds set.
    pub fn new(settings: &Settings, payload: Payload) -> Self {
        Self {
            payload,
            held: BytesMut::new(),
            line: 1,
            skipping: false,
            ended: false,
            most: settings.max_body,
            wait: Duration::from_millis(settings.body_wait_ms),
        }
    }

    /// Takes in the whole body, where it says how long it is and that is in bounds. A proxy may carry
    /// no more of a body once it carries the answer, and a simple caller reads nothing before it has
    /// sent everything: neither comes to a standstill over such a batch.
    async fn gathered(mut self, headers: &HeaderMap) -> Result<Self, ApiError> {
        let length = body::length(headers).filter(|&length| length <= self.most);
        while self.held.len() < length.unwrap_or(0) && !self.ended {
            self.read().await?;
        }
        Ok(self)
    }

    /// The next lines, as soon as there are whole ones.
    pub async fn next(mut self) -> Option<(Piece, Self)> {
        loop {
            if let Some(piece) = self.whole() {
                return Some((piece, self));
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.read().await {
                self.ended = true;
                self.held.clear();
                let (line, error) = (self.line, error.fault().clone());
                return Some((Piece::Bad { line, error }, self));
            }
        }
    }

    /// What can be handed on of what is held.
    fn whole(&mut self) -> Option<Piece> {
        let feed = |byte: &u8| *byte == b'\n';
        if self.skipping {
            let Some(end) = self.held.iter().position(feed) else {
                self.held.clear();
                return None;
            };
            drop(self.held.split_to(end + 1));
            (self.skipping, self.line) = (false, self.line + 1);
        }
        let near = self.held.get(..PIECE).unwrap_or(&self.held);
        let end = near
            .iter()
            .rposition(feed)
            .or_else(|| self.held.iter().position(feed));
        let first = self.line;
        if end.unwrap_or(self.held.len()) > self.most {
            self.skipping = true;
            let most = self.most;
            let en = format!("the line has more than {most} bytes");
            let error = RequestError::at("line_too_long", None, en, format!("该行超过{most}字节"));
            return Some(Piece::Bad { line: first, error });
        }
        let length = match end {
            Some(end) => end + 1,
            None if self.ended && !self.held.is_empty() => self.held.len(),
            None => return None,
        };
        let text = self.held.split_to(length).freeze();
        self.line += text.iter().filter(|byte| feed(byte)).count() as u64;
        Some(Piece::Lines { first, text })
    }

    /// Takes in more, and what has already come besides.
    async fn read(&mut self) -> Result<(), ApiError> {
        let more = tokio::time::timeout(self.wait, self.payload.next()).await;
        let mut more = Some(more.map_err(|_| body::late())?);
        while let Some(came) = more {
            match came {
                Some(Ok(piece)) => self.held.extend_from_slice(&piece),
                Some(Err(_)) => return Err(body::broken_off()),
                None => self.ended = true,
            }
            if self.ended || self.held.len() >= PIECE {
                break;
            }
            more = self.payload.next().now_or_never();
        }
        Ok(())
    }
}

/// What is answered to a line.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only described")]
pub enum LineAnswer<'a> {
    /// The ruling.
    Ruling(Box<RulingJson>),
    /// Why there is none.
    Bad(BadLine<'a>),
}

/// A line that could not be ruled on.
#[derive(Serialize, ToSchema)]
pub struct BadLine<'a> {
    /// The caller's own, as far as it can be read.
    id: &'a Value,
    /// The number of the line, from 1.
    line: u64,
    /// What is wrong with it.
    error: LineError<'a>,
}

/// What is wrong with a line.
#[derive(Serialize, ToSchema)]
pub struct LineError<'a> {
    /// A stable name, in snake case.
    code: &'a str,
    /// What is wrong, in the caller's language.
    detail: &'a str,
    /// JSON pointer to the offending value of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'a str>,
    /// The move at fault, 0 for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
}

fn put_bad(out: &mut Vec<u8>, id: &Value, line: u64, error: &RequestError, language: Language) {
    let told = LineError {
        code: error.code,
        detail: language.pick(&error.detail_zh, &error.detail),
        pointer: error.pointer.as_deref(),
        index: error.index,
    };
    // Writing to memory does not fail.
    serde_json::to_writer(
        &mut *out,
        &BadLine {
            id,
            line,
            error: told,
        },
    )
    .ok();
    out.push(b'\n');
}

/// What is done with one line: its answer is added to what is there.
pub type Work = fn(&State, &Gone, &str, &mut Vec<u8>) -> Result<(), Box<BadRequest>>;

/// Answers the lines of a body, in their order: several pieces are worked on at a time, and no more
/// are taken in while their answers are not read. `held` is kept until the last answer is sent, or
/// nobody is there to take it.
///
/// # Errors
/// The body cannot be had, as far as it is taken in before anything is answered.
pub async fn answer<H: 'static>(
    state: Arc<State>,
    request: &HttpRequest,
    payload: Payload,
    held: H,
    work: Work,
) -> Result<HttpResponse, ApiError> {
    let language = language(request.headers());
    let lines = Lines::new(&state.settings, payload);
    let lines = lines.gathered(request.headers()).await?;
    let (present, gone) = presence();
    let abreast = state.settings.rulings.max(1) * 2;
    let lines = stream::unfold(lines, Lines::next);
    let answers = lines
        .map(move |piece| answered(Arc::clone(&state), piece, language, gone.clone(), work))
        .buffered(abreast)
        .map(move |answer| {
            let _ = (&held, &present);
            Ok::<_, ApiError>(answer)
        });
    Ok(HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .streaming(answers))
}

/// The answers to some lines, each with a line feed.
async fn answered(
    state: Arc<State>,
    piece: Piece,
    language: Language,
    gone: Gone,
    work: Work,
) -> Bytes {
    let (first, text) = match piece {
        Piece::Lines { first, text } => (first, text),
        Piece::Bad { line, error } => {
            state.metrics.bad_lines.fetch_add(1, Relaxed);
            let mut out = Vec::new();
            put_bad(&mut out, &Value::Null, line, &error, language);
            return out.into();
        }
    };
    let Ok(permit) = state.gate.enter_in_turn().await else {
        return Bytes::new();
    };
    let span = tracing::Span::current();
    let done = web::block(move || {
        let _permit = permit;
        span.in_scope(|| gone.stops(|| answer_lines(&state, first, &text, language, &gone, work)))
    });
    done.await.unwrap_or_else(|_| {
        let mut out = Vec::new();
        let error = RequestError::at(
            "internal",
            None,
            "the service failed from this line on",
            "服务自此行起出错",
        );
        put_bad(&mut out, &Value::Null, first, &error, language);
        out.into()
    })
}

fn answer_lines(
    state: &State,
    first: u64,
    text: &[u8],
    language: Language,
    gone: &Gone,
    work: Work,
) -> Bytes {
    let mut out = Vec::with_capacity(text.len() * 5);
    let (mut well, mut bad) = (0, 0);
    for (number, line) in (first..).zip(text.split(|&byte| byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        if gone.yes() {
            break;
        }
        let before = out.len();
        let unread = |error| {
            let id = Value::Null;
            Box::new(BadRequest { id, error })
        };
        let line = body::text(line).map_err(unread);
        match line.and_then(|line| work(state, gone, line, &mut out)) {
            Ok(()) => {
                out.push(b'\n');
                well += 1;
            }
            Err(refused) => {
                out.truncate(before);
                put_bad(&mut out, &refused.id, number, &refused.error, language);
                bad += 1;
            }
        }
    }
    state.metrics.lines.fetch_add(well, Relaxed);
    state.metrics.bad_lines.fetch_add(bad, Relaxed);
    out.into()
}

/// A line of any JSON: the same again. What batches are measured against.
///
/// # Errors
/// It is no JSON.
pub fn echo_line(
    _: &State,
    _: &Gone,
    line: &str,
    out: &mut Vec<u8>,
) -> Result<(), Box<BadRequest>> {
    let value: Value = serde_json::from_str(line).map_err(|error| {
        let zh = format!("不是合法的 JSON：{error}");
        let error = RequestError::at("json_syntax", None, error.to_string(), zh);
        let id = Value::Null;
        Box::new(BadRequest { id, error })
    })?;
    // Writing to memory does not fail.
    serde_json::to_writer(out, &value).ok();
    Ok(())
}
