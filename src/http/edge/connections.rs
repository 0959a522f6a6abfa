//! Connections: how many there are, which of them lie idle, and that none is held up by a reader
//! who does not read.
//!
//! Every connection is known here. Where there are more than may be, the longest idle one of whoever
//! has most is closed. What cannot be written for long, or only at a trickle, breaks the connection
//! off, and with it whatever was being done for it. What the parser answers by itself to a head it
//! cannot read is given a body like every other error.

use crate::http::edge::language::Language;
use crate::http::edge::limits::network;
use crate::http::edge::log::Line;
use crate::http::edge::metrics::Metrics;
use crate::http::edge::problem::ApiError;
use crate::language::Text;
use actix_web::http::StatusCode;
use actix_web::rt::net::{ActixStream, Ready, TcpStream};
use actix_web::rt::time::{Sleep, sleep};
use futures_util::task::AtomicWaker;
use std::collections::HashMap;
use std::future::{Future as _, poll_fn};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What a reader takes in bytes a second, at the least.
const LEAST_RATE: u64 = 1024;
/// A pause in writing after which what went before says nothing about the reader.
const AFRESH: Duration = Duration::from_secs(1);

/// One connection, as it is known to all who have to do with it.
#[derive(Debug)]
pub struct Connection {
    number: u64,
    peer: Option<SocketAddr>,
    /// Requests being answered.
    requests: AtomicUsize,
    /// When anything last came or went, in milliseconds since the start.
    moved: AtomicU64,
    closing: AtomicBool,
    /// Nothing more is taken in once no request is being answered.
    leaving: AtomicBool,
    task: AtomicWaker,
}

impl Connection {
    /// Breaks the connection off.
    pub fn close(&self) {
        self.closing.store(true, Relaxed);
        self.task.wake();
    }

    /// Closes the connection when what is being answered has been: the rest of a body that did not come is not waited for.
    pub fn leave(&self) {
        self.leaving.store(true, Relaxed);
        self.task.wake();
    }

    /// Whether nothing more is read.
    fn is_deaf(&self) -> bool {
        let leaves = || self.leaving.load(Relaxed) && self.requests.load(Relaxed) == 0;
        self.closing.load(Relaxed) || leaves()
    }

    fn is_idle(&self) -> bool {
        self.requests.load(Relaxed) == 0 && !self.closing.load(Relaxed)
    }
}

/// A request that is being answered on a connection; no longer when dropped.
#[derive(Debug)]
pub struct Busy(Arc<Connection>);

impl Busy {
    /// From now on.
    pub fn on(connection: &Arc<Connection>) -> Self {
        connection.requests.fetch_add(1, Relaxed);
        Self(Arc::clone(connection))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Relaxed);
        if self.0.leaving.load(Relaxed) {
            self.0.task.wake();
        }
    }
}

/// All connections.
#[derive(Debug)]
pub struct Connections {
    open: Mutex<HashMap<u64, Arc<Connection>>>,
    next: AtomicU64,
    most: usize,
    wait: Duration,
    began: Instant,
    /// Closed because there were too many.
    pub closed: AtomicU64,
    /// Broken off because nobody read.
    pub unread: AtomicU64,
}

impl Connections {
    /// So many at most, and so long for anything to be read.
    pub fn new(most: usize, wait: Duration) -> Arc<Self> {
        Arc::new(Self {
            open: Mutex::default(),
            next: AtomicU64::new(0),
            most: most.max(1),
            wait,
            began: Instant::now(),
            closed: AtomicU64::new(0),
            unread: AtomicU64::new(0),
        })
    }

    /// How many there are.
    pub fn open(&self) -> usize {
        self.open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Takes a new connection on, and makes room for it where there are too many.
    pub fn accept(self: &Arc<Self>, metrics: &Arc<Metrics>, io: TcpStream) -> Held {
        let connection = Arc::new(Connection {
            number: self.next.fetch_add(1, Relaxed),
            peer: io.peer_addr().ok(),
            requests: AtomicUsize::new(0),
            moved: AtomicU64::new(self.now()),
            closing: AtomicBool::new(false),
            leaving: AtomicBool::new(false),
            task: AtomicWaker::new(),
        });
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(connection.number, Arc::clone(&connection));
        if open.len() > self.most {
            // Where nobody is idle, the new one is who has least to lose.
            let others = longest_idle(&open, connection.number);
            let victim = others.map_or(connection.number, |victim| victim.number);
            if let Some(victim) = open.remove(&victim) {
                victim.close();
            }
            self.closed.fetch_add(1, Relaxed);
        }
        drop(open);
        Held {
            io,
            connection,
            all: Arc::clone(self),
            metrics: Arc::clone(metrics),
            stall: None,
            own: Vec::new(),
            sent: 0,
        }
    }
}

/// The idle connection that has been so longest, of the address that has most of them.
fn longest_idle(open: &HashMap<u64, Arc<Connection>>, but: u64) -> Option<&Arc<Connection>> {
    let address = |connection: &Connection| connection.peer.map(|peer| network(peer.ip()));
    let mut of_each: HashMap<Option<IpAddr>, usize> = HashMap::new();
    let idle = || {
        let others = open.values().filter(|connection| connection.number != but);
        others.filter(|connection| connection.is_idle())
    };
    for connection in idle() {
        *of_each.entry(address(connection)).or_default() += 1;
    }
    idle().min_by_key(|connection| {
        let count = of_each.get(&address(connection)).copied().unwrap_or(0);
        // Of those of one millisecond, the one that came first.
        (
            usize::MAX - count,
            connection.moved.load(Relaxed),
            connection.number,
        )
    })
}

/// How long nothing could be written, or little.
#[derive(Debug)]
struct Stall {
    since: Instant,
    written: u64,
    /// When all that was there could be written.
    free: Option<Instant>,
    timer: Pin<Box<Sleep>>,
}

/// A connection and its bytes.
#[derive(Debug)]
pub struct Held {
    io: TcpStream,
    connection: Arc<Connection>,
    all: Arc<Connections>,
    metrics: Arc<Metrics>,
    stall: Option<Stall>,
    /// What is written in the place of the parser's own answer, and how much of it is.
    own: Vec<u8>,
    sent: usize,
}

impl Held {
    /// The connection, for those who work on it.
    pub fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }

