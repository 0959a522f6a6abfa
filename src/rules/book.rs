//! What a rule book says, as data.

use crate::definitions::Definitions;
use crate::game::limit::{self, ExcessCheck};
use crate::language::{Language, Text, told};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How certain an article is, as far as the sources go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// The clause itself was read.
    Text,
    /// Fixed by an official figure and its labels.
    Figure,
    /// Told by a secondary source: a referee's column, a commentary.
    Secondary,
    /// Inferred.
    Inference,
}

/// One clause of a rule book, in words of our own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Article {
    /// The number the book gives it: `28.3`, `细则4`.
    pub id: String,
    /// What it says.
    #[serde(flatten)]
    pub text: Text,
    /// How certain that is.
    pub certainty: Certainty,
    /// The parameters of `[definitions]`, rows of `[verdicts]` and keys of `[grounds]` it decides.
    #[serde(default)]
    pub decides: Vec<String>,
}

/// What a pending position comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The game is drawn.
    Draw,
    /// The side must vary at once.
    MustChange,
    /// The side loses.
    Loss,
    /// There is nothing to rule on.
    None,
    /// It could not be decided within the budget.
    Undetermined,
}

/// The situations of a verdict table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Situation {
    /// One side checks on every move, the other does not.
    OneSidedCheck,
    /// Both sides check on every move.
    MutualCheck,
    /// One side's behaviour is forbidden, the other's permitted.
    OneForbidden,
    /// Both sides' behaviour is forbidden, and neither's is worse.
    BothForbidden,
    /// Both are forbidden; one side's attacks are all strong, the other's are not.
    StrongerAttacks,
    /// Both are forbidden; one side's offence is graver.
    GraverOffence,
    /// Both sides' behaviour is permitted.
    BothPermitted,
    /// A side that had to change closed the cycle again, as often as the book allows.
    NotChanged,
    /// The book does not look at conduct at all.
    ConductNotJudged,
}

/// What a situation comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct VerdictRow {
    /// The outcome; where it concerns a side, the one the situation is about.
    pub outcome: Outcome,
    /// The clauses that decide it.
    pub clauses: Vec<String>,
    /// The clauses cited instead where an arbiter rules a draw unasked, if they differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unasked: Vec<String>,
}

