//! A game as it stands in its file, not yet looked at.

use super::fault::{Fault, FaultKind, Place};
use super::form::Form;
use super::record::Record;
use super::{bridge, cbf, dhtmlxq, lines, row, sheet, xqf};

/// One game of a file. It can be read into again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRecord {
    pub(super) form: Form,
    pub(super) number: u64,
    pub(super) line: u64,
    /// What is told about it by what stands around it.
    pub(super) deleted: bool,
    /// Of a text.
    pub(super) text: String,
    /// Of all else.
    pub(super) bytes: Vec<u8>,
    /// How many bytes of the file come before those.
    pub(super) at: u64,
}

impl Default for RawRecord {
    fn default() -> Self {
        Self::new()
    }
}

impl RawRecord {
    /// An empty one, to be read into.
    pub const fn new() -> Self {
        Self {
            form: Form::Sheet,
            number: 0,
            line: 1,
            deleted: false,
            text: String::new(),
            bytes: Vec::new(),
            at: 0,
        }
    }

    /// How it is written down.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Which game of the file it is, from 1.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The line of the file it starts on, from 1; 0 where there are no lines.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Its text, where it is one.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many bytes it takes.
    pub const fn size(&self) -> usize {
        self.text.len() + self.bytes.len()
    }

    /// Reads it, as far as it can be read.
    ///
    /// # Errors
    /// What keeps it from being a game at all; what only breaks it off is told in the record.
    pub fn parse(&self) -> Result<Record, Fault> {
        match self.form {
            Form::Xqf => xqf::read(self),
            Form::Cbl | Form::Cbr => bridge::record(self),
            Form::OldBridge => bridge::old_record(self),
            Form::Cbf => cbf::read(self),
            Form::Dhtmlxq => dhtmlxq::read(self),
            Form::Sheet => sheet::read(self),
            Form::Lines => lines::read_position(self),
            Form::Links => lines::read_link(self),
            Form::Rows => row::read(self),
        }
    }

    pub(super) fn fault(&self, place: Place, index: Option<usize>, kind: FaultKind) -> Fault {
        Fault::new(self.number, place, index, kind)
    }

    /// A fault at a byte of what is read here.
    pub(super) fn at_byte(&self, byte: usize, kind: FaultKind) -> Fault {
        self.fault(Place::Byte(self.at + byte as u64), None, kind)
    }

    /// A fault at the beginning of a game in words.
    pub(super) fn at_start(&self, kind: FaultKind) -> Fault {
        self.fault(super::frame::start_of(self.line), None, kind)
    }
}
