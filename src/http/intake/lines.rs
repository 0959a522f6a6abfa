//! Lines taken in as they come, so many at a time.

use crate::http::edge::problem::ApiError;
use crate::http::edge::settings::Settings;
use crate::http::intake::body;
use crate::wire::RequestError;
use actix_web::http::header::HeaderMap;
use actix_web::web::{Bytes, BytesMut, Payload};
use futures_util::{FutureExt as _, StreamExt as _};
use std::time::Duration;

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
    ///
    /// # Errors
    /// It does not come, or breaks off.
    pub async fn gathered(mut self, headers: &HeaderMap) -> Result<Self, ApiError> {
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
