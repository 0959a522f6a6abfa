//! Rulings written at once. Who wants nothing explained asks for many: what is told then is so little that it is
//! written as it stands, and made no value of before.

use super::answer::{OpenJson, ruling_json, told_moves};
use super::request::{Explain, Request};
use crate::board::{BySide, Move, Side};
use crate::classify::Nature;
use crate::rules::LoadedBook;
use crate::ruling::{Judged, MoveJudged, Ruling};
use crate::written::{Unwritable, named, number, text, write};

type Done = Result<(), Unwritable>;

/// Adds a ruling as it is sent: what `serde_json` makes of [`ruling_json`], to the byte.
///
/// # Errors
/// It cannot be told as JSON: not of any ruling.
pub fn write_ruling(
    out: &mut Vec<u8>,
    request: &Request,
    loaded: &LoadedBook,
    ruling: &Ruling,
) -> Done {
    if request.explain == Explain::None {
        brief(out, request, loaded, ruling)
    } else {
        write(out, &ruling_json(request, loaded, ruling))
    }
}

fn add(out: &mut Vec<u8>, json: &str) {
    out.extend_from_slice(json.as_bytes());
}

/// The name of something that may be open.
fn name(out: &mut Vec<u8>, name: Option<&'static str>) {
    match name {
        Some(name) => named(out, name),
        None => add(out, "null"),
    }
}

fn brief(out: &mut Vec<u8>, request: &Request, loaded: &LoadedBook, ruling: &Ruling) -> Done {
    let book = &loaded.book;
    add(out, "{");
    if let Some(id) = &request.id {
        add(out, "\"id\":");
        write(out, id)?;
        add(out, ",");
    }
    add(out, "\"rules\":{\"id\":");
    text(out, &book.id);
    add(out, ",\"version\":");
    text(out, &book.version);
    add(out, ",\"digest\":");
    text(out, &loaded.digest);
    add(out, "},");
    if let Some(ended) = &ruling.ended {
        add(out, "\"ended\":");
        write(out, ended)?;
        add(out, ",");
    }
    add(out, "\"cycle\":");
    if let Some(cycle) = &ruling.cycle {
        let span = cycle.span;
        add(out, "{\"start_ply\":");
        number(out, span.start_ply as u64);
        add(out, ",\"period\":");
        number(out, span.period as u64);
        add(out, ",\"rounds\":");
        number(out, span.rounds.into());
        add(out, ",\"occurrences\":");
        number(out, span.occurrences.into());
        add(out, "}");
    } else {
        add(out, "null");
    }
    add(out, ",\"moves\":[");
    moves(out, ruling, book.definitions.conduct_is_judged)?;
    add(out, "],\"sides\":");
    match &ruling.judged {
        Some(judged) if book.definitions.conduct_is_judged => {
            let BySide { red, black } = &judged.sides;
            add(out, "{\"red\":{\"pattern\":");
            name(out, red.pattern);
            add(out, ",\"standing\":");
            write(out, &red.standing)?;
            add(out, "},\"black\":{\"pattern\":");
            name(out, black.pattern);
            add(out, ",\"standing\":");
            write(out, &black.standing)?;
            add(out, "}}");
        }
        Some(_) | None => add(out, "null"),
    }
    let verdict = &ruling.verdict;
    add(out, ",\"verdict\":{\"outcome\":");
    write(out, &verdict.outcome)?;
    add(out, ",\"side\":");
    name(out, verdict.side.map(Side::id));
    add(out, ",\"clauses\":");
    write(out, ruling.verdict.cited(book, request.claimed))?;
    let judged = ruling.judged.as_ref();
    if judged.is_some_and(Judged::could_assert_draw) {
        add(out, ",\"assertable\":[\"theoretical_draw\"]");
    }
    if !verdict.open.is_empty() {
        add(out, ",\"open\":");
        write(out, &ruling.open_plies())?;
    }
    add(out, "}}");
    Ok(())
}

/// The moves of one period, what they are only where the verdict reads it.
fn moves(out: &mut Vec<u8>, ruling: &Ruling, reads_natures: bool) -> Done {
    let span = ruling.cycle.as_ref().map(|cycle| cycle.span);
    let first = ruling.told_from();
    let judged = ruling.judged.iter();
    let judged = judged.flat_map(|judged| told_moves(judged, span));
    let mut ply = first;
    for MoveJudged { scene, finding } in judged {
        one_move(out, ply, ply == first, scene.side, scene.mv);
        if reads_natures {
            add(out, ",\"nature\":");
            name(out, finding.nature.map(Nature::id));
        }
        if let Some(open) = &finding.open {
            if !open.candidates.is_empty() {
                add(out, ",\"candidates\":");
                write(out, &open.candidates)?;
            }
            add(out, ",\"open\":");
            write(out, &OpenJson::from(open))?;
        }
        add(out, "}");
        ply += 1;
    }
    // Of a cycle of which no move was looked into, they stand alone.
    if ply == first
        && let Some(cycle) = &ruling.cycle
    {
        let mut side = cycle.start().turn();
        for &mv in cycle.moves() {
            one_move(out, ply, ply == first, side, mv);
            add(out, "}");
            side = side.opponent();
            ply += 1;
        }
    }
    Ok(())
}

/// What is told of every move; more may follow.
fn one_move(out: &mut Vec<u8>, ply: usize, first: bool, side: Side, mv: Move) {
    add(out, if first { "{\"ply\":" } else { ",{\"ply\":" });
    number(out, ply as u64);
    add(out, ",\"side\":\"");
    add(out, side.id());
    add(out, "\",\"iccs\":\"");
    out.extend_from_slice(&mv.letters());
    add(out, "\"");
}
