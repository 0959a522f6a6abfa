//! One line of play that closes, judged.

use super::conduct::{Conduct, Ply, Standing, Taken, chase, counted_as};
use super::themes;
use super::verdict::situation;
use crate::board::{BySide, Move, Position, Role, Side};
use crate::classify::{Assertions, Depth, Finding, MateThreat, Nature, Scene, Strikes};
use crate::exchange::{Terms, Work};
use crate::game::{CycleSpan, Game};
use crate::rules::{Outcome, RuleBook, Situation};
use std::ops::Range;
use std::sync::Arc;

/// What a request may ask besides the rule book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How far each finding goes.
    pub depth: Depth,
    /// What the arbiter asserts.
    pub assertions: Assertions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            depth: Depth::Notes,
            assertions: Assertions::default(),
        }
    }
}

/// A move of the line with what was found.
#[derive(Clone, Debug)]
pub struct MoveJudged {
    /// The move in its place.
    pub scene: Scene,
    /// What it is, and why.
    pub finding: Finding,
}

impl MoveJudged {
    /// The same move once more: nothing is expanded for it.
    fn again(&self) -> Self {
        let mut again = self.clone();
        again.finding.spent = 0;
        again
    }
}

/// What the book makes of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Draw, must change, loss, or undetermined.
    pub outcome: Outcome,
    /// Whom it concerns.
    pub side: Option<Side>,
    /// The row of the table.
    pub situation: Option<Situation>,
    /// The row by which the side was bound that was ordered to change and did not.
    pub bound: Option<Situation>,
    /// The clauses that decide.
    pub clauses: Vec<String>,
    /// Plies whose open natures leave the verdict open.
    pub open: Vec<usize>,
}

impl Verdict {
    /// The clauses that decide: others where an arbiter rules a draw that nobody claimed.
    pub fn cited<'a>(&'a self, book: &'a RuleBook, claimed: bool) -> &'a [String] {
        let row = self.situation.and_then(|s| book.verdicts.get(&s));
        match row {
            Some(row) if !claimed && !row.unasked.is_empty() => &row.unasked,
            _ => &self.clauses,
        }
    }

    /// Left open by the natures of these plies.
    pub(super) const fn undetermined(open: Vec<usize>) -> Self {
        Self {
            outcome: Outcome::Undetermined,
            side: None,
            situation: None,
            bound: None,
            clauses: Vec::new(),
            open,
        }
    }
}

/// What is certain of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certain {
    /// What its moves make together.
    pub pattern: Option<&'static str>,
    /// Whether that is allowed.
    pub standing: Option<Standing>,
}

impl Certain {
    const fn of(conduct: &Conduct) -> Self {
        Self {
            pattern: Some(conduct.pattern),
            standing: Some(conduct.standing),
        }
    }

    /// Keeps what also holds in another case.
    fn keep(&mut self, conduct: &Conduct) {
        if self.pattern != Some(conduct.pattern) {
            self.pattern = None;
        }
        if self.standing != Some(conduct.standing) {
            self.standing = None;
        }
    }
}

/// A line of play, judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Every move.
    pub moves: Vec<MoveJudged>,
    /// Both sides, where every nature is known.
    pub conduct: Option<BySide<Conduct>>,
    /// What is certain of each side, whatever the open natures are.
    pub sides: BySide<Certain>,
    /// What follows.
    pub verdict: Arc<Verdict>,
    /// Positions expanded.
    pub spent: u64,
}

impl Judged {
    /// How many moves were judged before the last way round of a game, where they were not all the same.
    pub fn before_the_last(&self, span: CycleSpan) -> usize {
        if span.is_uniform() {
            0
        } else {
            self.moves.len().saturating_sub(span.period)
        }
    }

    /// The moves that tell all: one way round, where like pieces only change places by it and every way is judged alike.
    pub fn told(&self) -> &[MoveJudged] {
        let back = |a: &MoveJudged, b: &MoveJudged| {
            let (a, b) = (a.scene.before.position(), b.scene.before.position());
            let like = |id| b.piece_at(a.square_of(id)) == a.piece_at(a.square_of(id));
            let strayed = |id| a.square_of(id) != b.square_of(id);
            a.pieces().all(like) && a.pieces().any(strayed)
        };
        let alike = |a: &MoveJudged, b: &MoveJudged| {
            let (then, now) = (&a.finding, &b.finding);
            a.scene.mv == b.scene.mv && (then.nature, &then.also) == (now.nature, &now.also)
        };
        let told = self.moves.get(..shortest_round(&self.moves, back, alike));
        told.unwrap_or(&self.moves)
    }

