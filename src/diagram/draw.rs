//! The board, the pieces on it and what is written round it.

use super::annotation::{Annotation, ArrowKind, MarkKind};
use super::arrows::Arrow;
use super::theme::{Palette, Theme};
use super::{Diagram, Language, arrows, glyphs, words};
use crate::board::{Piece, Role, Side, Square};
use std::fmt::{self, Display, Formatter};

/// From one line to the next. The top left point of the board is the origin.
pub(super) const CELL: i32 = 100;
/// The points of the board reach from the origin to here.
const WIDTH: i32 = 8 * CELL;
const HEIGHT: i32 = 9 * CELL;
/// Beyond the outermost points: half a piece, a mark round it, and air.
const MARGIN: i32 = 60;
/// The height of a row of file numbers.
const NUMBERS: i32 = 42;
/// The room for the letters or digits of a square.
const LETTERS: i32 = 36;
/// The height of a line of the legend.
const LEGEND: i32 = 50;
/// The height of the caption.
const CAPTION: i32 = 58;
/// Red's file numbers from the left.
const RED_FILES: [char; 9] = ['九', '八', '七', '六', '五', '四', '三', '二', '一'];

/// A diagram with what its drawing needs.
pub(super) struct Frame<'a> {
    pub diagram: &'a Diagram,
    pub palette: &'static Palette,
}

impl Frame<'_> {
    pub fn id(&self) -> &str {
        &self.diagram.id_prefix
    }

    /// What the ids of things drawn by reference begin with.
    pub fn parts(&self) -> &str {
        self.diagram.parts.as_deref().unwrap_or_else(|| self.id())
    }

    /// Where a square is drawn.
    pub fn point(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
        if self.diagram.flipped {
            ((8 - file) * CELL, rank * CELL)
        } else {
            (file * CELL, (9 - rank) * CELL)
        }
    }

    /// Whether a side sits at the top.
    fn on_top(&self, side: Side) -> bool {
        (side == Side::Black) != self.diagram.flipped
    }

    /// The height of the row above or below, which holds file numbers, the marker of the side to
    /// move, or neither. It does not depend on whose move it is, so that the board stays in place
    /// from one move to the next.
    fn row(&self, top: bool) -> i32 {
        let diagram = self.diagram;
        // Below, the marker can stand beside the letters.
        let marker = diagram.turn_marker && (top || !diagram.coordinates.iccs());
        if diagram.coordinates.file_numbers() || marker {
            NUMBERS
        } else {
            0
        }
    }

    fn letters(&self) -> i32 {
        if self.diagram.coordinates.iccs() {
            LETTERS
        } else {
            0
        }
    }

    /// The vertical middle of that row.
    fn row_middle(&self, top: bool) -> i32 {
        match (top, self.row(top)) {
            (true, _) => -MARGIN - NUMBERS / 2 + 8,
            (false, 0) => HEIGHT + MARGIN + 12,
            (false, _) => HEIGHT + MARGIN + self.letters() + NUMBERS / 2 - 8,
        }
    }
}

/// The words under the board, line by line: where each begins, and what stands before it.
struct Legend {
    items: Vec<(i32, i32, Item)>,
    lines: i32,
}

#[derive(Clone, Copy)]
enum Item {
    Turn(Side),
    Arrow(ArrowKind),
    Mark(MarkKind),
}

const LEGEND_SIZE: i32 = 36;

impl Item {
    fn text(self, language: Language) -> &'static str {
        match self {
            Self::Turn(side) => words::to_move(side, language),
            Self::Arrow(kind) => words::arrow(kind, language),
            Self::Mark(kind) => words::mark(kind, language),
        }
    }

    /// The width of the sample before the text.
    const fn sample(self) -> i32 {
        match self {
            Self::Turn(_) => 44,
            Self::Arrow(_) => 84,
            Self::Mark(_) => 48,
        }
    }
}

