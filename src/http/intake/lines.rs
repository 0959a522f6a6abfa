//! Lines taken in as they come, so many at a time.

use crate::http::edge::problem::{ApiError, Result};
use crate::http::edge::settings::Settings;
use crate::http::intake::body;
use crate::language::both;
use crate::wire::RequestError;
use actix_web::http::header::HeaderMap;
use actix_web::web::{Bytes, BytesMut, Payload};
use futures_util::{FutureExt as _, StreamExt as _};
use std::time::{Duration, Instant};

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
        error: ApiError,
    },
}

/// What a sender has to deliver a second, at the least, unless whole lines come.
const LEAST_RATE: u64 = 1024;

/// Whether more is taken in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// It is.
    None,
    /// Everything has come.
    Whole,
    /// What may come yet is not waited for.
    CutShort,
}

/// The lines of a body.
pub struct Lines {
    payload: Payload,
    held: BytesMut,
    /// So much of it has no end of a line in it.
    searched: usize,
    line: u64,
    /// The rest of a line that was too long is passed over.
    skipping: bool,
    end: End,
    broken: bool,
    most: usize,
    wait: Duration,
    /// Since when no line came, and what came since.
    waiting: Option<(Instant, u64)>,
}

impl Lines {
    /// The lines of a body under the bounds set.
    pub fn new(settings: &Settings, payload: Payload) -> Self {
        Self {
            payload,
            held: BytesMut::new(),
            searched: 0,
            line: 1,
            skipping: false,
            end: End::None,
            broken: false,
            most: settings.max_body,
            wait: Duration::from_millis(settings.body_wait_ms),
            waiting: None,
        }
    }

    fn is_over(&self) -> bool {
        self.end != End::None
    }

    /// Whether nothing more comes.
    pub fn has_ended(&self) -> bool {
        self.is_over() && self.held.is_empty()
    }

    /// Takes in the whole body, where it says how long it is and that is in bounds. A proxy may carry
    /// no more of a body once it carries the answer, and a simple caller reads nothing before it has
    /// sent everything: neither comes to a standstill over such a batch.
    ///
    /// # Errors
    /// It is packed, does not come, or breaks off.
    pub async fn gathered(mut self, headers: &HeaderMap) -> Result<Self> {
        body::plain(headers)?;
        let length = body::length(headers).filter(|&length| length <= self.most);
        while self.held.len() < length.unwrap_or(0) && !self.is_over() {
            self.read().await?;
        }
        Ok(self)
    }

    /// The next lines, as soon as there are whole ones. Nothing is lost where it is not waited for.
    pub async fn next(&mut self) -> Option<Piece> {
        loop {
            if let Some(piece) = self.whole() {
                return Some(piece);
            }
            if self.is_over() {
                return None;
            }
            if let Err(error) = self.read().await {
                return Some(self.ends(error));
            }
        }
    }

    /// Takes no more in: the last that is told, at the next line.
    pub fn ends(&mut self, error: ApiError) -> Piece {
        let line = self.line;
        self.ends_with(line, error)
    }

    /// Takes no more in, nor what was to be handed on next.
    pub fn ends_at(&mut self, next: &Piece, error: ApiError) -> Piece {
        let (Piece::Lines { first: line, .. } | Piece::Bad { line, .. }) = *next;
        self.ends_with(line, error)
    }

    fn ends_with(&mut self, line: u64, error: ApiError) -> Piece {
        self.end = End::CutShort;
        self.held.clear();
        self.searched = 0;
        Piece::Bad { line, error }
    }

    /// Whether more may come that is not taken in.
    pub fn is_cut_short(&self) -> bool {
        self.end == End::CutShort
    }

    /// What can be handed on of what is held.
    fn whole(&mut self) -> Option<Piece> {
        if self.skipping {
            let Some(end) = self.first_end() else {
                self.held.clear();
                self.searched = 0;
                return None;
            };
            drop(self.split_to(end + 1));
            (self.skipping, self.line) = (false, self.line + 1);
        }
        let first = self.line;
        let line = self.first_end();
        if line.unwrap_or(self.held.len()) > self.most {
            self.skipping = true;
            let most = self.most;
            let error = RequestError::at(
                "line_too_long",
                None,
                both!("the line has more than {most} bytes", "该行超过{most}字节"),
            );
            let error = error.into();
            return Some(Piece::Bad { line: first, error });
        }
        let near = self.held.get(..PIECE).unwrap_or(&self.held);
        let length = match line.and_then(|line| fitting(near, self.most).or(Some(line))) {
            Some(end) => end + 1,
            None if self.is_over() && !self.held.is_empty() => self.held.len(),
            None => return None,
        };
        let text = self.split_to(length).freeze();
        let feed = |byte: &&u8| **byte == b'\n';
        self.line += text.iter().filter(feed).count() as u64;
        Some(Piece::Lines { first, text })
    }

    /// Where the first line held ends. What has been looked through is not looked through again: it may come byte by byte.
    fn first_end(&mut self) -> Option<usize> {
        let new = self.held.get(self.searched..).unwrap_or_default();
        let end = new.iter().position(|byte| *byte == b'\n');
        self.searched += end.unwrap_or(new.len());
        end.map(|_| self.searched)
    }

    fn split_to(&mut self, length: usize) -> BytesMut {
        self.searched = 0;
        self.held.split_to(length)
    }

    /// Takes in more, and what has already come besides: that it broke off then is told when that has been handed on.
    async fn read(&mut self) -> Result {
        if self.broken {
            return Err(body::broken_off());
        }
        // A line, be it short, or so many bytes of a long one: empty lines are neither.
        let (since, came_since) = self.waiting.unwrap_or_else(|| (Instant::now(), 0));
        let due = since + self.wait;
        let slow = came_since < LEAST_RATE * self.wait.as_secs().max(1);
        let wait = due.saturating_duration_since(Instant::now());
        let wait = if slow { wait } else { self.wait };
        let more = tokio::time::timeout(wait, self.payload.next()).await;
        let mut more = Some(more.map_err(|_| body::late())?);
        self.waiting = Some(if slow {
            (since, came_since)
        } else {
            (Instant::now(), 0)
        });
        while let Some(came) = more {
            match came {
                Some(Ok(piece)) => {
                    let told = |byte: &&u8| !byte.is_ascii_whitespace();
                    let count = piece.iter().filter(told).count() as u64;
                    let before = self.waiting.map_or(0, |(_, before)| before);
                    let line = before + count > 0 && piece.contains(&b'\n');
                    self.waiting = match self.waiting {
                        Some((since, _)) if !line => Some((since, before + count)),
                        _ => None,
                    };
                    self.held.extend_from_slice(&piece);
                }
                Some(Err(_)) => self.broken = true,
                None => self.end = End::Whole,
            }
            if self.is_over() || self.broken || self.held.len() >= PIECE {
                break;
            }
            more = self.payload.next().now_or_never();
        }
        Ok(())
    }
}

/// Where the last of the lines ends that can be handed on together: before one that is too long.
fn fitting(near: &[u8], most: usize) -> Option<usize> {
    let feed = |byte: &u8| *byte == b'\n';
    if near.len() <= most {
        return near.iter().rposition(feed);
    }
    let (mut start, mut last) = (0, None);
    for (at, _) in near.iter().enumerate().filter(|(_, byte)| feed(byte)) {
        if at - start > most {
            break;
        }
        (start, last) = (at + 1, Some(at));
    }
    last
}
