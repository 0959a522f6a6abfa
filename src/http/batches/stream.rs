//! Batches: lines taken in as they come, so many at a time, and ruled on by every core.

use crate::http::batches::kept::{Answered, ToKeep};
use crate::http::batches::line::{Line, Refused};
use crate::http::desk::gate::{Gone, Lane, Task, presence};
use crate::http::desk::state::State;
use crate::http::edge::language::Language;
use crate::http::edge::limits::{Caller, Cost};
use crate::http::edge::problem::ApiError;
use crate::http::intake::body;
use crate::http::intake::lines::{Lines, Piece};
use crate::wire::RequestError;
use actix_web::web::{self, Bytes, Payload};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::future::join_all;
use futures_util::{StreamExt as _, stream};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// How long a batch is held back before it is asked again whether it must be.
const MOST_HELD: Duration = Duration::from_secs(1);

/// What is done with the lines of a batch, on whatever thread.
pub trait Work:
    Fn(&State, &Arc<Task>, &Line<'_>, &mut Vec<u8>) -> Answered + Clone + Send + 'static
{
}

impl<F> Work for F where
    F: Fn(&State, &Arc<Task>, &Line<'_>, &mut Vec<u8>) -> Answered + Clone + Send + 'static
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
    let language = Language::of(request.headers());
    let lines = Lines::new(&state.settings, payload);
    let lines = lines.gathered(request.headers()).await?;
    let (present, gone) = presence();
    let asking = Asking {
        caller: Caller::of(request),
        language,
        gone,
    };
    let abreast = state.settings.rulings.max(1) * 2;
    let lines = stream::unfold(lines, Lines::next);
    let judging = Arc::clone(&state);
    let answers = lines
        .map(move |piece| judged(Arc::clone(&judging), piece, asking.clone(), work.clone()))
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

/// Who asks.
#[derive(Clone)]
struct Asking {
    caller: Caller,
    language: Language,
    gone: Gone,
}

/// The answers to some lines, each with a line feed.
async fn judged(state: Arc<State>, piece: Piece, asking: Asking, work: impl Work) -> Judged {
    let mut failed = Judged::default();
    let Asking {
        caller,
        language,
        gone,
    } = asking;
    let (first, text) = match piece {
        Piece::Lines { first, text } => (first, text),
        Piece::Bad { line, error } => {
            state.metrics.bad_lines.fetch_add(1, Relaxed);
            Refused::unread(error).put(line, language, &mut failed.text);
            return failed;
        }
    };
    // Who has asked for too much is held back: a batch takes as long as it may.
    while let Some(wait) = state
        .limits
        .as_ref()
        .and_then(|limits| limits.debt(&caller))
    {
        tokio::time::sleep(wait.min(MOST_HELD)).await;
    }
    let deadline = state.settings.deadline();
    let entered = state.gate.enter(&caller, Lane::Line, deadline, &gone);
    let Ok(task) = entered.await else {
        return failed;
    };
    let span = tracing::Span::current();
    let done = web::block(move || {
        let judge = || judge_lines(&state, first, &text, language, &task, work);
        let judged = span.in_scope(|| task.watches(judge));
        state.spent(&caller, Cost::Positions, task.expanded());
        judged
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
    task: &Arc<Task>,
    work: impl Work,
) -> Judged {
    let mut out = Vec::with_capacity(piece.len() * 5);
    let mut to_keep = Vec::new();
    let (mut well, mut bad) = (0, 0);
    for (number, line) in (first..).zip(piece.split(|&byte| byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        // Each line has its own time, and others may go first between two.
        task.next(state.settings.deadline());
        if !task.goes_on() && task.is_gone() {
            break;
        }
        let before = out.len();
        let answered = body::text(line).map_err(Refused::unread).and_then(|text| {
            let line = Line {
                number,
                text,
                piece,
            };
            work(state, task, &line, &mut out)
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
            // Nobody is there to be told.
            Err(_) if task.is_gone() => {
                out.truncate(before);
                break;
            }
            Err(refused) => {
                out.truncate(before);
                if let Some(why) = refused.error.busy() {
                    state.metrics.refused(why);
                }
                refused.put(number, language, &mut out);
                bad += 1;
            }
        }
    }
    state.metrics.lines.fetch_add(well, Relaxed);
    state.metrics.bad_lines.fetch_add(bad, Relaxed);
    state.spent(
        task.caller(),
        Cost::Lines,
        well + bad + to_keep.len() as u64,
    );
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
pub fn echo_line(_: &State, _: &Arc<Task>, line: &Line<'_>, out: &mut Vec<u8>) -> Answered {
    let value: Value = serde_json::from_str(line.text).map_err(|error| {
        let zh = format!("不是合法的 JSON：{error}");
        Refused::unread(RequestError::at("json_syntax", None, error.to_string(), zh))
    })?;
    // Writing to memory does not fail.
    serde_json::to_writer(out, &value).ok();
    Ok(None)
}
