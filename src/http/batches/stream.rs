//! Batches: lines taken in as they come, so many at a time, and ruled on by every core.

use crate::http::batches::kept::{Answered, ToKeep};
use crate::http::batches::line::{Line, Refused};
use crate::http::desk::gate::{Gone, Lane, Task, presence};
use crate::http::desk::state::State;
use crate::http::desk::work::aside;
use crate::http::edge::admission::key;
use crate::http::edge::connections::Connection;
use crate::http::edge::keys::caller;
use crate::http::edge::language::Language;
use crate::http::edge::limits::{Caller, Cost};
use crate::http::edge::log::Line as LogLine;
use crate::http::edge::problem::{Answer, ApiError, Busy};
use crate::http::edge::request_id::RequestId;
use crate::http::intake::lines::{Lines, Piece};
use crate::language::both;
use crate::wire::{self, RequestError};
use actix_web::http::Version;
use actix_web::web::{Bytes, Payload};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use futures_util::future::join_all;
use futures_util::{Stream as _, StreamExt as _, stream};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::task::Poll;
use std::time::{Duration, Instant};

/// Bytes handed on to be sent at a time: who takes in less than that in as long as anybody is waited
/// for, and as long again, does not read.
const HANDED: usize = 32 << 10;
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
) -> Answer {
    let language = Language::asked_for(request.headers());
    let lines = Lines::new(&state.settings, payload);
    let lines = lines.gathered(request.headers()).await?;
    let (present, gone) = presence();
    let asking = Asking {
        caller: Caller::of(request),
        language,
        gone,
        tally: Arc::new(Tally::of(request)),
    };
    let abreast = state.settings.rulings.max(1) * 2;
    let connection = request.conn_data::<Arc<Connection>>().cloned();
    let source = Source {
        lines,
        state: Arc::clone(&state),
        key: key(request.headers()).map(str::to_owned),
        connection: connection.filter(|_| request.version() < Version::HTTP_2),
    };
    let lines = stream::unfold(source, taken_in);
    let handed = Handed::watched(&state, request);
    let judging = Arc::clone(&state);
    let tally = Arc::clone(&asking.tally);
    let counts = Arc::clone(&tally);
    let answers = lines
        .map(move |piece| judged(Arc::clone(&judging), piece, asking.clone(), work.clone()))
        .buffered(abreast)
        .map(move |judged| kept(Arc::clone(&state), judged, language, Arc::clone(&counts)))
        .buffered(abreast)
        .map(move |answer| {
            let _ = (&held, &present);
            Ok::<_, ApiError>(answer)
        });
    let mut answers = Box::pin(answers);
    let mut rest = Bytes::new();
    let answers = stream::poll_fn(move |context| {
        handed.taken();
        if rest.is_empty() {
            let next = answers.as_mut().poll_next(context);
            let Poll::Ready(Some(Ok(text))) = next else {
                tally.whole.fetch_or(next.is_ready(), Relaxed);
                return next;
            };
            rest = text;
        }
        let piece = rest.split_to(rest.len().min(HANDED));
        handed.gives();
        Poll::Ready(Some(Ok(piece)))
    });
    Ok(HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .streaming(answers))
}

/// Where the lines of a batch come from.
struct Source {
    lines: Lines,
    state: Arc<State>,
    /// The key it was sent with: it may be revoked while lines come.
    key: Option<String>,
    /// What carries nothing but this: over HTTP/2 others are answered on the same.
    connection: Option<Arc<Connection>>,
}

/// The next lines of a body; once the service is about to end, or the key is no longer one, that it is so, at the line that
/// is the next.
async fn taken_in(mut source: Source) -> Option<(Piece, Source)> {
    let Source {
        lines, state, key, ..
    } = &mut source;
    if lines.has_ended() {
        return None;
    }
    let piece = tokio::select! {
        biased;
        () = state.stage.ends() => lines.ends(Busy::Stopping.into()),
        piece = lines.next() => piece?,
    };
    let piece = match state.door().asker(key.as_deref()) {
        Ok(_) => piece,
        Err(error) => lines.ends_at(&piece, error),
    };
    if lines.is_cut_short()
        && let Some(connection) = &source.connection
    {
        connection.leave();
    }
    Some((piece, source))
}

/// What was handed on to be sent, and not yet asked to be followed by more.
#[derive(Debug)]
struct Handed {
    began: Instant,
    /// When, in milliseconds since the beginning and one more; 0 while nothing is.
    at: AtomicU64,
}