/// What a label can rest on: each has the clauses that say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// 将.
    Check,
    /// 杀.
    Kill,
    /// 捉: a piece can be taken.
    Chase,
    /// 捉 by consecutive checks (抽吃).
    ChaseByChecks,
    /// 捉 by an exchange that brings more than it costs.
    ChaseByExchange,
    /// 捉 by an even exchange that the captor survives.
    EvenTrade,
    /// 捉 by a piece that is the root of another.
    ChaseByRoot,
    /// 捉 in which the moved piece lets another piece attack.
    ChaseByOther,
    /// 捉 in which the moved piece, in danger where it stood, is out of it, and another may take therefore.
    ChaseByDodge,
    /// 捉 together with the king, or leaning on it.
    ChaseWithKing,
    /// 捉 by a pawn together with another piece, or leaning on one.
    ChaseWithPawn,
    /// A pawn takes and uncovers a check.
    PawnUncovers,
    /// 捉 although the move also offers something: the heaviest effect names the move.
    HeaviestEffect,
    /// Where both sides attack: the attacks of one are chases of a rook that a piece makes alone.
    SingleChaseOfRook,
    /// The same of a piece without a root.
    SingleChaseOfUnrooted,
    /// A king's or pawn's own attack.
    KingOrPawn,
    /// A pawn's own attack that counts, both sides attacking on every move.
    PawnUpgrade,
    /// 从捉到捉: the threat was there before.
    Existed,
    /// The moved piece only gets out of danger: that adds no attack to what was there before.
    DodgeAddsNothing,
    /// The taker would be mated.
    TakerMated,
    /// The victim is rooted.
    Rooted,
    /// The exchange comes to nothing, whatever guards the victim.
    NoGain,
    /// A pawn's value floats: given for a piece it is no gain.
    PawnFloats,
    /// What is attacked is no material.
    NoMaterial,
    /// A king's move out of check.
    KingEvasion,
    /// The post that makes a plain draw.
    Fortress,
    /// 兑.
    Exchange,
    /// 献.
    Offer,
    /// 拦.
    Block,
    /// 跟.
    Follow,
    /// 闲.
    Idle,
    /// Forbidden behaviour (禁止着法).
    Forbidden,
    /// Permitted behaviour (允许着法).
    Permitted,
    /// Irregular forbidden moves over many rounds.
    Irregular,
    /// A victim that nothing attacked before is attacked.
    NewAttack,
    /// A piece is taken for nothing.
    GainFree,
    /// A strong piece is won on balance.
    GainStrong,
    /// A weak piece is won on balance.
    GainWeak,
    /// A cheaper piece is given for a dearer one.
    GainDearer,
    /// A strong piece is given for three weak ones.
    GainThreeWeak,
    /// A chase that gains only by several pieces together.
    JointChase,
    /// A chase of a piece that has fewer roots than attackers.
    FewRoots,
    /// A chase by a move that also offers a piece, in exchange or for nothing.
    ChaseWithOffer,
    /// A cannon attacks because its screen has moved.
    ChaseByScreen,
    /// Another piece attacks, while the moved one is offered.
    DiscoveredUnderOffer,
    /// A king or pawn moves, and another piece attacks.
    ChaseByKingMove,
    /// Captor and victim are of one kind.
    SameKind,
    /// What seems to guard the victim cannot retake.
    FalseRoot,
    /// The victim is a pawn that has crossed the river.
    PawnVictim,
    /// What is threatened begins with a check.
    CheckFirst,
    /// A piece other than the king answers a check.
    EvasionByOther,
    /// The opponent's own last move made the threat, between pieces that did not move.
    MadeByOpponent,
    /// The same mate was threatened before the move.
    KillExisted,
    /// Every move of a side is a check.
    PerpetualCheck,
    /// Every move of a side is a kill.
    PerpetualKill,
    /// Every move of both sides is a kill.
    MutualKill,
    /// What seems to attack may not leave its place.
    PinnedAttacker,
    /// Every move of a side is a chase.
    PerpetualChase,
    /// Every move of a side is an exchange or an offer.
    PerpetualExchange,
    /// Every move of a side is a block, a follow or idle.
    PerpetualQuiet,
    /// Both sides attack on every move.
    BothStrike,
    /// One side attacks on every move, the other does not.
    OneStrikes,
    /// The side that does not check on every move checks as well.
    CheckAnswered,
    /// A side checks and kills in turn.
    CheckAndKill,
    /// A side checks and chases in turn.
    CheckAndChase,
    /// A side's attacks alternate with other moves.
    StrikeAndIdle,
    /// The rook is chased by horse on every move.
    HorseChasesRook,
    /// The rook is chased by cannon on every move.
    CannonChasesRook,
    /// The cannon is chased by rook on every move.
    RookChasesCannon,
    /// The horse is chased by rook on every move.
    RookChasesHorse,
    /// The rook chased is held by a horse.
    HeldRook,
    /// Several pieces take turns chasing one.
    ChasersInTurn,
    /// King or pawn moves, a different piece chasing each time.
    KingMovesInTurn,
    /// What is chased is not always the same piece.
    SeveralVictims,
    /// Cannons chase two rooks in turn.
    RooksInTurn,
    /// The king attacks on every move.
    KingChases,
    /// A pawn attacks on every move.
    PawnChases,
    /// A rooted piece is attacked on every move.
    ChaseOfRooted,
    /// Several pieces attack a rooted one on every move.
    JointChaseOfRooted,
    /// A pawn's move has cut the victim's root.
    RootCutByPawn,
}

