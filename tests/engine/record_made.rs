//! Files of every binary form, made up here byte by byte as `docs/formats.md` describes them.

#![expect(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "test code: a file that cannot be made fails the test"
)]

use qili::board::{Move, Position, Side, Square};
use qili::notation::{fen, read_list};
use qili::record::{Encoding, Record};
use std::fmt::Write as _;

/// The pieces in the order in which headers have them.
pub const PIECES: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// A game with comments, and a variation within a variation.
pub fn game() -> Record {
    let start = Position::start();
    let text = "[Title \"一局\"]\n[Event \"某赛\"]\n[Date \"2001.2.3\"]\n[Site \"某地\"]\n[Red \"甲某\"]\n[Black \"乙某\"]\n\n\
                {开头} 1. 炮二平五 马8进7 2. 马二进三 {好} 车9平8 3. 车一平二 1-0";
    let mut game = qili::record::Reader::new(text.as_bytes())
        .next()
        .unwrap()
        .unwrap();
    let variation = |of, at, from: &[&str], moves: &str, said: Option<&str>| {
        let mut position = start.clone();
        for mv in from {
            position.make(mv.parse().unwrap());
        }
        qili::record::Variation {
            of,
            at,
            moves: read_list(&position, moves).unwrap(),
            comments: said
                .map(|text| qili::record::Comment {
                    after: 1,
                    text: text.to_owned(),
                })
                .into_iter()
                .collect(),
        }
    };
    // In the order in which a tree has them: what is deeper first.
    game.variations = vec![
        variation(
            None,
            3,
            &["h2e2", "h9g7", "h0g2"],
            "卒7进1 车一平二",
            Some("也可"),
        ),
        variation(
            Some(0),
            1,
            &["h2e2", "h9g7", "h0g2", "g6g5"],
            "兵七进一",
            None,
        ),
        variation(None, 1, &["h2e2"], "炮8平5", None),
        variation(None, 1, &["h2e2"], "炮2平5 马二进三", None),
    ];
    game
}

/// An ending in which Black moves first.
pub fn ending() -> Record {
    let mut game = Record::new(fen::parse("3k5/9/9/9/9/9/9/9/4R4/4K4 b").unwrap());
    game.moves = read_list(&game.start, "将4进1 帅五平四").unwrap();
    game.tags.push(("Title".to_owned(), "残局".to_owned()));
    game
}

/// A move of a tree, in the order in which trees are written.
pub struct Node {
    /// 0 for the root, which stands for no move.
    pub depth: usize,
    pub mv: Option<Move>,
    pub comment: String,
    /// A move follows in this line; another might be played in its place.
    pub follows: bool,
    pub alternative: bool,
}

/// The moves of a record as a tree: each before what follows it, that before what else might be
/// played.
pub fn tree(game: &Record) -> Vec<Node> {
    let said = |comments: &[qili::record::Comment], after| {
        let said = comments.iter().filter(|comment| comment.after == after);
        said.map(|comment| comment.text.clone())
            .collect::<Vec<_>>()
            .join("\n")
    };
    let mut nodes = vec![Node {
        depth: 0,
        mv: None,
        comment: said(&game.comments, 0),
        follows: !game.moves.is_empty(),
        alternative: false,
    }];
    // (line, move of it, depth, what else might be played instead)
    let mut waiting = vec![(None, 0, 1, Vec::new())];
    while let Some((of, at, depth, mut others)) = waiting.pop() {
        let (moves, comments) = match of {
            None => (&game.moves, &game.comments),
            Some(of) => {
                let variation: &qili::record::Variation = &game.variations[of];
                (&variation.moves, &variation.comments)
            }
        };
        let Some(&mv) = moves.get(at) else { continue };
        if at > 0 || of.is_none() {
            let leave = |(_, v): &(usize, &qili::record::Variation)| v.of == of && v.at == at;
            others = game
                .variations
                .iter()
                .enumerate()
                .filter(leave)
                .map(|(i, _)| i)
                .collect();
        }
        let follows = at + 1 < moves.len();
        let alternative = !others.is_empty();
        let comment = said(comments, at + 1);
        nodes.push(Node {
            depth,
            mv: Some(mv),
            comment,
            follows,
            alternative,
        });
        if alternative {
            let next = others.remove(0);
            waiting.push((Some(next), 0, depth, others));
        }
        if follows {
            waiting.push((of, at + 1, depth + 1, Vec::new()));
        }
    }
    nodes
}

