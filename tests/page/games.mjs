// A long game: legal moves without captures and checks, chosen by a fixed sequence.

import { START, positions, play, reach, readFen, nameOf, sideOf, other } from '../../src/http/web/chess.js';

function kingIsSafe(position, side) {
  const king = position.board.indexOf(side === 'red' ? 'K' : 'k');
  for (let from = 0; from < 90; from += 1) {
    const letter = position.board[from];
    if (letter && sideOf(letter) !== side && reach(position, from).includes(king)) return false;
  }
  const [a, b] = [position.board.indexOf('K'), position.board.indexOf('k')];
  if (a % 9 !== b % 9) return true;
  for (let at = Math.min(a, b) + 9; at < Math.max(a, b); at += 9) if (position.board[at]) return true;
  return false;
}

export function longGame(plies) {
  let seed = 7;
  const next = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % n; };
  let position = readFen(START);
  const moves = [];
  while (moves.length < plies) {
    const quiet = [];
    for (let from = 0; from < 90; from += 1) {
      const letter = position.board[from];
      if (!letter || sideOf(letter) !== position.turn || letter.toLowerCase() === 'p') continue;
      for (const to of reach(position, from)) {
        if (position.board[to]) continue;
        const move = nameOf(from) + nameOf(to);
        const after = play(position, move);
        if (kingIsSafe(after, 'red') && kingIsSafe(after, 'black')) quiet.push(move);
      }
    }
    const move = quiet[next(quiet.length)];
    moves.push(move);
    position = play(position, move);
  }
  return moves;
}

export { positions, other };
