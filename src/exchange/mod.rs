//! What a capture is worth, and what can be forced by checks.
//!
//! The questions of the rule books are asked of one position at a time, with one side to move:
//! what does this capture win once everything it touches off has been taken ([`Account`])? Does a
//! run of checks mate ([`mate`]), win the capturing piece back ([`Account::cap`]),
//! or win something by itself? Every search counts the positions it expands against a
//! [`Budget`]: when that is spent the answer is open, never *no*.

mod account;
mod attacks;
mod budget;
mod checks;
mod graph;
mod mate;
mod roots;
mod value;

pub use account::{
    Account, Aims, Ban, Bans, Before, End, Line, Prefer, Win, is_barred, is_retaken,
    is_retaken_but_for_check, square_exchange, uncovers_check,
};
pub use attacks::{Attack, Sparing, Which, attacked, attacks};
pub use budget::{AtOnce, Budget, LOOK, Spent, Terms, Watch, Work};
pub use checks::mates_within;
pub use graph::{
    Contact, ContactGraph, ContactKind, DrawLanguage, Drawing, DrawnContact, DrawnPiece, Guard,
    Hidden, Past, Pin, PinHow, Stand, Survey, face_each_other,
};
pub use mate::{MateAnswer, Shown, mate, mate_beginning, shown};
pub use roots::{
    FalseRoot, Root, RootPiece, RootStatus, RootTarget, Shortage, root_of, roots_on, status_of,
    target_of,
};
pub use value::{Balance, Grade, Scale, has_crossed, is_material, material};
