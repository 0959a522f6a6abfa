//! Games made up for trials: played with some sense, with repetitions of every kind in known
//! proportion.
//!
//! A seed and its number determine a game, whatever the others are and however many threads make
//! them. What is to repeat in it is drawn first; the player then looks for a cycle of that kind
//! as the game goes on, and asks the judge whether it is one. Where none comes about in time, the
//! game is played from a study instead: a case of the library, with some pieces more.

mod play;
mod repeat;

use crate::board::Position;
use crate::compare::Dice;
use crate::notation::{GameResult, Notation, fen};
use crate::record::Record;
use crate::rules::{LoadedBook, RuleBook};
use crate::ruling::Conduct;
use crate::wire::{Kind as RequestKind, Request};
use play::Player;
use repeat::Studies;
use serde::Serialize;
use std::collections::BTreeMap;

/// What repeats in a game by plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Plan {
    /// Nothing.
    None,
    /// A position stands three times at most: not enough for the books that count rounds.
    Short,
    /// Neither side attacks.
    Idle,
    /// One side checks on every move.
    Check,
    /// One side threatens mate on every move.
    Kill,
    /// One side chases on every move.
    Chase,
    /// One side offers to trade on every move.
    Exchange,
    /// A side attacks in different ways, or on some moves only.
    Mixed,
    /// Both sides attack on every move.
    TwoSided,
}

impl Plan {
    /// All of them, with how many of a thousand games have it.
    pub const ALL: [(Self, usize); 9] = [
        (Self::None, 880),
        (Self::Short, 20),
        (Self::Idle, 40),
        (Self::Check, 20),
        (Self::Kill, 5),
        (Self::Chase, 15),
        (Self::Exchange, 5),
        (Self::Mixed, 10),
        (Self::TwoSided, 5),
    ];

    /// The name in ids and counts.
    pub const fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Short => "short",
            Self::Idle => "idle",
            Self::Check => "check",
            Self::Kill => "kill",
            Self::Chase => "chase",
            Self::Exchange => "exchange",
            Self::Mixed => "mixed",
            Self::TwoSided => "two_sided",
        }
    }

    fn draw(dice: &mut Dice) -> Self {
        let mut lot = dice.below(1000);
        for (plan, share) in Self::ALL {
            if lot < share {
                return plan;
            }
            lot -= share;
        }
        Self::None
    }

    /// What kind of repetition two patterns are.
    pub fn of_patterns(one: &str, other: &str) -> Self {
        let both = [one, other];
        let any = |name: &str| both.contains(&name);
        // A pattern without an idle kind attacks on every move.
        let attacks = |name: &str| {
            let quiet = ["_idle", "_exchange", "_offer", "_block", "_follow"];
            !quiet.iter().any(|end| name.ends_with(end))
        };
        let mixed = |name: &str| !name.starts_with("perpetual_");
        if both.iter().all(|name| attacks(name)) {
            Self::TwoSided
        } else if any("perpetual_check") {
            Self::Check
        } else if any("perpetual_kill") {
            Self::Kill
        } else if any("perpetual_chase") {
            Self::Chase
        } else if both.iter().any(|name| mixed(name)) {
            Self::Mixed
        } else if any("perpetual_exchange") {
            Self::Exchange
        } else {
            Self::Idle
        }
    }

    fn of(conduct: &crate::board::BySide<Conduct>) -> Self {
        Self::of_patterns(conduct.red.pattern, conduct.black.pattern)
    }
}

/// A game that was made up.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its name: seed, number and plan.
    pub id: String,
    /// What repeats in it.
    pub plan: Plan,
    /// Whether it is played from a study.
    pub study: bool,
    /// The game.
    pub record: Record,
}

/// How many games have what plan, and were played from what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games made.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// By plan, from the opening.
    pub played: BTreeMap<&'static str, u64>,
    /// By plan, from a study.
    pub studies: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Enters a game.
    pub fn enter(&mut self, made: &Made) {
        self.games += 1;
        self.plies += made.record.moves.len() as u64;
        let of = if made.study {
            &mut self.studies
        } else {
            &mut self.played
        };
        *of.entry(made.plan.id()).or_default() += 1;
    }

    /// Adds other games.
    pub fn add(&mut self, more: &Self) {
        self.games += more.games;
        self.plies += more.plies;
        for (own, more) in [
            (&mut self.played, &more.played),
            (&mut self.studies, &more.studies),
        ] {
            for (name, count) in more {
                *own.entry(name).or_default() += count;
            }
        }
    }
}

/// Positions a search may expand while a cycle is looked for: what takes longer is passed over.
const BUDGET: u32 = 300;

/// Makes games up.
#[derive(Debug)]
pub struct Generator {
    seed: u64,
    book: RuleBook,
    studies: Studies,
}

impl Generator {
    /// One whose repetitions are what they are under a book.
    pub fn new(seed: u64, loaded: &LoadedBook) -> Self {
        let mut book = loaded.book.clone();
        book.definitions.kill_budget = book.definitions.kill_budget.min(BUDGET);
        book.definitions.chase_budget = book.definitions.chase_budget.min(BUDGET);
        let studies = Studies::of_library(&book);
        Self {
            seed,
            book,
            studies,
        }
    }

    /// The game with a number.
    pub fn game(&self, number: u64) -> Made {
        let mut dice = Dice::new(self.seed, number);
        let plan = Plan::draw(&mut dice);
        let mut player = Player::new(Position::start(), 30 + dice.below(130));
        let mut study = false;
        if plan == Plan::None {
            player.play_out(&mut dice);
        } else if !player.play_with(&mut dice, plan, &self.book) {
            study = true;
            player = self.studies.play(&mut dice, plan, &self.book);
        }
        let mut record = Record::new(player.start().clone());
        record.result = player.result();
        record.moves = player.into_moves();
        let id = format!("{}-{number:07}-{}", self.seed, plan.id());
        for (name, value) in [("Event", "qili archive generate"), ("Round", id.as_str())] {
            record.tags.push((name.to_owned(), value.to_owned()));
        }
        Made {
            id,
            plan,
            study,
            record,
        }
    }
}

impl Made {
    /// The game as a record.
    pub fn pgn(&self, notation: Notation) -> String {
        self.record.write(notation)
    }

    /// The game as a request.
    pub fn request(&self) -> Request {
        let moves = self.record.moves.iter().map(ToString::to_string).collect();
        let mut request = Request::cycle("", moves);
        request.fen = self.fen();
        request.id = Some(self.id.clone().into());
        request.kind = RequestKind::Game;
        request
    }

    /// The position it starts from, where that is not the opening.
    pub fn fen(&self) -> Option<String> {
        (self.record.start != Position::start()).then(|| fen::write(&self.record.start))
    }

    /// The game as a line.
    pub fn line(&self) -> String {
        use std::fmt::Write;
        let mut line = format!("{{\"id\":\"{}\",\"kind\":\"game\",", self.id);
        if let Some(fen) = self.fen() {
            let _ = write!(line, "\"fen\":\"{fen}\",");
        }
        line.push_str("\"moves\":[");
        for (at, mv) in self.record.moves.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            let _ = write!(line, "{comma}\"{mv}\"");
        }
        line.push_str("]}\n");
        line
    }

    /// How it ended.
    pub const fn result(&self) -> GameResult {
        self.record.result
    }
}