/// The natural move limit (自然限着) as the book has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NaturalLimit {
    /// `rounds` (moves by each side) or `plies`.
    pub unit: String,
    /// How many without a capture.
    pub count: u32,
    /// How many of the claimant's checks count at most.
    pub claimant_checks: u32,
    /// The clauses.
    pub clauses: Vec<String>,
    /// What each of the claimant's further checks takes out of the count.
    #[serde(default = "whole_round", skip_serializing_if = "is_whole_round")]
    pub excess_check_removes: ExcessCheck,
    /// Whether a second false claim in one stage loses.
    #[serde(default, skip_serializing_if = "is_false")]
    pub second_false_claim_loses: bool,
    /// The minutes a false claim takes off the claimant's clock.
    #[serde(default = "usual_minutes", skip_serializing_if = "are_usual_minutes")]
    pub false_claim_minutes: u32,
    /// Whether a false claim is a technical foul, by the book's name for it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub false_claim_is_technical: bool,
}

impl NaturalLimit {
    /// The most that any of its numbers may be.
    pub const MOST: u32 = 1000;

    /// The whole of it in words.
    pub fn told(&self, language: Language) -> String {
        let pick = |zh, en| language.pick(zh, en);
        let (count, checks) = (self.count, self.claimant_checks);
        let unit = match self.unit.as_str() {
            "rounds" => pick("回合", "rounds"),
            unit => pick("着", unit),
        };
        let mut told = told!(language;
            "{count} {unit}，提出方照将至多计 {checks} 着";
            "{count} {unit}, of the claimant's checks {checks} at most");
        if self.excess_check_removes == ExcessCheck::Ply {
            told.push_str(pick(
                "，超出的只除去将着",
                ", of each further one the check alone left out",
            ));
        }
        let minutes = self.false_claim_minutes;
        let technical = if self.false_claim_is_technical {
            pick("技术", "technical ")
        } else {
            ""
        };
        told.push_str(&told!(language;
            "，提出不实记{technical}犯规、扣{minutes}分钟";
            ", a false claim a {technical}foul and {minutes} minutes"));
        if self.second_false_claim_loses {
            told.push_str(pick("，再次判负", ", a second one a loss"));
        }
        if self.clauses.is_empty() {
            return told;
        }
        format!("{told} [{}]", self.clauses.join(", "))
    }
}

/// What a false claim takes off the clock where a book does not say otherwise.
pub(super) const fn usual_minutes() -> u32 {
    5
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn are_usual_minutes(minutes: &u32) -> bool {
    *minutes == usual_minutes()
}

const fn whole_round() -> ExcessCheck {
    ExcessCheck::Round
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_whole_round(removes: &ExcessCheck) -> bool {
    matches!(removes, ExcessCheck::Round)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// A parameter the book has a value for though no clause of it speaks of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Unwritten {
    /// The parameter: a field of [`Definitions`].
    pub key: String,
    /// Why it stands as it does.
    #[serde(flatten)]
    pub text: Text,
    /// How certain that is.
    pub certainty: Certainty,
}

/// A rule book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleBook {
    /// `cxa-1999`; an amended book adds `+` and the amendment's id.
    pub id: String,
    /// Semantic version of this file.
    pub version: String,
    /// The book's title.
    pub title: Text,
    /// Which edition.
    pub edition: String,
    /// Since when it is in force, as far as known: `1999`, `2020-06-01`.
    pub effective: String,
    /// Where the articles are taken from.
    pub sources: Vec<Text>,
    /// The parameters.
    pub definitions: Definitions,
    /// The verdict table.
    pub verdicts: BTreeMap<Situation, VerdictRow>,
    /// The clauses behind each ground.
    pub grounds: BTreeMap<Ground, Vec<String>>,
    /// The natural move limit, where the book has one.
    #[serde(default)]
    pub natural_limit: Option<NaturalLimit>,
    /// The parameters no clause speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<Unwritten>,
    /// The articles.
    pub articles: Vec<Article>,
    /// The amendments made to it, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub amendments: Vec<Applied>,
    /// Which amendment what it changed comes from: `articles.27.2`, `definitions.pawn_upgrade`,
    /// `verdicts.one_forbidden`, `grounds.idle`, `natural_limit`. The rest is the base's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub origins: BTreeMap<String, String>,
}

/// An amendment a book has taken up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Applied {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: Text,
    /// Why it was made.
    pub reason: Text,
    /// Since when it is in force; empty where that is open.
    pub effective: String,
    /// The articles it struck.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub struck: Vec<String>,
}

