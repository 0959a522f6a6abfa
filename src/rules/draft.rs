//! A rule book that need not be whole, and what is wrong with it.

use super::book::{Article, NaturalLimit, RuleBook, Unwritten, VerdictRow};
use super::fault::{FaultCode, MOST_FAULTS, meant, near};
use super::names::{Ground, Outcome, Situation};
use super::parameters::{PARAMETERS, ParameterDoc, Silence, values_of};
use super::reader::{below, path};
use crate::definitions::{BothForbidden, ChaseTest, Definitions, Fortress};
use crate::language::{Text, both};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// As much of a rule book as could be read.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub id: String,
    pub version: String,
    pub title: Text,
    pub edition: String,
    pub effective: String,
    pub sources: Vec<Text>,
    /// The parameters that have a value they can take.
    pub values: Map<String, Value>,
    /// All of them, if they are all there.
    pub definitions: Option<Definitions>,
    pub verdicts: BTreeMap<Situation, VerdictRow>,
    pub grounds: BTreeMap<Ground, Vec<String>>,
    pub natural_limit: Option<NaturalLimit>,
    pub unwritten: Vec<Unwritten>,
    pub articles: Vec<Article>,
}

/// Something wrong with a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What it is about.
    pub pointer: String,
    pub code: FaultCode,
    pub message: Text,
    /// The clause it is about, if it is about one.
    pub clause: Option<String>,
}

impl Complaint {
    /// One that is about no clause.
    pub fn new(pointer: &str, code: FaultCode, message: Text) -> Self {
        Self {
            pointer: pointer.to_owned(),
            code,
            message,
            clause: None,
        }
    }
}

impl From<&RuleBook> for Draft {
    fn from(book: &RuleBook) -> Self {
        Self {
            id: book.id.clone(),
            version: book.version.clone(),
            title: book.title.clone(),
            edition: book.edition.clone(),
            effective: book.effective.clone(),
            sources: book.sources.clone(),
            values: values_of(&book.definitions),
            definitions: Some(book.definitions.clone()),
            verdicts: book.verdicts.clone(),
            grounds: book.grounds.clone(),
            natural_limit: book.natural_limit.clone(),
            unwritten: book.unwritten.clone(),
            articles: book.articles.clone(),
        }
    }
}

impl Draft {
    /// The book, if its parameters are all there.
    pub fn book(self) -> Option<RuleBook> {
        Some(RuleBook {
            id: self.id,
            version: self.version,
            title: self.title,
            edition: self.edition,
            effective: self.effective,
            sources: self.sources,
            definitions: self.definitions?,
            verdicts: self.verdicts,
            grounds: self.grounds,
            natural_limit: self.natural_limit,
            unwritten: self.unwritten,
            articles: self.articles,
            amendments: Vec::new(),
            origins: BTreeMap::new(),
        })
    }
}

/// The situations that can arise under the definitions.
pub fn situations(definitions: &Definitions) -> Vec<Situation> {
    if !definitions.conduct_is_judged {
        return vec![Situation::ConductNotJudged];
    }
    let mut situations = vec![
        Situation::OneSidedCheck,
        Situation::MutualCheck,
        Situation::OneForbidden,
        Situation::BothForbidden,
        Situation::BothPermitted,
        Situation::NotChanged,
    ];
    match definitions.both_forbidden {
        BothForbidden::Draw => {}
        BothForbidden::Strength
        | BothForbidden::StrengthOfChases
        | BothForbidden::RootsOfChases => {
            situations.push(Situation::StrongerAttacks);
        }
        BothForbidden::Levels => situations.push(Situation::GraverOffence),
    }
    situations
}

