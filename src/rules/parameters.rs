//! Every parameter of a rule book, described: for people who read a book, for forms that edit
//! one, and for telling what a misspelt key meant.

use crate::definitions::{BothForbidden, ChaseTest, Definitions, plies_of_an_exchange};
use crate::language::{Text, both};
use crate::named::Named;
use crate::written;
use serde::Serialize;
use serde_json::{Map, Value};

/// A value a parameter with a fixed set of values can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ChoiceDoc {
    /// In files.
    pub id: &'static str,
    /// In Chinese.
    pub zh: &'static str,
    /// In English.
    pub en: &'static str,
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ParameterKind {
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Count {
        /// The least.
        min: u32,
        /// The greatest.
        max: u32,
    },
    /// One of these.
    Choice {
        /// The values.
        values: &'static [ChoiceDoc],
    },
}

/// What a parameter is where a book says nothing about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Silence {
    /// This.
    Flag(bool),
    /// This.
    Count(u32),
    /// This.
    Choice(&'static str),
    /// There is no such value: a book has to say.
    Speaks,
    /// It bounds the work of the program: no book speaks of it.
    Engine,
}

/// A parameter of [`Definitions`].
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ParameterDoc {
    /// The field.
    pub key: &'static str,
    /// In Chinese.
    pub zh: &'static str,
    /// In English.
    pub en: &'static str,
    /// Its values.
    #[serde(flatten)]
    pub kind: ParameterKind,
    /// Its value where a book is silent.
    pub silence: Silence,
    /// Whether a book with these definitions reads it at all.
    #[serde(skip)]
    pub is_read: fn(&Definitions) -> bool,
}

impl ParameterDoc {
    /// The parameter of that name.
    pub fn of(key: &str) -> Option<&'static Self> {
        PARAMETERS.iter().find(|parameter| parameter.key == key)
    }

    /// Whether a book with that value says no more than one that is silent.
    pub fn is_silent(&self, value: &Value) -> bool {
        match self.silence {
            Silence::Flag(silent) => value.as_bool() == Some(silent),
            Silence::Count(silent) => value.as_u64() == Some(u64::from(silent)),
            Silence::Choice(silent) => value.as_str() == Some(silent),
            Silence::Speaks | Silence::Engine => false,
        }
    }

    /// The values it takes, in words.
    pub fn expected(&self) -> Text {
        match self.kind {
            ParameterKind::Flag => both!("`true` or `false`", "true 或 false"),
            ParameterKind::Count { min, max } => {
                both!("a whole number from {min} to {max}", "{min}至{max}的整数")
            }
            ParameterKind::Choice { values } => {
                let ids: Vec<_> = values.iter().map(|value| value.id).collect();
                Text {
                    en: format!("`{}`", ids.join("`, `")),
                    zh: ids.join("、"),
                }
            }
        }
    }

    /// Whether it takes that value.
    pub fn takes(&self, value: &Value) -> bool {
        match self.kind {
            ParameterKind::Flag => value.is_boolean(),
            ParameterKind::Count { min, max } => value
                .as_u64()
                .is_some_and(|n| (u64::from(min)..=u64::from(max)).contains(&n)),
            ParameterKind::Choice { values } => value
                .as_str()
                .is_some_and(|id| values.iter().any(|value| value.id == id)),
        }
    }
}

/// The definitions by key.
pub fn values_of(definitions: &Definitions) -> Map<String, Value> {
    if let Value::Object(values) = written::tree(definitions) {
        values
    } else {
        Map::new()
    }
}

/// A field's value from the value of its parameter.
pub(super) trait Field: Sized {
    fn of(value: &Value) -> Option<Self>;
}