    /// Whether the side that must change would not have to if somebody asserted that the ending is a plain draw:
    /// what it chases then are only advisors or elephants, with a single attacking piece (27.3, 26.2).
    pub fn could_assert_draw(&self) -> bool {
        let Verdict {
            side,
            situation,
            bound,
            ..
        } = &*self.verdict;
        let weighs = [Situation::OneForbidden, Situation::StrongerAttacks];
        bound.or(*situation).is_some_and(|by| weighs.contains(&by))
            && self
                .moves
                .iter()
                .any(|m| Some(m.scene.side) == *side && m.finding.is_idle_if_drawn())
    }
}

/// Moves to be judged, every one against the one before it.
#[derive(Debug)]
pub(super) struct Line {
    scenes: Vec<Scene>,
    /// Whether they lead back to their start: before the first comes the last.
    leads_back: bool,
    /// What else came before the first, if anything did.
    before: Option<Scene>,
}

impl Line {
    /// A line that leads back to its start.
    pub fn around(start: &Position, moves: &[Move]) -> Self {
        Self {
            scenes: Scene::of_line(start, moves),
            leads_back: true,
            before: None,
        }
    }

    /// How many moves make the shortest way round that the line repeats, piece by piece: what they are they are again.
    fn period(&self) -> usize {
        if !self.leads_back {
            return self.scenes.len();
        }
        let back = |a: &Scene, b: &Scene| {
            let (a, b) = (a.before.position(), b.before.position());
            let mut pieces = a.pieces();
            pieces == b.pieces() && pieces.all(|id| a.square_of(id) == b.square_of(id))
        };
        shortest_round(&self.scenes, back, |a, b| a.mv == b.mv)
    }

    /// What was played in a game between two plies.
    pub fn between(game: &Game, plies: Range<usize>) -> Option<Self> {
        let from = plies.start.saturating_sub(1);
        let moves = game.moves().get(from..plies.end)?;
        let mut scenes = Scene::in_turn(game.position_at(from)?, moves);
        Some(Self {
            before: (from < plies.start).then(|| scenes.remove(0)),
            leads_back: false,
            scenes,
        })
    }
}

/// How many moves make the shortest way round that a line is made of several times over, or all that there are: `back` at what
/// it started from, and `alike` move by move.
fn shortest_round<T>(
    line: &[T],
    back: impl Fn(&T, &T) -> bool,
    alike: impl Fn(&T, &T) -> bool,
) -> usize {
    let plies = line.len();
    let repeats = |&round: &usize| {
        let (first, again) = line.split_at(round);
        plies.is_multiple_of(round)
            && first
                .first()
                .zip(again.first())
                .is_some_and(|(a, b)| back(a, b))
            && line.iter().zip(again).all(|(a, b)| alike(a, b))
    };
    (2..plies).step_by(2).find(repeats).unwrap_or(plies)
}

/// Judges moves.
pub(super) fn judge_line(
    book: &RuleBook,
    work: &Work<'_>,
    mut line: Line,
    options: Options,
) -> Judged {
    let definitions = &book.definitions;
    let terms = Terms { definitions, work };
    let (period, plies) = (line.period(), line.scenes.len());
    line.scenes.truncate(period);
    let findings = if !definitions.conduct_is_judged && options.depth < Depth::Natures {
        Vec::new()
    } else if options.depth == Depth::Outcome {
        findings_until_idle(terms, &line.scenes, options)
    } else {
        all_findings(terms, &line, options)
    };
    let mut moves: Vec<_> = line
        .scenes
        .into_iter()
        .zip(findings)
        .map(|(scene, finding)| MoveJudged { scene, finding })
        .collect();
    for ply in period..plies {
        let again = moves.get(ply - period).map(MoveJudged::again);
        moves.extend(again);
    }
    for side in Side::ALL {
        renew(&mut moves, side);
    }
    if definitions.pawn_upgrade {
        upgrade_pawns(terms, &mut moves);
    }
    let spent = moves.iter().map(|m| u64::from(m.finding.spent)).sum();
    if !definitions.conduct_is_judged {
        let verdict = row(book, Situation::ConductNotJudged, None);
        return Judged {
            moves,
            conduct: None,
            sides: BySide::default(),
            verdict: Arc::new(verdict),
            spent,
        };
    }
    let (mut conduct, mut sides, mut verdict) = rule(book, &moves);
    for skipped in moves.iter().filter(|m| is_skipped(&m.finding)) {
        conduct = None;
        sides[skipped.scene.side].pattern = None;
    }
    if options.depth >= Depth::Natures
        && let (Some(conduct), Some(situation)) = (&conduct, verdict.situation)
    {
        let side = verdict.side;
        let grounds = themes::of_verdict(terms, &moves, conduct, situation, side);
        let mut more: Vec<&String> = grounds
            .iter()
            .filter_map(|g| book.grounds.get(g))
            .flatten()
            .filter(|clause| !verdict.clauses.contains(clause))
            .collect();
        // In the order of the book, whichever side they speak of.
        more.sort_by_key(|clause| book.articles.iter().position(|a| a.id == **clause));
        more.dedup();
        let more: Vec<String> = more.into_iter().cloned().collect();
        verdict.clauses.extend(more);
    }
    Judged {
        moves,
        conduct,
        sides,
        verdict: Arc::new(verdict),
        spent,
    }
}