impl Legend {
    fn of(diagram: &Diagram) -> Self {
        let mut legend = Self {
            items: Vec::new(),
            lines: 0,
        };
        if !diagram.legend {
            return legend;
        }
        let used_arrow = |kind: ArrowKind| {
            let is = |a: &Annotation| matches!(a, Annotation::Arrow(k, _) if *k == kind);
            diagram.annotations.iter().any(is)
        };
        let used_mark = |kind: MarkKind| {
            let is = |a: &Annotation| matches!(a, Annotation::Mark(k, _) if *k == kind);
            diagram.annotations.iter().any(is)
        };
        let turn = std::iter::once(Item::Turn(diagram.setup.turn));
        let arrows = ArrowKind::ALL.into_iter().filter(|&kind| used_arrow(kind));
        let marks = MarkKind::ALL.into_iter().filter(|&kind| used_mark(kind));
        let (left, right) = (-42, WIDTH + 42);
        let mut x = left;
        for item in turn
            .chain(arrows.map(Item::Arrow))
            .chain(marks.map(Item::Mark))
        {
            let text = glyphs::width(item.text(diagram.language), LEGEND_SIZE);
            let width = item.sample() + text;
            if x > left && x + width > right {
                x = left;
                legend.lines += 1;
            }
            legend.items.push((x, legend.lines, item));
            x += width + 34;
        }
        legend.lines += 1;
        legend
    }

    fn characters(&self, language: Language) -> impl Iterator<Item = char> {
        let texts = self
            .items
            .iter()
            .map(move |(_, _, item)| item.text(language));
        texts.flat_map(str::chars)
    }

    fn draw(&self, f: &mut Formatter<'_>, frame: &Frame<'_>, top: i32) -> fmt::Result {
        let palette = frame.palette;
        for &(x, line, item) in &self.items {
            let y = top + line * LEGEND + LEGEND / 2;
            match item {
                Item::Turn(side) => write!(
                    f,
                    r##"<use href="#{}-{}" transform="translate({} {y})scale(.38)"/>"##,
                    frame.parts(),
                    side.id(),
                    x + 17
                )?,
                Item::Arrow(kind) => {
                    let sample = Arrow::sample(kind, (x, y), 72);
                    arrows::draw_shafts(f, palette, &[&sample])?;
                    arrows::draw_heads(f, frame, &[&sample])?;
                }
                Item::Mark(kind) => arrows::mark(f, palette, kind, (x + 19, y), 16)?,
            }
            let start = (x + item.sample(), y);
            write!(f, r#"<g fill="{}">"#, palette.text)?;
            let text = item.text(frame.diagram.language);
            glyphs::run(f, frame.parts(), text, start, LEGEND_SIZE)?;
            f.write_str("</g>")?;
        }
        Ok(())
    }
}

impl Display for Diagram {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let frame = Frame {
            diagram: self,
            palette: self.theme.palette(),
        };
        let legend = Legend::of(self);
        let edge = MARGIN + frame.row(true);
        let side = MARGIN + frame.letters();
        let under_board = HEIGHT + MARGIN + frame.letters() + frame.row(false);
        let under_legend = under_board + legend.lines * LEGEND;
        let bottom = under_legend + self.caption.as_ref().map_or(0, |_| CAPTION);
        let bottom = if bottom > under_board {
            bottom + 8
        } else {
            bottom
        };
        let (left, width) = (-side, WIDTH + MARGIN + side);
        let (top, height) = (-edge, bottom + edge);
        let id = frame.id();
        let lang = match self.language {
            Language::Zh => "zh-Hans",
            Language::En => "en",
        };
        write!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" role="img" lang="{lang}" aria-labelledby="{id}-title" aria-describedby="{id}-desc">"#
        )?;
        let title = words::title(self);
        let description = words::description(self);
        write!(
            f,
            r#"<title id="{id}-title">{}</title><desc id="{id}-desc">{}</desc>"#,
            words::escaped(&title),
            words::escaped(&description)
        )?;
        let around = Edges::of(&frame);
        let words = legend.characters(self.language);
        if self.parts.is_none() {
            definitions(f, &frame, words.chain(around.characters()))?;
        }
        write!(
            f,
            r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{}"/>"#,
            frame.palette.ground
        )?;
        match &self.parts {
            Some(parts) => write!(f, r##"<use href="#{parts}-board"/>"##)?,
            None => board(f, frame.palette)?,
        }
        edges(f, &frame, &around)?;
        last_move(f, &frame)?;
        // Long shafts pass under the pieces between, whose characters stay readable.
        let all = Arrow::all(&frame);
        let (near, far): (Vec<&Arrow>, Vec<&Arrow>) = all.iter().partition(|a| a.is_short());
        arrows::draw_shafts(f, frame.palette, &far)?;
        pieces(f, &frame)?;
        arrows::draw_marks(f, &frame)?;
        arrows::draw_shafts(f, frame.palette, &near)?;
        arrows::draw_heads(f, &frame, &far)?;
        arrows::draw_heads(f, &frame, &near)?;
        legend.draw(f, &frame, under_board)?;
        if let Some(caption) = &self.caption {
            let middle = left + width / 2;
            text_line(
                f,
                frame.palette,
                caption,
                (middle, under_legend + 40),
                width - 40,
            )?;
        }
        f.write_str("</svg>")
    }
}