impl Field for bool {
    fn of(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl Field for u32 {
    fn of(value: &Value) -> Option<Self> {
        value.as_u64()?.try_into().ok()
    }
}

impl<T: Named> Field for T {
    fn of(value: &Value) -> Option<Self> {
        let name = value.as_str()?;
        let place = T::NAMES.iter().position(|known| *known == name)?;
        T::ALL.get(place).copied()
    }
}

macro_rules! fields {
    ($values:ident: $($field:ident $(or $default:expr)?,)+) => {
        Definitions {
            $($field: match $values.get(stringify!($field)) {
                Some(value) => Field::of(value)?,
                None => fields!(@ $($default)?),
            }),+
        }
    };
    (@) => { return None };
    (@ $default:expr) => { $default };
}

/// The definitions with these values, if there is one of the right kind for each key.
pub fn definitions_of(values: &Map<String, Value>) -> Option<Definitions> {
    if values.keys().any(|key| ParameterDoc::of(key).is_none()) {
        return None;
    }
    Some(fields!(values:
        conduct_is_judged,
        pending_unit,
        pending_count,
        extra_cycles_after_warning,
        kill_is_attack,
        mixed_attacks_forbidden,
        perpetual_chase_same_victim,
        chase_test,
        minor_on_rook or false,
        check_gain_depth,
        check_root_depth,
        mate_after_capture_depth,
        acceptance_mate_depth,
        acceptance_loss_depth,
        exchange_kinds,
        before_basis,
        even_trade_with_survival,
        root_ignore_loss,
        let_go_check_depth or 0,
        exchange_depth or plies_of_an_exchange(),
        pawn_for_rook,
        strong_outweighs_weak or false,
        fallen_pawn_ignored or false,
        pawn_upgrade,
        pawn_in_checks,
        king_evasion_idle,
        king_joint_exempt,
        fortress_exemption,
        both_forbidden,
        pinned_rook_by_horse_level,
        irregular_rounds,
        irregular_squares,
        irregular_rounds_after_warning or 0,
        first_capture_excluded_from_perpetual_check,
        offer_same_kind_unrooted,
        kill_budget,
        chase_budget,
    ))
}

const fn judged(definitions: &Definitions) -> bool {
    definitions.conduct_is_judged
}

const fn always(_: &Definitions) -> bool {
    true
}

fn chases(definitions: &Definitions) -> bool {
    judged(definitions) && definitions.chase_test != ChaseTest::None
}

fn exchanges(definitions: &Definitions) -> bool {
    judged(definitions) && definitions.chase_test == ChaseTest::Exchange
}

macro_rules! choices {
    ($($id:literal $zh:literal $en:literal,)+) => {
        ParameterKind::Choice { values: &[$(ChoiceDoc { id: $id, zh: $zh, en: $en }),+] }
    };
}

macro_rules! parameters {
    ($($key:ident: $kind:expr, $silence:expr, $is_read:expr, $zh:literal, $en:literal;)+) => {
        &[$(ParameterDoc {
            key: stringify!($key),
            zh: $zh,
            en: $en,
            kind: $kind,
            silence: $silence,
            is_read: $is_read,
        }),+]
    };
}

const FLAG: ParameterKind = ParameterKind::Flag;
const DEPTH: ParameterKind = ParameterKind::Count { min: 0, max: 12 };
const BUDGET: ParameterKind = ParameterKind::Count {
    min: 100,
    max: 10_000_000,
};
const OFF: Silence = Silence::Flag(false);
const ZERO: Silence = Silence::Count(0);

/// Every field of [`Definitions`], in its order.
pub const PARAMETERS: &[ParameterDoc] = parameters! {
    conduct_is_judged: FLAG, Silence::Speaks, always,
        "是否问双方着法的性质",
        "whether conduct is judged at all";
    pending_unit: choices! {
            "rounds" "循环走满的次数" "periods played in full",
            "occurrences" "局面出现的次数" "occurrences of the position",
        }, Silence::Speaks, always,
        "待判局面以何计数",
        "what is counted towards a pending position";
    pending_count: ParameterKind::Count { min: 2, max: 20 }, Silence::Speaks, always,
        "待判局面须满几次",
        "how many of it make a position pending";
    extra_cycles_after_warning: ParameterKind::Count { min: 1, max: 20 }, Silence::Speaks, judged,
        "责令变着之后再走满几个循环判负",
        "how many further cycles after the order to change lose the game";
    kill_is_attack: FLAG, OFF, judged,
        "杀是否为打",
        "whether a threat of mate counts as an attack";
    mixed_attacks_forbidden: FLAG, OFF, judged,
        "将、杀、捉交替是否同为禁止着法",
        "whether checks, kills and chases in turn are forbidden like one of them alone";
    perpetual_chase_same_victim: FLAG, OFF, chases,
        "长捉是否以捉同一子为限",
        "whether a perpetual chase must be of one and the same piece";
    chase_test: choices! {
            "exchange" "看吃子及其交换的结果" "by the outcome of the capture and of the exchange it starts",
            "root_and_value" "看有无真根及子力大小" "by real roots and the value of the two pieces",
            "none" "不看捉" "chases are not looked for",
        }, Silence::Choice("none"), judged,
        "捉的认定",
        "what makes an attack a chase";
    minor_on_rook: FLAG, OFF, asian,
        "有根子中是否仅车受保护，且仅不得由马、炮长捉",
        "whether of rooted pieces only the rook is protected, from horse and cannon";
    check_gain_depth: DEPTH, ZERO, exchanges,
        "抽吃至多经过几次连续照将，零为不计",
        "how many consecutive checks a gain by checks may take; 0: such a gain is no chase";
    check_root_depth: DEPTH, ZERO, exchanges,
        "根可经过几次连续照将起作用",
        "how many consecutive checks a root may work through";
    mate_after_capture_depth: DEPTH, ZERO, exchanges,
        "吃子后几次连续照将之内被将死者不为捉",
        "within how many consecutive checks the taker must be mated for the capture to be void";
    acceptance_mate_depth: DEPTH, ZERO, judged,
        "接受兑、献后几次照将之内被将死者不能接受",
        "accepting an exchange that loses to mate within this many checks is impossible";
    acceptance_loss_depth: DEPTH, ZERO, judged,
        "接受兑子后几次照将之内失子者不能接受",
        "accepting an exchange that loses material to this many checks is impossible";
    exchange_kinds: choices! {
            "same" "限同类" "only the same kind",
            "equal_value" "同类，马与炮，士与象" "the same kind, horse for cannon, advisor for elephant",
        }, Silence::Choice("same"), judged,
        "何种子可以互兑",
        "which pieces exchange for one another";
    before_basis: choices! {
            "relation" "走子之前的吃子关系" "the capture relations before the move",
            "result" "走子之前的吃子结果" "what could be won before the move",
        }, Silence::Speaks, exchanges,
        "新捉与何比较",
        "with what a threat is compared to know whether it is new";
    even_trade_with_survival: FLAG, OFF, exchanges,
        "等价互吃而吃子之子仍存是否为得子",
        "whether an even trade that the capturing piece survives is a gain";
    root_ignore_loss: FLAG, OFF, exchanges,
        "根子捉子是否不计所保之子的损失",
        "whether what a root guarded and loses by capturing is left out of the account";
    let_go_check_depth: DEPTH, ZERO, exchanges,
        "吃子之后因此可经连续照将另行得失之子，计至几次照将，零为不计",
        "through how many consecutive checks what a capture lays open elsewhere is followed; 0: not at all";
    exchange_depth: DEPTH, Silence::Count(plies_of_an_exchange()), exchanges,
        "完整互吃交换，首次吃子之后计至几着；其后只计末一格上的互吃",
        "through how many plies after the first capture an exchange is followed; beyond them only the last square is exchanged on";
    pawn_for_rook: FLAG, OFF, exchanges,
        "以兵、卒换车是否为得子",
        "whether giving a pawn for a rook is a gain";
    strong_outweighs_weak: FLAG, OFF, exchanges,
        "一个强子是否重于数个弱子",
        "whether any strong piece outweighs any number of weak ones";
    fallen_pawn_ignored: FLAG, OFF, exchanges,
        "得强子后所丢之兵、卒并非得子的代价者，是否不计",
        "whether a pawn that falls without being the price leaves a strong piece won";
    pawn_upgrade: FLAG, OFF, chases,
        "互相长打时兵、卒自身的捉是否作捉",
        "whether a pawn's own attacks count where both sides attack on every move";
    pawn_in_checks: choices! {
            "never" "一概不计" "never",
            "uncovering_check" "闪出他子照将者计" "where it uncovers another piece's check",
            "leaning_on_others" "借他子之力者计" "where it leans on another piece's force",
        }, Silence::Choice("never"), exchanges,
        "连续照将之中兵、卒的吃子何时计入",
        "which captures by pawns within a run of checks count";
    king_evasion_idle: FLAG, OFF, judged,
        "动帅、将应将是否一概作闲",
        "whether a king's move out of check is idle whatever it threatens";
    king_joint_exempt: FLAG, OFF, chases,
        "有帅、将、兵、卒参与的捉是否不计",
        "whether an attack in which king or pawn takes part is exempt";
    fortress_exemption: choices! {
            "off" "不设" "none",
            "holding" "守住要点的一方" "for the side that holds the post",
            "single_attacker" "守和一方仅有一个攻击子力时" "only where that side has a single attacking piece",
        }, Silence::Choice("off"), chases,
        "守正和要点的豁免",
        "the exemption for holding a drawing post";
    both_forbidden: choices! {
            "draw" "作和" "a draw",
            "strength" "着着单独捉子的一方变着" "the side all of whose attacks are strong changes",
            "strength_of_chases" "双方着着为捉时，着着单独捉子的一方变着" "where both sides chase on every move, the side all of whose chases are strong changes",
            "roots_of_chases" "双方着着为捉时，着着捉无根子的一方变着" "where both sides chase on every move, the side that chases only unrooted pieces changes",
            "levels" "违例较重的一方变着" "the graver offence changes",
        }, Silence::Choice("draw"), judged,
        "双方均为禁止着法时如何处理",
        "what becomes of it when both sides behave as forbidden";
    pinned_rook_by_horse_level: FLAG, OFF, by_levels,
        "捉被马牵住之车是否重于其他的捉",
        "whether chasing a rook that a horse holds is graver than other chases";
    irregular_rounds: ParameterKind::Count { min: 0, max: 100 }, ZERO, judged,
        "不成循环的禁止着法连续几个回合须变着，零为不计",
        "consecutive rounds of forbidden moves that bind a side without a cycle; 0: none do";
    irregular_squares: ParameterKind::Count { min: 0, max: 32 }, ZERO, irregular,
        "上述着法至少走及几个位置",
        "over at least how many squares they go";
    irregular_rounds_after_warning: ParameterKind::Count { min: 0, max: 100 }, ZERO, irregular,
        "因此责令变着后再走几个回合禁止着法判负，零为须责令时的局面再现",
        "further rounds of them that lose after an order to change; 0: the position in which it was given has to come back";
    first_capture_excluded_from_perpetual_check: FLAG, OFF, judged,
        "首着吃子的照将是否不计入长将",
        "whether a capture that opens a run of checks is not counted into it";
    offer_same_kind_unrooted: FLAG, OFF, judged,
        "献是否限于无根之子送同类子吃",
        "whether only an unrooted piece offered to its own kind is an offer";
    kill_budget: BUDGET, Silence::Engine, judged,
        "求杀一次至多展开的局面数",
        "positions one search for a mate may expand";
    chase_budget: BUDGET, Silence::Engine, exchanges,
        "求捉一次至多展开的局面数",
        "positions one chase test may expand";
};

fn asian(definitions: &Definitions) -> bool {
    judged(definitions) && definitions.chase_test == ChaseTest::RootAndValue
}

fn by_levels(definitions: &Definitions) -> bool {
    chases(definitions) && definitions.both_forbidden == BothForbidden::Levels
}

const fn irregular(definitions: &Definitions) -> bool {
    judged(definitions) && definitions.irregular_rounds > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Catalog;

    fn definitions() -> Definitions {
        let loaded = Catalog::builtin().get("cxa-1999").unwrap();
        loaded.book.definitions.clone()
    }

    fn with(key: &str, value: Value) -> Result<Definitions, serde_json::Error> {
        let mut values = values_of(&definitions());
        values.insert(key.to_owned(), value);
        serde_json::from_value(Value::Object(values))
    }

    #[test]
    fn the_parameters_are_the_fields_in_their_order() {
        let text = serde_json::to_string(&definitions()).unwrap();
        let places: Vec<_> = PARAMETERS
            .iter()
            .map(|parameter| text.find(&format!("\"{}\":", parameter.key)))
            .collect();
        assert!(places.iter().all(Option::is_some), "{places:?}");
        assert!(places.is_sorted(), "{places:?}");
        assert_eq!(values_of(&definitions()).len(), PARAMETERS.len());
        assert_eq!(
            definitions_of(&values_of(&definitions())),
            Some(definitions())
        );
    }

    #[test]
    fn every_value_told_is_one_the_field_takes() {
        for parameter in PARAMETERS {
            let key = parameter.key;
            let values: Vec<Value> = match parameter.kind {
                ParameterKind::Flag => vec![true.into(), false.into()],
                ParameterKind::Count { min, max } => vec![min.into(), max.into()],
                ParameterKind::Choice { values } => values.iter().map(|v| v.id.into()).collect(),
            };
            for value in values {
                assert!(parameter.takes(&value), "{key} {value}");
                let back = values_of(&with(key, value.clone()).unwrap());
                assert_eq!(back.get(key), Some(&value), "{key}");
            }
            let silent = serde_json::to_value(parameter.silence).unwrap();
            assert_eq!(parameter.takes(&silent), !silent.is_null(), "{key}");
            assert_eq!(parameter.is_silent(&silent), !silent.is_null(), "{key}");
        }
    }

    #[test]
    fn no_value_of_a_choice_is_left_untold() {
        for parameter in PARAMETERS {
            let ParameterKind::Choice { values } = parameter.kind else {
                continue;
            };
            let told: Vec<_> = values
                .iter()
                .map(|value| format!("`{}`", value.id))
                .collect();
            let error = with(parameter.key, "?".into()).unwrap_err().to_string();
            let (_, known) = error.split_once("expected ").unwrap();
            let known: Vec<_> = known
                .split('`')
                .skip(1)
                .step_by(2)
                .map(|id| format!("`{id}`"))
                .collect();
            assert_eq!(told, known, "{}", parameter.key);
        }
    }

    #[test]
    fn every_parameter_is_told_in_both_languages() {
        for parameter in PARAMETERS {
            assert!(!parameter.zh.is_ascii(), "{}", parameter.key);
            assert!(parameter.en.is_ascii(), "{}", parameter.key);
        }
    }
}