    /// Waits until the connection is to be closed.
    pub async fn closed(&self) {
        poll_fn(|context| {
            self.connection.task.register(context.waker());
            if self.connection.closing.load(Relaxed) {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }

    /// What it is made of.
    pub const fn io(&self) -> &TcpStream {
        &self.io
    }

    fn moved(&self) {
        self.connection.moved.store(self.all.now(), Relaxed);
    }

    fn wrote(&mut self, count: usize, all: bool) {
        self.moved();
        if let Some(stall) = &mut self.stall {
            stall.written += count as u64;
            if all {
                stall.free.get_or_insert_with(Instant::now);
            }
        }
    }

    /// Nothing can be written now: an error once that has been so, or nearly so, for too long.
    fn blocked(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        let wait = self.all.wait;
        let afresh = self.stall.as_mut().is_none_or(|stall| {
            let free = stall.free.take();
            free.is_some_and(|free| free.elapsed() > AFRESH)
        });
        if afresh {
            self.stall = None;
        }
        let stall = self.stall.get_or_insert_with(|| Stall {
            since: Instant::now(),
            written: 0,
            free: None,
            timer: Box::pin(sleep(wait)),
        });
        while stall.timer.as_mut().poll(context).is_ready() {
            let elapsed = u64::try_from(stall.since.elapsed().as_millis()).unwrap_or(u64::MAX);
            if stall.written < LEAST_RATE.saturating_mul(elapsed) / 1000 {
                self.all.unread.fetch_add(1, Relaxed);
                let told = "nobody reads what is written";
                return Poll::Ready(io::Error::new(io::ErrorKind::TimedOut, told));
            }
            stall.since = Instant::now();
            stall.written = 0;
            stall.timer = Box::pin(sleep(wait));
        }
        Poll::Pending
    }

    /// Writes what is written in the place of the parser's answer.
    fn write_own(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) = self.own.get(self.sent..).filter(|rest| !rest.is_empty()) {
            match Pin::new(&mut self.io).poll_write(context, rest) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(count)) => self.sent += count,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return self.blocked(context).map(Err),
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Held {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.connection.task.register(context.waker());
        if self.connection.is_deaf() {
            // As if the other side had closed it.
            return Poll::Ready(Ok(()));
        }
        let before = into.filled().len();
        let read = Pin::new(&mut self.io).poll_read(context, into);
        if into.filled().len() > before {
            self.moved();
        }
        read
    }
}

impl AsyncWrite for Held {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        text: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.connection.task.register(context.waker());
        if self.connection.closing.load(Relaxed) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        ready!(self.write_own(context))?;
        if let Some((before, status)) = unread_head(text) {
            let mut own = before.to_vec();
            own.extend_from_slice(&told(status));
            self.note(status);
            (self.own, self.sent) = (own, 0);
            let _: Poll<()> = self.write_own(context)?;
            return Poll::Ready(Ok(text.len()));
        }
        match Pin::new(&mut self.io).poll_write(context, text) {
            Poll::Ready(Ok(count)) => {
                self.wrote(count, count == text.len());
                Poll::Ready(Ok(count))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => self.blocked(context).map(Err),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_own(context))?;
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.write_own(context))?;
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

impl ActixStream for Held {
    fn poll_read_ready(&self, context: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        self.io
            .poll_read_ready(context)
            .map_ok(|()| Ready::READABLE)
    }

    fn poll_write_ready(&self, context: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        self.io
            .poll_write_ready(context)
            .map_ok(|()| Ready::WRITABLE)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut open = self.all.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.remove(&self.connection.number);
    }
}

/// The parser's own answer to a head it cannot read, at the end of what is written: what stands before
/// it, and its status. Every answer of the service itself has a header that this has not.
fn unread_head(text: &[u8]) -> Option<(&[u8], StatusCode)> {
    const BEGINS: &[u8] = b"HTTP/1.1 4";
    const LONGEST: usize = 200;
    if !text.ends_with(b"\r\n\r\n") {
        return None;
    }
    let from = text.len().saturating_sub(LONGEST);
    let tail = text.get(from..)?;
    let at = tail
        .windows(BEGINS.len())
        .rposition(|window| window == BEGINS)?;
    let (before, head) = text.split_at_checked(from + at)?;
    let head = std::str::from_utf8(head).ok()?.to_ascii_lowercase();
    let empty = head.contains("\r\ncontent-length: 0\r\n");
    if !empty || head.contains("\r\nx-content-type-options:") {
        return None;
    }
    let status = head.get(9..12)?.parse().ok()?;
    Some((before, StatusCode::from_u16(status).ok()?))
}

fn problem(status: StatusCode) -> ApiError {
    let (code, en, zh) = match status.as_u16() {
        408 => (
            "head_timeout",
            "the head of the request did not arrive in time",
            "请求头未及时到齐",
        ),
        413 | 431 => (
            "head_too_large",
            "the head of the request is too large",
            "请求头过大",
        ),
        _ => (
            "head_malformed",
            "the head of the request cannot be read",
            "请求头无法读懂",
        ),
    };
    ApiError::new(status, code, Text::new(en, zh))
}

/// The answer to a head that could not be read.
fn told(status: StatusCode) -> Vec<u8> {
    let body = problem(status).body(Language::En);
    let length = body.len();
    let reason = status.canonical_reason().unwrap_or_default();
    let mut told = format!(
        "HTTP/1.1 {} {reason}\r\ncontent-type: application/problem+json\r\ncontent-language: en\r\n\
         cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\
         content-length: {length}\r\n\r\n",
        status.as_u16()
    )
    .into_bytes();
    told.extend_from_slice(&body);
    told
}

impl Held {
    /// Counts such an answer, and writes its line of the log.
    fn note(&self, status: StatusCode) {
        let number = status.as_u16();
        self.metrics.elsewhere.answered(number, Duration::ZERO);
        if !tracing::enabled!(target: "qili::access", tracing::Level::WARN) {
            return;
        }
        let mut line = Line::new("WARN", "qili::access").number("status", number.into());
        if let Some(peer) = self.connection.peer {
            line = line.text("peer", &peer.ip().to_string());
        }
        line.text("code", problem(status).code()).end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parsers_own_answers_are_told_from_others() {
        let own = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\ndate: Sat, 21 Nov 2026 09:30:00 GMT\r\n\r\n";
        let (before, status) = unread_head(own).unwrap();
        assert!(before.is_empty());
        assert_eq!(status, 400);
        let behind = [b"HTTP/1.1 200 OK\r\n\r\n{}".as_slice(), own].concat();
        assert_eq!(
            unread_head(&behind).unwrap().0,
            b"HTTP/1.1 200 OK\r\n\r\n{}"
        );
        for other in [
            b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".as_slice(),
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nx-content-type-options: nosniff\r\n\r\n",
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\n\r\n",
            b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n",
            b"",
        ] {
            assert!(unread_head(other).is_none());
        }
        let told = String::from_utf8(told(StatusCode::REQUEST_TIMEOUT)).unwrap();
        assert!(
            told.starts_with("HTTP/1.1 408 Request Timeout\r\n"),
            "{told}"
        );
        let body = told.split("\r\n\r\n").nth(1).unwrap();
        assert!(told.contains(&format!("content-length: {}\r\n", body.len())));
        assert!(body.contains("\"code\":\"head_timeout\""), "{told}");
    }

    #[test]
    fn who_has_most_idle_connections_loses_the_oldest() {
        let connection = |number: u64, peer: &str, moved: u64, requests: usize| {
            let connection = Connection {
                number,
                peer: Some(peer.parse().unwrap()),
                requests: AtomicUsize::new(requests),
                moved: AtomicU64::new(moved),
                closing: AtomicBool::new(false),
                leaving: AtomicBool::new(false),
                task: AtomicWaker::new(),
            };
            (number, Arc::new(connection))
        };
        let open: HashMap<_, _> = [
            connection(1, "192.0.2.1:1", 5, 0),
            connection(2, "192.0.2.2:1", 1, 1),
            connection(3, "192.0.2.2:2", 30, 0),
            connection(4, "192.0.2.2:3", 20, 0),
        ]
        .into_iter()
        .collect();
        assert_eq!(longest_idle(&open, 9).unwrap().number, 4);
        open[&4].close();
        open[&3].close();
        assert_eq!(longest_idle(&open, 9).unwrap().number, 1);
        assert!(longest_idle(&open, 1).is_none());
        open[&1].close();
        assert!(longest_idle(&open, 9).is_none());
    }
}
