//! What a comparison comes to: the changes, counted and grouped by what is behind them.

use super::cause::{Aspect, Cause, Lever, Levers, decided, natures};
use super::items::{Item, ItemError, Place, line_of};
use crate::board::{Move, Position, Side};
use crate::cases::spread;
use crate::classify::{Depth, Nature};
use crate::explain::Evidence;
use crate::named::named;
use crate::notation::fen;
use crate::rules::{Applied, Article, BookDiff, LoadedBook, Outcome, RuleBook, Text, diff};
use crate::ruling::Ruling;
use crate::wire::{BookRef, RulingJson, ruling_json};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

named! { read
    /// What became of an item.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ChangeKind {
        /// The outcome, or the side it concerns, is another.
        Flipped "flipped",
        /// The other book leaves open what the base decides.
        Undetermined "undetermined",
        /// The other book decides what the base leaves open.
        Determined "determined",
        /// The verdict is the same; a move has another nature.
        Relabelled "relabelled",
    }
}

/// Something for each of the two books.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Both<T> {
    /// Under the base.
    pub base: T,
    /// Under the other book.
    pub other: T,
}

impl<T> Both<T> {
    /// Made for each in turn.
    pub fn map<U>(&self, f: impl Fn(&T) -> U) -> Both<U> {
        Both {
            base: f(&self.base),
            other: f(&self.other),
        }
    }
}

/// A move whose nature is not the same under both books.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveChange {
    /// Its place in the moves of the item, from 0.
    pub index: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub iccs: Move,
    /// What it is; null where that is open, or the book does not look.
    pub nature: Both<Option<Nature>>,
    /// The lines of evidence that only one ruling has.
    pub evidence: Both<Vec<Evidence>>,
}

/// An item of which the books do not make the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The item.
    pub id: String,
    /// What it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// Where it stands in games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// What became of it.
    pub kind: ChangeKind,
    /// The position before the first move.
    pub fen: String,
    /// The moves told of: one period.
    pub moves: Vec<String>,
    /// How many pieces are on the board.
    pub pieces: usize,
    /// The differences between the books that are behind it.
    pub cause: Cause,
    /// Clauses cited by one ruling and not by the other.
    pub cited: Both<Vec<String>>,
    /// The moves whose nature changed.
    pub changed: Vec<MoveChange>,
    /// The rulings.
    pub rulings: Both<RulingJson>,
    /// How often it occurs, where it stands for many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<Reach>,
    /// The position before the first move.
    #[serde(skip)]
    pub start: Position,
    /// The moves told of.
    #[serde(skip)]
    pub line: Vec<Move>,
}

/// How many items came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Judged, or tried to.
    pub total: usize,
    /// Of which both books make the same.
    pub unchanged: usize,
    /// With another verdict.
    pub flipped: usize,
    /// With the same verdict and other natures.
    pub relabelled: usize,
    /// Newly undetermined.
    pub undetermined: usize,
    /// No longer undetermined.
    pub determined: usize,
    /// That could not be judged.
    pub errors: usize,
}

/// How far a change reaches in an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// Pending positions.
    pub positions: u64,
    /// Games with one.
    pub games: u64,
    /// Cycles that are not like each other.
    pub cycles: u64,
}

/// An archive that was looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Archive {
    /// Games read: those judged and those rejected.
    pub games: u64,
    /// Games judged.
    pub judged: u64,
    /// Games that could not be judged.
    pub rejected: u64,
    /// Their plies.
    pub plies: u64,
    /// Games with a position pending under one of the books.
    pub repeating: u64,
    /// How far all changes together reach.
    pub reach: Reach,
    /// Whether more changed cycles were met than are told apart: of the rest only positions and
    /// games are counted.
    pub more_cycles: bool,
    /// Pending positions by both verdicts, where those differ.
    pub verdicts: Vec<VerdictChange>,
}

/// Pending positions with two different verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictChange {
    /// The verdicts.
    pub outcome: Both<Outcome>,
    /// How many.
    pub positions: u64,
    /// In how many games.
    pub games: u64,
}

