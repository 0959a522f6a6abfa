//! The boards of a report: the cycle on the start position, the lines of evidence on theirs.

use super::report::{Both, Change, MoveChange};
use crate::board::{Move, Position};
use crate::diagram::{self, Annotation, ArrowKind, Coordinates, Diagram, MarkKind, Theme};
use crate::explain::{Claim, Evidence, Language};
use crate::wire::RulingJson;

/// Arrows of a line beyond these would only hide the board.
const LONGEST: usize = 7;
/// Lines shown on one board.
const LINES: usize = 2;
/// The ids of what the boards of a page share begin with this.
const PARTS: &str = "qili";

fn language_of(language: Language) -> diagram::Language {
    language.pick(diagram::Language::Zh, diagram::Language::En)
}

fn diagram(language: Language, position: &Position, id: &str) -> Diagram {
    Diagram::new(position)
        .language(language_of(language))
        .coordinates(Coordinates::Both)
        .id_prefix(id)
        .with_parts_of(PARTS)
}

/// What every board of a page draws by reference, once.
pub(super) fn parts(language: Language) -> String {
    diagram::parts(Theme::default(), language_of(language), PARTS)
}

/// The position before the cycle, the moves of a short one as numbered arrows.
pub(super) fn start(language: Language, change: &Change, id: &str) -> String {
    let arrows = |mv: &Move| Annotation::Arrow(ArrowKind::Line, *mv);
    // To and fro: the way back would cover the way there.
    let half = change.line.len() / 2;
    let (there, back) = change.line.split_at(half);
    let returns = there.iter().zip(back).all(|(a, b)| a.reversed() == *b);
    let shown = if returns {
        there
    } else {
        change.line.as_slice()
    };
    let shown = shown.get(..LONGEST.min(shown.len())).unwrap_or_default();
    diagram(language, &change.start, id)
        .legend(false)
        .annotate(shown.iter().map(arrows))
        .to_svg()
}

/// A board and whether it shows the position before the move, not the one after it.
pub(super) struct Drawn {
    pub(super) svg: String,
    pub(super) before: bool,
}

/// The lines that only one of the rulings has for a move, on the board where they start.
pub(super) fn lines(
    language: Language,
    change: &Change,
    changed: &MoveChange,
    id: &str,
) -> Both<Option<Drawn>> {
    let rulings = &change.rulings;
    let draw = |ruling: &RulingJson, own: &[Evidence], id: &str| {
        let all = ruling
            .moves
            .get(changed.index)
            .and_then(|m| m.evidence.as_deref());
        // Where the difference is not in the lines, those that both have are the ones to see.
        let own = if own.is_empty() {
            all.unwrap_or_default()
        } else {
            own
        };
        let (svg, from) = board(language, change, ruling, own, id)?;
        let before = from != changed.index;
        Some(Drawn { svg, before })
    };
    Both {
        base: draw(&rulings.base, &changed.evidence.base, &format!("{id}a")),
        other: draw(&rulings.other, &changed.evidence.other, &format!("{id}b")),
    }
}

fn board(
    language: Language,
    change: &Change,
    ruling: &RulingJson,
    evidence: &[Evidence],
    id: &str,
) -> Option<(String, usize)> {
    let first = ruling.moves.first()?.ply;
    let shows = |one: &&Evidence| !one.line.is_empty() || one.claim == Claim::Check;
    let telling = evidence.iter().find(shows)?;
    let from = telling.from_ply.checked_sub(first)?;
    let mut position = change.start.clone();
    for &mv in change.line.get(..=from)? {
        position.make(mv);
    }
    let mut annotations = Vec::new();
    let same = |one: &&Evidence| one.from_ply == telling.from_ply && one.claim == telling.claim;
    for one in evidence.iter().filter(shows).filter(same).take(LINES) {
        annotations.extend(arrows(&position, one));
    }
    annotations.dedup();
    let last = change.line.get(from).copied();
    let diagram = diagram(language, &position, id).last_move(last);
    Some((diagram.annotate(annotations).to_svg(), from))
}

/// The first capture as an attack, longer lines move by move, the victim marked.
fn arrows(position: &Position, evidence: &Evidence) -> Vec<Annotation> {
    let moves: Vec<Move> = evidence
        .line
        .iter()
        .filter_map(|text| text.parse().ok())
        .take(LONGEST)
        .collect();
    let mut found: Vec<Annotation> = match (moves.as_slice(), evidence.victim) {
        ([], Some(king)) => {
            let checkers = position.checkers().map(|id| position.square_of(id));
            let arrow = |from| Annotation::Arrow(ArrowKind::Attack, Move::new(from, king));
            checkers.map(arrow).collect()
        }
        ([only], _) => vec![Annotation::Arrow(ArrowKind::Attack, *only)],
        (line, _) => line
            .iter()
            .map(|mv| Annotation::Arrow(ArrowKind::Line, *mv))
            .collect(),
    };
    let stands = |square: &crate::board::Square| position.piece_at(*square).is_some();
    let victim = evidence.victim.filter(stands);
    found.extend(victim.map(|square| Annotation::Mark(MarkKind::Target, square)));
    found
}