impl Handed {
    /// Breaks the connection off where what was handed on is not read, or no more than a trickle of it:
    /// a connection that carries several requests may go on well while one of them stands still.
    fn watched(state: &State, request: &HttpRequest) -> Arc<Self> {
        let handed = Arc::new(Self {
            began: Instant::now(),
            at: AtomicU64::new(0),
        });
        let wait = Duration::from_millis(state.settings.write_wait_ms);
        let connection = request.conn_data::<Arc<Connection>>().cloned();
        if let Some(connection) = connection {
            let watched = Arc::downgrade(&handed);
            let connections = Arc::clone(&state.connections);
            actix_web::rt::spawn(async move {
                loop {
                    tokio::time::sleep(wait / 4).await;
                    let Some(handed) = watched.upgrade() else {
                        return;
                    };
                    if handed.for_too_long(wait) {
                        connections.unread.fetch_add(1, Relaxed);
                        return connection.close();
                    }
                }
            });
        }
        handed
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn gives(&self) {
        self.at.store(self.now() + 1, Relaxed);
    }

    fn taken(&self) {
        self.at.store(0, Relaxed);
    }

    fn for_too_long(&self, wait: Duration) -> bool {
        let at = self.at.load(Relaxed);
        let since = Duration::from_millis(self.now().saturating_sub(at));
        at > 0 && since > wait * 2
    }
}

/// Who asks, and what has come of it.
#[derive(Clone)]
struct Asking {
    caller: Caller,
    language: Language,
    gone: Gone,
    tally: Arc<Tally>,
}

/// What comes of a batch: a line of the log, once it has ended.
#[derive(Debug)]
struct Tally {
    begun: Instant,
    path: String,
    request_id: Option<RequestId>,
    caller: String,
    lines: AtomicU64,
    bad: AtomicU64,
    positions: AtomicU64,
    /// Answered to its end.
    whole: AtomicBool,
}

impl Tally {
    fn of(request: &HttpRequest) -> Self {
        Self {
            begun: Instant::now(),
            path: request.path().to_owned(),
            request_id: request.extensions().get::<RequestId>().cloned(),
            caller: caller(request),
            lines: AtomicU64::new(0),
            bad: AtomicU64::new(0),
            positions: AtomicU64::new(0),
            whole: AtomicBool::new(false),
        }
    }

    fn counts(&self, state: &State, well: u64, bad: u64) {
        state.metrics.lines.fetch_add(well, Relaxed);
        state.metrics.bad_lines.fetch_add(bad, Relaxed);
        self.lines.fetch_add(well + bad, Relaxed);
        self.bad.fetch_add(bad, Relaxed);
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        if !tracing::enabled!(target: "qili::batch", tracing::Level::INFO) {
            return;
        }
        let took = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let whole = self.whole.load(Relaxed);
        let mut line = LogLine::new("INFO", "qili::batch").text("path", &self.path);
        if let Some(id) = &self.request_id {
            line = line.text("request_id", id.text());
        }
        if !self.caller.is_empty() {
            line = line.text("key", &self.caller);
        }
        for (name, value) in [
            ("lines", self.lines.load(Relaxed)),
            ("bad", self.bad.load(Relaxed)),
            ("positions", self.positions.load(Relaxed)),
            ("us", took),
        ] {
            line = line.number(name, value);
        }
        line.text("ended", if whole { "whole" } else { "early" })
            .end();
    }
}

/// The answers to some lines, each with a line feed.
async fn judged(state: Arc<State>, piece: Piece, asking: Asking, work: impl Work) -> Judged {
    let mut failed = Judged::default();
    let Asking {
        caller,
        language,
        gone,
        tally,
    } = asking;
    let (first, text) = match piece {
        Piece::Lines { first, text } => (first, text),
        Piece::Bad { line, error } => {
            tally.counts(&state, 0, 1);
            if let Some(why) = error.busy() {
                state.metrics.refused(why);
            }
            let id = Value::Null;
            Refused { id, error }.put(line, language, &mut failed.text);
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
    let done = aside(move || {
        let judge = || judge_lines(&state, first, &text, (language, &tally), &task, work);
        let judged = span.in_scope(judge);
        tally.positions.fetch_add(task.expanded(), Relaxed);
        state.spent(&caller, Cost::Positions, task.expanded());
        judged
    });
    done.await.unwrap_or_else(|| {
        let error = RequestError::at(
            "internal",
            None,
            both!("the service failed from this line on", "服务自此行起出错"),
        );
        Refused::unread(error).put(first, language, &mut failed.text);
        failed
    })
}

fn judge_lines(
    state: &State,
    first: u64,
    piece: &Bytes,
    (language, tally): (Language, &Tally),
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
        let answered = wire::text(line).map_err(Refused::unread).and_then(|text| {
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
    tally.counts(state, well, bad);
    state.spent(
        task.caller(),
        Cost::Lines,
        well + bad + to_keep.len() as u64,
    );
    Judged { text: out, to_keep }
}

/// The answers to some lines, once what was to be kept is.
async fn kept(state: Arc<State>, judged: Judged, language: Language, tally: Arc<Tally>) -> Bytes {
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
                tally.counts(&state, 1, 0);
            }
            Err(refused) => {
                refused.put(line, language, &mut out);
                tally.counts(&state, 0, 1);
            }
        }
    }
    out.extend_from_slice(text.get(written..).unwrap_or_default());
    out.into()
}

/// A line of any JSON: the same again. What batches are measured against.
pub fn echo_line(_: &State, _: &Arc<Task>, line: &Line<'_>, out: &mut Vec<u8>) -> Answered {
    let value: Value = serde_json::from_str(line.text).map_err(|error| {
        Refused::unread(RequestError::at(
            "json_syntax",
            None,
            both!("{error}", "不是合法的 JSON：{error}"),
        ))
    })?;
    // Writing to memory does not fail.
    serde_json::to_writer(out, &value).ok();
    Ok(None)
}
