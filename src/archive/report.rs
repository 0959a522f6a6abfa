//! Runs of repetitions as one HTML page that stands alone: no scripts, nothing fetched, boards inline,
//! filters in the style sheet alone. What it looks like stands in `report.html`.
//!
//! Every tag is closed, so that the page is well-formed XML, too.

use super::runs::What;
use crate::board::{BySide, Move, Position, Side};
use crate::classify::Nature;
use crate::diagram::{self, Annotation, ArrowKind, Coordinates, Diagram, Theme};
use crate::explain::{Language, pattern};
use crate::language::told;
use crate::notation::{Notation, fen, write_move};
use crate::rules::Outcome;
use crate::template::fill;
use crate::written::plain;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, Read as _};

/// Runs a page shows; of more only the counts are told.
const MOST_RUNS: usize = 5_000;
/// Boards a page draws.
const MOST_BOARDS: usize = 500;
/// Events that have a filter of their own.
const MOST_EVENTS: usize = 40;
/// A longer line is no row.
const LONGEST_LINE: u64 = 1 << 20;
/// Arrows of a longer cycle would only hide the board.
const MOST_ARROWS: usize = 7;
/// The ids of what the boards share begin with this.
const PARTS: &str = "qili";

const PAGE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");

#[derive(Debug, Deserialize)]
struct SideIn {
    pattern: Option<String>,
}

#[derive(Debug, Deserialize)]
struct VerdictIn {
    outcome: Outcome,
    side: Option<Side>,
    #[serde(default)]
    clauses: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct NextIn {
    what: What,
    side: Option<Side>,
    iccs: Option<String>,
}

#[derive(Debug, Deserialize)]
struct RulesIn {
    id: String,
    version: String,
}

#[derive(Debug, Deserialize)]
struct ChangeIn {
    verdict: VerdictIn,
}

/// What of several rulings a run is known by.
const fn gravity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::None => 0,
        Outcome::Draw => 1,
        Outcome::Undetermined => 2,
        Outcome::MustChange => 3,
        Outcome::Loss => 4,
    }
}

/// A row of `--rows run`, as far as the page needs it.
#[derive(Debug, Deserialize)]
struct Run {
    id: Value,
    #[serde(default)]
    red: String,
    #[serde(default)]
    black: String,
    #[serde(default)]
    event: String,
    #[serde(default)]
    date: String,
    #[serde(default)]
    result: String,
    first_ply: Option<usize>,
    last_ply: Option<usize>,
    /// How often it was pending: rows of single pending positions do not say so.
    #[serde(rename = "pending")]
    _pending: IgnoredAny,
    rounds: Option<u32>,
    fen: String,
    moves: Vec<String>,
    #[serde(default)]
    natures: Vec<Option<Nature>>,
    sides: Option<BySide<SideIn>>,
    /// The gravest, once the row has been read.
    verdict: VerdictIn,
    #[serde(default)]
    changes: Vec<ChangeIn>,
    next: Option<NextIn>,
    rules: RulesIn,
}

/// A row of a game that was rejected.
#[derive(Deserialize)]
struct Rejected {
    #[serde(rename = "error")]
    _error: IgnoredAny,
}

/// Runs gathered for a page.
#[derive(Debug, Default)]
pub struct Report {
    runs: Vec<Run>,
    total: u64,
    rejected: u64,
    outcomes: BTreeMap<&'static str, u64>,
    nexts: BTreeMap<&'static str, u64>,
    events: BTreeMap<String, u64>,
    books: BTreeMap<String, u64>,
}

impl What {
    const fn id(self) -> &'static str {
        match self {
            Self::Varied => "varied",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
            Self::Ended => "ended",
        }
    }
}

