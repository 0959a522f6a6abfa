//! Pages from templates: what a page looks like stands in a file beside the code, which only gathers what goes into it.
//!
//! In a template stand
//!
//! - `{{name}}`, a hole for a text, which is escaped;
//! - `{{&name}}`, one for markup, which is put in as it is;
//! - `{{#name}} … {{/name}}`, a part that is filled by itself, once, often or never; what comes of it stands in its place.
//!
//! The indentation of lines is for those who read the template, and so is the end of a line after `{{#name}}` and
//! `{{/name}}`: neither is in the page. Parts of a template have different names.

use crate::diagram::escaped;
use std::fmt::Display;

/// Fills a template, or one of its parts: `fill!(PAGE.row { name: text, &board: svg, #cell: cells })`.
///
/// Names are marked as in the template. A hole that is not filled, and a value that no hole asks for, are
/// errors of compilation. A part is given its fillings: an iterator, an array or an option of them.
macro_rules! fill {
    (@value #$part:ident $value:expr) => { $crate::template::joined($value) };
    (@value &$markup:ident $value:expr) => { $value };
    (@value $text:ident $value:expr) => { $value };
    ($page:ident $(. $of:ident)? {
        $($(#$part:ident)? $(&$markup:ident)? $($text:ident)? : $value:expr),* $(,)?
    }) => {{
        const NAMES: &[&str] = &[$(concat!(
            $("#", stringify!($part))? $("&", stringify!($markup))? $(stringify!($text))?
        )),*];
        const PART: &str = $crate::template::checked($page, concat!($("#", stringify!($of))?), NAMES);
        $crate::template::filled(PART, NAMES, &[$(
            &$crate::template::fill!(@value $(#$part)? $(&$markup)? $($text)? $value)
        ),*])
    }};
}
pub(crate) use fill;

/// A hole of a template, by its mark and name, with what stands in it and around it.
struct Hole<'a> {
    before: &'a str,
    name: &'a str,
    part: &'a str,
    after: &'a str,
}

const fn starts(mut text: &[u8], mut with: &[u8]) -> bool {
    while let [sought, unsought @ ..] = with {
        match text {
            [found, unread @ ..] if *found == *sought => (text, with) = (unread, unsought),
            _ => return false,
        }
    }
    true
}

const fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && starts(a.as_bytes(), b.as_bytes())
}

/// What stands before the first `mark`, and after it.
const fn split<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let mut rest = text.as_bytes();
    while let [_, next @ ..] = rest {
        if starts(rest, mark.as_bytes()) {
            let (before, at) = text.split_at(text.len() - rest.len());
            return Some((before, at.split_at(mark.len()).1));
        }
        rest = next;
    }
    None
}

/// What stands in a part that has been opened, and after it.
const fn closed<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let mut rest = text;
    while let Some((_, at)) = split(rest, "{{/") {
        let Some((closing, after)) = split(at, "}}") else {
            return None;
        };
        if same(closing, name) {
            let part = text.split_at(text.len() - at.len() - "{{/".len()).0;
            return Some((part, after));
        }
        rest = after;
    }
    None
}

const fn first_hole(text: &str) -> Option<Hole<'_>> {
    let Some((before, at)) = split(text, "{{") else {
        return None;
    };
    let Some((name, after)) = split(at, "}}") else {
        return None;
    };
    let opened = match name.as_bytes() {
        [b'#', ..] => closed(after, name.split_at(1).1),
        _ => Some(("", after)),
    };
    let Some((part, after)) = opened else {
        return None;
    };
    Some(Hole {
        before,
        name,
        part,
        after,
    })
}

/// The hole of this name: among those of the text itself, or also among those of its parts.
const fn hole_of<'a>(text: &'a str, name: &str, in_parts: bool) -> Option<Hole<'a>> {
    let mut rest = text;
    while let Some(hole) = first_hole(rest) {
        if same(hole.name, name) {
            return Some(hole);
        }
        if in_parts && let Some(hole) = hole_of(hole.part, name, in_parts) {
            return Some(hole);
        }
        rest = hole.after;
    }
    None
}

const fn is_among(mut names: &[&str], name: &str) -> bool {
    while let [first, others @ ..] = names {
        if same(first, name) {
            return true;
        }
        names = others;
    }
    false
}

/// A part of a template, or all of it, after a look whether its holes have just these names. [`fill!`] calls it
/// while the code compiles; a fault is told by the name that is wrong.
pub(crate) const fn checked<'a>(template: &'a str, part: &str, mut names: &[&str]) -> &'a str {
    let mut text = template;
    if !part.is_empty() {
        let opened = hole_of(template, part, true);
        assert!(opened.is_some(), "{}", part);
        if let Some(hole) = opened {
            text = hole.part;
        }
    }
    let mut rest = text;
    while let Some(hole) = first_hole(rest) {
        let is_filled = is_among(names, hole.name);
        assert!(is_filled, "{}", hole.name);
        rest = hole.after;
    }
    let is_closed = split(rest, "{{").is_none();
    assert!(is_closed, "{}", rest);
    while let [name, others @ ..] = names {
        let name: &str = name;
        let is_asked_for = hole_of(text, name, false).is_some();
        assert!(is_asked_for, "{}", name);
        let is_given_again = is_among(others, name);
        assert!(!is_given_again, "{}", name);
        names = others;
    }
    text
}

