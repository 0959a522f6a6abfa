// Squares, pieces and positions: the geometry of the board, how pieces go and what moves are
// called. Whether a move is legal, and what it means, is for the service to say.

export const START = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w';
/// Both kings, neither facing the other.
export const EMPTY = '3k5/9/9/9/9/9/9/9/9/5K3 w';

/// Traditional characters, as on the pieces; and the simplified ones of score sheets.
export const GLYPH = {
  K: '帥', A: '仕', B: '相', N: '傌', R: '俥', C: '炮', P: '兵',
  k: '將', a: '士', b: '象', n: '馬', r: '車', c: '砲', p: '卒',
};
const WRITTEN = {
  K: '帅', A: '仕', B: '相', N: '马', R: '车', C: '炮', P: '兵',
  k: '将', a: '士', b: '象', n: '马', r: '车', c: '炮', p: '卒',
};
export const ROLE = { k: 'king', a: 'advisor', b: 'elephant', n: 'horse', r: 'rook', c: 'cannon', p: 'pawn' };
const LETTER = Object.fromEntries(Object.entries(ROLE).map(([letter, role]) => [role, letter]));
const NUMERALS = '〇一二三四五六七八九';

export const letterOf = (role, side) => (side === 'red' ? LETTER[role].toUpperCase() : LETTER[role]);
export const sideOf = (letter) => (letter >= 'a' ? 'black' : 'red');
export const other = (side) => (side === 'red' ? 'black' : 'red');
/// A square is a number: its file from Red's left and nine times its rank from Red's back row.
export const fileOf = (square) => square % 9;
export const rankOf = (square) => Math.floor(square / 9);
export const nameOf = (square) => 'abcdefghi'[fileOf(square)] + rankOf(square);
export const squareOf = (name) => 'abcdefghi'.indexOf(name[0]) + 9 * Number(name[1]);
export const from = (move) => squareOf(move.slice(0, 2));
export const to = (move) => squareOf(move.slice(2, 4));
export const isMove = (text) => /^[a-i][0-9][a-i][0-9]$/.test(text);
export const written = (letter) => WRITTEN[letter];

/// The position of a FEN as far as its placement can be read; null where it cannot.
export function readFen(text) {
  const [placement, turn] = String(text).trim().split(/[\s_]+/);
  const ranks = placement.split('/');
  if (ranks.length !== 10) return null;
  const board = new Array(90).fill(null);
  for (const [i, rank] of ranks.entries()) {
    let file = 0;
    for (const sign of rank) {
      if (sign >= '1' && sign <= '9') {
        file += Number(sign);
      } else {
        const letter = { h: 'n', H: 'N', e: 'b', E: 'B' }[sign] || sign;
        if (!GLYPH[letter] || file > 8) return null;
        board[(9 - i) * 9 + file] = letter;
        file += 1;
      }
    }
    if (file !== 9) return null;
  }
  return { board, turn: turn === 'b' || turn === 'B' ? 'black' : 'red' };
}

export function writeFen({ board, turn }) {
  const ranks = [];
  for (let rank = 9; rank >= 0; rank -= 1) {
    let text = '';
    let empty = 0;
    for (let file = 0; file < 9; file += 1) {
      const letter = board[rank * 9 + file];
      if (!letter) {
        empty += 1;
      } else {
        text += (empty || '') + letter;
        empty = 0;
      }
    }
    ranks.push(text + (empty || ''));
  }
  return `${ranks.join('/')} ${turn === 'red' ? 'w' : 'b'}`;
}

/// The position after a move, or after a `pass`.
export function play(position, move) {
  const board = position.board.slice();
  if (move !== 'pass') {
    board[to(move)] = board[from(move)];
    board[from(move)] = null;
  }
  return { board, turn: other(position.turn) };
}

/// The position before the first move and after each.
export function positions(fen, moves) {
  const all = [readFen(fen) || readFen(START)];
  for (const move of moves) all.push(play(all[all.length - 1], move));
  return all;
}

const STRAIGHT = [[0, 1], [0, -1], [1, 0], [-1, 0]];
const DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];