/// What is drawn by reference: discs, pieces, heads of arrows, small characters.
fn definitions(
    f: &mut Formatter<'_>,
    frame: &Frame<'_>,
    characters: impl Iterator<Item = char>,
) -> fmt::Result {
    let (id, palette) = (frame.id(), frame.palette);
    f.write_str("<defs>")?;
    discs(f, id, palette)?;
    let on_board = |&piece: &Piece| frame.diagram.setup.pieces().any(|(_, p)| p == piece);
    faces(f, id, all_pieces().filter(on_board))?;
    let used = |kind: &ArrowKind| {
        let is = |a: &Annotation| matches!(a, Annotation::Arrow(k, _) if k == kind);
        frame.diagram.annotations.iter().any(is)
    };
    let heads: Vec<ArrowKind> = ArrowKind::ALL.into_iter().filter(used).collect();
    arrows::define_heads(f, id, palette, &heads)?;
    let numbers = arrows::numbers(frame.diagram);
    glyphs::define(f, id, characters.chain(numbers.chars()))?;
    f.write_str("</defs>")
}

/// What the diagrams of a page draw by reference.
pub(super) struct Parts<'a> {
    palette: &'static Palette,
    language: Language,
    id: &'a str,
}

impl<'a> Parts<'a> {
    pub fn new(theme: Theme, language: Language, id: &'a str) -> Self {
        Self {
            palette: theme.palette(),
            language,
            id,
        }
    }
}

impl Display for Parts<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            palette,
            language,
            id,
        } = *self;
        f.write_str(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true"><defs>"#,
        )?;
        discs(f, id, palette)?;
        faces(f, id, all_pieces())?;
        arrows::define_heads(f, id, palette, &ArrowKind::ALL)?;
        let turns = Side::ALL.into_iter().map(Item::Turn);
        let kinds = ArrowKind::ALL.into_iter().map(Item::Arrow);
        let marks = MarkKind::ALL.into_iter().map(Item::Mark);
        let words = turns.chain(kinds).chain(marks);
        let words = words.flat_map(|item| item.text(language).chars());
        let edges = RED_FILES.into_iter().chain('0'..='9').chain('a'..='i');
        glyphs::define(f, id, words.chain(edges))?;
        write!(f, r#"<g id="{id}-board">"#)?;
        board(f, palette)?;
        f.write_str("</g></defs></svg>")
    }
}

fn all_pieces() -> impl Iterator<Item = Piece> {
    Side::ALL.into_iter().flat_map(|side| {
        Role::ALL
            .into_iter()
            .map(move |role| Piece::new(side, role))
    })
}