/// The changes that the same differences are behind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The differences; where there are several, they bring the changes about together.
    pub levers: Vec<Lever>,
    /// The articles that decide them in either book.
    pub articles: Both<Vec<Article>>,
    /// How many changes of each kind.
    pub counts: Counts,
    /// How far they reach, where they were counted over an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<Reach>,
    /// The changes, by id, in order.
    pub changes: Vec<String>,
    /// Their places among the changes.
    #[serde(skip)]
    pub(super) members: Vec<usize>,
}

/// A book of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BookOf {
    /// Id, version and digest.
    #[serde(flatten)]
    pub book: BookRef,
    /// Its title.
    pub title: Text,
    /// The amendments made to it, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amendments: Vec<Applied>,
}

/// Two books set against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The books.
    pub books: Both<BookOf>,
    /// What differs between them.
    pub differences: BookDiff,
    /// The archive looked through, of which the changes told are but samples. What is counted is
    /// then pending positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<Archive>,
    /// How many items came out how.
    pub counts: Counts,
    /// The changes by what is behind them, most flips first.
    pub groups: Vec<Group>,
    /// Every change, in the order of the items.
    pub changes: Vec<Change>,
    /// What could not be judged.
    pub errors: Vec<ItemError>,
}

impl BookOf {
    fn of(loaded: &LoadedBook) -> Self {
        Self {
            book: BookRef::of(loaded),
            title: loaded.book.title.clone(),
            amendments: loaded.book.amendments.clone(),
        }
    }
}

impl Counts {
    /// Enters so many of a kind; `None` are unchanged.
    pub const fn add_many(&mut self, kind: Option<ChangeKind>, more: usize) {
        self.total += more;
        *match kind {
            None => &mut self.unchanged,
            Some(ChangeKind::Flipped) => &mut self.flipped,
            Some(ChangeKind::Undetermined) => &mut self.undetermined,
            Some(ChangeKind::Determined) => &mut self.determined,
            Some(ChangeKind::Relabelled) => &mut self.relabelled,
        } += more;
    }

    /// What groups are put in order by: how many verdicts are others, and how many natures alone.
    pub const fn weight(&self) -> (usize, usize) {
        let verdicts = self.flipped + self.undetermined + self.determined;
        (verdicts, self.relabelled)
    }

    /// How many of a kind.
    pub const fn of(&self, kind: ChangeKind) -> usize {
        match kind {
            ChangeKind::Flipped => self.flipped,
            ChangeKind::Undetermined => self.undetermined,
            ChangeKind::Determined => self.determined,
            ChangeKind::Relabelled => self.relabelled,
        }
    }
}

/// Judges every item under both books. `done` is told after each item, from whatever thread.
///
/// The items are worked on by as many threads as the current pool of rayon has; the result is
/// the same for any number.
pub fn compare(
    base: &LoadedBook,
    other: &LoadedBook,
    items: &[Item],
    errors: Vec<ItemError>,
    done: &(dyn Fn() + Sync),
) -> Comparison {
    let comparer = Comparer::new(base, other);
    let judged: Vec<Option<Change>> = spread(items, |item| {
        let change = comparer.change(item);
        done();
        change
    });
    let mut counts = Counts::default();
    for change in &judged {
        counts.add_many(change.as_ref().map(|change| change.kind), 1);
    }
    counts.errors = errors.len();
    counts.total += errors.len();
    let changes: Vec<Change> = judged.into_iter().flatten().collect();
    let groups = comparer.groups(&changes);
    comparer.comparison(None, counts, groups, changes, errors)
}

/// Two books set against each other item by item, for those who keep the counts themselves.
#[derive(Debug)]
pub struct Comparer<'a> {
    base: &'a LoadedBook,
    other: &'a LoadedBook,
    levers: Levers<'a>,
}

/// Changes behind which the same differences are, as they were counted.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The differences.
    pub levers: Vec<Lever>,
    /// How many of each kind.
    pub counts: Counts,
    /// How far they reach.
    pub reach: Reach,
    /// The places among the changes of those that are shown.
    pub shown: Vec<usize>,
}

impl<'a> Comparer<'a> {
    /// For two books.
    pub fn new(base: &'a LoadedBook, other: &'a LoadedBook) -> Self {
        Self {
            base,
            other,
            levers: Levers::between(&base.book, &other.book),
        }
    }

    /// The books.
    pub const fn books(&self) -> [&'a LoadedBook; 2] {
        [self.base, self.other]
    }