/// The grounds a label can rest on under the definitions.
pub fn grounds(definitions: &Definitions) -> Vec<Ground> {
    let mut grounds = vec![
        Ground::Check,
        Ground::Kill,
        Ground::Exchange,
        Ground::Offer,
        Ground::Block,
        Ground::Follow,
        Ground::Idle,
    ];
    if !definitions.conduct_is_judged {
        return grounds;
    }
    grounds.extend([Ground::Forbidden, Ground::Permitted]);
    let chases = definitions.chase_test != ChaseTest::None;
    let exchanges = definitions.chase_test == ChaseTest::Exchange;
    let needed = [
        (Ground::Chase, chases),
        (Ground::ChaseByOther, chases),
        (Ground::HeaviestEffect, chases),
        (Ground::KingOrPawn, chases),
        (Ground::Existed, chases),
        (Ground::Rooted, chases),
        (Ground::NoMaterial, chases),
        (Ground::ChaseByExchange, exchanges),
        (Ground::ChaseByRoot, exchanges),
        (Ground::ChaseWithKing, exchanges),
        (Ground::TakerMated, exchanges),
        (
            Ground::ChaseByChecks,
            exchanges && definitions.check_gain_depth > 0,
        ),
        (Ground::PawnUpgrade, chases && definitions.pawn_upgrade),
        (
            Ground::Fortress,
            chases && definitions.fortress_exemption != Fortress::Off,
        ),
        (Ground::KingEvasion, definitions.king_evasion_idle),
        (Ground::Irregular, definitions.irregular_rounds > 0),
    ];
    grounds.extend(
        needed
            .iter()
            .filter(|(_, needed)| *needed)
            .map(|(ground, _)| ground),
    );
    grounds
}

/// Bytes of a clause's number.
const LONGEST_ID: usize = 60;

/// The outcomes a situation can have.
const fn outcomes(situation: Situation) -> &'static [Outcome] {
    match situation {
        Situation::OneSidedCheck
        | Situation::OneForbidden
        | Situation::StrongerAttacks
        | Situation::GraverOffence => &[Outcome::MustChange, Outcome::Loss, Outcome::Draw],
        Situation::MutualCheck
        | Situation::BothForbidden
        | Situation::BothPermitted
        | Situation::ConductNotJudged => &[Outcome::Draw],
        Situation::NotChanged => &[Outcome::Loss, Outcome::Draw],
    }
}

/// Everything that is wrong with a book.
pub fn complaints(draft: &Draft) -> Vec<Complaint> {
    let mut found = Found {
        draft,
        clauses: draft.articles.iter().map(|a| a.id.as_str()).collect(),
        complaints: Vec::new(),
    };
    found.head();
    found.articles();
    found.verdicts();
    found.grounds();
    found.limit();
    found.unwritten();
    found.untied();
    found.complaints
}

struct Found<'d> {
    draft: &'d Draft,
    clauses: BTreeSet<&'d str>,
    complaints: Vec<Complaint>,
}