/// The pieces with their characters.
fn faces(f: &mut Formatter<'_>, id: &str, pieces: impl Iterator<Item = Piece>) -> fmt::Result {
    for piece in pieces {
        let (letter, side) = (piece.letter(), piece.side.id());
        write!(f, r##"<g id="{id}-{letter}"><use href="#{id}-{side}"/>"##)?;
        glyphs::engraved(f, piece.glyph(), 66)?;
        f.write_str("</g>")?;
    }
    Ok(())
}

/// The discs of both sides.
fn discs(f: &mut Formatter<'_>, id: &str, palette: &Palette) -> fmt::Result {
    for side in Side::ALL {
        write!(f, r#"<g id="{id}-{}">"#, side.id())?;
        if let Some((colour, opacity)) = palette.shadow {
            write!(
                f,
                r#"<circle cx="2" cy="4" r="46" fill="{colour}" fill-opacity="{opacity}" stroke="none"/>"#
            )?;
        }
        match side {
            Side::Red => write!(
                f,
                r#"<circle r="44" fill="{0}" stroke="{1}" stroke-width="3"/><circle r="38" fill="none" stroke="{1}" stroke-width="2"/></g>"#,
                palette.red_face, palette.red_ink
            )?,
            Side::Black => write!(
                f,
                r#"<circle r="44" fill="{}" stroke="{}" stroke-width="3"/></g>"#,
                palette.black_face, palette.black_edge
            )?,
        }
    }
    Ok(())
}

/// Frame, lines, palaces, the marks of cannons and pawns, and the river.
fn board(f: &mut Formatter<'_>, palette: &Palette) -> fmt::Result {
    write!(
        f,
        r#"<g fill="none" stroke="{}"><rect x="-12" y="-12" width="824" height="924" stroke-width="5"/><path stroke-width="3" d=""#,
        palette.grid
    )?;
    for rank in 0..10 {
        write!(f, "M0 {}h{WIDTH}", rank * CELL)?;
    }
    write!(f, "M0 0v{HEIGHT}M{WIDTH} 0v{HEIGHT}")?;
    for file in 1..8 {
        write!(f, "M{0} 0v400M{0} 500v400", file * CELL)?;
    }
    for top in [0, 7 * CELL] {
        write!(f, "M300 {top}l200 200m0-200-200 200")?;
    }
    f.write_str(r#""/><path stroke-width="2.5" d=""#)?;
    let cannons = [1, 7].map(|file| (file, 2));
    let pawns = [0, 2, 4, 6, 8].map(|file| (file, 3));
    for (file, rank) in cannons.into_iter().chain(pawns) {
        for y in [rank * CELL, HEIGHT - rank * CELL] {
            let x = file * CELL;
            for (sx, sy) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
                if (0..=WIDTH).contains(&(x + sx)) {
                    write!(
                        f,
                        "M{} {}v{}h{}",
                        x + 8 * sx,
                        y + 24 * sy,
                        -16 * sy,
                        16 * sx
                    )?;
                }
            }
        }
    }
    write!(f, r#""/></g><g fill="{}">"#, palette.text)?;
    for (character, x) in [('楚', 140), ('河', 260), ('漢', 540), ('界', 660)] {
        glyphs::centred(f, character, (x, HEIGHT / 2), 68)?;
    }
    f.write_str("</g>")
}

/// File numbers, letters and digits along the edges, and where each stands.
struct Edges {
    numbers: Vec<(char, (i32, i32))>,
    letters: Vec<(char, (i32, i32))>,
}

impl Edges {
    fn of(frame: &Frame<'_>) -> Self {
        let coordinates = frame.diagram.coordinates;
        let files = || Square::all().filter(|square| square.rank() == 0);
        let ranks = || Square::all().filter(|square| square.file() == 0);
        let (mut numbers, mut letters) = (Vec::new(), Vec::new());
        if coordinates.file_numbers() {
            let (red, black) = (Side::Red, Side::Black);
            let [red, black] = [red, black].map(|side| frame.row_middle(frame.on_top(side)));
            for (file, number) in files().zip(RED_FILES) {
                let x = frame.point(file).0;
                numbers.push((number, (x, red)));
                numbers.push((char::from(b'1' + file.file()), (x, black)));
            }
        }
        if coordinates.iccs() {
            letters.extend(files().map(|file| {
                let letter = char::from(b'a' + file.file());
                (letter, (frame.point(file).0, HEIGHT + MARGIN + 12))
            }));
            letters.extend(ranks().map(|rank| {
                let digit = char::from(b'0' + rank.rank());
                (digit, (-MARGIN - 12, frame.point(rank).1))
            }));
        }
        Self { numbers, letters }
    }

    fn characters(&self) -> impl Iterator<Item = char> {
        let all = self.numbers.iter().chain(&self.letters);
        all.map(|&(character, _)| character)
    }
}

/// What stands along the edges, and whose move it is.
fn edges(f: &mut Formatter<'_>, frame: &Frame<'_>, edges: &Edges) -> fmt::Result {
    let diagram = frame.diagram;
    write!(f, r#"<g fill="{}">"#, frame.palette.text)?;
    // Sizes that divide the em, so that every place is a whole number.
    for (characters, size) in [(&edges.numbers, 40), (&edges.letters, 32)] {
        if !characters.is_empty() {
            glyphs::spread(f, frame.parts(), characters.iter().copied(), size)?;
        }
    }
    if diagram.turn_marker {
        let top = frame.on_top(diagram.setup.turn);
        let (x, y) = (WIDTH + 45, frame.row_middle(top));
        let (base, tip) = if top { (y - 11, 22) } else { (y + 11, -22) };
        write!(f, r#"<path d="M{} {base}h26l-13 {tip}z"/>"#, x - 13)?;
    }
    f.write_str("</g>")
}

/// Every piece. The colour of its character is that of its group.
fn pieces(f: &mut Formatter<'_>, frame: &Frame<'_>) -> fmt::Result {
    for side in Side::ALL {
        let ink = match side {
            Side::Red => frame.palette.red_ink,
            Side::Black => frame.palette.black_ink,
        };
        // A little bolder than the font, to be read at arm's length.
        write!(f, r#"<g fill="{ink}" stroke="{ink}" stroke-width="3">"#)?;
        let standing = frame.diagram.setup.pieces();
        for (square, piece) in standing.filter(|(_, piece)| piece.side == side) {
            let ((x, y), letter) = (frame.point(square), piece.letter());
            write!(
                f,
                r##"<use href="#{}-{letter}" x="{x}" y="{y}"/>"##,
                frame.parts()
            )?;
        }
        f.write_str("</g>")?;
    }
    Ok(())
}

/// A dashed ring where the piece stood, and corners round where it stands.
fn last_move(f: &mut Formatter<'_>, frame: &Frame<'_>) -> fmt::Result {
    let Some(mv) = frame.diagram.last_move else {
        return Ok(());
    };
    let (from, to) = (frame.point(mv.from), frame.point(mv.to));
    write!(
        f,
        r#"<g fill="none" stroke="{}" stroke-width="5"><circle cx="{}" cy="{}" r="30" stroke-dasharray="12 6.85"/>"#,
        frame.palette.last, from.0, from.1
    )?;
    write!(
        f,
        r#"<path d="M{} {}h-18v18m0 64v18h18m64 0h18v-18m0-64v-18h-18"/></g>"#,
        to.0 - 32,
        to.1 - 50
    )
}

/// One line of the reader's own font, narrowed where it would not fit.
fn text_line(
    f: &mut Formatter<'_>,
    palette: &Palette,
    text: &str,
    (x, y): (i32, i32),
    room: i32,
) -> fmt::Result {
    const SIZE: i32 = 36;
    let wide = |c: char| if c.is_ascii() { SIZE * 6 / 10 } else { SIZE };
    let estimate: i32 = text.chars().map(wide).sum();
    let fit = if estimate > room {
        format!(r#" textLength="{room}" lengthAdjust="spacingAndGlyphs""#)
    } else {
        String::new()
    };
    write!(
        f,
        r#"<text x="{x}" y="{y}" text-anchor="middle" font-family="'Noto Serif CJK SC','Songti SC',SimSun,serif" font-size="{SIZE}" fill="{}"{fit}>{}</text>"#,
        palette.text,
        words::escaped(text)
    )
}
