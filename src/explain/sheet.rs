//! A ruling as one page of text, to be read out to two players.

use super::verdict::{VerdictContext, outcome_text, side_text};
use super::words::move_zh;
use super::{Told, clauses};
use crate::board::Side;
use crate::classify::Nature;
use crate::exchange::Work;
use crate::language::{Language, capitalised};
use crate::rules::{Outcome, RuleBook};
use crate::ruling::{Judged, MoveJudged};

/// What stands on a sheet besides the ruling.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The board of the start position, drawn.
    pub board: &'a str,
    /// How the ruling came to be asked for.
    pub context: VerdictContext,
    /// In which language.
    pub language: Language,
}

/// How many columns a text takes in a terminal: a Chinese character takes two.
pub(crate) fn width(text: &str) -> usize {
    text.chars()
        .map(|c| if u32::from(c) >= 0x2E80 { 2 } else { 1 })
        .sum()
}

/// A text with blanks up to so many columns.
pub(crate) fn padded(text: &str, to: usize) -> String {
    let gap = to.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(gap))
}

/// A clause; of one whose number below is not known (`26.1.x`), what is known.
fn as_known(id: &str) -> &str {
    id.strip_suffix(".x").unwrap_or(id)
}

/// What stands beside a move.
fn label(m: &MoveJudged, language: Language) -> String {
    let of = |nature: Nature| language.pick(nature.zh(), nature.id()).to_owned();
    match (m.finding.nature, &m.finding.open) {
        (Some(nature), _) => of(nature),
        (None, Some(open)) => {
            let each: Vec<_> = open.candidates.iter().map(|n| of(*n)).collect();
            format!("{}?", each.join("/"))
        }
        (None, None) => "?".to_owned(),
    }
}

/// The ruling as a page: board, cycle with the nature of each move and its reason, both sides,
/// the verdict, the clauses with their texts.
pub fn sheet(judged: &Judged, book: &RuleBook, with: &Sheet<'_>) -> String {
    let language = with.language;
    let zh = language == Language::Zh;
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line(&format!("{} ({})", language.of(&book.title), book.id));
    line("");
    for row in with.board.trim_end().lines() {
        line(row);
    }
    line("");
    // Over a long run there is none.
    line(match with.context.rounds {
        0 => language.pick("所裁着法", "The moves"),
        _ => language.pick("着法循环", "The cycle"),
    });
    let work = Work::free(None);
    let moves = judged.told();
    let names: Vec<String> = moves
        .iter()
        .map(|m| {
            let chinese = move_zh(&m.scene.before, m.scene.mv);
            format!("{chinese} {}", m.scene.mv)
        })
        .collect();
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let mut used: Vec<String> = Vec::new();
    let use_clauses = |used: &mut Vec<String>, ids: &[String]| {
        for id in ids {
            if !used.contains(id) {
                used.push(id.clone());
            }
        }
    };
    for (i, (m, name)) in moves.iter().zip(&names).enumerate() {
        let side = language.pick(m.scene.side.zh().to_owned(), capitalised(m.scene.side.id()));
        let told = Told::within(m, book, &work);
        let cite = clauses(book, &told.grounds);
        line(&format!(
            " {:>2}. {} {}  {}",
            i + 1,
            padded(&side, 5),
            padded(name, widest),
            label(m, language)
        ));
        let reason = language.of(&told.reason);
        let known: Vec<&str> = cite.iter().map(|id| as_known(id)).collect();
        let cited = match (known.is_empty(), zh) {
            (true, _) => String::new(),
            (false, true) => format!("〔{}〕", known.join("、")),
            (false, false) => format!(" [{}]", known.join(", ")),
        };
        line(&format!("     {reason}{cited}"));
        use_clauses(&mut used, &cite);
    }
    if book.definitions.conduct_is_judged {
        line("");
        line(language.pick("双方", "The sides"));
        for side in Side::ALL {
            let text = side_text(judged, book, side);
            let end = language.pick("。", ".");
            line(&format!("     {}{end}", capitalised(language.of(&text))));
        }
    }
    line("");
    line(language.pick("裁决", "The ruling"));
    let verdict = outcome_text(judged, book, &with.context, &work);
    line(&format!("     {}", language.of(&verdict)));
    use_clauses(&mut used, judged.verdict.cited(book, with.context.claimed));
    if judged.verdict.outcome == Outcome::MustChange {
        use_clauses(&mut used, &book.unchanged(judged.verdict.situation));
    }
    let articles: Vec<_> = book
        .articles
        .iter()
        .filter(|article| used.contains(&article.id))
        .collect();
    if !articles.is_empty() {
        line("");
        line(language.pick("条款", "The clauses"));
        for article in articles {
            let text = language.of(&article.text);
            // Some say so themselves.
            let says = text.contains(language.pick("条文未见", "not seen"));
            let source = if article.is_uncertain() && !says {
                language.pick("（条文未见，据旁证）", " (the clause itself was not seen)")
            } else {
                ""
            };
            line(&format!(
                "     {}  {text}{source}",
                padded(as_known(&article.id), 6)
            ));
        }
    }
    out
}