impl Found<'_> {
    fn say(&mut self, pointer: &str, code: FaultCode, message: Text) {
        self.complaints.push(Complaint::new(pointer, code, message));
    }

    fn head(&mut self) {
        let draft = self.draft;
        if !is_id(&draft.id) {
            self.say("/id", FaultCode::BadId, bad_id(&draft.id));
        }
        if super::catalog::Version::parse(&draft.version).is_none() {
            let message = both!(
                "`version` is `{}`, expected one like `1.0.0`",
                "`version` 是“{}”，应如 1.0.0",
                draft.version
            );
            self.say("/version", FaultCode::BadVersion, message);
        }
        if !is_date(&draft.effective) {
            let message = bad_date(&draft.effective);
            self.say("/effective", FaultCode::BadDate, message);
        }
        if draft.edition.trim().is_empty() {
            let message = both!("`edition` is empty", "`edition` 是空的");
            self.say("/edition", FaultCode::EmptyText, message);
        }
        self.text("/title", &draft.title);
        for (at, source) in draft.sources.iter().enumerate() {
            self.text(&format!("/sources/{at}"), source);
        }
    }

    /// Both languages are there.
    fn text(&mut self, pointer: &str, text: &Text) {
        self.complaints
            .extend(empty(pointer, &Text::default(), text));
    }

    fn articles(&mut self) {
        let mut seen = BTreeSet::new();
        for (at, article) in self.draft.articles.iter().enumerate() {
            let pointer = format!("/articles/{at}");
            let id = article.id.as_str();
            if id.is_empty() || id.len() > LONGEST_ID || id.contains(char::is_whitespace) {
                let message = both!(
                    "an article's `id` is `{id}`, expected a clause number",
                    "条款的 `id` 是“{id}”，应为条款号"
                );
                self.say(&below(&pointer, "id"), FaultCode::BadId, message);
            } else if !seen.insert(id) {
                let message = both!("article `{id}` is defined twice", "条款“{id}”写了两次");
                self.say(&below(&pointer, "id"), FaultCode::DuplicateArticle, message);
            }
            let name = both!("article `{id}`: ", "条款“{id}”：");
            self.complaints
                .extend(empty(&pointer, &name, &article.text));
            for (n, target) in article.decides.iter().enumerate() {
                if let Some(why) = self.no_target(target) {
                    let message = both!(
                        why;
                        "article `{id}` decides `{target}`, {why}",
                        "条款“{id}”所定的“{target}”{why}",
                    );
                    let pointer = format!("{pointer}/decides/{n}");
                    self.say(&pointer, FaultCode::UnknownTarget, message);
                }
            }
        }
    }

    /// Why there is nothing of that name to decide.
    fn no_target(&self, target: &str) -> Option<Text> {
        let known: Vec<&str> = match target.split_once('.') {
            None if target == "natural_limit" => {
                let missing = || {
                    both!(
                        "but the book has no natural limit",
                        "不存在：此规则没有自然限着"
                    )
                };
                return self.draft.natural_limit.is_none().then(missing);
            }
            Some(("definitions", _)) => PARAMETERS.iter().map(|p| p.key).collect(),
            Some(("verdicts", _)) => Situation::ALL.iter().map(|s| s.id()).collect(),
            Some(("grounds", _)) => Ground::ALL.iter().map(|ground| ground.id()).collect(),
            Some(_) | None => {
                return Some(both!(
                    "expected `definitions.…`, `verdicts.…`, `grounds.…` or `natural_limit`",
                    "写法不对，应为 `definitions.…`、`verdicts.…`、`grounds.…` 或 `natural_limit`"
                ));
            }
        };
        let (table, key) = target.split_once('.')?;
        if known.contains(&key) {
            return None;
        }
        let known: Vec<_> = known.iter().map(|key| format!("{table}.{key}")).collect();
        let near = near(target, known.iter().map(String::as_str));
        Some(both!(near; "which is no key of `{table}`{near}", "不是 `{table}` 中的一项{near}"))
    }

    /// The clauses are there.
    fn cited(&mut self, pointer: &str, clauses: &[String]) {
        for (at, clause) in clauses.iter().enumerate() {
            // To look for what may be meant takes a while.
            if self.clauses.contains(clause.as_str()) || self.complaints.len() > MOST_FAULTS {
                continue;
            }
            let near = near(clause, self.clauses.iter().copied());
            let what = path(pointer);
            self.complaints.push(Complaint {
                pointer: format!("{pointer}/{at}"),
                code: FaultCode::UnknownArticle,
                message: both!(
                    near;
                    "`{what}` cites `{clause}`, which no article defines{near}",
                    "`{what}` 引“{clause}”，没有这一条款{near}",
                ),
                clause: Some(clause.clone()),
            });
        }
    }

    fn verdicts(&mut self) {
        for (situation, row) in &self.draft.verdicts {
            let pointer = below("/verdicts", situation.id());
            let name = path(&pointer);
            if !outcomes(*situation).contains(&row.outcome) {
                let can: Vec<_> = outcomes(*situation).iter().map(|o| o.id()).collect();
                let outcome = row.outcome.id();
                let message = Text {
                    en: format!(
                        "`{name}` ({}) cannot come to `{outcome}`, expected `{}`",
                        situation.en(),
                        can.join("`, `")
                    ),
                    zh: format!(
                        "`{name}`（{}）不会判成“{outcome}”，应为“{}”",
                        situation.zh(),
                        can.join("”“")
                    ),
                };
                let pointer = below(&pointer, "outcome");
                self.say(&pointer, FaultCode::SenselessOutcome, message);
            }
            if row.clauses.is_empty() {
                let message = both!("`{name}` cites no clause", "`{name}` 没有引条款");
                self.say(&below(&pointer, "clauses"), FaultCode::NoClause, message);
            }
            if !row.unasked.is_empty() && row.outcome != Outcome::Draw {
                let message = both!(
                    "`{name}` has clauses for a draw ruled unasked, but its outcome is `{}`",
                    "`{name}` 有未经提请判和的条款，判决却是“{}”",
                    row.outcome.id()
                );
                let pointer = below(&pointer, "unasked");
                self.say(&pointer, FaultCode::SenselessOutcome, message);
            }
            self.cited(&below(&pointer, "clauses"), &row.clauses);
            self.cited(&below(&pointer, "unasked"), &row.unasked);
        }
        let Some(definitions) = &self.draft.definitions else {
            return;
        };
        for situation in situations(definitions) {
            if !self.draft.verdicts.contains_key(&situation) {
                let (id, en, zh) = (situation.id(), situation.en(), situation.zh());
                let message = both!(
                    "`verdicts` lacks `{id}` ({en}), which can arise under the definitions",
                    "`verdicts` 缺“{id}”（{zh}），照这些定义会用到"
                );
                let pointer = below("/verdicts", situation.id());
                self.say(&pointer, FaultCode::MissingRow, message);
            }
        }
    }

    fn grounds(&mut self) {
        for (ground, clauses) in &self.draft.grounds {
            self.cited(&below("/grounds", ground.id()), clauses);
        }
        let Some(definitions) = &self.draft.definitions else {
            return;
        };
        for ground in grounds(definitions) {
            if !self.draft.grounds.contains_key(&ground) {
                let (id, en, zh) = (ground.id(), ground.en(), ground.zh());
                let message = both!(
                    "`grounds` lacks `{id}` ({en}), which can be needed under the definitions; `[]` says that no clause speaks of it",
                    "`grounds` 缺“{id}”（{zh}），照这些定义会用到；写 `[]` 表示没有条款提到"
                );
                let pointer = below("/grounds", ground.id());
                self.say(&pointer, FaultCode::MissingGround, message);
            }
        }
    }

    fn limit(&mut self) {
        let Some(limit) = &self.draft.natural_limit else {
            return;
        };
        self.cited("/natural_limit/clauses", &limit.clauses);
        let units = ["rounds", "plies"];
        if !units.contains(&limit.unit.as_str()) {
            let meant = meant(&limit.unit, units);
            let message = Text {
                en: format!("`natural_limit.unit` is `{}`{}", limit.unit, meant.en),
                zh: format!("`natural_limit.unit` 是“{}”{}", limit.unit, meant.zh),
            };
            self.say("/natural_limit/unit", FaultCode::UnknownValue, message);
        }
        let counts = [
            ("count", 1, limit.count),
            ("claimant_checks", 0, limit.claimant_checks),
            ("false_claim_minutes", 0, limit.false_claim_minutes),
        ];
        for (key, least, count) in counts {
            let most = NaturalLimit::MOST;
            if !(least..=most).contains(&count) {
                let message = both!(
                    "`natural_limit.{key}` is {count}, expected {least} to {most}",
                    "`natural_limit.{key}` 是{count}，应为{least}至{most}"
                );
                let pointer = format!("/natural_limit/{key}");
                self.say(&pointer, FaultCode::OutOfRange, message);
            }
        }
    }

    fn unwritten(&mut self) {
        let mut seen = BTreeSet::new();
        for (at, unwritten) in self.draft.unwritten.iter().enumerate() {
            let pointer = format!("/unwritten/{at}");
            let key = &unwritten.key;
            let target = format!("definitions.{key}");
            let mut articles = self.draft.articles.iter();
            if !seen.insert(key) {
                let message = both!(
                    "unwritten `{key}` stands twice",
                    "`[[unwritten]]` 的“{key}”写了两次"
                );
                self.say(
                    &below(&pointer, "key"),
                    FaultCode::DuplicateArticle,
                    message,
                );
            } else if let Some(article) = articles.find(|article| article.decides.contains(&target))
            {
                let message = both!(
                    "unwritten `{key}`: article `{}` decides it",
                    "`[[unwritten]]` 的“{key}”：条款“{}”规定了它",
                    article.id
                );
                self.say(&below(&pointer, "key"), FaultCode::Contradiction, message);
            }
            let name = both!("unwritten `{key}`: ", "无明文参数“{key}”：");
            self.complaints
                .extend(empty(&pointer, &name, &unwritten.text));
            if ParameterDoc::of(key).is_none() {
                let meant = meant(key, PARAMETERS.iter().map(|parameter| parameter.key));
                let message = both!(
                    meant;
                    "unwritten `{key}` is no parameter{meant}",
                    "`[[unwritten]]` 的“{key}”不是参数{meant}",
                );
                self.say(&below(&pointer, "key"), FaultCode::UnknownTarget, message);
            }
        }
    }

    /// Every parameter that says something is decided by an article, or said to be decided by none.
    fn untied(&mut self) {
        let Some(definitions) = &self.draft.definitions else {
            return;
        };
        let decided = self
            .draft
            .articles
            .iter()
            .flat_map(|article| &article.decides);
        let decided: BTreeSet<_> = decided
            .filter_map(|target| target.strip_prefix("definitions."))
            .chain(
                self.draft
                    .unwritten
                    .iter()
                    .map(|unwritten| unwritten.key.as_str()),
            )
            .collect();
        for parameter in PARAMETERS {
            let key = parameter.key;
            let silent = self
                .draft
                .values
                .get(key)
                .is_none_or(|value| parameter.is_silent(value));
            let needed =
                !silent && parameter.silence != Silence::Engine && (parameter.is_read)(definitions);
            if needed && !decided.contains(key) {
                let message = both!(
                    "no article decides `definitions.{key}`, expected one, or an `[[unwritten]]` entry that says why it stands as it does",
                    "没有条款规定 `definitions.{key}`；应有一条，或以 `[[unwritten]]` 说明为何如此"
                );
                let pointer = below("/definitions", key);
                self.say(&pointer, FaultCode::UntiedParameter, message);
            }
        }
    }
}