impl RuleBook {
    /// The article of that number.
    pub fn article(&self, id: &str) -> Option<&Article> {
        self.articles.iter().find(|article| article.id == id)
    }

    /// The articles that decide a parameter, row or ground: `definitions.pawn_upgrade`.
    pub fn deciding<'b>(&'b self, target: &'b str) -> impl Iterator<Item = &'b Article> {
        let decides = move |article: &&Article| article.decides.iter().any(|t| t == target);
        self.articles.iter().filter(decides)
    }

    /// The id of the book without its amendments.
    pub fn root_id(&self) -> &str {
        self.id.split('+').next().unwrap_or(&self.id)
    }

    /// The natural move limit, for games to be held against; none where the book has none.
    pub fn limit(&self) -> Option<limit::Rule> {
        let told = self.natural_limit.as_ref()?;
        let unit = if told.unit == "plies" {
            limit::Unit::Plies
        } else {
            limit::Unit::Rounds
        };
        Some(limit::Rule {
            book: self.id.clone(),
            clauses: told.clauses.clone(),
            unit,
            count: told.count,
            claimant_checks_counted: told.claimant_checks,
            excess_check_removes: told.excess_check_removes,
            second_false_claim_loses: told.second_false_claim_loses,
            false_claim_minutes: told.false_claim_minutes,
            false_claim_is_technical: told.false_claim_is_technical,
        })
    }

    /// Where an article comes from: the id of the book or that of an amendment.
    pub fn origin_of_article(&self, id: &str) -> Option<&str> {
        self.article(id)?;
        Some(self.origin_of(&format!("articles.{id}")))
    }

    /// Where a parameter, row or ground comes from: `definitions.pawn_upgrade`.
    pub fn origin_of(&self, target: &str) -> &str {
        self.origins
            .get(target)
            .map_or_else(|| self.root_id(), String::as_str)
    }
}

/// The articles among those cited that are not certain: told by a secondary source, or inferred.
///
/// What is cited is clauses (`26.9.2`) and what articles decide (`definitions.pawn_for_rook`); of
/// the latter those that decide it are meant, unless one of them is certain.
///
/// ```
/// use qili::rules::{Catalog, uncertain_articles};
/// let book = &Catalog::builtin().get("cxa-2020")?.book;
/// let ids = |cited: &[&str]| -> Vec<String> {
///     uncertain_articles(book, cited).iter().map(|article| article.id.clone()).collect()
/// };
/// assert_eq!(ids(&["24.3", "24.16"]), ["24.16"]);
/// assert_eq!(ids(&["grounds.joint_chase"]), ["24.16"]);
/// assert!(ids(&["definitions.pawn_for_rook"]).is_empty());
/// # Ok::<_, qili::rules::UnknownBook>(())
/// ```
pub fn uncertain_articles<'b>(book: &'b RuleBook, cited: &[impl AsRef<str>]) -> Vec<&'b Article> {
    let is_cited = |name: &str| cited.iter().any(|cited| cited.as_ref() == name);
    let certain = |target: &str| book.deciding(target).any(|article| !article.is_uncertain());
    let rests = |article: &Article| {
        is_cited(&article.id)
            || article
                .decides
                .iter()
                .any(|target| is_cited(target) && !certain(target))
    };
    let uncertain = book
        .articles
        .iter()
        .filter(|article| article.is_uncertain());
    uncertain.filter(|article| rests(article)).collect()
}

impl Article {
    /// Whether it is told by a secondary source only, or inferred.
    pub const fn is_uncertain(&self) -> bool {
        matches!(self.certainty, Certainty::Secondary | Certainty::Inference)
    }
}
