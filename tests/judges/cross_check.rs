//! Move generation against two generators that share nothing with it, on positions reached by
//! seeded random play and on random placements; and what must hold along any line of play.
//!
//! `QILI_POSITIONS` asks for more positions than the tests need: `.ci/long` does.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "test code: a helper that fails fails the test, and the counts are printed"
)]

use qili::board::{Move, MoveList, Piece, PieceId, PieceSet, Position, Role, Setup, Side, Square};
use qili::notation::fen;
use std::collections::{BTreeSet, HashSet};

/// A generator naive on purpose: letters on a grid, each of the 90×90 moves tried by the
/// definition of the piece, and the king looked for afterwards.
mod naive {
    use super::Move;
    use std::collections::BTreeSet;

    #[derive(Clone)]
    pub struct Board {
        rows: Vec<Vec<char>>,
        red_to_move: bool,
    }

    type Point = (i32, i32);

    fn points() -> impl Iterator<Item = Point> {
        (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
    }

    fn palace(red: bool, (file, rank): Point) -> bool {
        (3..=5).contains(&file) && if red { rank <= 2 } else { rank >= 7 }
    }

    fn own_half(red: bool, (_, rank): Point) -> bool {
        if red { rank <= 4 } else { rank >= 5 }
    }

    fn text((file, rank): Point) -> String {
        format!("{}{rank}", char::from(b'a' + u8::try_from(file).unwrap()))
    }

    impl Board {
        pub fn read(fen: &str) -> Self {
            let mut fields = fen.split(' ');
            let board = fields.next().unwrap();
            let mut rows: Vec<Vec<char>> = Vec::new();
            for row in board.split('/') {
                let mut points = Vec::new();
                for letter in row.chars() {
                    match letter.to_digit(10) {
                        Some(gap) => points.extend((0..gap).map(|_| '.')),
                        None => points.push(letter),
                    }
                }
                assert_eq!(points.len(), 9);
                rows.insert(0, points);
            }
            assert_eq!(rows.len(), 10);
            Self {
                rows,
                red_to_move: fields.next() == Some("w"),
            }
        }

        fn at(&self, (file, rank): Point) -> char {
            *usize::try_from(rank)
                .ok()
                .and_then(|rank| self.rows.get(rank))
                .zip(usize::try_from(file).ok())
                .and_then(|(row, file)| row.get(file))
                .unwrap()
        }

        fn set(&mut self, (file, rank): Point, letter: char) {
            let row = self.rows.get_mut(usize::try_from(rank).unwrap()).unwrap();
            *row.get_mut(usize::try_from(file).unwrap()).unwrap() = letter;
        }

        /// Pieces strictly between two points of a line.
        fn between(&self, from: Point, to: Point) -> usize {
            let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
            let mut count = 0;
            let mut at = (from.0 + step.0, from.1 + step.1);
            while at != to {
                count += usize::from(self.at(at) != '.');
                at = (at.0 + step.0, at.1 + step.1);
            }
            count
        }

        /// Whether the piece on `from` goes to `to`, whosever the piece there is.
        fn reaches(&self, from: Point, to: Point) -> bool {
            let letter = self.at(from);
            let red = letter.is_ascii_uppercase();
            let (right, up) = (to.0 - from.0, to.1 - from.1);
            let straight = (right == 0) != (up == 0);
            let sorted = {
                let (a, b) = (right.abs(), up.abs());
                (a.min(b), a.max(b))
            };
            match letter.to_ascii_lowercase() {
                'k' => sorted == (0, 1) && palace(red, to),
                'a' => sorted == (1, 1) && palace(red, to),
                'b' => {
                    sorted == (2, 2)
                        && own_half(red, to)
                        && self.at((from.0 + right / 2, from.1 + up / 2)) == '.'
                }
                // Half of one step is none: the leg lies along the longer way.
                'n' => sorted == (1, 2) && self.at((from.0 + right / 2, from.1 + up / 2)) == '.',
                'r' => straight && self.between(from, to) == 0,
                'c' => straight && self.between(from, to) == usize::from(self.at(to) != '.'),
                'p' => {
                    let forward = if red { 1 } else { -1 };
                    (right == 0 && up == forward)
                        || (sorted == (0, 1) && up == 0 && !own_half(red, from))
                }
                _ => false,
            }
        }

        fn is_of(&self, red: bool, point: Point) -> bool {
            let letter = self.at(point);
            letter != '.' && letter.is_ascii_uppercase() == red
        }

        /// Whether a side's king can be taken, or looks the other in the face.
        pub fn in_danger(&self, red: bool) -> bool {
            let king = |red: bool| {
                let letter = if red { 'K' } else { 'k' };
                points().find(|&point| self.at(point) == letter).unwrap()
            };
            let (own, other) = (king(red), king(!red));
            (own.0 == other.0 && self.between(own, other) == 0)
                || points().any(|point| self.is_of(!red, point) && self.reaches(point, own))
        }

        pub fn in_check(&self) -> bool {
            self.in_danger(self.red_to_move)
        }

        pub fn moves(&self) -> BTreeSet<Move> {
            let mut moves = BTreeSet::new();
            for from in points().filter(|&point| self.is_of(self.red_to_move, point)) {
                for to in points() {
                    if self.is_of(self.red_to_move, to) || !self.reaches(from, to) {
                        continue;
                    }
                    let mut next = self.clone();
                    next.set(to, self.at(from));
                    next.set(from, '.');
                    if !next.in_danger(self.red_to_move) {
                        moves.insert((text(from) + &text(to)).parse().unwrap());
                    }
                }
            }
            moves
        }

        /// Whether the piece on one square could take what stands on the other, were it not its
        /// own: both as text.
        pub fn bears(&self, from: &str, to: &str) -> bool {
            let point = |text: &str| {
                points()
                    .find(|&point| super::naive::text(point) == text)
                    .unwrap()
            };
            self.reaches(point(from), point(to))
        }
    }
}

/// The numbers of a seed: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *from.get(self.below(from.len())).unwrap()
    }
}

