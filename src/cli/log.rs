//! `qili log`: the decision log.

use super::kept::{Place, missing, wait};
use super::out::{Out, pretty};
use super::verify::refuted as refuted_told;
use super::{Failure, Format, Lang, Status};
use crate::language::told;
use crate::rules::{LoadedBook, Outcome};
use crate::store::{
    Filter, Moment, Number, RulingText, Store, differences, rule_again, verify_kept,
};
use crate::wire::RequestError;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;

/// Rulings of one page.
const PAGE: u32 = 200;

/// The decision log: rulings that were kept
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Lists the rulings, the newest first
    List(List),
    /// Shows a ruling as it was kept, as JSON
    Show(Show),
    /// Rules again, and says what is not as it was, to the byte
    Replay(Which),
    /// Verifies the certificates that were kept with rulings
    Verify(Which),
    /// Lists the requests that were refused, the newest first
    Refused(Refused),
}

#[derive(Clone, Debug, clap::Args)]
struct List {
    /// So many at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
    /// Under this book
    #[arg(long, value_name = "ID")]
    rules: Option<String>,
    /// That come to this
    #[arg(long, value_parser = PossibleValuesParser::new(Outcome::ALL.map(Outcome::id)))]
    outcome: Option<String>,
    /// Of this event
    #[arg(long)]
    event: Option<String>,
    /// Asked for by this caller
    #[arg(long)]
    caller: Option<String>,
    /// Kept on this day, at this moment, or later
    #[arg(long, value_parser = moment)]
    since: Option<Moment>,
    /// Kept before
    #[arg(long, value_parser = moment)]
    until: Option<Moment>,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Debug, clap::Args)]
struct Show {
    /// The number
    number: Number,
}

#[derive(Clone, Debug, clap::Args)]
struct Which {
    /// The numbers
    #[arg(required_unless_present = "all")]
    numbers: Vec<Number>,
    /// All there are
    #[arg(long, conflicts_with = "numbers")]
    all: bool,
}

