// What has been entered: a start position and moves, how it was pasted, and the settings of the
// event. It stays in this browser until something new is entered.

import { START, readFen, writeFen, positions, chinese, isMove, isPeriod, lastRound, play, reach, from, to, sideOf } from './chess.js';
import { kept, keep } from './keep.js';
import * as api from './api.js';

export const blank = () => ({
  text: '', unread: false, good: null, game: null, games: 0, fen: START, moves: [], tags: {}, fault: null, kind: 'auto', rules: kept('rules', 'cxa-1999'),
  claimed: true, theoretical: false, ordered: '', budget: null, corrects: null,
  sheet: { event: '', round: '', table: '', red: '', black: '', arbiter: '', chief: '', unit: '', date: '', ...kept('officials', {}) },
});

/// An empty entry of the same event.
export const anew = ({ rules, sheet }) => ({ ...blank(), rules, sheet: { ...sheet, red: '', black: '', date: '' } });

/// What an entry is ruled on by.
export const settingsOf = ({ rules, kind, claimed, theoretical, ordered, budget }) => ({ rules, kind, claimed, theoretical, ordered, budget });

// What is said of a game beside its moves, where nothing is said.
const UNSAID = { kind: 'auto', claimed: true, theoretical: false, ordered: '', tags: {} };

const placeOf = (fen) => fen.split(' ', 2).join(' ');
/// What is said of an entry, as far as it holds with other moves; `same` is whether they are of the same game.
export function saidOf(entry, { fen, moves }, same) {
  if (!same) return UNSAID;
  const { kind, ordered } = entry;
  const parted = placeOf(fen) === placeOf(entry.fen) ? moves.findIndex((move, ply) => move !== entry.moves[ply]) : 0;
  return {
    kind: kind === 'cycle' && isPeriod(entry.fen, entry.moves) && !isPeriod(fen, moves) ? 'auto' : kind,
    ordered: Number(ordered.split('-')[0]) < (parted < 0 ? moves.length : parted) ? ordered : '',
  };
}

/// Whether these moves are of the game that was entered before: nothing had been, or both begin alike.
export function goesOn(before, { fen, moves }) {
  if (!before.moves.length) return placeOf(before.fen) === START || placeOf(before.fen) === placeOf(fen);
  return placeOf(fen) === placeOf(before.fen) && (!moves.length || moves[0] === before.moves[0]);
}

/// The signs a name may have, in the settings and as it is kept.
export const LONGEST_NAME = 80;
const NAMES = { event: 'Event', round: 'Round', table: 'Table', red: 'Red', black: 'Black' };
const toldName = (name) => (name && name !== '?' ? [...name].slice(0, LONGEST_NAME).join('') : '');
/// A sheet with the names that tags give: of another game all of them, of the same one those that are told otherwise than before.
function named({ sheet, tags: before }, tags, same) {
  const names = Object.entries(NAMES);
  const put = (some) => Object.fromEntries(some.map(([name, tag]) => [name, toldName(tags[tag])]));
  if (same) return { ...sheet, ...put(names.filter(([, tag]) => tags[tag] !== before[tag] && toldName(tags[tag]))) };
  const tagged = Object.keys({ ...before, ...tags }).length > 0;
  return tagged ? { ...sheet, date: '', ...put(names) } : sheet;
}

/// An entry with what was read out of its text.
export function ofText(entry, found) {
  const next = { ...found, fen: found.fen || entry.fen };
  // What is being written, and cannot be read as yet, is not another game.
  const before = entry.good || { fen: entry.fen, moves: entry.moves };
  if (found.fault) return { ...entry, unread: false, ...next, tags: entry.tags, text: entry.text, good: before };
  const same = goesOn(before, next);
  return { ...entry, ...saidOf({ ...entry, ...before }, next, same), unread: false, ...next, text: entry.text, sheet: named(entry, found.tags, same), good: null };
}

/// A game of a file in place of an entry: its text is written anew, with what its record says about it.
export function ofGame(entry, { fen, moves, fault, date, result, ...names }) {
  return {
    ...anew(entry), fen: fen || entry.fen, moves, text: fen ? textOf({ fen, moves }) : '', fault: fault ? { ...fault, line: null } : null,
    tags: { Date: date, Result: result },
    sheet: { ...entry.sheet, date: '', ...Object.fromEntries(Object.keys(NAMES).map((name) => [name, toldName(names[name])])) },
  };
}

