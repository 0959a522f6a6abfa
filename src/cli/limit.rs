//! `qili limit`: the audit of the natural move limit.

use super::books::{amended, book};
use super::input::{self, Source};
use super::out::Out;
use super::{Failure, Format, Lang, Status};
use crate::board::Side;
use crate::game::Game;
use crate::game::limit::{self, Audit, Claim, CountedPly, Counting, ExcessCheck, Rule, Unit};
use crate::language::told;
use crate::wire::limit_json;
use clap::ValueEnum;

/// Audits the natural move limit (自然限着) after the last move of a game
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Without --claim it is an arbiter's own audit: nobody's checks are left \
                        out. The status is 0 whether a claim is good or false."
)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Whose claim is audited
    #[arg(long, value_enum, value_name = "SIDE")]
    claim: Option<Claimant>,
    /// How many false claims the claimant made in this stage before
    #[arg(long, value_name = "N", default_value_t = 0, requires = "claim")]
    earlier_false_claims: u32,
    /// Whose limit: a rule book, `id`, `id@version` or a file
    #[arg(long, value_name = "ID|FILE", default_value = "cxa-1999")]
    rules: String,
    /// Amendments to it, in the order given
    #[arg(long, value_name = "FILE")]
    amend: Vec<String>,
    /// How many make a draw, where the event has changed it
    #[arg(long, value_name = "N")]
    count: Option<u32>,
    /// What is counted, where it is not as in the book
    #[arg(long, value_enum)]
    unit: Option<Unit>,
    /// How many of the claimant's checks count
    #[arg(long, value_name = "N")]
    checks: Option<u32>,
    /// What each further check takes out of the count
    #[arg(long, value_enum)]
    excess_check_removes: Option<ExcessCheck>,
    /// Audit after this many plies instead of the last
    #[arg(long, value_name = "PLIES")]
    after: Option<usize>,
    /// Show the count ply by ply
    #[arg(long)]
    listing: bool,
    /// How the audit is told
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Claimant {
    Red,
    Black,
}

impl Args {
    /// The book's limit, as the event has changed it.
    fn rule(&self, lang: Lang) -> Result<Rule, Failure> {
        let book = book(&self.rules, lang)?;
        let book = amended(&book, &self.amend, lang)?;
        let rule = book.book.limit().ok_or_else(|| {
            let id = &book.book.id;
            Failure::Usage(told!(lang;
                "规则“{id}”没有自然限着";
                "`{id}` has no natural move limit"))
        })?;
        Ok(Rule {
            count: self.count.unwrap_or(rule.count),
            unit: self.unit.unwrap_or(rule.unit),
            claimant_checks_counted: self.checks.unwrap_or(rule.claimant_checks_counted),
            excess_check_removes: self
                .excess_check_removes
                .unwrap_or(rule.excess_check_removes),
            ..rule
        })
    }

    fn claim(&self) -> Option<Claim> {
        let by = match self.claim? {
            Claimant::Red => Side::Red,
            Claimant::Black => Side::Black,
        };
        Some(Claim {
            by,
            earlier_false_claims: self.earlier_false_claims,
        })
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let rule = args.rule(out.lang)?;
    args.source.each(out, |out, given| {
        let game = &cut(&given.game, args.after, out.lang)?;
        let audit = limit::audit(game, &rule, args.claim());
        match args.format {
            Format::Json => Ok(out.line(limit_json(&audit))?),
            Format::Text => {
                if let Some(title) = given.title(out.lang) {
                    out.line(title)?;
                }
                tell(game, &audit, args.listing, out)
            }
        }
    })
}

/// The game up to the ply the audit is made after.
fn cut(game: &Game, after: Option<usize>, lang: Lang) -> Result<Game, Failure> {
    let Some(after) = after else {
        return Ok(game.clone());
    };
    game.up_to(after).ok_or_else(|| {
        let plies = game.len();
        Failure::Usage(told!(lang;
            "对局只有{plies}着，不能在第{after}着后审核";
            "the game has {plies} plies and cannot be audited after {after}"))
    })
}

fn tell(game: &Game, audit: &Audit, listing: bool, out: &mut Out) -> Result<(), Failure> {
    let lang = out.lang;
    for line in lang.pick(audit.zh(), audit.en()) {
        out.line(line)?;
    }
    let clauses = audit.rule.clauses.join(", ");
    let book = &audit.rule.book;
    if clauses.is_empty() {
        out.line(told!(lang; "依据：{book}"; "By {book}"))?;
    } else {
        // Not all that is cited has a number.
        let numbered = |clause: &String| clause.starts_with(|c: char| c.is_ascii_digit());
        let zh = audit.rule.clauses.join("、");
        let zh = if audit.rule.clauses.iter().all(numbered) {
            format!("第{zh}条")
        } else {
            zh
        };
        out.line(told!(lang; "依据：{book} {zh}"; "By {book}, {clauses}"))?;
    }
    let shown = |ply: &&CountedPly| listing || ply.counting != Counting::Counted;
    if audit.plies.iter().any(|ply| shown(&ply)) {
        let heading = if listing {
            ("逐着计数：", "Ply by ply:")
        } else {
            ("不计：", "Left out:")
        };
        out.line(lang.pick(heading.0, heading.1))?;
    }
    for ply in audit.plies.iter().filter(shown) {
        out.line(row(game, ply, lang))?;
    }
    Ok(())
}

/// A ply of the listing: its number and move, the count after it, and why it does not count.
fn row(game: &Game, ply: &CountedPly, lang: Lang) -> String {
    let chinese = game
        .position_at(ply.ply)
        .map(|before| input::chinese(before, ply.mv));
    let why = match ply.counting {
        Counting::Counted => String::new(),
        Counting::ExcessCheck { number } => told!(lang;
            "不计：提出方第{number}次将军";
            "left out: the claimant's check {number}"),
        Counting::Answer { number } => told!(lang;
            "不计：第{number}次将军的应着";
            "left out: the answer to check {number}"),
    };
    let check = if ply.check {
        lang.pick("将", "check")
    } else {
        ""
    };
    let words = [chinese.unwrap_or_default(), check.to_owned(), why];
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    format!(
        "{:>4} {} {:>4}  {}",
        ply.ply + 1,
        ply.mv,
        ply.count,
        words.join("  ")
    )
}