/// The fillings of a part, one after the other.
pub(crate) fn joined(fillings: impl IntoIterator<Item = String>) -> String {
    fillings.into_iter().collect()
}

/// What stands after the mark of a part, without the end of the line.
fn next_line(text: &str) -> &str {
    let next = text.strip_prefix('\n');
    next.map_or(text, |next| next.trim_start_matches(' '))
}

/// A text of the template, its lines without their indentation.
fn put(out: &mut String, text: &str) {
    let mut lines = text.split('\n');
    out.push_str(lines.next().unwrap_or_default());
    for line in lines {
        out.push('\n');
        out.push_str(line.trim_start_matches(' '));
    }
}

/// The text with its holes filled.
pub(crate) fn filled(text: &str, names: &[&str], values: &[&dyn Display]) -> String {
    let mut out = String::new();
    let mut rest = next_line(text);
    while let Some(hole) = first_hole(rest) {
        put(&mut out, hole.before);
        let mut given = names.iter().zip(values);
        let value = given.find_map(|(name, value)| (*name == hole.name).then_some(value));
        let value = value.map(ToString::to_string).unwrap_or_default();
        rest = hole.after;
        match hole.name.as_bytes() {
            [b'#', ..] => {
                out.push_str(&value);
                rest = next_line(rest);
            }
            [b'&', ..] => out.push_str(&value),
            _ => out.push_str(&escaped(&value)),
        }
    }
    put(&mut out, rest);
    out
}

#[cfg(test)]
mod tests {
    /// Every template, and the code that fills it.
    const PAGES: &[(&str, &str)] = &[
        (
            include_str!("compare/report.html"),
            include_str!("compare/html.rs"),
        ),
        (
            include_str!("archive/report.html"),
            include_str!("archive/report.rs"),
        ),
    ];

    const PAGE: &str = "<ul id=\"{{id}}\">\n  {{#row}}\n    <li>{{name}}{{#new}} *{{/new}} {{&svg}}</li>\n  {{/row}}\n</ul> { }\n";

    fn page(id: &str, rows: &[(&str, bool)]) -> String {
        fill!(PAGE {
            id: id,
            #row: rows.iter().map(|(name, new)| fill!(PAGE.row {
                &svg: format!("<svg>{name}</svg>"),
                name: name,
                #new: new.then(|| fill!(PAGE.new {})),
            })),
        })
    }

    #[test]
    fn a_template_is_filled() {
        assert_eq!(page("a", &[]), "<ul id=\"a\">\n</ul> { }\n");
        assert_eq!(
            page("\"'", &[("&  {{id}}", true), ("\n  x", false)]),
            "<ul id=\"&quot;&#39;\">\n<li>&amp;  {{id}} * <svg>&  {{id}}</svg></li>\n\
             <li>\n  x <svg>\n  x</svg></li>\n</ul> { }\n"
        );
    }

    #[test]
    fn what_means_something_in_html_is_escaped() {
        let filled = |text: &str| super::filled("{{a}}", &["a"], &[&text]);
        assert_eq!(filled("炮8平5"), "炮8平5");
        assert_eq!(
            filled("<b a=\"1\">&'"),
            "&lt;b a=&quot;1&quot;&gt;&amp;&#39;"
        );
        assert_eq!(filled("a\u{0}b\u{1b}"), "a\u{fffd}b\u{fffd}");
    }

    /// The names that the code gives are checked as it compiles; this is about parts it never fills, and about
    /// two of one name, of which the second is never looked at.
    #[test]
    fn every_part_of_every_template_is_filled() {
        for (template, code) in PAGES {
            let parts = template.split("{{#").skip(1);
            for part in parts.filter_map(|part| part.split("}}").next()) {
                let opened = template.matches(&format!("{{{{#{part}}}}}")).count();
                assert_eq!(opened, 1, "{part}");
                assert!(code.contains(&format!("fill!(PAGE.{part} {{")), "{part}");
            }
        }
    }

    /// Whether what is filled with these names is found to be wrong.
    fn is_refused(template: &str, part: &str, names: &[&str]) -> bool {
        std::panic::catch_unwind(|| super::checked(template, part, names).len()).is_err()
    }

    #[test]
    fn names_that_do_not_fit_are_found() {
        for (template, part, names, refused) in [
            (PAGE, "", &["id", "#row"] as &[&str], false),
            (PAGE, "#row", &["name", "#new", "&svg"], false),
            (PAGE, "#new", &[], false),
            (PAGE, "", &["id"], true),
            (PAGE, "", &["id", "#row", "name"], true),
            (PAGE, "#row", &["name", "#new", "svg"], true),
            (PAGE, "", &["id", "#row", "id"], true),
            (PAGE, "#old", &[], true),
            ("{{#a}}{{b}}", "", &["#a"], true),
            ("{{a", "", &[], true),
            ("{{a}}{{/b}}", "", &["a"], true),
        ] {
            assert_eq!(
                is_refused(template, part, names),
                refused,
                "{template} {part} {names:?}"
            );
        }
    }
}