/// What is missing of a text.
pub fn empty(pointer: &str, name: &Text, text: &Text) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (key, (language, in_zh), text) in [
        ("zh", ("Chinese", "中文"), &text.zh),
        ("en", ("English", "英文"), &text.en),
    ] {
        if text.trim().is_empty() {
            let pointer = below(pointer, key);
            let what = if name.en.is_empty() {
                path(&pointer)
            } else {
                key.to_owned()
            };
            let message = both!(
                name;
                "{name}`{what}` is empty, expected the {language} text",
                "{name}`{what}` 是空的，应有{in_zh}",
            );
            complaints.push(Complaint::new(&pointer, FaultCode::EmptyText, message));
        }
    }
    complaints
}

/// Small letters and digits joined by single hyphens; amended books add `+` and the like.
pub fn is_id(id: &str) -> bool {
    id.split('+').all(is_plain_id)
}

/// Small letters and digits joined by single hyphens.
pub fn is_plain_id(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    id.split('-')
        .all(|part| !part.is_empty() && part.chars().all(plain))
}

/// Nothing, a year, a month or a day.
pub fn is_date(date: &str) -> bool {
    let digits = |part: &str, length: usize| {
        let all = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        all.then(|| part.parse::<u32>().ok()).flatten()
    };
    let parts: Vec<_> = date.split('-').collect();
    match *parts.as_slice() {
        [""] => true,
        [year] => digits(year, 4).is_some(),
        [year, month] => digits(year, 4).is_some() && matches!(digits(month, 2), Some(1..=12)),
        [year, month, day] => {
            let (Some(year), Some(month)) = (digits(year, 4), digits(month, 2)) else {
                return false;
            };
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = match month {
                1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
                4 | 6 | 9 | 11 => 30,
                2 if leap => 29,
                2 => 28,
                _ => 0,
            };
            digits(day, 2).is_some_and(|day| (1..=days).contains(&day))
        }
        _ => false,
    }
}

/// What to say of a date that is none.
pub fn bad_date(date: &str) -> Text {
    both!(
        "`effective` is `{date}`, expected a date like `2020`, `2020-06` or `2020-06-01`",
        "`effective` 是“{date}”，应为 2020、2020-06 或 2020-06-01 这样的日期"
    )
}

/// What to say of an id that is none.
pub fn bad_id(id: &str) -> Text {
    both!(
        "`id` is `{id}`, expected small letters and digits joined by `-`",
        "`id` 是“{id}”，应为小写字母和数字，以 `-` 相连"
    )
}