    /// What the books make of an item, where that is not the same.
    pub fn change(&self, item: &Item) -> Option<Change> {
        let (base, other) = (self.base, self.other);
        let ruling = |loaded: &LoadedBook| item.ruling(&loaded.book, Depth::Notes);
        let (from, to) = (ruling(base), ruling(other));
        // A book that does not look at conduct reads no natures: then there is nothing to compare.
        let judges = |loaded: &LoadedBook| loaded.book.definitions.conduct_is_judged;
        let both_judge = judges(base) && judges(other);
        let open = |ruling: &Ruling| ruling.verdict.outcome == Outcome::Undetermined;
        let kind = match (open(&from), open(&to)) {
            (false, true) => ChangeKind::Undetermined,
            (true, false) => ChangeKind::Determined,
            _ if decided(&from) != decided(&to) => ChangeKind::Flipped,
            // Where they rule on other moves there are no labels of the same.
            _ if both_judge && natures(&from) != natures(&to) && line_of(&from) == line_of(&to) => {
                ChangeKind::Relabelled
            }
            _ => return None,
        };
        let aspect = if kind == ChangeKind::Relabelled {
            Aspect::Natures
        } else {
            Aspect::Decision
        };
        let cause = self.levers.behind(item, &to, aspect);
        let (start, line) = line_of(&from).or_else(|| line_of(&to)).unwrap_or_else(|| {
            let nothing: Vec<Move> = Vec::new();
            (Position::start(), nothing)
        });
        let rulings = Both {
            base: ruling_json(&item.request, base, &from),
            other: ruling_json(&item.request, other, &to),
        };
        let clauses = rulings.map(cited);
        let only = |own: &[String], others: &[String]| {
            let only = own.iter().filter(|clause| !others.contains(clause));
            only.cloned().collect::<Vec<_>>()
        };
        Some(Change {
            id: item.id.clone(),
            title: item.title.clone(),
            places: item.places.clone(),
            kind,
            fen: fen::write(&start),
            moves: line.iter().map(ToString::to_string).collect(),
            pieces: start.setup().pieces().count(),
            cause,
            cited: Both {
                base: only(&clauses.base, &clauses.other),
                other: only(&clauses.other, &clauses.base),
            },
            changed: if both_judge {
                moves_changed(&rulings)
            } else {
                Vec::new()
            },
            rulings,
            reach: None,
            start,
            line,
        })
    }

    /// The changes by what is behind them.
    fn groups(&self, changes: &[Change]) -> Vec<Group> {
        let causes: Vec<_> = changes.iter().map(|change| (&change.cause, 1)).collect();
        let group = |(levers, members): (Vec<Lever>, Vec<usize>)| {
            let mut counts = Counts::default();
            for change in members.iter().filter_map(|&at| changes.get(at)) {
                counts.add_many(Some(change.kind), 1);
            }
            self.group(levers, counts, None, members, changes)
        };
        let mut groups: Vec<Group> = together(&causes).into_iter().map(group).collect();
        // Those with the same count stay in the order they came.
        groups.sort_by_key(|group| Reverse(group.counts.weight()));
        groups
    }

    fn group(
        &self,
        levers: Vec<Lever>,
        counts: Counts,
        reach: Option<Reach>,
        members: Vec<usize>,
        changes: &[Change],
    ) -> Group {
        let told = members.iter().filter_map(|&at| changes.get(at));
        Group {
            articles: Both {
                base: deciding(&self.base.book, &levers),
                other: deciding(&self.other.book, &levers),
            },
            levers,
            counts,
            reach,
            changes: told.map(|change| change.id.clone()).collect(),
            members,
        }
    }

    /// A report on an archive: the groups in their order, the changes shown, what was rejected.
    pub fn report(
        &self,
        archive: Archive,
        counts: Counts,
        groups: Vec<Counted>,
        changes: Vec<Change>,
        errors: Vec<ItemError>,
    ) -> Comparison {
        let group =
            |of: Counted| self.group(of.levers, of.counts, Some(of.reach), of.shown, &changes);
        let groups = groups.into_iter().map(group).collect();
        self.comparison(Some(archive), counts, groups, changes, errors)
    }

