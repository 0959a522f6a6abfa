//! The parameters of 2.10. The code reads these, never the name of a book.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Check, kill and chase by search (2.1-2.8), verdict 3.1/3.3.
    Chinese,
    /// Check and chase by relations only (2.9), verdict 3.4.
    Asian,
    /// Any third occurrence is a draw.
    Threefold,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeforeBasis {
    /// 1999: O may not capture the piece that is about to move.
    ShieldTheMover,
    /// 2020: O may capture the piece that is about to move, if that piece is a party to the threat.
    DodgeIfParty,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BothForbidden {
    Draw,
    /// 26.9: strong against weak.
    TieBreak,
}

/// What a pawn's own capture counts for within a run of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PawnCapture {
    Never,
    /// 26.8: where it uncovers another piece's check.
    Uncovering,
    /// T21, 2004: also where another piece gave one of the checks.
    LeaningOnOthers,
}

#[derive(Clone, Debug)]
pub struct Params {
    pub method: Method,
    /// A one-sided perpetual check loses at once (else: must change).
    pub perpetual_check_loses: bool,
    /// 2.7: depth in checks of the chase by check gain; 0 = off.
    pub check_gain_depth: u32,
    /// 2.4c: depth in checks of a root that works through checks.
    pub check_root_depth: u32,
    /// 2.3 (ii): depth in checks of "accepting gets mated".
    pub accept_mate_depth: u32,
    /// 2.3 (iii): depth in checks of "accepting loses material at once".
    pub accept_loss_depth: u32,
    /// 28.5: N-C and A-B count as equal for an exchange.
    pub exchange_equal_value: bool,
    pub before_basis: BeforeBasis,
    /// Supplement (6) / 26.5: an equal trade which the captor survives is a threat.
    pub even_trade_with_survival: bool,
    /// 2004 ruling on 细则 4: what falls because its root took something is not counted.
    pub root_ignore_loss: bool,
    /// 26.6: a pawn given for a rook is a gain.
    pub pawn_for_rook: bool,
    /// 27.2: the pawn's own attacks count when both sides then attack on every move.
    pub pawn_upgrade: bool,
    pub pawn_capture: PawnCapture,
    /// A king stepping out of check makes nothing but idle moves.
    pub king_evasion_idle: bool,
    /// 27.3 / 26.2.
    pub fortress_exemption: bool,
    pub both_forbidden: BothForbidden,
    /// 28.6 in 1999: an offered piece is unrooted and can be taken by its own kind.
    pub offer_same_kind_unrooted: bool,
    /// 3.4: chase of a rook held by a horse is graver.
    pub pinned_rook_by_horse_level: bool,
    /// Positions expanded by the kill game (2.2).
    pub kill_budget: usize,
}

impl Params {
    pub fn cxa_1999() -> Params {
        Params {
            method: Method::Chinese,
            perpetual_check_loses: true,
            check_gain_depth: 3,
            check_root_depth: 5,
            accept_mate_depth: 4,
            accept_loss_depth: 2,
            exchange_equal_value: true,
            before_basis: BeforeBasis::ShieldTheMover,
            even_trade_with_survival: true,
            root_ignore_loss: true,
            pawn_for_rook: false,
            pawn_upgrade: true,
            pawn_capture: PawnCapture::LeaningOnOthers,
            king_evasion_idle: true,
            fortress_exemption: true,
            both_forbidden: BothForbidden::Draw,
            offer_same_kind_unrooted: true,
            pinned_rook_by_horse_level: false,
            kill_budget: 20_000,
        }
    }

    pub fn cxa_2007() -> Params {
        Params {
            both_forbidden: BothForbidden::TieBreak,
            ..Params::cxa_1999()
        }
    }

    pub fn cxa_2011() -> Params {
        Params {
            pawn_capture: PawnCapture::Never,
            ..Params::cxa_2020()
        }
    }

    pub fn cxa_2020() -> Params {
        Params {
            exchange_equal_value: false,
            before_basis: BeforeBasis::DodgeIfParty,
            root_ignore_loss: false,
            pawn_for_rook: true,
            pawn_upgrade: false,
            pawn_capture: PawnCapture::Uncovering,
            both_forbidden: BothForbidden::TieBreak,
            offer_same_kind_unrooted: false,
            ..Params::cxa_1999()
        }
    }

    pub fn wxf() -> Params {
        Params {
            method: Method::Asian,
            perpetual_check_loses: false,
            pinned_rook_by_horse_level: true,
            fortress_exemption: false,
            ..Params::cxa_2020()
        }
    }

    pub fn threefold() -> Params {
        Params {
            method: Method::Threefold,
            ..Params::wxf()
        }
    }

    pub fn by_id(id: &str) -> Option<Params> {
        match id.split('@').next().unwrap_or(id) {
            "cxa-1999" => Some(Params::cxa_1999()),
            "cxa-2007" => Some(Params::cxa_2007()),
            "cxa-2011" => Some(Params::cxa_2011()),
            "cxa-2020" => Some(Params::cxa_2020()),
            "wxf" => Some(Params::wxf()),
            "threefold" => Some(Params::threefold()),
            _ => None,
        }
    }
}
