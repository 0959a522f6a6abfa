//! Arrows and marks over the board.

use super::Diagram;
use super::annotation::{Annotation, ArrowKind, MarkKind};
use super::draw::{CELL, Frame};
use super::glyphs;
use super::short::Short;
use super::theme::Palette;
use crate::board::{Move, Square};
use std::fmt::{self, Display, Formatter};

/// How far apart two arrows along the same line run.
const LANE: f64 = 20.0;

/// Whether two arrows run over each other along one line.
fn overlap(a: Move, b: Move) -> bool {
    let place = |s: Square| (i32::from(s.file()), i32::from(s.rank()));
    let ((ax, ay), (bx, by)) = (place(a.from), place(a.to));
    let (dx, dy) = (bx - ax, by - ay);
    let ends = [b.from, b.to].map(|square| {
        let (x, y) = place(square);
        let off = dx * (y - ay) - dy * (x - ax);
        (off, dx * (x - ax) + dy * (y - ay))
    });
    let [(off_from, from), (off_to, to)] = ends;
    let length = dx * dx + dy * dy;
    off_from == 0 && off_to == 0 && from.min(to) < length && from.max(to) > 0
}

/// How far to the side an arrow runs, so that it covers no other on the same line. The direction
/// is the same for arrows that point opposite ways.
fn lane(arrows: &[(ArrowKind, Move)], index: usize, mv: Move) -> f64 {
    let along = arrows
        .iter()
        .enumerate()
        .filter(|&(_, &(_, other))| overlap(mv, other));
    let (mut before, mut all) = (0u8, 0u8);
    for (i, _) in along.take(usize::from(u8::MAX)) {
        before += u8::from(i < index);
        all += 1;
    }
    // More than five would leave the squares they belong to.
    let step = LANE.min(4.0 * LANE / f64::from(all.max(2) - 1));
    let side = if mv.from < mv.to { 1.0 } else { -1.0 };
    side * step * (f64::from(before) - f64::from(all.saturating_sub(1)) / 2.0)
}

/// The heads of arrows, tip at the origin, pointing right.
pub(super) fn define_heads(
    f: &mut Formatter<'_>,
    id: &str,
    palette: &Palette,
    kinds: &[ArrowKind],
) -> fmt::Result {
    let halo = palette.halo;
    for kind in kinds {
        let name = kind.id();
        match kind {
            ArrowKind::Attack => write!(
                f,
                r#"<path id="{id}-{name}" d="M1 0-28-16v32z" fill="{}" stroke="{halo}" stroke-width="3" paint-order="stroke"/>"#,
                palette.attack
            )?,
            ArrowKind::Guard => write!(
                f,
                r#"<g id="{id}-{name}"><circle cx="-9" r="14" fill="{halo}"/><circle cx="-9" r="9" fill="{halo}" stroke="{}" stroke-width="5"/></g>"#,
                palette.guard
            )?,
            ArrowKind::Line => write!(
                f,
                r#"<g id="{id}-{name}" fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="M-17-13 0 0-17 13" stroke="{halo}" stroke-width="11"/><path d="M-17-13 0 0-17 13" stroke="{}" stroke-width="5"/></g>"#,
                palette.line
            )?,
        }
    }
    Ok(())
}

/// An arrow placed on the board.
pub(super) struct Arrow {
    kind: ArrowKind,
    axis: Axis,
    /// How far along the axis it begins and ends, and how far to its right it runs.
    start: f64,
    end: f64,
    lane: f64,
    number: Option<usize>,
}

