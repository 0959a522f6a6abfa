//! A comparison as one HTML page that stands alone: no scripts, nothing fetched, boards inline.
//!
//! Every tag is closed, so that the page is well-formed XML, too.

use super::boards;
use super::cause::Lever;
use super::report::{BookOf, Both, Change, ChangeKind, Comparison, Group};
use super::search::SearchReport;
use super::text::tally;
use super::words::{self, pick};
use crate::board::Side;
use crate::diagram::escaped as e;
use crate::explain::Language;
use crate::rules::Article;
use crate::version::BUILD;
use crate::wire::RulingJson;
use std::fmt::Write;

/// Moves shown on boards for one change; of the rest the reasons are told.
const MOST_BOARDS: usize = 4;

const STYLE: &str = include_str!("report.css");

/// The cells of a row, their contents escaped already.
fn cells(tag: &str, contents: impl Iterator<Item = String>) -> String {
    let mut row = String::new();
    for content in contents {
        let _ = write!(row, "<{tag}>{content}</{tag}>");
    }
    row
}

/// A page being written.
struct Writer<'a> {
    comparison: &'a Comparison,
    language: Language,
    out: String,
}

impl Comparison {
    /// The comparison as a page of its own.
    pub fn html(&self, language: Language) -> String {
        page(self, language, &words::archive(language, self))
    }
}

impl SearchReport {
    /// The search as a page of its own.
    pub fn html(&self, language: Language) -> String {
        page(&self.found, language, &words::search(language, self))
    }
}