/// What every move is.
fn all_findings(terms: Terms<'_>, line: &Line, options: Options) -> Vec<Finding> {
    let scenes = &line.scenes;
    let find = |scene| Strikes::find(terms, scene, options.assertions, options.depth);
    if options.depth < Depth::Natures {
        // What the move before it threatened tells nothing that a verdict reads.
        let finish = |scene| find(scene).finish(terms, scene, &MateThreat::None, options.depth);
        return scenes.iter().map(finish).collect();
    }
    let strikes: Vec<Strikes> = scenes.iter().map(find).collect();
    let before = line.before.as_ref().map(find);
    let before = before
        .as_ref()
        .or(strikes.last().filter(|_| line.leads_back));
    let first = before.map_or(MateThreat::None, Strikes::mate_threat);
    // Each move answers the one before it.
    let others = strikes.iter().map(Strikes::mate_threat);
    let threats: Vec<MateThreat> = std::iter::once(first).chain(others).collect();
    let moves = strikes.into_iter().zip(scenes).zip(&threats);
    moves
        .map(|((strikes, scene), threat)| strikes.finish(terms, scene, threat, options.depth))
        .collect()
}

/// What the moves are, of each side until one is idle for certain: whatever its others are, it is permitted.
fn findings_until_idle(terms: Terms<'_>, scenes: &[Scene], options: Options) -> Vec<Finding> {
    let mut permitted = BySide::from_fn(|_| false);
    let mut findings = vec![Finding::SKIPPED; scenes.len()];
    let mut plies: Vec<_> = scenes.iter().zip(&mut findings).collect();
    // No check is idle: what may be comes first.
    plies.sort_by_key(|(scene, _)| scene.gives_check);
    for (scene, place) in plies {
        if permitted[scene.side] {
            continue;
        }
        let strikes = Strikes::find(terms, scene, options.assertions, options.depth);
        *place = strikes.finish(terms, scene, &MateThreat::None, options.depth);
        // A pawn's own attack may come to count in the end, and one that another made before.
        let may_count = terms.pawn_upgrade && scene.mover.role() == Role::Pawn;
        let may_count = may_count || !place.renewed.is_empty();
        permitted[scene.side] = !may_count && place.nature.is_some_and(|n| !n.is_strike());
    }
    findings
}

/// Whether the move was not looked into.
const fn is_skipped(finding: &Finding) -> bool {
    finding.nature.is_none() && finding.open.is_none()
}

/// One and the same piece that attacks another anew with every move chases it, whatever else attacks that all along (14, 15, 18).
fn renew(moves: &mut [MoveJudged], side: Side) {
    let own = || moves.iter().filter(|m| m.scene.side == side);
    let pairs = |m: &MoveJudged| -> Vec<_> {
        let renewed = m.finding.renewed.iter();
        let renewed = renewed.map(|attack| (attack.captor, attack.victim));
        let made = m.finding.reasons.iter().filter_map(chase);
        made.chain(renewed).collect()
    };
    if own().all(|m| m.finding.renewed.is_empty()) {
        return;
    }
    let each = own().map(pairs);
    let common =
        each.reduce(|all, next| all.into_iter().filter(|pair| next.contains(pair)).collect());
    let Some(common) = common.filter(|common| !common.is_empty()) else {
        return;
    };
    for m in moves.iter_mut().filter(|m| m.scene.side == side) {
        for attack in std::mem::take(&mut m.finding.renewed) {
            if common.contains(&(attack.captor, attack.victim)) {
                m.finding.renew(attack);
            }
        }
    }
}