impl Arrow {
    /// Every arrow of a diagram.
    pub fn all(frame: &Frame<'_>) -> Vec<Self> {
        let annotations = frame.diagram.annotations.iter();
        let arrows: Vec<(ArrowKind, Move)> = annotations
            .filter_map(|annotation| match *annotation {
                Annotation::Arrow(kind, mv) => Some((kind, mv)),
                Annotation::Mark(..) => None,
            })
            .collect();
        let mut numbers = 1usize..;
        let place = |(index, &(kind, mv)): (usize, &(ArrowKind, Move))| {
            let axis = Axis::between(frame.point(mv.from), frame.point(mv.to));
            let occupied = |square| frame.diagram.setup.piece_at(square).is_some();
            let start = match (occupied(mv.from), axis.is_short()) {
                (true, true) => 26.0,
                (true, false) => 40.0,
                (false, _) => 8.0,
            };
            let end = axis.length - if occupied(mv.to) { 36.0 } else { 8.0 };
            let number = (kind == ArrowKind::Line).then(|| numbers.next()).flatten();
            let lane = lane(&arrows, index, mv);
            Self {
                kind,
                axis,
                start,
                end,
                lane,
                number,
            }
        };
        arrows.iter().enumerate().map(place).collect()
    }

    /// One that points right, for the legend.
    pub fn sample(kind: ArrowKind, (x, y): (i32, i32), length: i32) -> Self {
        Self {
            kind,
            axis: Axis::between((x, y), (x + length, y)),
            start: 0.0,
            end: f64::from(length),
            lane: 0.0,
            number: None,
        }
    }

    /// Between neighbours there is no room for a shaft: it must be drawn over them.
    pub fn is_short(&self) -> bool {
        self.axis.is_short()
    }

    fn shaft(&self) -> impl Display {
        let back = match self.kind {
            ArrowKind::Attack => 24.0,
            ArrowKind::Guard => 20.0,
            ArrowKind::Line => 2.0,
        };
        let from = self.axis.at(self.start, self.lane);
        let to = self.axis.at((self.end - back).max(self.start), self.lane);
        format!("M{}L{}", Pair(from), Pair(to))
    }
}

/// The shafts of arrows, each with a halo that parts it from the lines of the board.
pub(super) fn draw_shafts(
    f: &mut Formatter<'_>,
    palette: &Palette,
    arrows: &[&Arrow],
) -> fmt::Result {
    for kind in ArrowKind::ALL {
        let (colour, width, dash) = match kind {
            ArrowKind::Attack => (palette.attack, 8, ""),
            ArrowKind::Guard => (palette.guard, 6, r#" stroke-dasharray="13 8""#),
            ArrowKind::Line => (palette.line, 5, ""),
        };
        let alike = arrows.iter().filter(|arrow| arrow.kind == kind);
        let shafts: String = alike.map(|arrow| arrow.shaft().to_string()).collect();
        if !shafts.is_empty() {
            let (halo, casing) = (palette.halo, width + 6);
            write!(
                f,
                r#"<path d="{shafts}" stroke="{halo}" stroke-width="{casing}"/><path d="{shafts}" stroke="{colour}" stroke-width="{width}"{dash}/>"#
            )?;
        }
    }
    Ok(())
}

/// The heads of arrows, and their numbers.
pub(super) fn draw_heads(
    f: &mut Formatter<'_>,
    frame: &Frame<'_>,
    arrows: &[&Arrow],
) -> fmt::Result {
    for arrow in arrows {
        let (dx, dy) = arrow.axis.direction;
        let (cos, sin, minus_sin) = (Short(dx, 4), Short(dy, 4), Short(-dy, 4));
        let tip = Pair(arrow.axis.at(arrow.end, arrow.lane));
        let (id, kind) = (frame.parts(), arrow.kind.id());
        write!(
            f,
            r##"<use href="#{id}-{kind}" transform="matrix({cos} {sin} {minus_sin} {cos} {tip})"/>"##
        )?;
    }
    for arrow in arrows {
        if let Some(number) = arrow.number {
            // Beside the arrow, where it leaves the piece.
            let aside = arrow.lane + 25.0_f64.copysign(arrow.lane);
            badge(f, frame, number, arrow.axis.at(arrow.start + 12.0, aside))?;
        }
    }
    Ok(())
}

/// Every mark.
pub(super) fn draw_marks(f: &mut Formatter<'_>, frame: &Frame<'_>) -> fmt::Result {
    for annotation in &frame.diagram.annotations {
        if let Annotation::Mark(kind, square) = *annotation {
            mark(f, frame.palette, kind, frame.point(square), 50)?;
        }
    }
    Ok(())
}

/// From the middle of one square to the middle of another.
struct Axis {
    origin: (f64, f64),
    direction: (f64, f64),
    length: f64,
}

impl Axis {
    fn between((ax, ay): (i32, i32), (bx, by): (i32, i32)) -> Self {
        let (dx, dy) = (f64::from(bx - ax), f64::from(by - ay));
        // Not `hypot`, whose last digit is the platform's.
        let length = (dx * dx + dy * dy).sqrt();
        Self {
            origin: (f64::from(ax), f64::from(ay)),
            direction: (dx / length, dy / length),
            length,
        }
    }

    fn is_short(&self) -> bool {
        self.length <= f64::from(CELL)
    }

    /// The point so far along and so far to the right.
    fn at(&self, along: f64, aside: f64) -> (f64, f64) {
        let ((x, y), (dx, dy)) = (self.origin, self.direction);
        (x + dx * along - dy * aside, y + dy * along + dx * aside)
    }
}

/// A point in tenths.
struct Pair((f64, f64));

impl Display for Pair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (x, y) = self.0;
        write!(f, "{} {}", Short(x, 1), Short(y, 1))
    }
}