fn captures(position: &Position, moves: &[Move]) -> Vec<Move> {
    let capture = |mv: &&Move| !position.is_empty(mv.to);
    moves.iter().filter(capture).copied().collect()
}

/// Plays random games from the opening until `count` positions have been visited: each with the
/// move that led to it, none at the start of a game. A game takes as it pleases one capture in
/// `greed`, so that full boards and bare ones are met.
fn random_play(seed: u64, count: usize, mut visit: impl FnMut(&Position, Option<Move>)) {
    let mut random = Random(seed);
    let mut visited = 0;
    while visited < count {
        let mut position = Position::start();
        let mut last = None;
        let greed = 1 + random.below(12);
        for _ in 0..200 {
            visit(&position, last);
            visited += 1;
            let moves = position.legal_moves();
            if moves.is_empty() || visited == count {
                break;
            }
            let captures = captures(&position, &moves);
            let mv = if captures.is_empty() || random.below(greed) > 0 {
                random.pick(&moves)
            } else {
                random.pick(&captures)
            };
            position.make(mv);
            last = Some(mv);
        }
    }
}

/// The points each piece may stand on.
fn points_of_pieces() -> Vec<(Piece, Vec<Square>)> {
    let pieces = Side::ALL.map(|side| Role::ALL.map(|role| Piece::new(side, role)));
    let may_stand = |piece: Piece, square: Square| {
        let mut alone = Setup::empty(piece.side);
        alone.put(square, Some(piece));
        alone.faults().iter().all(|f| f.kind.code() == "no_king")
    };
    let points = |piece| Square::all().filter(move |&square| may_stand(piece, square));
    let pieces = pieces.into_iter().flatten();
    pieces
        .map(|piece| (piece, points(piece).collect()))
        .collect()
}

/// Possible positions with pieces thrown on the points they may stand on.
fn placements(seed: u64, count: usize) -> impl Iterator<Item = Position> {
    let mut random = Random(seed);
    let pieces = points_of_pieces();
    let thrown = std::iter::from_fn(move || {
        let mut setup = Setup::empty(random.pick(&Side::ALL));
        let density = 1 + random.below(4);
        for (piece, points) in &pieces {
            for _ in 0..piece.role.most() {
                if piece.role == Role::King || random.below(4) < density {
                    let square = random.pick(points);
                    if setup.piece_at(square).is_none() {
                        setup.put(square, Some(*piece));
                    }
                }
            }
        }
        Some(setup)
    });
    thrown.filter_map(|setup| setup.possible()).take(count)
}

fn set(moves: &[Move]) -> BTreeSet<Move> {
    moves.iter().copied().collect()
}

fn asked_for(least: usize) -> usize {
    let asked = std::env::var("QILI_POSITIONS").ok();
    asked.map_or(least, |text| text.parse().unwrap()).max(least)
}

/// The engine of the crate `chessai`, as a move generator.
struct Peer(chessai::Engine);

impl Peer {
    fn new() -> Self {
        let builder = chessai::Engine::builder().hash_size(0).use_book(false);
        Self(builder.build())
    }

    fn set(&mut self, position: &Position) {
        self.0.set_fen(&fen::write(position)).unwrap();
    }

    fn make(&mut self, mv: Move) -> bool {
        self.0
            .make_move(chessai::Move::from_iccs(&mv.to_string()).unwrap())
    }