#[derive(Clone, Debug, clap::Args)]
struct Refused {
    /// So many at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
    /// How to tell it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

fn moment(text: &str) -> Result<Moment, String> {
    Moment::parse(text).ok_or_else(|| "expected 2026-11-21 or 2026-11-21T09:30:00Z".to_owned())
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<Status, Failure> {
    let store = args.place.existing()?;
    match &args.command {
        Command::List(args) => list(args, &store, out),
        Command::Show(args) => show(args, &store, out),
        Command::Replay(args) => replay(args, &store, out),
        Command::Verify(args) => verify(args, &store, out),
        Command::Refused(args) => refused(args, &store, out),
    }
}

fn list(args: &List, store: &Store, out: &mut Out) -> Result<Status, Failure> {
    let mut left = args.limit;
    let mut filter = Filter {
        rules: args.rules.clone(),
        outcome: args.outcome.as_deref().and_then(Outcome::from_id),
        event: args.event.clone(),
        caller: args.caller.clone(),
        since: args.since,
        until: args.until,
        ..Filter::default()
    };
    let mut all = Vec::new();
    while left > 0 {
        filter.limit = Some(left.min(PAGE));
        let page = wait(store.rulings(filter.clone()))?;
        left = left.saturating_sub(u32::try_from(page.items.len()).unwrap_or(u32::MAX));
        filter.cursor = page.next.as_ref().and_then(|next| next.parse().ok());
        for row in page.items {
            if args.format == Format::Json {
                all.push(row);
                continue;
            }
            let event = row.record.event.as_ref().map_or("", |event| event.as_str());
            let side = row.side.unwrap_or_default();
            out.line(format_args!(
                "{}  {}  {:<10} {:<12} {side:<5}  {event}",
                row.number, row.recorded_at, row.rules.id, row.outcome
            ))?;
        }
        if filter.cursor.is_none() {
            break;
        }
    }
    if args.format == Format::Json {
        out.line(pretty(&all))?;
    }
    Ok(Status::Well)
}

/// A ruling with its texts as they are.
#[derive(Serialize)]
struct Whole {
    #[serde(flatten)]
    row: crate::store::RulingRow,
    superseded_by: Vec<String>,
    request: Box<RawValue>,
    ruling: Box<RawValue>,
}

fn find(store: &Store, number: Number, out: &Out) -> Result<RulingText, Failure> {
    let found = wait(store.ruling(number))?;
    found.ok_or_else(|| missing(out.lang, "裁决", "ruling", &number.to_string()))
}

fn show(args: &Show, store: &Store, out: &mut Out) -> Result<Status, Failure> {
    let kept = find(store, args.number, out)?;
    let raw = |text| RawValue::from_string(text).map_err(|error| Failure::Bad(error.to_string()));
    let whole = Whole {
        row: kept.row,
        superseded_by: kept.superseded_by,
        request: raw(kept.request)?,
        ruling: raw(kept.ruling)?,
    };
    out.line(serde_json::to_string(&whole).unwrap_or_default())?;
    Ok(Status::Well)
}

/// Does something with each of the rulings that are asked for.
fn each(
    args: &Which,
    store: &Store,
    out: &mut Out,
    mut work: impl FnMut(RulingText, &mut Out) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for &number in &args.numbers {
        work(find(store, number, out)?, out)?;
    }
    let mut filter = Filter {
        limit: Some(PAGE),
        ..Filter::default()
    };
    let mut more = args.all;
    while more {
        let page = wait(store.rulings(filter.clone()))?;
        for row in &page.items {
            if let Ok(number) = row.number.parse() {
                work(find(store, number, out)?, out)?;
            }
        }
        filter.cursor = page.next.as_ref().and_then(|next| next.parse().ok());
        more = filter.cursor.is_some();
    }
    Ok(())
}

/// The book of a ruling as it was kept, or why it cannot be had.
fn book_of(store: &Store, kept: &RulingText, lang: Lang) -> Result<Book, Failure> {
    let book = wait(store.book_of(&kept.row.rules))?;
    let unread = lang.pick("读不懂当时的规则", "its rule book cannot be read");
    Ok(book.ok_or_else(|| unread.to_owned()))
}

type Book = Result<Arc<LoadedBook>, String>;

fn replay(args: &Which, store: &Store, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let (mut count, mut changed) = (0u64, 0u64);
    each(args, store, out, |kept, out| {
        count += 1;
        let again = |book: Arc<LoadedBook>| {
            let told = |error: RequestError| lang.pick(error.detail_zh, error.detail);
            rule_again(&kept, &book).map_err(told)
        };
        let told = match book_of(store, &kept, lang)?.and_then(again) {
            Ok(now) if now == kept.ruling => return Ok(()),
            Ok(now) => {
                let places = differences(&kept.ruling, &now);
                let places: Vec<&str> = places.iter().take(10).map(String::as_str).collect();
                places.join(" ")
            }
            Err(fault) => fault,
        };
        changed += 1;
        Ok(out.line(format_args!("{}  {told}", kept.row.number))?)
    })?;
    out.line(told!(lang;
        "重判{count}个，有变化{changed}个";
        "{count} ruled again, {changed} changed"))?;
    Ok(Status::of(changed == 0))
}

fn verify(args: &Which, store: &Store, out: &mut Out) -> Result<Status, Failure> {
    let lang = out.lang;
    let (mut proved, mut without, mut refuted) = (0u64, 0u64, 0u64);
    each(args, store, out, |kept, out| {
        let told = match book_of(store, &kept, lang)?.map(|book| verify_kept(&kept, &book)) {
            Ok(Ok(verification)) if verification.verified => {
                proved += 1;
                return Ok(());
            }
            Ok(Err(error)) if error.code == "no_certificate" => {
                without += 1;
                if args.all {
                    return Ok(());
                }
                lang.pick(error.detail_zh, error.detail)
            }
            found => {
                refuted += 1;
                match found {
                    Ok(Ok(verification)) => refuted_told(&verification, lang),
                    Ok(Err(error)) => lang.pick(error.detail_zh, error.detail),
                    Err(fault) => fault,
                }
            }
        };
        Ok(out.line(format_args!("{}  {told}", kept.row.number))?)
    })?;
    out.line(told!(lang;
        "证书成立{proved}个，不成立{refuted}个，没有证书{without}个";
        "{proved} verified, {refuted} not, {without} without a certificate"))?;
    Ok(Status::of(refuted == 0 && (args.all || without == 0)))
}

fn refused(args: &Refused, store: &Store, out: &mut Out) -> Result<Status, Failure> {
    let found = wait(store.refusals(None, args.limit))?;
    if args.format == Format::Json {
        out.line(pretty(&found))?;
        return Ok(Status::Well);
    }
    for row in found {
        out.line(format_args!(
            "{}  {}  {} {}  {}",
            row.refused_at, row.status, row.code, row.caller, row.detail
        ))?;
    }
    Ok(Status::Well)
}