impl Report {
    /// Reads the rows that `archive judge --rows run` wrote.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else.
    pub fn read(&mut self, name: &str, input: &mut dyn BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        for number in 1u64.. {
            line.clear();
            if (&mut *input)
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)?
                == 0
            {
                break;
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice::<Run>(&line) {
                Ok(run) => self.take(run),
                Err(_) if serde_json::from_slice::<Rejected>(&line).is_ok() => self.rejected += 1,
                Err(error) => {
                    let told = format!("`{name}`, line {number}: no row of `--rows run`: {error}");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, told));
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, mut run: Run) {
        self.total += 1;
        let graver = std::mem::take(&mut run.changes).into_iter();
        let graver = graver.map(|change| change.verdict);
        if let Some(gravest) = graver.max_by_key(|verdict| gravity(verdict.outcome))
            && gravity(gravest.outcome) > gravity(run.verdict.outcome)
        {
            run.verdict = gravest;
        }
        *self.outcomes.entry(run.verdict.outcome.id()).or_default() += 1;
        let next = run.next.as_ref().map_or("ended", |next| next.what.id());
        *self.nexts.entry(next).or_default() += 1;
        if self.events.len() < MOST_RUNS || self.events.contains_key(&run.event) {
            *self.events.entry(run.event.clone()).or_default() += 1;
        }
        let book = format!("{}@{}", run.rules.id, run.rules.version);
        *self.books.entry(book).or_default() += 1;
        if self.runs.len() < MOST_RUNS {
            self.runs.push(run);
        }
    }

    /// The page.
    pub fn html(&self, language: Language) -> String {
        let named = self.events.iter().filter(|(name, _)| !name.is_empty());
        let mut events: Vec<_> = named.collect();
        events.sort_by_key(|&(name, count)| (Reverse(*count), name));
        let events = events.iter().take(MOST_EVENTS);
        let page = Page {
            report: self,
            language,
            events: events.map(|(name, _)| name.as_str()).collect(),
        };
        page.html()
    }
}

struct Page<'a> {
    report: &'a Report,
    language: Language,
    /// Those that have a filter, most runs first.
    events: Vec<&'a str>,
}

const fn side_id(side: Option<Side>) -> &'static str {
    match side {
        Some(side) => side.id(),
        None => "nobody",
    }
}

