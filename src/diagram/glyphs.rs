//! Outlines of the characters on a diagram, so that it needs no font.

use super::short::Short;
use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Formatter};
use std::sync::LazyLock;

/// A character as a path around the middle of its advance, both in parts of the em.
#[derive(Clone, Copy, Debug)]
struct Glyph {
    em: i32,
    advance: i32,
    path: &'static str,
}

/// The outlines as `glyphs.py` writes them, which tells their format.
pub const OUTLINES: &str = include_str!("glyphs.txt");

static GLYPHS: LazyLock<HashMap<char, Glyph>> = LazyLock::new(|| {
    let lines = OUTLINES.lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(glyph_of)
        .collect()
});

fn glyph_of(line: &'static str) -> Option<(char, Glyph)> {
    let mut fields = line.splitn(4, ' ');
    let character = fields.next()?.parse().ok()?;
    let em = fields.next()?.parse().ok()?;
    let advance = fields.next()?.parse().ok()?;
    let path = fields.next()?;
    Some((character, Glyph { em, advance, path }))
}

/// Nothing for a character that is not among the outlines; a test asks for every one in use.
fn glyph(character: char) -> Glyph {
    let blank = Glyph {
        em: 120,
        advance: 40,
        path: "",
    };
    GLYPHS.get(&character).copied().unwrap_or(blank)
}

fn advance(character: char, size: i32) -> i32 {
    let glyph = glyph(character);
    glyph.advance * size / glyph.em
}

/// How wide a text of this size is.
pub(super) fn width(text: &str, size: i32) -> i32 {
    text.chars().map(|character| advance(character, size)).sum()
}

/// What turns an outline into a character of this size.
fn scale(glyph: Glyph, size: i32) -> String {
    Short(f64::from(size) / f64::from(glyph.em), 4).to_string()
}

/// One character around a point.
pub(super) fn centred(
    f: &mut Formatter<'_>,
    character: char,
    (x, y): (i32, i32),
    size: i32,
) -> fmt::Result {
    let glyph = glyph(character);
    let (scale, path) = (scale(glyph, size), glyph.path);
    write!(
        f,
        r#"<path transform="translate({x} {y})scale({scale})" d="{path}"/>"#
    )
}

/// A character around the origin, in the colours of whatever refers to it.
pub(super) fn engraved(f: &mut Formatter<'_>, character: char, size: i32) -> fmt::Result {
    let glyph = glyph(character);
    let (scale, path) = (scale(glyph, size), glyph.path);
    write!(f, r#"<path transform="scale({scale})" d="{path}"/>"#)
}

/// Defines characters for [`spread`] and [`run`], each once. Those drawn large are not for these.
pub(super) fn define(
    f: &mut Formatter<'_>,
    id: &str,
    characters: impl IntoIterator<Item = char>,
) -> fmt::Result {
    let characters: BTreeSet<char> = characters.into_iter().filter(|&c| c != ' ').collect();
    for character in characters {
        let (code, path) = (u32::from(character), glyph(character).path);
        write!(f, r#"<path id="{id}-u{code:x}" d="{path}"/>"#)?;
    }
    Ok(())
}

/// Defined characters, each around a point of its own.
pub(super) fn spread(
    f: &mut Formatter<'_>,
    id: &str,
    characters: impl IntoIterator<Item = (char, (i32, i32))>,
    size: i32,
) -> fmt::Result {
    let small = glyph('0');
    write!(f, r#"<g transform="scale({})">"#, scale(small, size))?;
    for (character, (x, y)) in characters {
        let code = u32::from(character);
        let (x, y) = (x * small.em / size, y * small.em / size);
        write!(f, r##"<use href="#{id}-u{code:x}" x="{x}" y="{y}"/>"##)?;
    }
    f.write_str("</g>")
}

/// A text of defined characters that begins at a point, half its height above and half below.
pub(super) fn run(
    f: &mut Formatter<'_>,
    id: &str,
    text: &str,
    (x, y): (i32, i32),
    size: i32,
) -> fmt::Result {
    let scale = scale(glyph('0'), size);
    write!(f, r#"<g transform="translate({x} {y})scale({scale})">"#)?;
    let mut at = 0;
    for character in text.chars() {
        let advance = glyph(character).advance;
        if character != ' ' {
            let (code, middle) = (u32::from(character), at + advance / 2);
            write!(f, r##"<use href="#{id}-u{code:x}" x="{middle}"/>"##)?;
        }
        at += advance;
    }
    f.write_str("</g>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_glyph() {
        let lines = OUTLINES.lines();
        let lines = lines.filter(|line| !line.starts_with('#')).count();
        assert_eq!(GLYPHS.len(), lines);
        for (character, glyph) in GLYPHS.iter() {
            assert!((1..=glyph.em).contains(&glyph.advance), "{character}");
            assert!(glyph.path.starts_with('m'), "{character}");
            assert!(glyph.path.ends_with('z'), "{character}");
            let plain = |c: char| c.is_ascii_digit() || "mlhvqtz -".contains(c);
            assert!(glyph.path.chars().all(plain), "{character}");
        }
    }

    #[test]
    fn scales_are_short() {
        for (character, size, expected) in [
            ('帥', 26, ".25"),
            ('帥', 104, "1"),
            ('帥', 66, ".6346"),
            ('一', 16, ".25"),
        ] {
            assert_eq!(scale(glyph(character), size), expected);
        }
    }
}
