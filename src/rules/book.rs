//! What a rule book says, as data.

use super::names::{Certainty, Ground, Outcome, Situation};
use crate::definitions::Definitions;
use crate::game::limit::{self, ExcessCheck};
use crate::language::{Language, Text, told};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

    /// The clauses by which who goes on loses, having been told in a situation to change. What the book says where one side alone
    /// does what is forbidden it does not say where both do.
    pub fn unchanged(&self, situation: Option<Situation>) -> Vec<String> {
        let cited = |of| self.verdicts.get(&of).map_or(&[][..], |row| &row.clauses);
        let alone = situation == Some(Situation::OneForbidden);
        let one = cited(Situation::OneForbidden);
        let told = cited(Situation::NotChanged).iter();
        told.filter(|&clause| alone || !one.contains(clause))
            .cloned()
            .collect()
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
