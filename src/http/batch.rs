//! Batches: lines taken in as they come, so many at a time, and ruled on by every core.

use super::body;
use super::gate::{Gone, presence};
use super::kept_lines::{KeptRuling, ToKeep};
use super::language::Language;
use super::observe::language;
use super::problem::ApiError;
use super::settings::Settings;
use super::state::State;
use crate::wire::{BadRequest, RequestError, RulingJson};
use actix_web::http::header::HeaderMap;
use actix_web::web::{self, Bytes, BytesMut, Payload};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::future::join_all;
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
    /// The ruling under its number, where it is kept.
    Kept(Box<KeptLine>),
    /// Why there is none.
    Bad(BadLine<'a>),
}

/// A ruling that is kept.
#[derive(Serialize, ToSchema)]
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
    piece: &'a Bytes,
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
    fn unread(error: RequestError) -> Self {
        Self {
            id: Value::Null,
            error: error.into(),
        }
    }

    fn put(&self, line: u64, language: Language, out: &mut Vec<u8>) {
        let fault = self.error.fault();
        let error = LineError {
            code: fault.code,
            detail: language.pick(&fault.detail_zh, &fault.detail),
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

impl KeptRuling {
    fn put(&self, out: &mut Vec<u8>) {
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

/// What is done with the lines of a batch, on whatever thread.
pub trait Work:
    Fn(&State, &Gone, &Line<'_>, &mut Vec<u8>) -> Answered + Clone + Send + 'static
{
}

impl<F> Work for F where
    F: Fn(&State, &Gone, &Line<'_>, &mut Vec<u8>) -> Answered + Clone + Send + 'static
{
}

/// The answers to some lines, as far as they can be given before anything is kept.
#[derive(Default)]
struct Judged {
    text: Vec<u8>,
    /// What is to be kept: before which byte its answer goes, and the number of its line.
    to_keep: Vec<(usize, u64, Box<ToKeep>)>,
}

/// Answers the lines of a body, in their order: several pieces are worked on at a time, and no more
/// are taken in while their answers are not read. `work` adds the answer to a line to what is there,
/// or gives what must be kept first; the store is given these in the order of their lines, those of
/// several pieces at a time. `held` is kept until the last answer is sent, or nobody is there to
/// take it.
///
/// # Errors
/// The body cannot be had, as far as it is taken in before anything is answered.
pub async fn answer<H: 'static>(
    state: Arc<State>,
    request: &HttpRequest,
    payload: Payload,
    held: H,
    work: impl Work,
) -> Result<HttpResponse, ApiError> {
    let language = language(request.headers());
    let lines = Lines::new(&state.settings, payload);
    let lines = lines.gathered(request.headers()).await?;
    let (present, gone) = presence();
    let abreast = state.settings.rulings.max(1) * 2;
    let lines = stream::unfold(lines, Lines::next);
    let judging = Arc::clone(&state);
    let answers = lines
        .map(move |piece| {
            judged(
                Arc::clone(&judging),
                piece,
                language,
                gone.clone(),
                work.clone(),
            )
        })
        .buffered(abreast)
        .map(move |judged| kept(Arc::clone(&state), judged, language))
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
async fn judged(
    state: Arc<State>,
    piece: Piece,
    language: Language,
    gone: Gone,
    work: impl Work,
) -> Judged {
    let mut failed = Judged::default();
    let (first, text) = match piece {
        Piece::Lines { first, text } => (first, text),
        Piece::Bad { line, error } => {
            state.metrics.bad_lines.fetch_add(1, Relaxed);
            Refused::unread(error).put(line, language, &mut failed.text);
            return failed;
        }
    };
    let Ok(permit) = state.gate.enter_in_turn().await else {
        return failed;
    };
    let span = tracing::Span::current();
    let done = web::block(move || {
        let _permit = permit;
        span.in_scope(|| gone.stops(|| judge_lines(&state, first, &text, language, &gone, work)))
    });
    done.await.unwrap_or_else(|_| {
        let error = RequestError::at(
            "internal",
            None,
            "the service failed from this line on",
            "服务自此行起出错",
        );
        Refused::unread(error).put(first, language, &mut failed.text);
        failed
    })
}

fn judge_lines(
    state: &State,
    first: u64,
    piece: &Bytes,
    language: Language,
    gone: &Gone,
    work: impl Work,
) -> Judged {
    let mut out = Vec::with_capacity(piece.len() * 5);
    let mut to_keep = Vec::new();
    let (mut well, mut bad) = (0, 0);
    for (number, line) in (first..).zip(piece.split(|&byte| byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        if gone.yes() {
            break;
        }
        let before = out.len();
        let answered = body::text(line).map_err(Refused::unread).and_then(|text| {
            let line = Line {
                number,
                text,
                piece,
            };
            work(state, gone, &line, &mut out)
        });
        match answered {
            Ok(None) => {
                out.push(b'\n');
                well += 1;
            }
            Ok(Some(first)) => {
                out.truncate(before);
                to_keep.push((before, number, first));
            }
            Err(refused) => {
                out.truncate(before);
                refused.put(number, language, &mut out);
                bad += 1;
            }
        }
    }
    state.metrics.lines.fetch_add(well, Relaxed);
    state.metrics.bad_lines.fetch_add(bad, Relaxed);
    Judged { text: out, to_keep }
}

/// The answers to some lines, once what was to be kept is.
async fn kept(state: Arc<State>, judged: Judged, language: Language) -> Bytes {
    let Judged { text, to_keep } = judged;
    if to_keep.is_empty() {
        return text.into();
    }
    let keeping = to_keep.into_iter().map(|(at, line, to_keep)| {
        let state = &state;
        async move { (at, line, to_keep.keep(state).await) }
    });
    let mut out = Vec::with_capacity(text.len() + (64 << 10));
    let mut written = 0;
    for (at, line, kept) in join_all(keeping).await {
        out.extend_from_slice(text.get(written..at).unwrap_or_default());
        written = at;
        match kept {
            Ok(ruling) => {
                ruling.put(&mut out);
                state.metrics.lines.fetch_add(1, Relaxed);
            }
            Err(refused) => {
                refused.put(line, language, &mut out);
                state.metrics.bad_lines.fetch_add(1, Relaxed);
            }
        }
    }
    out.extend_from_slice(text.get(written..).unwrap_or_default());
    out.into()
}

/// A line of any JSON: the same again. What batches are measured against.
///
/// # Errors
/// It is no JSON.
pub fn echo_line(_: &State, _: &Gone, line: &Line<'_>, out: &mut Vec<u8>) -> Answered {
    let value: Value = serde_json::from_str(line.text).map_err(|error| {
        let zh = format!("不是合法的 JSON：{error}");
        Refused::unread(RequestError::at("json_syntax", None, error.to_string(), zh))
    })?;
    // Writing to memory does not fail.
    serde_json::to_writer(out, &value).ok();
    Ok(None)
}