/// The book that is taken from now on where nothing else is asked for.
export const rememberBook = (rules) => { if (!rules.includes('+')) keep('rules', rules); };
/// Who signs is the same from one dispute to the next.
export const rememberOfficials = ({ arbiter, chief, unit }) => keep('officials', { arbiter, chief, unit });

/// The entry of a link's fragment, or nothing.
export function ofLink(text) {
  const at = text.indexOf('#');
  const query = new URLSearchParams(text.slice(at + 1));
  if (at < 0 || !query.get('fen')) return null;
  const moves = (query.get('moves') || '').split(',').filter(Boolean);
  const fen = query.get('fen').replace(/_/g, ' ');
  if (!readFen(fen) || !moves.every(isMove)) {
    const detail = { zh: '链接不完整或有误：局面或着法读不出，请向发来的人再要一次', en: 'the link is cut off or wrong: its position or moves cannot be read; ask for it again' };
    return { ...blank(), fen: readFen(fen) ? fen : START, text: text.slice(at), fault: { code: 'link', detail } };
  }
  const entry = { ...blank(), fen, moves };
  for (const name of ['rules', 'kind', 'ordered']) if (query.get(name)) entry[name] = query.get(name);
  if (query.get('claimed') === 'false') entry.claimed = false;
  if (query.get('theoretical') === 'true') entry.theoretical = true;
  return { ...entry, text: textOf(entry) };
}

/// A link that holds the whole of it.
export function linkOf(entry) {
  const query = new URLSearchParams({ fen: entry.fen.replace(/ /g, '_'), moves: entry.moves.join(','), rules: entry.rules });
  if (entry.kind !== 'auto') query.set('kind', entry.kind);
  if (!entry.claimed) query.set('claimed', 'false');
  if (entry.theoretical) query.set('theoretical', 'true');
  if (orderOf(entry, subjectOf(entry))) query.set('ordered', entry.ordered);
  return `${location.origin}${location.pathname}#${query.toString().replace(/%2F/g, '/').replace(/%2C/g, ',')}`;
}

/// The same as text that can be pasted again.
export function textOf({ fen, moves }) {
  const all = positions(fen, moves);
  const names = moves.map((move, ply) => chinese(all[ply], move));
  const lines = [];
  const first = all[0].turn === 'black' ? 1 : 0;
  if (first && names.length) lines.push(`1. … ${names[0]}`);
  for (let ply = first; ply < names.length; ply += 2) {
    const number = Math.floor((ply + first) / 2) + 1;
    lines.push(`${number}. ${names.slice(ply, ply + 2).join(' ')}`);
  }
  const head = fen.split(' ').slice(0, 2).join(' ') === START ? [] : [fen];
  return [...head, ...lines].join('\n');
}

/// As much of a text as can be read without the service: a FEN and moves by squares.
function readHere(text) {
  const fields = text.split(/\s+/).filter(Boolean);
  const at = fields.findIndex(isFen);
  const fen = at >= 0 ? fenAt(fields, at) : START;
  if (!readFen(fen)) return { fault: 'fen' };
  const moves = [];
  let position = readFen(fen);
  for (const field of fields.slice(at + 1)) {
    const move = field.toLowerCase().replace('-', '');
    if (isMove(move)) {
      const letter = position.board[from(move)];
      if (!letter || sideOf(letter) !== position.turn || !reach(position, from(move)).includes(to(move))) return { fen, moves, fault: 'move' };
      moves.push(move);
      position = play(position, move);
    } else if (/[\u4e00-\u9fff]|[=+]/.test(field)) {
      return { fen, moves, fault: 'move' };
    }
  }
  return { fen, moves };
}

/// Whether a word of a text is a position, as far as its ranks go.
const isFen = (field) => field.split('/').length > 7;

/// That position with the side to move, which may stand behind it.
const fenAt = (fields, at) => [fields[at], /^[wrb]$/i.test(fields[at + 1] || '') ? fields[at + 1] : 'w'].join(' ');