/// Where the piece on a square can go by its own way of moving.
export function reach(position, square) {
  const { board } = position;
  const letter = board[square];
  if (!letter) return [];
  const side = sideOf(letter);
  const [x, y] = [fileOf(square), rankOf(square)];
  const home = (rank) => (side === 'red' ? rank : 9 - rank);
  const inside = (file, rank) => file >= 0 && file < 9 && rank >= 0 && rank < 10;
  const at = (file, rank) => board[rank * 9 + file];
  const found = [];
  const add = (file, rank) => {
    if (!inside(file, rank)) return;
    const there = at(file, rank);
    if (!there || sideOf(there) !== side) found.push(rank * 9 + file);
  };
  const palace = (file, rank) => file >= 3 && file <= 5 && home(rank) <= 2 && inside(file, rank);
  switch (ROLE[letter.toLowerCase()]) {
    case 'king':
      for (const [dx, dy] of STRAIGHT) if (palace(x + dx, y + dy)) add(x + dx, y + dy);
      break;
    case 'advisor':
      for (const [dx, dy] of DIAGONAL) if (palace(x + dx, y + dy)) add(x + dx, y + dy);
      break;
    case 'elephant':
      for (const [dx, dy] of DIAGONAL) {
        if (inside(x + 2 * dx, y + 2 * dy) && home(y + 2 * dy) <= 4 && !at(x + dx, y + dy)) add(x + 2 * dx, y + 2 * dy);
      }
      break;
    case 'horse':
      for (const [dx, dy] of STRAIGHT) {
        if (!inside(x + dx, y + dy) || at(x + dx, y + dy)) continue;
        for (const turn of [1, -1]) add(x + 2 * dx + turn * dy, y + 2 * dy + turn * dx);
      }
      break;
    case 'rook':
    case 'cannon':
      for (const [dx, dy] of STRAIGHT) {
        let screen = false;
        for (let n = 1; inside(x + n * dx, y + n * dy); n += 1) {
          const there = at(x + n * dx, y + n * dy);
          if (letter.toLowerCase() === 'r') {
            add(x + n * dx, y + n * dy);
            if (there) break;
          } else if (!screen) {
            if (there) screen = true;
            else add(x + n * dx, y + n * dy);
          } else if (there) {
            add(x + n * dx, y + n * dy);
            break;
          }
        }
      }
      break;
    default: {
      const ahead = side === 'red' ? 1 : -1;
      add(x, y + ahead);
      if (home(y) >= 5) {
        add(x - 1, y);
        add(x + 1, y);
      }
    }
  }
  return found;
}

const number = (side, square) => (side === 'red' ? 9 - fileOf(square) : fileOf(square) + 1);
const forward = (side, square) => (side === 'red' ? rankOf(square) : 9 - rankOf(square));
const digit = (side, n) => (side === 'red' ? NUMERALS[n] : String(n));

/// A move as Chinese score sheets have it.
export function chinese(position, move) {
  if (move === 'pass') return '停一着';
  const [a, b] = [from(move), to(move)];
  const letter = position.board[a];
  if (!letter) return move;
  const side = sideOf(letter);
  const likes = [];
  position.board.forEach((there, square) => {
    if (there === letter) likes.push(square);
  });
  likes.sort((p, q) => number(side, p) - number(side, q) || forward(side, q) - forward(side, p));
  const onFile = (n) => likes.filter((square) => number(side, square) === n);
  const file = onFile(number(side, a));
  const role = letter.toLowerCase();
  let who = WRITTEN[letter] + digit(side, number(side, a));
  if (!'kab'.includes(role) && file.length > 1) {
    const lined = likes.filter((square) => onFile(number(side, square)).length > 1);
    const lines = new Set(lined.map((square) => number(side, square))).size;
    if (role === 'p' && (file.length > 3 || lines > 1)) {
      who = digit(side, lined.indexOf(a) + 1) + WRITTEN[letter];
    } else {
      const place = a === file[0] ? '前' : a === file[file.length - 1] ? '后' : '中';
      who = place + WRITTEN[letter];
    }
  }
  const [before, after] = [forward(side, a), forward(side, b)];
  const action = after > before ? '进' : after < before ? '退' : '平';
  const n = fileOf(a) === fileOf(b) ? Math.abs(after - before) : number(side, b);
  return who + action + digit(side, n);
}

/// Where the king of the side to move stands, if it is in check; null otherwise.
export function checkedKing(position) {
  const king = position.board.indexOf(position.turn === 'red' ? 'K' : 'k');
  if (king < 0) return null;
  const checked = position.board.some((letter, square) => letter && sideOf(letter) !== position.turn && !'kK'.includes(letter) && reach(position, square).includes(king));
  return checked ? king : null;
}

/// The last way round a line goes: where it starts, if its end has stood before.
export function lastRound(fen, moves) {
  const seen = positions(fen, moves).map(writeFen);
  const last = seen.length - 1;
  const start = seen.lastIndexOf(seen[last], last - 1);
  return start >= 0 ? start : null;
}

/// Whether the moves go round exactly once: back to the start with the last of them.
export const isPeriod = (fen, moves) => moves.length > 0 && lastRound(fen, moves) === 0;