    fn comparison(
        &self,
        archive: Option<Archive>,
        counts: Counts,
        groups: Vec<Group>,
        changes: Vec<Change>,
        errors: Vec<ItemError>,
    ) -> Comparison {
        Comparison {
            books: Both {
                base: BookOf::of(self.base),
                other: BookOf::of(self.other),
            },
            differences: diff(&self.base.book, &self.other.book),
            archive,
            counts,
            groups,
            changes,
            errors,
        }
    }
}

/// Every clause a ruling cites, for its moves and its verdict, each once.
fn cited(ruling: &RulingJson) -> Vec<String> {
    let of_moves = ruling.moves.iter().flat_map(|m| m.clauses.iter().flatten());
    let mut found: Vec<String> = Vec::new();
    for clause in of_moves.chain(&ruling.verdict.clauses) {
        if !found.contains(clause) {
            found.push(clause.clone());
        }
    }
    found
}

fn moves_changed(rulings: &Both<RulingJson>) -> Vec<MoveChange> {
    let pairs = rulings.base.moves.iter().zip(&rulings.other.moves);
    let differ = pairs.enumerate().filter(|(_, (from, to))| {
        from.iccs == to.iccs && from.nature.flatten() != to.nature.flatten()
    });
    let only = |own: &Option<Vec<Evidence>>, others: &Option<Vec<Evidence>>| -> Vec<Evidence> {
        let others = others.as_deref().unwrap_or_default();
        let own = own.iter().flatten();
        own.filter(|one| !others.contains(one)).cloned().collect()
    };
    differ
        .map(|(index, (from, to))| MoveChange {
            index,
            side: from.side,
            iccs: from.iccs,
            nature: Both {
                base: from.nature.flatten(),
                other: to.nature.flatten(),
            },
            evidence: Both {
                base: only(&from.evidence, &to.evidence),
                other: only(&to.evidence, &from.evidence),
            },
        })
        .collect()
}

/// The articles of a book that decide any of these.
fn deciding(book: &RuleBook, levers: &[Lever]) -> Vec<Article> {
    let targets: Vec<String> = levers.iter().map(Lever::target).collect();
    let decides = |article: &&Article| article.decides.iter().any(|t| targets.contains(t));
    book.articles.iter().filter(decides).cloned().collect()
}

/// Puts causes together, each given with its weight: where each of several differences brings a
/// change about by itself, it goes to the one that brings about most. Tells the places of each
/// group's causes.
pub fn together(causes: &[(&Cause, usize)]) -> Vec<(Vec<Lever>, Vec<usize>)> {
    let alone = |cause: &Cause| cause.each_alone || cause.levers.len() == 1;
    let mut named: Vec<(Vec<Lever>, Vec<usize>)> = Vec::new();
    let mut left: Vec<usize> = (0..causes.len()).collect();
    let single = |at: usize| causes.get(at).filter(|(cause, _)| alone(cause));
    loop {
        let mut tally: BTreeMap<&Lever, usize> = BTreeMap::new();
        for (cause, weight) in left.iter().filter_map(|&at| single(at)) {
            for lever in &cause.levers {
                *tally.entry(lever).or_default() += weight;
            }
        }
        let most = tally
            .into_iter()
            .max_by_key(|&(lever, n)| (n, Reverse(lever)));
        let Some((most, _)) = most else { break };
        let most = most.clone();
        let own = |at: &usize| single(*at).is_some_and(|(cause, _)| cause.levers.contains(&most));
        let (members, rest): (Vec<usize>, Vec<usize>) = left.iter().partition(|at| own(at));
        left = rest;
        named.push((vec![most], members));
    }
    for at in left {
        let Some((cause, _)) = causes.get(at) else {
            continue;
        };
        match named.iter_mut().find(|(known, _)| *known == cause.levers) {
            Some((_, members)) => members.push(at),
            None => named.push((cause.levers.clone(), vec![at])),
        }
    }
    named
}

impl Comparison {
    /// The changes of a group: by weight, then in the order of the items.
    pub fn of_group(&self, group: &Group) -> Vec<&Change> {
        let members = group.members.iter();
        let mut changes: Vec<&Change> = members.filter_map(|&at| self.changes.get(at)).collect();
        changes.sort_by_key(|change| change.kind);
        changes
    }
}
