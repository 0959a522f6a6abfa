//! Boards as SVG: river and palace drawn, traditional characters, file numbers of both sides, the
//! last move, arrows and marks.
//!
//! A diagram stands alone. Characters are outlines, so it needs no font; it has no style sheet, no
//! script and no reference to anything outside itself, so it passes any content security policy
//! inside a page and opens as a file. Nothing is told by colour alone: Red's pieces are light with
//! a double ring and Black's are dark, arrows differ in dash and head, marks in shape. Screen
//! readers are given the position in words.
//!
//! The same diagram always gives the same bytes.
//!
//! ```
//! use qili::board::Position;
//! use qili::diagram::{Annotations, Diagram, Theme};
//! let annotations: Annotations = "attack:h2h9,mark:h9".parse()?;
//! let svg = Diagram::new(&Position::start())
//!     .theme(Theme::Plain)
//!     .annotate(annotations)
//!     .to_svg();
//! assert!(svg.starts_with("<svg "));
//! # Ok::<_, qili::diagram::AnnotationError>(())
//! ```

mod annotation;
mod arrows;
mod draw;
mod glyphs;
mod short;
mod theme;
mod words;

pub use crate::language::Language;
pub use annotation::{
    Annotation, AnnotationError, AnnotationFault, Annotations, ArrowKind, MarkKind,
};
pub use glyphs::OUTLINES;
pub use theme::Theme;
pub use words::escaped;

use crate::board::{Move, Position, Setup, Square};
use crate::named::named;

named! { read
    /// What stands along the edges of the board.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "snake_case"))]
    pub enum Coordinates {
        /// Nothing.
        None "none",
        /// The file numbers of moves in Chinese: 九 to 一 for Red, 1 to 9 for Black.
        #[default]
        Chinese "chinese",
        /// Letters `a` to `i` and digits `0` to `9`.
        Iccs "iccs",
        /// The file numbers, and the letters and digits.
        Both "both",
    }
}

impl Coordinates {
    const fn file_numbers(self) -> bool {
        matches!(self, Self::Chinese | Self::Both)
    }

    const fn iccs(self) -> bool {
        matches!(self, Self::Iccs | Self::Both)
    }
}

/// A board to be drawn. [`Display`](std::fmt::Display) writes the SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    setup: Setup,
    last_move: Option<Move>,
    annotations: Vec<Annotation>,
    flipped: bool,
    language: Language,
    theme: Theme,
    coordinates: Coordinates,
    turn_marker: bool,
    legend: bool,
    caption: Option<String>,
    id_prefix: String,
    /// Where what is drawn by reference stands in the page, where the diagram does not hold it.
    parts: Option<String>,
}

impl From<&Setup> for Diagram {
    fn from(setup: &Setup) -> Self {
        Self {
            setup: setup.clone(),
            last_move: None,
            annotations: Vec::new(),
            flipped: false,
            language: Language::default(),
            theme: Theme::default(),
            coordinates: Coordinates::default(),
            turn_marker: true,
            legend: true,
            caption: None,
            id_prefix: "b".to_owned(),
            parts: None,
        }
    }
}

impl From<&Position> for Diagram {
    fn from(position: &Position) -> Self {
        Self::from(&position.setup())
    }
}

impl Diagram {
    /// A diagram of a `&Position`, or of a `&Setup`, possible or not.
    pub fn new(board: impl Into<Self>) -> Self {
        board.into()
    }

    /// Marks the move that led to the position: where from and where to.
    #[must_use]
    pub fn last_move(mut self, last_move: impl Into<Option<Move>>) -> Self {
        self.last_move = last_move.into();
        self
    }

    /// Adds arrows and marks, arrows from a square to itself left out. Those of kind `line` are
    /// numbered in the order they are added.
    #[must_use]
    pub fn annotate(mut self, annotations: impl IntoIterator<Item = Annotation>) -> Self {
        let shown = |a: &Annotation| !matches!(a, Annotation::Arrow(_, mv) if mv.from == mv.to);
        self.annotations
            .extend(annotations.into_iter().filter(shown));
        self
    }

    /// Adds an arrow.
    #[must_use]
    pub fn arrow(self, kind: ArrowKind, mv: Move) -> Self {
        self.annotate([Annotation::Arrow(kind, mv)])
    }

    /// Adds a mark.
    #[must_use]
    pub fn mark(self, kind: MarkKind, square: Square) -> Self {
        self.annotate([Annotation::Mark(kind, square)])
    }

    /// Shows the board from Black's side, or from Red's (as without this).
    #[must_use]
    pub fn flipped(mut self, flipped: bool) -> Self {
        self.flipped = flipped;
        self
    }

    /// The language of everything written; Chinese without this.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The colours; a wooden board without this.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// What stands along the edges; Chinese file numbers without this.
    #[must_use]
    pub fn coordinates(mut self, coordinates: Coordinates) -> Self {
        self.coordinates = coordinates;
        self
    }

    /// Whether a triangle at the board's corner points at the side to move; it does without this.
    #[must_use]
    pub fn turn_marker(mut self, turn_marker: bool) -> Self {
        self.turn_marker = turn_marker;
        self
    }

    /// Whether the side to move and the meaning of arrows and marks are written under the board;
    /// they are without this.
    #[must_use]
    pub fn legend(mut self, legend: bool) -> Self {
        self.legend = legend;
        self
    }

    /// A line of text under the board, which is also the diagram's title. It is the only text set
    /// in the fonts of whoever looks at it.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = Some(caption.into());
        self
    }

    /// What every id begins with; two diagrams in one page need different ones. Of the text only
    /// ASCII letters, digits, `-` and `_` are kept, and a letter is put in front where there is
    /// none.
    #[must_use]
    pub fn id_prefix(mut self, prefix: &str) -> Self {
        self.id_prefix = plain_id(prefix);
        self
    }

    /// Leaves out what is drawn by reference: the page has it from [`parts`] with the same theme,
    /// language and prefix. The diagram then does not stand alone.
    #[must_use]
    pub fn with_parts_of(mut self, prefix: &str) -> Self {
        self.parts = Some(plain_id(prefix));
        self
    }

    /// The diagram as one `<svg>` element, which is a file of its own too.
    pub fn to_svg(&self) -> String {
        self.to_string()
    }
}

/// What all diagrams of a page with one theme and language draw by reference, as an `<svg>` element
/// that shows nothing. See [`Diagram::with_parts_of`].
pub fn parts(theme: Theme, language: Language, prefix: &str) -> String {
    draw::Parts::new(theme, language, &plain_id(prefix)).to_string()
}

/// An id that needs no escaping.
fn plain_id(prefix: &str) -> String {
    let kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut id: String = prefix.chars().filter(kept).collect();
    if !id.starts_with(|c: char| c.is_ascii_alphabetic()) {
        id.insert(0, 'b');
    }
    id
}
