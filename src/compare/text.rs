//! A comparison for reading in a terminal.

use super::cause::Lever;
use super::report::{Change, ChangeKind, Comparison, Group};
use super::search::SearchReport;
use super::words;
use crate::board::{Setup, Side};
use crate::explain::{Evidence, Language, padded, width};
use crate::language::told;
use crate::rules::Article;
use crate::wire::RulingJson;
use std::fmt::Write;

/// How a comparison is told.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    /// In which language.
    pub language: Language,
    /// Draws a board.
    pub board: &'a dyn Fn(&Setup) -> String,
}

impl std::fmt::Debug for Page<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Page")
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

/// The columns a line may take.
const COLUMNS: usize = 100;

/// A text in lines that fit, each with the indent before it.
fn wrapped(text: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut line = String::new();
    let room = COLUMNS.saturating_sub(width(indent));
    let mut word = String::new();
    let mut flush = |line: &mut String, word: &mut String| {
        if width(line) + width(word.trim_end()) > room && !line.is_empty() {
            let _ = writeln!(out, "{indent}{}", line.trim_end());
            line.clear();
        }
        line.push_str(word);
        word.clear();
    };
    for c in text.chars() {
        // A line may end after a blank, and before a Chinese character that is no punctuation.
        let closes = "，。、；：）》」”〕".contains(c);
        if u32::from(c) >= 0x2E80 && !closes {
            flush(&mut line, &mut word);
        }
        word.push(c);
        if c == ' ' {
            flush(&mut line, &mut word);
        }
    }
    flush(&mut line, &mut word);
    if !line.trim().is_empty() {
        let _ = writeln!(out, "{indent}{}", line.trim_end());
    }
    out
}

impl Comparison {
    /// The comparison as text.
    pub fn text(&self, page: &Page<'_>) -> String {
        let language = page.language;
        let mut out = self.head(language);
        if self.changes.is_empty() {
            let told = language.pick("两书所判全同。", "The books make the same of everything.");
            let _ = writeln!(out, "\n{told}");
        }
        for (number, group) in (1..).zip(&self.groups) {
            self.group(page, number, group, &mut out);
        }
        if !self.errors.is_empty() {
            let heading = words::unjudged(language, self);
            let colon = language.pick("：", ":");
            let _ = writeln!(out, "\n{heading}{colon}");
            for error in &self.errors {
                let told = language.pick(&error.error.detail_zh, &error.error.detail);
                let _ = writeln!(out, "  {}: {told}", error.id);
            }
        }
        out
    }

    fn head(&self, language: Language) -> String {
        let mut out = String::new();
        for (name, book) in [
            (language.pick("原　", "Base  "), &self.books.base),
            (language.pick("对照", "Other "), &self.books.other),
        ] {
            let title = language.of(&book.title);
            let (id, version) = (&book.book.id, &book.book.version);
            let _ = writeln!(out, "{name} {id}@{version}  {title}");
        }
        let notes = words::archive(language, self).into_iter();
        for note in notes.chain(words::left_out(language, self)) {
            let _ = write!(out, "\n{}", wrapped(&note, ""));
        }
        let _ = writeln!(out, "\n{}", words::counts(language, self));
        if self.groups.len() > 1 {
            let _ = writeln!(out);
            for (number, group) in (1..).zip(&self.groups) {
                let (name, key) = (
                    words::levers(language, &group.levers),
                    self.cause_line(&group.levers),
                );
                let line = wrapped(&format!("{name}: {}", tally(language, group)), "     ");
                let _ = write!(out, "{number:>3}. {}", line.trim_start());
                let _ = write!(out, "{}", wrapped(&key, "       "));
            }
        }
        out
    }

    /// The levers of a cause by their keys and values.
    fn cause_line(&self, levers: &[Lever]) -> String {
        let levers: Vec<String> = levers
            .iter()
            .map(|lever| {
                let target = lever.target();
                let key = target.trim_start_matches("definitions.").to_owned();
                match words::values(self, lever) {
                    Some(values) => format!("{key} {} → {}", values.base, values.other),
                    None => key,
                }
            })
            .collect();
        levers.join(" + ")
    }

    fn group(&self, page: &Page<'_>, number: usize, group: &Group, out: &mut String) {
        let language = page.language;
        let rule = "═".repeat(72);
        let name = self.cause_line(&group.levers);
        let _ = writeln!(out, "\n{rule}\n{number}. {name}");
        for lever in &group.levers {
            out.push_str(&wrapped(&words::lever(language, lever), "   "));
        }
        if let Some(together) = words::together(language, &group.levers) {
            let _ = writeln!(out, "   {together}");
        }
        let _ = writeln!(out, "   {}", tally(language, group));
        if let Some(reach) = &group.reach {
            let _ = writeln!(out, "   {}", words::reach(language, reach));
        }
        for (id, articles, others) in [
            (
                &self.books.base.book.id,
                &group.articles.base,
                &group.articles.other,
            ),
            (
                &self.books.other.book.id,
                &group.articles.other,
                &group.articles.base,
            ),
        ] {
            // What stands in both books in the same words is told once.
            let own: Vec<&Article> = articles
                .iter()
                .filter(|article| {
                    std::ptr::eq(articles, &raw const group.articles.base)
                        || !others.contains(article)
                })
                .collect();
            for article in own {
                let _ = writeln!(out, "\n   {id} {}", article.id);
                out.push_str(&wrapped(language.of(&article.text), "     "));
            }
        }
        for change in self.of_group(group) {
            self.change(page, group, change, out);
        }
    }

