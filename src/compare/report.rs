//! What a comparison comes to: the changes, counted and grouped by what is behind them.

use super::cause::{Aspect, Cause, Lever, Levers, decided, natures};
use super::items::{Item, ItemError, Place, fen_of, line_of};
use crate::board::{Move, Position, Side};
use crate::classify::Nature;
use crate::explain::Evidence;
use crate::rules::{Article, BookDiff, LoadedBook, Outcome, RuleBook, Text, diff};
use crate::ruling::Ruling;
use crate::wire::{BookRef, RulingJson, ruling_json};
use rayon::prelude::*;
use serde::Serialize;

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The outcome, or the side it concerns, is another.
    Flipped,
    /// The other book leaves open what the base decides.
    Undetermined,
    /// The other book decides what the base leaves open.
    Determined,
    /// The verdict is the same; a move has another nature.
    Relabelled,
}

impl ChangeKind {
    /// All of them, the weightiest first.
    pub const ALL: [Self; 4] = [
        Self::Flipped,
        Self::Undetermined,
        Self::Determined,
        Self::Relabelled,
    ];

    /// The name in answers.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Flipped => "flipped",
            Self::Undetermined => "undetermined",
            Self::Determined => "determined",
            Self::Relabelled => "relabelled",
        }
    }
}

/// Something for each of the two books.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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
    pub iccs: String,
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
    /// The position before the first move.
    #[serde(skip)]
    pub start: Position,
    /// The moves told of.
    #[serde(skip)]
    pub line: Vec<Move>,
}

/// How many items came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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

/// The changes that the same differences are behind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The differences.
    pub cause: Cause,
    /// The articles that decide them in either book.
    pub articles: Both<Vec<Article>>,
    /// How many changes of each kind.
    pub counts: Counts,
    /// The changes, by id, in order.
    pub changes: Vec<String>,
}

/// A book of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BookOf {
    /// Id, version and digest.
    #[serde(flatten)]
    pub book: BookRef,
    /// Its title.
    pub title: Text,
}

/// Two books set against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The books.
    pub books: Both<BookOf>,
    /// What differs between them.
    pub differences: BookDiff,
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
            book: BookRef {
                id: loaded.book.id.clone(),
                version: loaded.book.version.clone(),
                digest: loaded.digest.clone(),
            },
            title: loaded.book.title.clone(),
        }
    }
}

impl Counts {
    fn add(&mut self, kind: Option<ChangeKind>) {
        self.total += 1;
        *match kind {
            None => &mut self.unchanged,
            Some(ChangeKind::Flipped) => &mut self.flipped,
            Some(ChangeKind::Undetermined) => &mut self.undetermined,
            Some(ChangeKind::Determined) => &mut self.determined,
            Some(ChangeKind::Relabelled) => &mut self.relabelled,
        } += 1;
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
/// The items are worked on by as many threads as the current pool of [`rayon`] has; the result is
/// the same for any number.
pub fn compare(
    base: &LoadedBook,
    other: &LoadedBook,
    items: &[Item],
    errors: Vec<ItemError>,
    done: &(dyn Fn() + Sync),
) -> Comparison {
    let levers = Levers::between(&base.book, &other.book);
    let judged: Vec<Option<Change>> = items
        .par_iter()
        .map(|item| {
            let change = change(base, other, &levers, item);
            done();
            change
        })
        .collect();
    let mut counts = Counts::default();
    for change in &judged {
        counts.add(change.as_ref().map(|change| change.kind));
    }
    counts.errors = errors.len();
    counts.total += errors.len();
    let changes: Vec<Change> = judged.into_iter().flatten().collect();
    Comparison {
        books: Both {
            base: BookOf::of(base),
            other: BookOf::of(other),
        },
        differences: diff(&base.book, &other.book),
        counts,
        groups: groups(base, other, &changes),
        changes,
        errors,
    }
}

/// What the books make of an item, where that is not the same.
pub(super) fn change(
    base: &LoadedBook,
    other: &LoadedBook,
    levers: &Levers<'_>,
    item: &Item,
) -> Option<Change> {
    let (from, to) = (item.ruling(&base.book), item.ruling(&other.book));
    let open = |ruling: &Ruling| ruling.verdict.outcome == Outcome::Undetermined;
    let kind = match (open(&from), open(&to)) {
        (false, true) => ChangeKind::Undetermined,
        (true, false) => ChangeKind::Determined,
        _ if decided(&from) != decided(&to) => ChangeKind::Flipped,
        _ if natures(&from) != natures(&to) => ChangeKind::Relabelled,
        _ => return None,
    };
    let aspect = if kind == ChangeKind::Relabelled {
        Aspect::Natures
    } else {
        Aspect::Decision
    };
    let cause = levers.behind(item, &to, aspect);
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
        fen: fen_of(&start),
        moves: line.iter().map(ToString::to_string).collect(),
        pieces: start.setup().pieces().count(),
        cause,
        cited: Both {
            base: only(&clauses.base, &clauses.other),
            other: only(&clauses.other, &clauses.base),
        },
        changed: moves_changed(&rulings),
        rulings,
        start,
        line,
    })
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
            iccs: from.iccs.clone(),
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

fn groups(base: &LoadedBook, other: &LoadedBook, changes: &[Change]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for change in changes {
        let known = groups.iter().position(|group| group.cause == change.cause);
        let at = known.unwrap_or_else(|| {
            groups.push(Group {
                cause: change.cause.clone(),
                articles: Both {
                    base: deciding(&base.book, &change.cause.levers),
                    other: deciding(&other.book, &change.cause.levers),
                },
                counts: Counts::default(),
                changes: Vec::new(),
            });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(at) {
            group.counts.add(Some(change.kind));
            group.changes.push(change.id.clone());
        }
    }
    // Those with the same count stay in the order they came.
    groups.sort_by_key(|group| {
        let counts = group.counts;
        let weighty = counts.flipped + counts.undetermined + counts.determined;
        std::cmp::Reverse((weighty, counts.relabelled))
    });
    groups
}

impl Comparison {
    /// The changes of a group, in order.
    pub fn of_group<'c>(&'c self, group: &'c Group) -> impl Iterator<Item = &'c Change> {
        self.changes
            .iter()
            .filter(|change| change.cause == group.cause)
    }
}