/// The squares of the pieces, in the order of [`PIECES`].
pub fn squares(start: &Position) -> Vec<Option<Square>> {
    let setup = start.setup();
    let mut left: Vec<_> = setup
        .pieces()
        .map(|(at, piece)| (at, piece.letter()))
        .collect();
    let place = |letter: &u8| {
        let found = left
            .iter()
            .position(|&(_, piece)| piece == char::from(*letter))?;
        Some(left.remove(found).0)
    };
    PIECES.iter().map(place).collect()
}

fn gbk(text: &str) -> Vec<u8> {
    Encoding::Gb18030.encode(text).into_owned()
}

/// XQF of a version, hidden by these bytes of its header: the mask, four, the sum and three keys.
pub fn xqf(game: &Record, version: u8, bytes: [u8; 9]) -> Vec<u8> {
    let [mask, a, b, c, d, sum, kp, kf, kt] = bytes;
    let hidden = version > 10;
    let mixed = |key: u8, by: u8| {
        let square = u32::from(key) * u32::from(key);
        (((((square * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) * u32::from(by)) as u8
    };
    let (pieces, from, to) = if hidden {
        let pieces = mixed(kp, kp);
        let from = mixed(kf, pieces);
        (pieces, from, mixed(kt, from))
    } else {
        (0, 0, 0)
    };
    let mut file = vec![0u8; 1024];
    file[..4].copy_from_slice(&[b'X', b'Q', version, mask]);
    file[8..16].copy_from_slice(&[a, b, c, d, sum, kp, kf, kt]);
    for (piece, at) in squares(&game.start).into_iter().enumerate() {
        let number = at.map_or(0xFF, |at| at.file() * 10 + at.rank());
        // Where the piece stands in the list: later versions turn the list round.
        let place = if version >= 12 {
            (piece + 64 - usize::from(pieces) % 32 - 1) % 32
        } else {
            piece
        };
        file[16 + place] = number.wrapping_add(pieces);
    }
    file[50] = u8::from(game.start.turn() == Side::Black);
    file[51] = match game.result.id() {
        "1-0" => 1,
        "0-1" => 2,
        "1/2-1/2" => 3,
        _ => 0,
    };
    for (name, at) in [
        ("Title", 80),
        ("Event", 208),
        ("Date", 272),
        ("Site", 288),
        ("Red", 304),
        ("Black", 320),
    ] {
        let text = gbk(game.tag(name).unwrap_or_default());
        file[at] = text.len() as u8;
        file[at + 1..=at + text.len()].copy_from_slice(&text);
    }
    let length_key = if hidden {
        (u32::from(sum) * 256 + u32::from(kp)) % 32_000 + 767
    } else {
        0
    };
    let number = |at: Square| at.file() * 10 + at.rank();
    let mut tree_bytes = Vec::new();
    for node in tree(game) {
        let (one, two) = node
            .mv
            .map_or((0, 0), |mv| (number(mv.from), number(mv.to)));
        let text = gbk(&node.comment);
        let flags = if hidden {
            // Bits that mean nothing are set now and then.
            (u8::from(node.follows) << 7)
                | (u8::from(node.alternative) << 6)
                | (u8::from(!text.is_empty()) << 5)
                | (one & 0x1F)
        } else {
            (if node.follows { 0xF0 } else { 0 }) | (if node.alternative { 0x0F } else { 0 })
        };
        tree_bytes.extend([
            one.wrapping_add(24).wrapping_add(from),
            two.wrapping_add(32).wrapping_add(to),
            flags,
            0,
        ]);
        if !hidden || !text.is_empty() {
            tree_bytes.extend((text.len() as u32).wrapping_add(length_key).to_le_bytes());
            tree_bytes.extend(text);
        }
    }
    let words = b"[(C) Copyright Mr. Dong Shiwei.]";
    let bits = [sum & mask | a, kp & mask | b, kf & mask | c, kt & mask | d];
    for (offset, byte) in tree_bytes.iter_mut().enumerate() {
        let at = (1024 + offset) % 32;
        if hidden {
            *byte = byte.wrapping_add(words[at] & bits[at % 4]);
        }
    }
    file.extend(tree_bytes);
    file
}

fn put_wide(file: &mut [u8], at: usize, text: &str) {
    for (i, unit) in text.encode_utf16().chain([0]).enumerate() {
        file[at + 2 * i..at + 2 * i + 2].copy_from_slice(&unit.to_le_bytes());
    }
}

/// CBR; what no field fills holds whatever lay in the memory of the program.
pub fn cbr(game: &Record, name: u8) -> Vec<u8> {
    let mut file: Vec<u8> = (0..2214u32).map(|i| (i * 37 % 251) as u8).collect();
    file[..16].copy_from_slice(b"CCBridge Record\0");
    file[20..36].fill(name);
    for at in [
        180, 308, 692, 756, 820, 852, 884, 948, 1012, 1076, 1140, 1204, 1268, 1300, 1364, 1428,
        1492, 1524, 1588, 1652, 1716, 1780, 1844, 1908, 2036,
    ] {
        file[at..at + 2].fill(0);
    }
    for (tag, at) in [
        ("Title", 180),
        ("Event", 692),
        ("Date", 884),
        ("Site", 948),
        ("Red", 1076),
        ("Black", 1300),
    ] {
        put_wide(&mut file, at, game.tag(tag).unwrap_or_default());
    }
    let result = match game.result.id() {
        "1-0" => 1u32,
        "0-1" => 2,
        "1/2-1/2" => 3,
        _ => 0,
    };
    file[2076..2080].copy_from_slice(&result.to_le_bytes());
    let turn = if game.start.turn() == Side::Black {
        2u32
    } else {
        1
    };
    file[2112..2116].copy_from_slice(&turn.to_le_bytes());
    file[2120..2210].fill(0);
    for (at, piece) in game.start.setup().pieces() {
        let kind = b"rnbakcp"
            .iter()
            .position(|&l| char::from(l) == piece.letter().to_ascii_lowercase());
        let side = if piece.side == Side::Red { 0x10 } else { 0x20 };
        let place = usize::from(9 - at.rank()) * 9 + usize::from(at.file());
        file[2120 + place] = side + kind.unwrap() as u8 + 1;
    }
    file[2210..2214].fill(0xFF);
    let number = |at: Square| (9 - at.rank()) * 9 + at.file();
    for node in tree(game) {
        let flags = u8::from(!node.follows)
            | (u8::from(node.alternative) << 1)
            | (u8::from(!node.comment.is_empty()) << 2);
        let (from, to) = node
            .mv
            .map_or((0, 0), |mv| (number(mv.from), number(mv.to)));
        file.extend([flags, 0, from, to]);
        if !node.comment.is_empty() {
            let text: Vec<u8> = node
                .comment
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect();
            file.extend((text.len() as u32).to_le_bytes());
            file.extend(text);
        }
    }
    file
}

/// CBR without pieces or moves: a heading in a library.
pub fn heading(title: &str, name: u8) -> Vec<u8> {
    let mut file = cbr(&Record::new(Position::start()), name);
    file[2120..2210].fill(0);
    put_wide(&mut file, 180, title);
    file
}

/// CBL with room for 128 games; `deleted` says which of them are.
pub fn cbl(games: &[Vec<u8>], deleted: &[usize]) -> Vec<u8> {
    let mut file = vec![0u8; 66_624 + 128 * 276];
    file[..16].copy_from_slice(b"CCBridgeLibrary\0");
    file[16] = 3;
    file[60..64].copy_from_slice(&128u32.to_le_bytes());
    for (i, game) in games.iter().enumerate() {
        let entry = 66_624 + 276 * i;
        file[entry] = if deleted.contains(&i) { 5 } else { 7 };
        file[entry + 4] = i as u8;
        file[entry + 12..entry + 16].copy_from_slice(&(game.len() as u32).to_le_bytes());
        let n = game[20];
        let name = format!(
            "{{{n:02X}{n:02X}{n:02X}{n:02X}-{n:02X}{n:02X}-{n:02X}{n:02X}-{n:02X}{n:02X}-{}}}",
            format!("{n:02X}").repeat(6)
        );
        put_wide(&mut file, entry + 20, &name);
        file.extend(game);
        file.resize(file.len().next_multiple_of(4096).max(file.len()), 0);
        let start = 66_624 + 128 * 276;
        let blocks = (file.len() - start).div_ceil(4096);
        file.resize(start + blocks * 4096, 0);
    }
    file
}

fn counted(file: &mut Vec<u8>, text: &str) {
    let text = gbk(text);
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(text);
}

/// A game of 象棋桥 2, with its length before it.
pub fn old_game(game: &Record) -> Vec<u8> {
    let mut file = vec![0; 4];
    for at in squares(&game.start) {
        file.push(at.map_or(0, |at| (at.file() + 1) << 4 | (10 - at.rank())));
    }
    let turn = if game.start.turn() == Side::Black {
        2u32
    } else {
        1
    };
    for number in [1u32, 0, turn] {
        file.extend(number.to_le_bytes());
    }
    let tag = |name| game.tag(name).unwrap_or_default();
    for text in [
        tag("Title"),
        tag("Event"),
        "",
        tag("Date"),
        tag("Site"),
        tag("Red"),
        tag("Black"),
    ] {
        counted(&mut file, text);
    }
    let result = match game.result.id() {
        "1-0" => 1u32,
        "0-1" => 2,
        "1/2-1/2" => 3,
        _ => 4,
    };
    file.extend(result.to_le_bytes());
    let nodes = tree(game);
    for text in ["", "", "", "", &*nodes[0].comment] {
        counted(&mut file, text);
    }
    file.push(1);
    file.extend(b"2005-1-12 15:28:18 2005-1-12 15:28:18 ");
    file.extend((nodes.len() as u32 - 1).to_le_bytes());
    let number = |at: Square| at.file() << 4 | (9 - at.rank());
    for node in &nodes[1..] {
        let mv = node.mv.unwrap();
        file.extend((node.depth as u16).to_le_bytes());
        file.extend([number(mv.from), number(mv.to), 0x51, 0x24]);
    }
    for node in &nodes[1..] {
        file.extend(gbk(&node.comment.replace('\n', "||")));
        file.extend(b"\r\n");
    }
    let length = file.len() as u32;
    file[..4].copy_from_slice(&length.to_le_bytes());
    file
}

/// What 象棋桥 2 packs.
pub fn packed(content: &[u8]) -> Vec<u8> {
    let mut file = b"CCBridge".to_vec();
    for number in [0x15u32, 1, content.len() as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(miniz_oxide::deflate::compress_to_vec_zlib(content, 6));
    file
}

/// A library of 象棋桥 2.
pub fn old_library(games: &[Record]) -> Vec<u8> {
    let mut content = Vec::new();
    for text in ["一库", "", "", "某人", ""] {
        counted(&mut content, text);
    }
    content.extend(b"2005-1-12 15:27:41 2005-1-12 16:43:15 ");
    content.extend((games.len() as u32).to_le_bytes());
    content.extend([0; 4]);
    for game in games {
        content.extend(old_game(game));
    }
    packed(&content)
}

/// CBF.
pub fn cbf(game: &Record) -> Vec<u8> {
    let square = |at: Square| format!("{}{}", at.file(), 9 - at.rank());
    let mut moves = String::new();
    let said = |after| {
        let said = game.comments.iter().find(|comment| comment.after == after);
        said.map(|comment| format!(" comment=\"{}\"", comment.text))
            .unwrap_or_default()
    };
    for (i, mv) in game.moves.iter().enumerate() {
        let end = if i + 1 == game.moves.len() {
            " end=\"1\""
        } else {
            ""
        };
        let _ = writeln!(
            moves,
            "<Move value=\"{}-{}\"{}{end} />",
            square(mv.from),
            square(mv.to),
            said(i + 1)
        );
    }
    let tag = |name| game.tag(name).unwrap_or_default();
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"GB2312\"?>\n<ChineseChessRecord Version=\"1.0\">\n<!-- <Move value=\"99-99\"/> -->\n<Head>\n\
         <Title>{}</Title><Event>{}</Event><Date>{}</Date><Site>{}</Site>\n<Red>{}</Red><Black>{}</Black>\n\
         <Result>{}</Result>\n<FEN>{}</FEN>\n</Head>\n<MoveList>\n<Move value=\"00-00\"{} />\n{moves}</MoveList>\n</ChineseChessRecord>\n",
        tag("Title"),
        tag("Event"),
        tag("Date"),
        tag("Site"),
        tag("Red"),
        tag("Black"),
        game.result.id(),
        fen::write(&game.start),
        said(0),
    );
    gbk(&text)
}