/// 27.2: a pawn's own attacks count where thereby both sides attack on every move. Where it is open whether they do, it
/// is open whether those count.
fn upgrade_pawns(terms: Terms<'_>, moves: &mut [MoveJudged]) {
    let mut own = Vec::with_capacity(moves.len());
    // A move of which it is open whether it attacks.
    let mut unsettled = None;
    for MoveJudged { scene, finding } in moves.iter() {
        let attacks = |&nature: &Nature| terms.is_attack(counted_as(&terms, nature, finding));
        let named = finding.nature.as_slice();
        let may_be = finding.open.as_ref().map_or(named, |open| &open.candidates);
        if may_be.is_empty() {
            return;
        }
        if may_be.iter().all(attacks) {
            own.push(false);
            continue;
        }
        // A threat of mate that is no attack leaves the pawn's own to count.
        let is_attack = finding.nature.as_ref().is_some_and(attacks);
        let pawn = !is_attack && finding.reasons.iter().any(|r| r.is_own_of_pawn(scene));
        if !pawn && !may_be.iter().any(attacks) {
            return;
        }
        unsettled = finding.open.clone().or(unsettled);
        own.push(pawn);
    }
    for (MoveJudged { scene, finding }, pawn) in moves.iter_mut().zip(own) {
        match (pawn, &unsettled) {
            (false, _) => {}
            (true, Some(open)) => finding.may_be_upgraded(open),
            (true, None) => finding.upgrade(terms, scene),
        }
    }
}

fn row(book: &RuleBook, situation: Situation, side: Option<Side>) -> Verdict {
    let row = book.verdicts.get(&situation);
    let outcome = row.map_or(Outcome::Draw, |row| row.outcome);
    let concerns = matches!(outcome, Outcome::MustChange | Outcome::Loss);
    Verdict {
        outcome,
        side: side.filter(|_| concerns),
        situation: Some(situation),
        bound: None,
        clauses: row.map(|row| row.clauses.clone()).unwrap_or_default(),
        open: Vec::new(),
    }
}

/// What two sides' moves, taken to be such ones, come to.
fn decide(book: &RuleBook, plies: &[Ply<'_>]) -> (BySide<Conduct>, Verdict) {
    let terms = &book.definitions;
    let conduct = BySide::from_fn(|side| {
        let own = plies.iter().filter(|ply| ply.scene.side == side);
        Conduct::of(terms, &own.copied())
    });
    let (situation, side) = situation(terms, &conduct, plies);
    let verdict = row(book, situation, side);
    (conduct, verdict)
}

/// The verdict; where natures are open, the one all their combinations agree on.
fn rule(
    book: &RuleBook,
    moves: &[MoveJudged],
) -> (Option<BySide<Conduct>>, BySide<Certain>, Verdict) {
    let mut plies: Vec<Ply<'_>> = moves
        .iter()
        .map(|MoveJudged { scene, finding }| Ply {
            taken: Taken::known(finding),
            scene,
            finding,
        })
        .collect();
    if moves.iter().all(|m| m.finding.open.is_none()) {
        let (conduct, verdict) = decide(book, &plies);
        let sides = BySide::from_fn(|side| Certain::of(&conduct[side]));
        return (Some(conduct), sides, verdict);
    }
    let candidates: Vec<Vec<Taken>> = moves
        .iter()
        .map(|m| Taken::candidates(&book.definitions, &m.finding))
        .collect();
    let open = (0..)
        .zip(&candidates)
        .filter(|(_, candidates)| candidates.len() > 1)
        .map(|(ply, _)| ply);
    let undetermined = Verdict::undetermined(open.collect());
    // Beyond this many combinations they are not worth going through.
    let combinations = candidates
        .iter()
        .try_fold(1usize, |product, c| product.checked_mul(c.len()));
    let Some(combinations) = combinations.filter(|&n| n <= 4096) else {
        return (None, BySide::default(), undetermined);
    };
    let mut found: Option<(BySide<Certain>, Verdict)> = None;
    let mut agree = true;
    for mut choice in 0..combinations {
        for (ply, candidates) in plies.iter_mut().zip(&candidates) {
            let pick = choice % candidates.len().max(1);
            choice /= candidates.len().max(1);
            if let Some(&taken) = candidates.get(pick) {
                ply.taken = taken;
            }
        }
        let (conduct, verdict) = decide(book, &plies);
        let Some((sides, first)) = &mut found else {
            found = Some((BySide::from_fn(|side| Certain::of(&conduct[side])), verdict));
            continue;
        };
        agree &= (first.outcome, first.side) == (verdict.outcome, verdict.side);
        // What row of the table it is may be open all the same: then it rests on one or another of them.
        if first.situation != verdict.situation {
            first.situation = None;
            for clause in verdict.clauses {
                if !first.clauses.contains(&clause) {
                    first.clauses.push(clause);
                }
            }
        }
        for side in Side::ALL {
            sides[side].keep(&conduct[side]);
        }
    }
    let (sides, verdict) = found.unwrap_or_else(|| (BySide::default(), undetermined.clone()));
    (None, sides, if agree { verdict } else { undetermined })
}