    fn moves(&mut self) -> BTreeSet<Move> {
        let square = |sq: chessai::Square| Square::new(sq.file(), sq.rank()).unwrap();
        let moves = self.0.legal_moves().into_iter();
        moves
            .map(|mv| Move::new(square(mv.src()), square(mv.dst())))
            .collect()
    }
}

/// What the three generators say of one position, where they do not agree.
fn disagreement(position: &Position, peer: &mut Peer) -> Option<String> {
    let text = fen::write(position);
    let naive = naive::Board::read(&text);
    let list = position.legal_moves();
    let ours = set(&list);
    let differs = |name: &str, theirs: &BTreeSet<Move>| {
        let only_ours: Vec<_> = ours.difference(theirs).collect();
        let only_theirs: Vec<_> = theirs.difference(&ours).collect();
        (only_ours.len() + only_theirs.len() > 0 || list.len() != theirs.len())
            .then(|| format!("{text}: {name} lacks {only_ours:?} and has {only_theirs:?} besides"))
    };
    if !text.starts_with(&peer.0.fen()) {
        return Some(format!("{text}: the peer stands at {}", peer.0.fen()));
    }
    if position.in_check() != naive.in_check() {
        return Some(format!("{text}: in check or not?"));
    }
    differs("the naive generator", &naive.moves()).or_else(|| differs("the peer", &peer.moves()))
}