fn page(comparison: &Comparison, language: Language, notes: &[String]) -> String {
    let mut writer = Writer {
        comparison,
        language,
        out: String::new(),
    };
    writer.head(notes);
    if !comparison.groups.is_empty() {
        let parts = boards::parts(language);
        writer.put(&parts);
        writer.put("\n");
    }
    for (number, group) in (1..).zip(&comparison.groups) {
        writer.group(number, group);
    }
    writer.errors();
    writer.put("</body>\n</html>\n");
    writer.out
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn pick<T>(&self, zh: T, en: T) -> T {
        pick(self.language, zh, en)
    }

    fn head(&mut self, notes: &[String]) {
        let comparison = self.comparison;
        let books = &comparison.books;
        let lang = self.pick("zh-Hans", "en");
        let heading = self.pick("规则对照", "Two rule books compared");
        let title = format!(
            "{heading}: {} → {}",
            books.base.book.id, books.other.book.id
        );
        let _ = write!(
            self.out,
            "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\" />\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\" />\n\
             <meta name=\"generator\" content=\"qili {}\" />\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
             </head>\n<body>\n<h1>{heading}</h1>\n",
            BUILD,
            e(&title)
        );
        for note in notes {
            let _ = writeln!(self.out, "<p>{}</p>", e(note));
        }
        self.put("<div class=\"books\">\n");
        self.book(self.pick("原规则", "The base"), &books.base);
        self.book(self.pick("对照", "Set against it"), &books.other);
        self.put("</div>\n");
        self.counts();
        self.differences();
        self.contents();
    }

    fn book(&mut self, role: &str, book: &BookOf) {
        let language = self.language;
        let _ = writeln!(
            self.out,
            "<div class=\"book\"><div class=\"soft\">{role}</div><b>{}</b><br /><code>{}@{}</code><br />\
             <span class=\"fen\">{}</span>",
            e(language.of(&book.title)),
            e(&book.book.id),
            e(&book.book.version),
            e(&book.book.digest)
        );
        for amendment in &book.amendments {
            let struck = words::listed(language, &amendment.struck);
            let struck = match (struck.is_empty(), language) {
                (true, _) => String::new(),
                (false, Language::Zh) => format!("删去{struck}。"),
                (false, Language::En) => format!(" Strikes {struck}."),
            };
            let _ = writeln!(
                self.out,
                "<p><b>+ {}</b> {}{}</p>",
                e(language.of(&amendment.title)),
                e(language.of(&amendment.reason)),
                e(&struck)
            );
        }
        self.put("</div>\n");
    }

    fn counts(&mut self) {
        let counts = self.comparison.counts;
        let language = self.language;
        let mut columns = vec![(self.pick("共", "In all"), counts.total)];
        for kind in ChangeKind::ALL {
            columns.push((words::kind(language, kind), counts.of(kind)));
        }
        columns.push((self.pick("不变", "unchanged"), counts.unchanged));
        // Of an archive games are rejected, while positions are counted.
        if self.comparison.archive.is_none() {
            columns.push((self.pick("不能裁", "not judged"), counts.errors));
        }
        let heads = cells("th", columns.iter().map(|(name, _)| (*name).to_owned()));
        let cells = cells("td", columns.iter().map(|&(_, count)| words::number(count)));
        let _ = writeln!(
            self.out,
            "<table class=\"counts\"><tr>{heads}</tr><tr>{cells}</tr></table>"
        );
        if self.comparison.changes.is_empty() {
            let told = self.pick("两书所判全同。", "The books make the same of everything.");
            let _ = writeln!(self.out, "<p>{told}</p>");
        }
    }

    /// The parameters and verdict rows that differ, whether or not anything turns on them.
    fn differences(&mut self) {
        let comparison = self.comparison;
        let differences = &comparison.differences;
        let parameters = differences
            .parameters
            .iter()
            .map(|p| Lever::Parameter(p.key));
        let rows = differences.verdicts.iter().map(|row| Lever::Row(row.key));
        let levers: Vec<Lever> = parameters.chain(rows).collect();
        if levers.is_empty() {
            return;
        }
        let heading = self.pick("参数与裁决之异", "What the books decide otherwise");
        let _ = writeln!(self.out, "<h2>{heading}</h2>\n<table>");
        let heads = [
            self.pick("项目", "Decision"),
            &comparison.books.base.book.id,
            &comparison.books.other.book.id,
            self.pick("影响", "Behind"),
        ];
        let heads = cells("th", heads.iter().map(|head| e(head).into_owned()));
        let _ = writeln!(self.out, "<tr>{heads}</tr>");
        for lever in levers {
            let behind = |change: &&Change| change.cause.levers.contains(&lever);
            let of_group = |group: &&Group| group.levers.contains(&lever);
            let count = if comparison.archive.is_some() {
                let groups = comparison.groups.iter().filter(of_group);
                groups.map(|group| group.counts.total).sum()
            } else {
                comparison.changes.iter().filter(behind).count()
            };
            let values = words::values(comparison, &lever).unwrap_or_default();
            if values.base == values.other {
                continue;
            }
            let count = words::number(count);
            let name = words::lever(self.language, &lever);
            let cell = |value: &str| self.value(&lever, value);
            let row = format!(
                "<tr><td>{}<br /><code class=\"soft\">{}</code></td><td>{}</td><td>{}</td><td>{count}</td></tr>",
                e(&name),
                e(&lever.target()),
                cell(&values.base),
                cell(&values.other)
            );
            let _ = writeln!(self.out, "{row}");
        }
        self.put("</table>\n");
    }

    /// A value with what it means.
    fn value(&self, lever: &Lever, value: &str) -> String {
        match words::meaning(self.language, lever, value) {
            Some(meaning) => format!(
                "{}<br /><code class=\"soft\">{}</code>",
                e(meaning),
                e(value)
            ),
            None => e(value).into_owned(),
        }
    }

    fn contents(&mut self) {
        let comparison = self.comparison;
        if comparison.changes.is_empty() {
            return;
        }
        let heading = self.pick("目录", "Contents");
        let _ = writeln!(self.out, "<h2>{heading}</h2>\n<ol class=\"contents\">");
        for (number, group) in (1..).zip(&comparison.groups) {
            let name = self.group_name(group);
            let _ = writeln!(self.out, "<li><a href=\"#g{number}\">{}</a><ul>", e(&name));
            for change in comparison.of_group(group) {
                let kind = words::kind(self.language, change.kind);
                let _ = writeln!(
                    self.out,
                    "<li><span class=\"{}\">{kind}</span> <a href=\"#{}\">{}</a>{}</li>",
                    change.kind.id(),
                    self.anchor(change),
                    e(self.name(change)),
                    e(&self.flip(change))
                );
            }
            self.put("</ul></li>\n");
        }
        self.put("</ol>\n");
    }

    fn name<'c>(&self, change: &'c Change) -> &'c str {
        let title = change.title.as_ref();
        title.map_or(change.id.as_str(), |title| self.language.of(title))
    }

    /// From what to what a verdict has changed, where it has.
    fn flip(&self, change: &Change) -> String {
        if change.kind == ChangeKind::Relabelled {
            return String::new();
        }
        let said = |ruling: &RulingJson| words::verdict(self.language, &ruling.verdict);
        let (from, to) = (said(&change.rulings.base), said(&change.rulings.other));
        self.pick(format!("：{from} → {to}"), format!(": {from} → {to}"))
    }

    /// A name for links that no caller's id can break.
    fn anchor(&self, change: &Change) -> String {
        let changes = self.comparison.changes.iter();
        let at = changes
            .take_while(|other| !std::ptr::eq(*other, change))
            .count();
        format!("c{}", at + 1)
    }

    fn group_name(&self, group: &Group) -> String {
        let name = words::levers(self.language, &group.levers);
        let mut chars = name.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect()
    }

    fn group(&mut self, number: usize, group: &Group) {
        let name = self.group_name(group);
        let _ = writeln!(
            self.out,
            "<section id=\"g{number}\">\n<h2>{number}. {}</h2>",
            e(&name)
        );
        for lever in &group.levers {
            let values = words::values(self.comparison, lever).unwrap_or_default();
            let said =
                |value: &str| words::meaning(self.language, lever, value).unwrap_or_default();
            let (from, to) = (said(&values.base), said(&values.other));
            let meaning = if from.is_empty() && to.is_empty() {
                String::new()
            } else {
                self.pick(format!("：{from} → {to}"), format!(": {from} → {to}"))
            };
            let line = format!(
                "<p><code>{} {} → {}</code>{}</p>",
                e(&lever.target()),
                e(&values.base),
                e(&values.other),
                e(&meaning)
            );
            let _ = writeln!(self.out, "{line}");
        }
        if let Some(together) = words::together(self.language, &group.levers) {
            let _ = writeln!(self.out, "<p>{together}</p>");
        }
        if let Some(reach) = &group.reach {
            let (told, reach) = (
                tally(self.language, group),
                words::reach(self.language, reach),
            );
            let _ = writeln!(self.out, "<p><b>{}</b> ({})</p>", e(&told), e(&reach));
        }
        self.articles(group);
        for change in self.comparison.of_group(group) {
            self.change(group, change);
        }
        self.put("</section>\n");
    }

    fn articles(&mut self, group: &Group) {
        let books = &self.comparison.books;
        self.put("<div class=\"both articles\">\n");
        for (book, articles) in [
            (&books.base, &group.articles.base),
            (&books.other, &group.articles.other),
        ] {
            let _ = writeln!(
                self.out,
                "<div><div class=\"soft\">{}</div>",
                e(&book.book.id)
            );
            if articles.is_empty() {
                let told = self.pick("无条文言及。", "No article speaks of it.");
                let _ = writeln!(self.out, "<p>{told}</p>");
            }
            for Article { id, text, .. } in articles {
                let text = self.language.of(text);
                let _ = writeln!(self.out, "<p><b>{}</b> {}</p>", e(id), e(text));
            }
            self.put("</div>\n");
        }
        self.put("</div>\n");
    }

    fn change(&mut self, group: &Group, change: &Change) {
        let language = self.language;
        let flip = if change.kind == ChangeKind::Relabelled {
            ""
        } else {
            " flip"
        };
        let _ = writeln!(
            self.out,
            "<article class=\"change{flip}\" id=\"{}\">\n<header><span class=\"kind {}\">{}</span>\
             <h3>{}</h3><span class=\"id\">{}</span></header>",
            self.anchor(change),
            change.kind.id(),
            words::kind(language, change.kind),
            e(self.name(change)),
            e(if change.title.is_some() {
                &change.id
            } else {
                ""
            })
        );
        for told in [
            words::places(language, change),
            words::also_alone(language, change, group),
        ]
        .into_iter()
        .flatten()
        {
            let _ = writeln!(self.out, "<p class=\"soft\">{}</p>", e(&told));
        }
        let books = &self.comparison.books;
        self.put("<div class=\"both verdicts\">\n");
        self.verdict("base", &books.base, &change.rulings.base);
        self.verdict("other", &books.other, &change.rulings.other);
        self.put("</div>\n<div class=\"play\">\n<div>");
        let board = boards::start(language, change, &self.anchor(change));
        self.put(&board);
        let _ = writeln!(self.out, "<p class=\"fen\">{}</p></div>", e(&change.fen));
        self.moves(change);
        self.put("</div>\n");
        self.lines(change);
        self.put("</article>\n");
    }

    fn verdict(&mut self, role: &str, book: &BookOf, ruling: &RulingJson) {
        let language = self.language;
        let clauses = words::listed(language, &ruling.verdict.clauses);
        let clauses = match (clauses.is_empty(), language) {
            (true, _) => String::new(),
            (false, Language::Zh) => format!("（{clauses}）"),
            (false, Language::En) => format!(" ({clauses})"),
        };
        let _ = writeln!(
            self.out,
            "<div class=\"verdict {role}\"><div class=\"soft\">{}</div><strong>{}</strong>{}",
            e(&book.book.id),
            e(&words::verdict(language, &ruling.verdict)),
            e(&clauses)
        );
        if let Some(sides) = &ruling.sides {
            for side in Side::ALL {
                let name = self.pick(side.zh(), side.en());
                let colon = self.pick("：", ": ");
                let conduct = words::conduct(language, &sides[side]);
                let _ = writeln!(self.out, "<div>{name}{colon}{}</div>", e(&conduct));
            }
        }
        self.put("</div>\n");
    }

    /// The moves with both natures, those that changed marked.
    fn moves(&mut self, change: &Change) {
        let language = self.language;
        let books = &self.comparison.books;
        let heads = [
            "",
            self.pick("着法", "Move"),
            "",
            &books.base.book.id,
            &books.other.book.id,
        ];
        let heads = cells("th", heads.iter().map(|head| e(head).into_owned()));
        let _ = writeln!(self.out, "<table><tr>{heads}</tr>");
        let names = words::moves(language, change);
        let first = change.start.turn();
        let sides = [first, first.opponent()].into_iter().cycle();
        for (index, ((mv, name), side)) in change.moves.iter().zip(&names).zip(sides).enumerate() {
            let changed = change.changed.iter().any(|changed| changed.index == index);
            let nature = |ruling: &RulingJson| words::nature_at(language, ruling, index);
            let natures = change.rulings.map(nature);
            let (class, mark) = if changed {
                (" class=\"changed\"", "▲")
            } else {
                ("", "")
            };
            let _ = writeln!(
                self.out,
                "<tr{class}><td>{}{mark}</td><td>{} {}</td><td class=\"iccs\">{mv}</td>\
                 <td class=\"nature\">{}</td><td class=\"nature\">{}</td></tr>",
                index + 1,
                self.pick(side.zh(), side.en()),
                e(name),
                natures.base,
                natures.other
            );
        }
        self.put("</table>\n");
    }

    /// For each move that changed, both reasons with the boards of their lines; where none did,
    /// both verdicts' reasons.
    fn lines(&mut self, change: &Change) {
        let language = self.language;
        if change.changed.is_empty() {
            self.put("<div class=\"lines\">\n");
            for ruling in [&change.rulings.base, &change.rulings.other] {
                let reason = ruling.verdict.reason.as_ref();
                let reason = reason.map_or("", |reason| language.of(reason));
                let _ = writeln!(self.out, "<div><p>{}</p></div>", e(reason));
            }
            self.put("</div>\n");
        }
        let names = words::moves(language, change);
        let most = match change.kind {
            ChangeKind::Flipped | ChangeKind::Undetermined | ChangeKind::Determined => MOST_BOARDS,
            ChangeKind::Relabelled => 1,
        };
        for (nth, changed) in change.changed.iter().enumerate() {
            let index = changed.index;
            let name = names.get(index).map_or("", String::as_str);
            let (from, to) = (
                words::nature(language, changed.nature.base),
                words::nature(language, changed.nature.other),
            );
            let _ = writeln!(
                self.out,
                "<div class=\"lines\"><h4>{}. {} {from} → {to}</h4>",
                index + 1,
                e(name)
            );
            let id = format!("{}m{index}", self.anchor(change));
            let drawn = if nth < most {
                boards::lines(language, change, changed, &id)
            } else {
                Both::default()
            };
            let both = Both {
                base: (&change.rulings.base, drawn.base),
                other: (&change.rulings.other, drawn.other),
            };
            for (ruling, board) in [both.base, both.other] {
                let reason = words::reason(language, ruling, index).unwrap_or_default();
                let clauses = ruling.moves.get(index).and_then(|m| m.clauses.as_deref());
                let clauses = words::listed(language, clauses.unwrap_or_default());
                let when = match board.as_ref().map(|drawn| drawn.before) {
                    None => "",
                    Some(true) => self.pick("：此着之前", ": before the move"),
                    Some(false) => self.pick("：此着之后", ": after the move"),
                };
                let _ = writeln!(
                    self.out,
                    "<div><div class=\"soft\">{}{when}</div>{}<p>{} <span class=\"soft\">[{}]</span></p></div>",
                    e(&ruling.rules.id),
                    board.map(|drawn| drawn.svg).unwrap_or_default(),
                    e(reason),
                    e(&clauses)
                );
            }
            self.put("</div>\n");
        }
    }

    fn errors(&mut self) {
        let errors = &self.comparison.errors;
        if errors.is_empty() {
            return;
        }
        let heading = words::unjudged(self.language, self.comparison);
        let _ = writeln!(self.out, "<h2>{heading}</h2>\n<table>");
        for error in errors {
            let told = self.pick(&error.error.detail_zh, &error.error.detail);
            let _ = writeln!(
                self.out,
                "<tr><td><code>{}</code></td><td>{}</td></tr>",
                e(&error.id),
                e(told)
            );
        }
        self.put("</table>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::e;

    #[test]
    fn what_means_something_in_html_is_escaped() {
        assert_eq!(e("炮8平5"), "炮8平5");
        assert_eq!(e("<b a=\"1\">&'"), "&lt;b a=&quot;1&quot;&gt;&amp;&#39;");
        assert_eq!(e("a\u{0}b\u{1b}"), "a\u{fffd}b\u{fffd}");
    }
}