impl Page<'_> {
    fn pick<T>(&self, zh: T, en: T) -> T {
        self.language.pick(zh, en)
    }

    fn side(&self, side: Side) -> &'static str {
        self.pick(side.zh(), side.en())
    }

    fn html(&self) -> String {
        let report = self.report;
        let runs = report.runs.iter().enumerate();
        fill!(PAGE {
            lang: self.pick("zh-Hans", "en"),
            version: env!("CARGO_PKG_VERSION"),
            heading: self.pick("重复局面裁决", "Repetitions and rulings"),
            &style: STYLE,
            #hidden: self.hidden(),
            counts: self.counts(),
            #first: (report.total > report.runs.len() as u64).then(|| self.first(report.runs.len())),
            #filter: self.filters(),
            &parts: diagram::parts(Theme::default(), self.language, PARTS),
            #run: runs.map(|(index, run)| self.run(index, run)),
        })
    }

    /// The classes runs may have, by what they are filtered for.
    fn groups(&self) -> [(&'static str, Vec<String>); 4] {
        let ids = |counts: &BTreeMap<&'static str, u64>| {
            counts.keys().map(|id| (*id).to_owned()).collect()
        };
        [
            ("o", ids(&self.report.outcomes)),
            ("s", ["red", "black", "nobody"].map(str::to_owned).to_vec()),
            ("n", ids(&self.report.nexts)),
            (
                "e",
                (0..self.events.len())
                    .map(|index| index.to_string())
                    .collect(),
            ),
        ]
    }

    /// A run is hidden where its group has a choice and it is another.
    fn hidden(&self) -> Vec<String> {
        let groups = self.groups().into_iter();
        let choices = groups.flat_map(|(group, ids)| ids.into_iter().map(move |id| (group, id)));
        let hidden = choices.map(|(group, id)| fill!(PAGE.hidden { group: group, id: id }));
        hidden.collect()
    }

    fn filters(&self) -> Vec<String> {
        let titles = [
            self.pick("裁决", "ruling"),
            self.pick("关系到", "concerns"),
            self.pick("其后", "then"),
            self.pick("赛事", "event"),
        ];
        let groups = self.groups().into_iter().zip(titles);
        let groups = groups.filter(|((_, ids), _)| !ids.is_empty());
        let filters = groups.map(|((group, ids), title)| {
            fill!(PAGE.filter {
                title: title,
                group: group,
                all: self.pick("全部", "all"),
                #choice: ids.iter().map(|id| fill!(PAGE.choice {
                    group: group,
                    id: id,
                    name: self.filter_name(group, id),
                })),
            })
        });
        filters.collect()
    }

    fn filter_name(&self, group: &str, id: &str) -> String {
        match (group, id) {
            ("o", id) => self.outcome_name(id).to_owned(),
            ("s", "red") => self.side(Side::Red).to_owned(),
            ("s", "black") => self.side(Side::Black).to_owned(),
            ("s", _) => self.pick("无", "nobody").to_owned(),
            ("n", "varied") => self.pick("变着", "varied").to_owned(),
            ("n", "drawn") => self.pick("和棋", "drawn").to_owned(),
            ("n", "lost") => self.pick("判负或认负", "lost").to_owned(),
            ("n", _) => self.pick("终止", "ended").to_owned(),
            (_, index) => {
                let index = index.parse::<usize>().ok();
                let event = index.and_then(|index| self.events.get(index));
                event.map_or_else(String::new, |event| (*event).to_owned())
            }
        }
    }

    fn outcome_name(&self, id: &str) -> &'static str {
        match id {
            "draw" => self.pick("和棋", "draw"),
            "must_change" => self.pick("须变着", "must vary"),
            "loss" => self.pick("判负", "loss"),
            "undetermined" => self.pick("未定", "undetermined"),
            _ => self.pick("无", "none"),
        }
    }

    fn counts(&self) -> String {
        let report = self.report;
        let books: Vec<&str> = report.books.keys().map(String::as_str).collect();
        let outcomes: Vec<String> = report
            .outcomes
            .iter()
            .map(|(id, count)| format!("{} {count}", self.outcome_name(id)))
            .collect();
        told!(self.language;
            "规则 {}；重复{}处：{}；不能裁的棋局{}局。",
            books.join("、"), report.total, outcomes.join("、"), report.rejected;
            "By {}. {} repetitions: {}. {} games could not be judged.",
            books.join(", "), report.total, outcomes.join(", "), report.rejected)
    }

    fn first(&self, shown: usize) -> String {
        let told = told!(self.language; "以下列出前{shown}处。"; "The first {shown} are listed.");
        fill!(PAGE.first { told: told })
    }

    fn run(&self, index: usize, run: &Run) -> String {
        let next = run.next.as_ref().map_or("ended", |next| next.what.id());
        let mut classes = format!(
            "o-{} s-{} n-{next}",
            run.verdict.outcome.id(),
            side_id(run.verdict.side)
        );
        if let Some(event) = self.events.iter().position(|event| *event == run.event) {
            let _ = write!(classes, " e-{event}");
        }
        let id = plain(&run.id);
        let players = if run.red.is_empty() && run.black.is_empty() {
            id.clone()
        } else {
            format!("{} – {}", run.red, run.black)
        };
        let when: Vec<&str> = [&*run.event, &*run.date, &*run.result]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect();
        fill!(PAGE.run {
            classes: classes,
            players: players,
            when: when.join(" · "),
            ruling: self.ruling(run),
            plies: self.plies(run),
            next: self.what_next(run),
            id: id,
            #play: fen::parse(&run.fen).ok().map(|start| self.play(index, run, start)),
        })
    }

    fn ruling(&self, run: &Run) -> String {
        let verdict = &run.verdict;
        let told = self.outcome_name(verdict.outcome.id());
        let mut ruling = match verdict.side {
            Some(side) => told!(self.language;
                "{}{told}", self.side(side);
                "{}: {told}", self.side(side)),
            None => told.to_owned(),
        };
        if !verdict.clauses.is_empty() {
            let _ = write!(ruling, " ({})", verdict.clauses.join(", "));
        }
        ruling
    }

    fn plies(&self, run: &Run) -> String {
        let (Some(first), Some(last)) = (run.first_ply, run.last_ply) else {
            return String::new();
        };
        let plies = if first == last {
            told!(self.language; "第{first}着后"; "after ply {first}")
        } else {
            told!(self.language; "第{first}–{last}着后"; "after plies {first}–{last}")
        };
        match run.rounds {
            Some(rounds) => told!(self.language;
                "{plies}，循环{rounds}次；";
                "{plies}, {rounds} rounds;"),
            // A repetition in which not every way round is the same.
            None => plies + self.pick("；", ";"),
        }
    }

    fn what_next(&self, run: &Run) -> String {
        let Some(next) = &run.next else {
            return String::new();
        };
        let side = next.side.map(|side| self.side(side)).unwrap_or_default();
        let mv = next.iccs.as_deref().unwrap_or_default();
        match next.what {
            What::Varied => told!(self.language; "{side}变着 {mv}"; "{side} varied: {mv}"),
            What::Drawn => self
                .pick("对局终止：和棋", "the game ended: a draw")
                .to_owned(),
            What::Lost => told!(self.language; "对局终止：{side}负"; "the game ended: {side} lost"),
            What::Ended => self.pick("记录到此为止", "the record ends here").to_owned(),
        }
    }

    /// The position before the cycle with its moves, and what each of them is.
    fn play(&self, index: usize, run: &Run, start: Position) -> String {
        let moves: Vec<Move> = run.moves.iter().map_while(|mv| mv.parse().ok()).collect();
        let board = (index < MOST_BOARDS).then(|| self.board(index, &start, &moves));
        let sides = run.sides.iter();
        let sides = sides.flat_map(|sides| Side::ALL.map(|side| (side, &sides[side].pattern)));
        let sides = sides.filter_map(|(side, pattern)| Some((side, pattern.as_ref()?)));
        fill!(PAGE.play {
            #board: board,
            #move: self.moves(start, moves, &run.natures),
            #side: sides.map(|(side, named)| fill!(PAGE.side {
                side: self.side(side),
                pattern: self.language.of(&pattern(named)),
            })),
        })
    }

    fn board(&self, index: usize, start: &Position, moves: &[Move]) -> String {
        let arrows = moves.iter().take(MOST_ARROWS);
        let diagram = Diagram::new(start)
            .language(self.language)
            .coordinates(Coordinates::Both)
            .id_prefix(&format!("r{index}"))
            .with_parts_of(PARTS)
            .legend(false)
            .annotate(arrows.map(|&mv| Annotation::Arrow(ArrowKind::Line, mv)));
        fill!(PAGE.board { &svg: diagram.to_svg() })
    }

    fn moves(&self, start: Position, moves: Vec<Move>, natures: &[Option<Nature>]) -> Vec<String> {
        let mut position = start;
        let told = moves.into_iter().zip(natures).map_while(|(mv, nature)| {
            if !position.is_legal(mv) {
                return None;
            }
            let name = write_move(&position, mv, Notation::Chinese);
            position.make(mv);
            let nature = match nature {
                Some(nature) => self.pick(nature.zh(), nature.id()),
                None => self.pick("未定", "open"),
            };
            Some(fill!(PAGE.move { name: name, iccs: mv, nature: nature }))
        });
        told.collect()
    }
}
