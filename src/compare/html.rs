//! A comparison as one HTML page that stands alone: no scripts, nothing fetched, boards inline. What it
//! looks like stands in `report.html`.
//!
//! Every tag is closed, so that the page is well-formed XML, too.

use super::boards::{self, Drawn};
use super::cause::Lever;
use super::report::{BookOf, Change, ChangeKind, Comparison, Group, MoveChange};
use super::search::SearchReport;
use super::text::tally;
use super::words;
use crate::board::Side;
use crate::explain::Language;
use crate::language::told;
use crate::rules::Article;
use crate::template::fill;
use crate::version::BUILD;
use crate::wire::RulingJson;

/// Moves shown on boards for one change; of the rest the reasons are told.
const MOST_BOARDS: usize = 4;

const PAGE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");

struct Page<'a> {
    comparison: &'a Comparison,
    language: Language,
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
    let page = Page {
        comparison,
        language,
    };
    page.html(notes)
}

impl Page<'_> {
    fn pick<T>(&self, zh: T, en: T) -> T {
        self.language.pick(zh, en)
    }

    fn html(&self, notes: &[String]) -> String {
        let comparison = self.comparison;
        let books = &comparison.books;
        let counts = self.counts();
        let groups = (1..).zip(&comparison.groups);
        fill!(PAGE {
            lang: self.pick("zh-Hans", "en"),
            build: BUILD,
            heading: self.pick("规则对照", "Two rule books compared"),
            base: books.base.book.id,
            other: books.other.book.id,
            &style: STYLE,
            #note: notes
                .iter()
                .chain(&words::left_out(self.language, comparison))
                .map(|note| fill!(PAGE.note { note: note })),
            #book: [
                self.book(self.pick("原规则", "The base"), &books.base),
                self.book(self.pick("对照", "Set against it"), &books.other),
            ],
            #kind: counts.iter().map(|(kind, _)| fill!(PAGE.kind { kind: kind })),
            #count: counts.iter().map(|&(_, count)| fill!(PAGE.count { count: words::number(count) })),
            #alike: comparison.changes.is_empty().then(|| fill!(PAGE.alike {
                told: self.pick("两书所判全同。", "The books make the same of everything."),
            })),
            #differences: self.differences(),
            #contents: (!comparison.changes.is_empty()).then(|| self.contents()),
            #shared: (!comparison.groups.is_empty())
                .then(|| fill!(PAGE.shared { &parts: boards::parts(self.language) })),
            #group: groups.map(|(number, group)| self.group(number, group)),
            #errors: (!comparison.errors.is_empty()).then(|| self.errors()),
        })
    }

    fn book(&self, role: &str, book: &BookOf) -> String {
        let language = self.language;
        let amendments = book.amendments.iter().map(|amendment| {
            let struck = words::listed(language, &amendment.struck);
            let struck = match (struck.is_empty(), language) {
                (true, _) => String::new(),
                (false, Language::Zh) => format!("删去{struck}。"),
                (false, Language::En) => format!(" Strikes {struck}."),
            };
            fill!(PAGE.amendment {
                title: language.of(&amendment.title),
                reason: language.of(&amendment.reason),
                struck: struck,
            })
        });
        fill!(PAGE.book {
            role: role,
            title: language.of(&book.title),
            id: book.book.id,
            version: book.book.version,
            digest: book.book.digest,
            #amendment: amendments,
        })
    }

    fn counts(&self) -> Vec<(&'static str, usize)> {
        let counts = self.comparison.counts;
        let mut columns = vec![(self.pick("共", "In all"), counts.total)];
        for kind in ChangeKind::ALL {
            columns.push((words::kind(self.language, kind), counts.of(kind)));
        }
        columns.push((self.pick("不变", "unchanged"), counts.unchanged));
        // Of an archive games are rejected, while positions are counted.
        if self.comparison.archive.is_none() {
            columns.push((self.pick("不能裁", "not judged"), counts.errors));
        }
        columns
    }

    /// The parameters and verdict rows that differ, whether or not anything turns on them.
    fn differences(&self) -> Option<String> {
        let comparison = self.comparison;
        let differences = &comparison.differences;
        let parameters = differences.parameters.iter();
        let parameters = parameters.map(|p| Lever::Parameter(p.key));
        let rows = differences.verdicts.iter().map(|row| Lever::Row(row.key));
        let levers: Vec<Lever> = parameters.chain(rows).collect();
        (!levers.is_empty()).then(|| {
            fill!(PAGE.differences {
                heading: self.pick("参数与裁决之异", "What the books decide otherwise"),
                decision: self.pick("项目", "Decision"),
                base: comparison.books.base.book.id,
                other: comparison.books.other.book.id,
                behind: self.pick("影响", "Behind"),
                #difference: levers.iter().filter_map(|lever| self.difference(lever)),
            })
        })
    }

    fn difference(&self, lever: &Lever) -> Option<String> {
        let comparison = self.comparison;
        let count = if comparison.archive.is_some() {
            let of_lever = |group: &&Group| group.levers.contains(lever);
            let groups = comparison.groups.iter().filter(of_lever);
            groups.map(|group| group.counts.total).sum()
        } else {
            let behind = |change: &&Change| change.cause.levers.contains(lever);
            comparison.changes.iter().filter(behind).count()
        };
        let values = words::values(comparison, lever).unwrap_or_default();
        (values.base != values.other).then(|| {
            fill!(PAGE.difference {
                name: words::lever(self.language, lever),
                target: lever.target(),
                #value: [&values.base, &values.other].map(|value| self.value(lever, value)),
                count: words::number(count),
            })
        })
    }

    /// A value with what it means.
    fn value(&self, lever: &Lever, value: &str) -> String {
        let meaning = words::meaning(self.language, lever, value);
        fill!(PAGE.value {
            told: meaning.unwrap_or(value),
            #literal: meaning.map(|_| fill!(PAGE.literal { value: value })),
        })
    }

    fn contents(&self) -> String {
        let headings = (1..).zip(&self.comparison.groups).map(|(number, group)| {
            let changes = self.comparison.of_group(group).into_iter();
            fill!(PAGE.heading {
                number: number,
                name: self.group_name(group),
                #entry: changes.map(|change| fill!(PAGE.entry {
                    kind: change.kind.id(),
                    told: words::kind(self.language, change.kind),
                    anchor: self.anchor(change),
                    name: self.name(change),
                    flip: self.flip(change),
                })),
            })
        });
        fill!(PAGE.contents {
            heading: self.pick("目录", "Contents"),
            #heading: headings,
        })
    }

    fn name<'c>(&self, change: &'c Change) -> &'c str {
        let title = change.title.as_ref();
        title.map_or(change.id.as_str(), |title| self.language.of(title))
    }

    /// After a colon: from what to what.
    fn between(&self, from: &str, to: &str) -> String {
        told!(self.language; "：{from} → {to}"; ": {from} → {to}")
    }

    /// From what to what a verdict has changed, where it has.
    fn flip(&self, change: &Change) -> String {
        if change.kind == ChangeKind::Relabelled {
            return String::new();
        }
        let said = |ruling: &RulingJson| words::verdict(self.language, &ruling.verdict);
        self.between(&said(&change.rulings.base), &said(&change.rulings.other))
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

    fn group(&self, number: usize, group: &Group) -> String {
        let language = self.language;
        let books = &self.comparison.books;
        let levers = group.levers.iter().map(|lever| {
            let values = words::values(self.comparison, lever).unwrap_or_default();
            let said = |value: &str| words::meaning(language, lever, value).unwrap_or_default();
            let (from, to) = (said(&values.base), said(&values.other));
            let is_said = !from.is_empty() || !to.is_empty();
            fill!(PAGE.lever {
                target: lever.target(),
                base: values.base,
                other: values.other,
                meaning: if is_said { self.between(from, to) } else { String::new() },
            })
        });
        let together = words::together(language, &group.levers);
        let changes = self.comparison.of_group(group).into_iter();
        fill!(PAGE.group {
            number: number,
            name: self.group_name(group),
            #lever: levers,
            #together: together.map(|told| fill!(PAGE.together { told: told })),
            #reach: group.reach.as_ref().map(|reach| fill!(PAGE.reach {
                tally: tally(language, group),
                reach: words::reach(language, reach),
            })),
            #articles: [
                self.articles(&books.base, &group.articles.base),
                self.articles(&books.other, &group.articles.other),
            ],
            #change: changes.map(|change| self.change(group, change)),
        })
    }

    fn articles(&self, book: &BookOf, articles: &[Article]) -> String {
        fill!(PAGE.articles {
            id: book.book.id,
            #silent: articles.is_empty().then(|| fill!(PAGE.silent {
                told: self.pick("无条文言及。", "No article speaks of it."),
            })),
            #article: articles.iter().map(|article| fill!(PAGE.article {
                id: article.id,
                text: self.language.of(&article.text),
            })),
        })
    }

    fn change(&self, group: &Group, change: &Change) -> String {
        let language = self.language;
        let books = &self.comparison.books;
        let rulings = &change.rulings;
        let asides = [
            words::places(language, change),
            words::also_alone(language, change, group),
        ];
        let names = words::moves(language, change);
        let reasons = [&rulings.base, &rulings.other].map(|ruling| {
            let reason = ruling.verdict.reason.as_ref();
            fill!(PAGE.reason { reason: reason.map_or("", |reason| language.of(reason)) })
        });
        let most = match change.kind {
            ChangeKind::Flipped | ChangeKind::Undetermined | ChangeKind::Determined => MOST_BOARDS,
            ChangeKind::Relabelled => 1,
        };
        let lines = change.changed.iter().enumerate().map(|(nth, changed)| {
            let name = names.get(changed.index).map_or("", String::as_str);
            self.lines(change, changed, name, nth < most)
        });
        fill!(PAGE.change {
            #flips: (change.kind != ChangeKind::Relabelled).then(|| fill!(PAGE.flips {})),
            anchor: self.anchor(change),
            kind: change.kind.id(),
            told: words::kind(language, change.kind),
            name: self.name(change),
            id: change.title.as_ref().map_or("", |_| &change.id),
            #aside: asides.into_iter().flatten().map(|told| fill!(PAGE.aside { told: told })),
            #verdict: [
                self.verdict("base", &books.base, &rulings.base),
                self.verdict("other", &books.other, &rulings.other),
            ],
            &board: boards::start(language, change, &self.anchor(change)),
            fen: change.fen,
            move: self.pick("着法", "Move"),
            base: books.base.book.id,
            other: books.other.book.id,
            #move: self.moves(change, &names),
            // Where no move changed, the verdicts themselves have to say why.
            #reasons: change.changed.is_empty().then(|| fill!(PAGE.reasons { #reason: reasons })),
            #lines: lines,
        })
    }

    fn verdict(&self, role: &str, book: &BookOf, ruling: &RulingJson) -> String {
        let language = self.language;
        let clauses = words::listed(language, &ruling.verdict.clauses);
        let clauses = match (clauses.is_empty(), language) {
            (true, _) => String::new(),
            (false, Language::Zh) => format!("（{clauses}）"),
            (false, Language::En) => format!(" ({clauses})"),
        };
        let sides = ruling.sides.iter();
        let sides = sides.flat_map(|sides| Side::ALL.map(|side| (side, &sides[side])));
        fill!(PAGE.verdict {
            role: role,
            id: book.book.id,
            verdict: words::verdict(language, &ruling.verdict),
            clauses: clauses,
            #conduct: sides.map(|(side, told)| fill!(PAGE.conduct {
                side: self.pick(side.zh(), side.en()),
                colon: self.pick("：", ": "),
                conduct: words::conduct(language, told),
            })),
        })
    }

    /// The moves with both natures, those that changed marked.
    fn moves(&self, change: &Change, names: &[String]) -> Vec<String> {
        let first = change.start.turn();
        let sides = [first, first.opponent()].into_iter().cycle();
        let moves = change.moves.iter().zip(names).zip(sides).enumerate();
        let rows = moves.map(|(index, ((iccs, name), side))| {
            let changed = change.changed.iter().any(|changed| changed.index == index);
            let nature = |ruling: &RulingJson| words::nature_at(self.language, ruling, index);
            fill!(PAGE.move {
                #changed: changed.then(|| fill!(PAGE.changed {})),
                number: index + 1,
                #mark: changed.then(|| fill!(PAGE.mark {})),
                side: self.pick(side.zh(), side.en()),
                name: name,
                iccs: iccs,
                base: nature(&change.rulings.base),
                other: nature(&change.rulings.other),
            })
        });
        rows.collect()
    }

    /// For a move that changed, both reasons, with the boards of their lines where they are drawn.
    fn lines(&self, change: &Change, changed: &MoveChange, name: &str, is_drawn: bool) -> String {
        let language = self.language;
        let index = changed.index;
        let id = format!("{}m{index}", self.anchor(change));
        let drawn = is_drawn.then(|| boards::lines(language, change, changed, &id));
        let drawn = drawn.unwrap_or_default();
        fill!(PAGE.lines {
            number: index + 1,
            name: name,
            from: words::nature(language, changed.nature.base),
            to: words::nature(language, changed.nature.other),
            #line: [
                self.line(&change.rulings.base, index, drawn.base),
                self.line(&change.rulings.other, index, drawn.other),
            ],
        })
    }

    fn line(&self, ruling: &RulingJson, index: usize, board: Option<Drawn>) -> String {
        let clauses = ruling.moves.get(index).and_then(|m| m.clauses.as_deref());
        let when = match board.as_ref().map(|drawn| drawn.before) {
            None => "",
            Some(true) => self.pick("：此着之前", ": before the move"),
            Some(false) => self.pick("：此着之后", ": after the move"),
        };
        fill!(PAGE.line {
            id: ruling.rules.id,
            when: when,
            &board: board.map(|drawn| drawn.svg).unwrap_or_default(),
            reason: words::reason(self.language, ruling, index).unwrap_or_default(),
            clauses: words::listed(self.language, clauses.unwrap_or_default()),
        })
    }

    fn errors(&self) -> String {
        let errors = self.comparison.errors.iter();
        fill!(PAGE.errors {
            heading: words::unjudged(self.language, self.comparison),
            #error: errors.map(|error| fill!(PAGE.error {
                id: error.id,
                told: self.pick(&error.error.detail_zh, &error.error.detail),
            })),
        })
    }
}
