//! A file of every form.

use super::record_made::{self as made, ending, game};
use qili::notation::Notation;
use qili::record::Encoding;

/// Bytes for the keys of XQF.
pub const KEYS: [u8; 9] = [0xA5, 0x11, 0x22, 0x44, 0x88, 0x37, 0x51, 0x92, 0xC6];

/// Every form of one game.
pub fn files() -> Vec<Vec<u8>> {
    let game = game();
    vec![
        made::xqf(&game, 10, KEYS),
        made::xqf(&game, 11, KEYS),
        made::xqf(&ending(), 18, KEYS),
        game.to_xqf(),
        made::cbr(&game, 1),
        made::cbl(
            &[
                made::heading("题", 1),
                made::cbr(&game, 2),
                made::cbr(&ending(), 3),
            ],
            &[2],
        ),
        made::packed(&made::old_game(&game)),
        made::old_library(&[game.clone(), ending()]),
        made::cbf(&game),
        game.to_dhtmlxq().into_bytes(),
        Encoding::Gb18030
            .encode(&game.write(Notation::Chinese))
            .into_owned(),
        game.write(Notation::English).into_bytes(),
        (game.to_row("a", 0) + "\n" + &ending().to_row("b", 1)).into_bytes(),
        b"position startpos moves h2e2 h9g7\nposition fen 3k5/9/9/9/9/9/9/9/4R4/4K4 b moves d9d8"
            .to_vec(),
        b"https://www.chessdb.cn/query/?3k5/9/9/9/9/9/9/9/4R4/4K4%20b&movelist=d9d8".to_vec(),
        "红方：甲\n1. 炮二平五 马8进7 红胜\n\n红方：乙\n1. 兵七进一 和棋\n"
            .as_bytes()
            .to_vec(),
    ]
}