/// The numbers of the arrows that have one, run together.
pub(super) fn numbers(diagram: &Diagram) -> String {
    let is_line = |a: &&Annotation| matches!(a, Annotation::Arrow(ArrowKind::Line, _));
    let lines = diagram.annotations.iter().filter(is_line).count();
    (1..=lines).map(|number| number.to_string()).collect()
}

/// A number in a disc.
fn badge(
    f: &mut Formatter<'_>,
    frame: &Frame<'_>,
    number: usize,
    centre: (f64, f64),
) -> fmt::Result {
    const SIZE: i32 = 30;
    let centre = Pair(centre);
    let text = number.to_string();
    let (line, halo) = (frame.palette.line, frame.palette.halo);
    write!(
        f,
        r#"<g transform="translate({centre})" fill="{halo}"><circle r="18" fill="{line}" stroke="{halo}" stroke-width="3"/>"#
    )?;
    let start = -glyphs::width(&text, SIZE) / 2;
    glyphs::run(f, frame.parts(), &text, (start, 0), SIZE)?;
    f.write_str("</g>")
}

/// A mark around a point: a ring, or a cross whose arms end inside it.
pub(super) fn mark(
    f: &mut Formatter<'_>,
    palette: &Palette,
    kind: MarkKind,
    (x, y): (i32, i32),
    radius: i32,
) -> fmt::Result {
    let halo = palette.halo;
    match kind {
        MarkKind::Target => write!(
            f,
            r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="{halo}" stroke-width="11"/><circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="{}" stroke-width="6"/>"#,
            palette.target
        ),
        MarkKind::Cross => {
            let arm = radius * 7 / 10;
            let (left, top, side) = (x - arm, y - arm, 2 * arm);
            let shape = format!("M{left} {top}l{side} {side}m0-{side}-{side} {side}");
            write!(
                f,
                r#"<path d="{shape}" stroke="{halo}" stroke-width="11" stroke-linecap="round"/><path d="{shape}" stroke="{}" stroke-width="6" stroke-linecap="round"/>"#,
                palette.cross
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_arrows_along_the_same_stretch_overlap() {
        let mv = |text: &str| text.parse::<Move>().unwrap();
        for (a, b, expected) in [
            ("a0a9", "a0a5", true),
            ("a0a9", "a9a0", true),
            ("a0a2", "a1a3", true),
            ("a0a2", "a2a4", false),
            ("a0a2", "b0b2", false),
            ("a0i0", "e0e9", false),
            ("b0c2", "c2b0", true),
            ("b0c2", "b0d1", false),
        ] {
            assert_eq!(overlap(mv(a), mv(b)), expected, "{a} {b}");
            assert_eq!(overlap(mv(b), mv(a)), expected, "{b} {a}");
        }
    }
}