/// Reads what was pasted: a link, or whatever the service makes of it.
export async function read(text, game) {
  const linked = text.includes('#') && ofLink(text.trim());
  if (linked) return { ...linked, text };
  if (!text.trim()) return { fen: START, moves: [], tags: {}, fault: null, games: 0 };
  try {
    const found = await api.post('/v1/games:read', game ? { text, game } : { text });
    // Another text, of one game: which of several was read says nothing of it.
    if (found.fault && found.fault.code === 'game_unknown' && found.games < 2) return await read(text);
    const fields = found.fen === null ? text.split(/\s+/).filter(Boolean) : [];
    const at = fields.findIndex(isFen);
    const shown = at >= 0 && readFen(fenAt(fields, at)) ? fenAt(fields, at) : null;
    return {
      fen: found.fen || shown, moves: found.moves.map((move) => move.iccs), tags: found.tags, games: found.games,
      fault: found.fault, game,
    };
  } catch (problem) {
    if (!problem.unreachable) throw problem;
    const { fault, ...found } = readHere(text);
    const detail = {
      zh: '连不上 qili：此刻只能读 FEN 和坐标着法（如 h2e2）', en: 'qili does not answer: only FEN and moves by squares (h2e2) can be read now',
    };
    return { tags: {}, moves: [], ...found, fault: fault ? { code: 'unreachable', detail } : null, unread: true };
  }
}

/// What the service is asked: the cycle or game of an entry. What begins with the opening is a game
/// even where it comes back to it.
export function subjectOf(entry) {
  const { fen, moves } = entry;
  const kind = entry.kind === 'auto' ? (isPeriod(fen, moves) && !fen.startsWith(START) ? 'cycle' : 'game') : entry.kind;
  return { fen, moves, kind };
}

/// The last round of a game that goes round, as a cycle of its own.
export function roundOf({ fen, moves }) {
  const start = lastRound(fen, moves);
  if (start === null) return null;
  return { fen: writeFen(positions(fen, moves)[start]), moves: moves.slice(start), kind: 'cycle' };
}

/// The order to change that counts in what is ruled on: where a game is looked at as it stood earlier,
/// nobody had been told yet what is told later.
export function orderOf({ ordered }, { kind, moves }) {
  const [ply, side] = ordered.split('-');
  return kind === 'game' && side && Number(ply) < moves.length ? { after_ply: Number(ply), side } : null;
}

/// The request for a ruling.
export function requestOf(entry, subject, more = {}) {
  const request = { rules: entry.rules, ...subject, explain: 'full', claimed: entry.claimed, ...more };
  if (entry.theoretical) request.assertions = { theoretical_draw: true };
  if (entry.budget) request.budget = entry.budget;
  const order = orderOf(entry, subject);
  if (order) request.ordered = [order];
  return request;
}

/// The game as a PGN with Chinese moves, as other programs read it.
export function pgnOf({ fen, moves, sheet, tags }) {
  const all = positions(fen, moves);
  const told = (text) => String(text).replace(/[\\"]/g, '\\$&').replace(/[\r\n]+/g, ' ');
  const heads = [['Game', 'Chinese Chess'], ['Event', sheet.event || '?'], ['Date', sheet.date ? sheet.date.replace(/-/g, '.') : (tags || {}).Date || '????.??.??'], ['Round', sheet.round || '?'],
    ...(sheet.table ? [['Table', sheet.table]] : []), ['Red', sheet.red || '?'], ['Black', sheet.black || '?'], ['Result', (tags || {}).Result || '*']];
  if (writeFen(all[0]) !== START) heads.push(['FEN', `${writeFen(all[0])} - - 0 1`]);
  const lines = [];
  const black = all[0].turn === 'black' ? 1 : 0;
  moves.forEach((move, ply) => {
    const at = ply + black;
    const name = chinese(all[ply], move);
    if (at % 2 === 0) lines.push(`${at / 2 + 1}. ${name}`);
    else if (!lines.length) lines.push(`1. ... ${name}`);
    else lines[lines.length - 1] += ` ${name}`;
  });
  return `${heads.map(([name, value]) => `[${name} "${told(value)}"]`).join('\n')}\n\n${lines.join('\n')}\n${(tags || {}).Result || '*'}\n`;
}

/// What was entered in this tab; a new one begins with what was entered last in any.
export function load() {
  const before = kept('entry', null, 'sessionStorage') || kept('entry', {});
  const made = blank();
  return { ...made, ...before, sheet: { ...made.sheet, ...before.sheet } };
}
export function store(entry) {
  keep('entry', entry, 'sessionStorage');
  keep('entry', entry);
}