#[test]
fn three_generators_agree_on_positions_of_random_play() {
    let count = asked_for(120_000);
    let mut peer = Peer::new();
    let (mut compared, mut moves, mut checks, mut ends) = (0, 0, 0, 0);
    let mut distinct = HashSet::new();
    let mut wrong = Vec::new();
    random_play(1999, count, |position, last| {
        match last {
            Some(mv) => assert!(peer.make(mv), "{mv} is refused"),
            None => peer.set(position),
        }
        wrong.extend(disagreement(position, &mut peer));
        let list = position.legal_moves();
        compared += 1;
        moves += list.len();
        checks += usize::from(position.in_check());
        ends += usize::from(list.is_empty());
        distinct.insert(position.key());
    });
    let distinct = distinct.len();
    println!(
        "cross-check, random play: {compared} positions ({distinct} different, {checks} in check, \
         {ends} ended), {moves} moves, {} disagreements",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(compared, count);
    assert!(distinct >= 100_000, "only {distinct} different positions");
    assert!(checks > 1000 && ends > 10, "{checks} checks, {ends} ends");
}

#[test]
fn three_generators_agree_on_random_placements() {
    let count = asked_for(60_000) / 3;
    let mut peer = Peer::new();
    let mut wrong = Vec::new();
    let (mut compared, mut moves) = (0, 0);
    for position in placements(2020, count) {
        peer.set(&position);
        wrong.extend(disagreement(&position, &mut peer));
        compared += 1;
        moves += position.legal_moves().len();
    }
    println!(
        "cross-check, placements: {compared} positions, {moves} moves, {} disagreements",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(compared, count);
}

/// Positions for the tests that look at one closely: every eleventh of random play, and some
/// placements.
fn sample(seed: u64, count: usize) -> Vec<Position> {
    let mut found: Vec<Position> = placements(seed, count / 4).collect();
    let mut place = 0;
    random_play(seed, count * 11, |position, _| {
        place += 1;
        if place % 11 == 0 {
            found.push(position.clone());
        }
    });
    found
}

#[test]
fn every_way_of_asking_for_moves_gives_the_same() {
    for mut position in sample(1, 400) {
        let list = position.legal_moves();
        let all = set(&list);
        let by_pair: BTreeSet<Move> = Square::all()
            .flat_map(|from| Square::all().map(move |to| Move::new(from, to)))
            .filter(|&mv| position.is_legal(mv))
            .collect();
        assert_eq!(by_pair, all, "{position:?}");
        let mut taken = MoveList::new();
        position.legal_captures_into(&mut taken);
        assert_eq!(
            set(&taken),
            set(&captures(&position, &list)),
            "{position:?}"
        );
        position.pseudo_captures_into(&mut taken);
        assert!(taken.iter().all(|&mv| position.is_pseudo_legal(mv)));
        assert_eq!(position.has_legal_move(), !list.is_empty());
        assert_eq!(position.is_over(), list.is_empty());
        assert_eq!(position.in_check(), !position.checkers().is_empty());
        assert!(!position.kings_face());
    }
}

#[test]
fn a_move_taken_back_leaves_everything_as_it_was() {
    let lines = |position: &Position| -> Vec<_> {
        let rays = |square| position.rays(square).map(|ray| (ray.first, ray.second));
        Square::all().map(rays).collect()
    };
    for mut position in sample(2, 800) {
        let before = position.clone();
        let moves = position.legal_moves();
        for &mv in &*moves {
            let undo = position.make(mv);
            position.unmake(undo);
            assert!(position.same_pieces(&before), "{before:?} {mv}");
            assert_eq!(position.key(), before.key(), "{before:?} {mv}");
            assert_eq!(position.pieces(), before.pieces(), "{before:?} {mv}");
        }
        assert_eq!(*position.legal_moves(), *moves, "{before:?}");
        assert_eq!(lines(&position), lines(&before), "{before:?}");
    }
    // And whole games, back to the first position.
    for seed in 0..50 {
        let mut random = Random(seed);
        let mut position = Position::start();
        let mut undos = Vec::new();
        while undos.len() < 300 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            undos.push(position.make(random.pick(&moves)));
        }
        while let Some(undo) = undos.pop() {
            position.unmake(undo);
        }
        assert!(position.same_pieces(&Position::start()), "seed {seed}");
        assert_eq!(lines(&position), lines(&Position::start()), "seed {seed}");
    }
}

#[test]
fn the_key_is_that_of_the_position_set_up_afresh() {
    let mut texts = HashSet::new();
    let mut keys = HashSet::new();
    random_play(3, 30_000, |position, _| {
        let afresh = position.setup().position().unwrap();
        assert_eq!(position.key(), afresh.key(), "{position:?}");
        assert_eq!(*position, afresh);
        let mut passed = position.clone();
        passed.pass();
        assert_ne!(passed.key(), position.key());
        assert_ne!(passed, *position);
        texts.insert(fen::write(position));
        keys.insert(position.key());
    });
    assert_eq!(texts.len(), keys.len(), "two positions share a key");
}

#[test]
fn what_bears_on_a_square_is_the_same_from_both_ends() {
    for position in sample(4, 1200) {
        for square in Square::all() {
            for side in Side::ALL {
                let one_by_one: PieceSet = position
                    .pieces_of(side)
                    .filter(|&id| position.bears(position.square_of(id), square))
                    .collect();
                let found = position.bearing_on(square, side);
                assert_eq!(found, one_by_one, "{position:?} {square} {side}");
            }
        }
    }
    // Against the naive definitions, on the squares where something stands.
    for position in sample(5, 60) {
        let naive = naive::Board::read(&fen::write(&position));
        for from in position.pieces().map(|id| position.square_of(id)) {
            for to in position.pieces().map(|id| position.square_of(id)) {
                assert_eq!(
                    position.bears(from, to),
                    from != to && naive.bears(&from.to_string(), &to.to_string()),
                    "{position:?} {from}{to}"
                );
            }
        }
    }
}

#[test]
fn a_reflected_position_has_the_reflected_moves() {
    for position in sample(6, 2500) {
        let moves = position.legal_moves();
        let mirrored = position.mirrored();
        let expected: BTreeSet<Move> = moves.iter().map(|mv| mv.mirrored()).collect();
        assert_eq!(set(&mirrored.legal_moves()), expected, "{position:?}");
        let swapped = position.colours_swapped();
        let expected: BTreeSet<Move> = moves.iter().map(|mv| mv.flipped()).collect();
        assert_eq!(set(&swapped.legal_moves()), expected, "{position:?}");
        assert_eq!(swapped.turn(), position.turn().opponent());
        assert_eq!(mirrored.mirrored(), position);
        assert_eq!(swapped.colours_swapped(), position);
    }
}

#[test]
fn a_piece_keeps_its_identity_along_a_line() {
    let mut captured = 0;
    for seed in 0..200 {
        let mut random = Random(seed);
        let mut position = Position::start();
        // Who stands where, kept apart from the position.
        let mut standing: Vec<(PieceId, Square)> = position
            .pieces()
            .map(|id| (id, position.square_of(id)))
            .collect();
        assert_eq!(standing.len(), 32);
        for _ in 0..300 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = random.pick(&moves);
            let letter = position.piece_at(mv.from);
            let victim = standing.iter().find(|(_, at)| *at == mv.to).map(|p| p.0);
            let undo = position.make(mv);
            assert_eq!(undo.captured(), victim);
            captured += usize::from(victim.is_some());
            standing.retain(|(_, at)| *at != mv.to);
            for (_, at) in &mut standing {
                if *at == mv.from {
                    *at = mv.to;
                }
            }
            assert_eq!(position.piece_at(mv.to), letter);
            assert_eq!(position.pieces().len() as usize, standing.len());
            assert!(victim.is_none_or(|id| !position.is_alive(id)));
            for &(id, at) in &standing {
                assert_eq!(position.id_at(at), Some(id), "seed {seed}, {position:?}");
                assert_eq!(position.square_of(id), at);
            }
        }
    }
    assert!(captured > 1000, "only {captured} captures");
}