    fn change(&self, page: &Page<'_>, group: &Group, change: &Change, out: &mut String) {
        let language = page.language;
        let title = change.title.as_ref().map_or("", |title| language.of(title));
        let kind = words::kind(language, change.kind);
        let _ = writeln!(out, "\n{}\n[{kind}] {}  {title}", "─".repeat(72), change.id);
        if let Some(places) = words::places(language, change) {
            out.push_str(&wrapped(&places, "   "));
        }
        if let Some(alone) = words::also_alone(language, change, group) {
            out.push_str(&wrapped(&alone, "   "));
        }
        let ids = [&self.books.base.book.id, &self.books.other.book.id];
        let widest = ids.iter().map(|id| width(id)).max().unwrap_or(0);
        for (id, ruling) in ids
            .iter()
            .zip([&change.rulings.base, &change.rulings.other])
        {
            out.push_str(&verdict_lines(language, &padded(id, widest), ruling));
        }
        if change.kind != ChangeKind::Relabelled {
            let _ = writeln!(out, "\n{}", (page.board)(&change.start.setup()).trim_end());
        }
        let _ = writeln!(out, "   FEN {}\n", change.fen);
        if change.changed.is_empty() {
            // Every move is what it was: the verdict itself has to say why.
            for ruling in [&change.rulings.base, &change.rulings.other] {
                if let Some(reason) = &ruling.verdict.reason {
                    let id = &ruling.rules.id;
                    let text = format!("{id}: {}", language.of(reason));
                    out.push_str(&wrapped(&text, "   "));
                }
            }
            out.push('\n');
        }
        moves(language, change, out);
    }
}

/// What a book rules, what it makes of the sides, and what it cites.
fn verdict_lines(language: Language, id: &str, ruling: &RulingJson) -> String {
    let verdict = words::verdict(language, &ruling.verdict);
    let clauses = words::listed(language, &ruling.verdict.clauses);
    let mut text = format!("   {id}  {verdict}");
    if !clauses.is_empty() {
        let _ = write!(text, " [{clauses}]");
    }
    if let Some(sides) = &ruling.sides {
        let told: Vec<String> = Side::ALL
            .iter()
            .map(|&side| {
                let name = language.pick(side.zh(), side.en());
                let conduct = words::conduct(language, &sides[side]);
                told!(language; "{name}{conduct}"; "{name} {conduct}")
            })
            .collect();
        let _ = write!(text, "  ({})", told.join(language.pick("；", "; ")));
    }
    text.push('\n');
    text
}

/// The moves with both natures; those that changed are marked, with the reasons and lines.
fn moves(language: Language, change: &Change, out: &mut String) {
    let names = words::moves(language, change);
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    for (index, ((mv, name), side)) in change
        .moves
        .iter()
        .zip(&names)
        .zip(sides(change))
        .enumerate()
    {
        let changed = change.changed.iter().find(|changed| changed.index == index);
        let of = |ruling: &RulingJson| words::nature_at(language, ruling, index);
        let (from, to) = (of(&change.rulings.base), of(&change.rulings.other));
        let mark = if changed.is_some() { '*' } else { ' ' };
        let natures = if from == to {
            from.to_owned()
        } else {
            format!("{from} → {to}")
        };
        let side = padded(language.pick(side.zh(), side.en()), 5);
        let number = index + 1;
        let _ = writeln!(
            out,
            " {mark} {number:>2}. {side} {} {mv}  {natures}",
            padded(name, widest)
        );
        let Some(changed) = changed else { continue };
        for (sign, ruling, evidence) in [
            ('-', &change.rulings.base, &changed.evidence.base),
            ('+', &change.rulings.other, &changed.evidence.other),
        ] {
            if let Some(reason) = words::reason(language, ruling, index) {
                let text = wrapped(reason, "         ");
                let text = text.trim_start();
                let _ = write!(out, "       {sign} {text}");
            }
            for line in evidence.iter().filter(|line| !line.line.is_empty()) {
                let _ = writeln!(out, "         {}", evidence_line(language, line));
            }
        }
    }
}

fn sides(change: &Change) -> impl Iterator<Item = Side> {
    let first = change.start.turn();
    [first, first.opponent()].into_iter().cycle()
}

/// A line of evidence: `gain g7: pass g6g7`.
fn evidence_line(language: Language, evidence: &Evidence) -> String {
    let claim = words::claim(language, evidence.claim);
    let victim = evidence
        .victim
        .map(|square| format!(" {square}"))
        .unwrap_or_default();
    format!("{claim}{victim}: {}", evidence.line.join(" "))
}

/// How many of each kind a group has.
pub(super) fn tally(language: Language, group: &Group) -> String {
    let told: Vec<String> = ChangeKind::ALL
        .into_iter()
        .filter(|&kind| group.counts.of(kind) > 0)
        .map(|kind| {
            let (count, name) = (
                words::number(group.counts.of(kind)),
                words::kind(language, kind),
            );
            told!(language; "{name}{count}"; "{count} {name}")
        })
        .collect();
    words::listed(language, &told)
}

impl SearchReport {
    /// The search as text.
    pub fn text(&self, page: &Page<'_>) -> String {
        let mut head = String::new();
        for line in words::search(page.language, self) {
            head.push_str(&wrapped(&line, ""));
        }
        format!("{head}\n{}", self.found.text(page))
    }
}
