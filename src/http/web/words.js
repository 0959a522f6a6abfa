// Both languages of the page. Texts of rulings come in both from the service.

import { kept, keep } from './keep.js';
import { fileOf, rankOf, nameOf, squareOf, sideOf, GLYPH, ROLE, written, chinese, from, to, isMove } from './chess.js';

let current = kept('language', 'zh') === 'en' ? 'en' : 'zh';

export const language = () => current;

export function speak(language) {
  current = language;
  keep('language', language);
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
}

/// How the board looks, at choice: letters at its edge, and simplified characters on the pieces.
let looks = { letters: null, plain: false, ...kept('looks', {}) };
export const plainPieces = () => looks.plain === true;
/// Squares are named by letters in English, and on the board at choice.
export const lettered = () => (looks.letters === null ? current === 'en' : looks.letters);
export function look(changes) {
  looks = { ...looks, ...changes };
  keep('looks', looks);
}

/// One of two texts.
export const say = (zh, en) => (current === 'zh' ? zh : en);
/// One of a text in both languages.
export const told = (text) => (text ? text[current] || text.zh || '' : '');

export const SIDES = { red: ['红方', 'Red'], black: ['黑方', 'Black'] };
export const NATURES = {
  check: ['将', 'check'],
  kill: ['杀', 'kill'],
  chase: ['捉', 'chase'],
  exchange: ['兑', 'exchange'],
  offer: ['献', 'offer'],
  block: ['拦', 'block'],
  follow: ['跟', 'follow'],
  idle: ['闲', 'idle'],
};
const ROLES = {
  king: ['帅', 'king'], advisor: ['士', 'advisor'], elephant: ['象', 'elephant'], horse: ['马', 'horse'],
  rook: ['车', 'rook'], cannon: ['炮', 'cannon'], pawn: ['兵', 'pawn'],
};
export const ROOTS = {
  none: ['无根', 'unguarded'], rooted: ['有根', 'guarded'], false: ['假根', 'false root'], under: ['少根', 'too few roots'],
};
export const OUTCOMES = {
  draw: ['和棋', 'Draw'], must_change: ['变着', 'must change'], loss: ['判负', 'loses'],
  none: ['无可裁', 'nothing to rule on'], undetermined: ['未定', 'undetermined'],
};
export const CLAIMS = {
  check: ['将军', 'check'], mate: ['杀法', 'it would mate'], gain: ['得子着法', 'what it would win'],
  refuted: ['不成立的吃子', 'a capture that fails'], existed: ['走前已有', 'there before the move'],
  exempt: ['可吃而不计', 'possible, but not charged'],
};
export const FALSE_ROOTS = {
  pinned: ['被牵制，离开则露将', 'pinned to its king'],
  exposes_king: ['是将帅，吃回则送将', 'the king would step into an attack'],
  answers_no_check: ['吃子带将，吃回不解将', 'the capture checks, and retaking is no answer'],
  unscreened: ['炮失炮架', 'the cannon has lost its screen'],
  mated: ['吃回后被将死', 'its side would be mated'],
  lost_to_checks: ['吃回后被抽吃', 'it would be won by checks'],
};
export const SHORT_ROOTS = {
  outnumbered: ['对方再吃', 'the other side takes again'],
  two_wards: ['兼顾他子，不能两全', 'it guards another piece as well'],
  opens: ['离开后他处失子', 'its leaving opens another piece'],
};
export const CERTAINTY = {
  text: ['原文', 'the clause itself'], figure: ['据图例', 'by a figure'],
  secondary: ['据旁述', 'by a secondary source'], inference: ['推断', 'inferred'],
};
export const BOOKS = {
  'cxa-1999': ['1999年规则', 'Chinese 1999'], 'cxa-2007': ['2007年试行', 'Chinese 2007'],
  'cxa-2011': ['2011年规则', 'Chinese 2011'], 'cxa-2020': ['2020年规则', 'Chinese 2020'],
  wxf: ['亚洲／世界规则', 'Asian / World'], threefold: ['三次重复即和', 'Threefold'],
};
export const POSITIONS = {
  printed: ['原图', 'as printed'], identified: ['认定', 'identified'], reconstructed: ['据文复原', 'reconstructed'],
  corrected: ['已订正', 'corrected'], composed: ['自编', 'composed'],
};

/// What the form calls what a fault of an amendment points at.
export const FIELDS = {
  '/id': ['代号', 'Id'], '/title/zh': ['名称（中文）', 'Title (Chinese)'], '/title/en': ['名称（英文）', 'Title (English)'],
  '/reason/zh': ['理由（中文）', 'Reason (Chinese)'], '/reason/en': ['理由（英文）', 'Reason (English)'], '/effective': ['生效日期', 'In force since'],
};
export const STATUSES = {
  draft: ['起草', 'draft'], proposed: ['提出', 'proposed'], adopted: ['采纳', 'adopted'], rejected: ['否决', 'rejected'],
  withdrawn: ['撤回', 'withdrawn'],
};

export const word = (table, key) => (table[key] ? say(...table[key]) : key);
/// The name of a book; `cxa-1999+trial` is one with a draft over it.
export function bookName(id) {
  const [base, draft] = id.split('+');
  if (draft) return `${word(BOOKS, base)}${say('，草案 ', ', draft ')}${draft}`;
  return word(BOOKS, id);
}
export const sideName = (side) => word(SIDES, side);
export const natureName = (nature) => word(NATURES, nature);
export const roleName = (role, side) => say(written({ king: 'k', advisor: 'a', elephant: 'b', horse: 'n', rook: 'r', cannon: 'c', pawn: 'p' }[role][side === 'red' ? 'toUpperCase' : 'toString']()), word(ROLES, role));

/// A piece in words: 红车, Red rook.
export function pieceName(letter) {
  const side = sideOf(letter);
  const role = ROLE[letter.toLowerCase()];
  return say(`${side === 'red' ? '红' : '黑'}${written(letter)}`, `${side === 'red' ? 'Red' : 'Black'} ${ROLES[role][1]}`);
}

/// A moment by the clock on the wall.
export function timeOf(moment) {
  const at = new Date(moment);
  const two = (n) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/// The day of a moment.
export const dayOf = (moment) => timeOf(moment).slice(0, 10);

const NUMERALS = '一二三四五六七八九';

/// The round a ply belongs to, where `first` had the first move: score sheets count rounds and sides.
export const roundNumber = (first, ply) => Math.floor((ply + (first === 'black' ? 1 : 0)) / 2) + 1;
const turnAt = (first, ply) => ((ply % 2 === 0) === (first === 'red') ? 'red' : 'black');
/// 第40回合红方: a move as score sheets count it.
export function turnName(first, ply, lang = current) {
  const side = SIDES[turnAt(first, ply)];
  const round = roundNumber(first, ply);
  return lang === 'zh' ? `第${round}回合${side[0]}` : `${side[1]}'s move ${round}`;
}
/// 第40回合: without the side.
export const roundName = (first, ply, lang = current) => (lang === 'zh' ? `第${roundNumber(first, ply)}回合` : `round ${roundNumber(first, ply)}`);
/// After how many plies: 第40回合红方走后, or at the start.
export const afterName = (first, plies) => (plies === 0 ? say('开局', 'at the start') : say(`${turnName(first, plies - 1)}走后`, `after ${turnName(first, plies - 1)}`));

/// A piece where it stands, as players speak of it: 二路车, 中炮, 二路前车.
export function placedName(position, square) {
  const letter = position.board[square];
  if (current === 'en') return letter ? `${ROLES[ROLE[letter.toLowerCase()]][1]} ${nameOf(square)}` : nameOf(square);
  if (!letter) return pointName(square);
  const kind = written(letter);
  if ('kK'.includes(letter)) return kind;
  const mark = lettered() ? ` ${nameOf(square)}` : '';
  return `${fileWord(sideOf(letter), square)}${twin(position, square)}${kind}${mark}`;
}
const fileWord = (side, square) => (fileOf(square) === 4 ? '中路' : `${side === 'red' ? NUMERALS[8 - fileOf(square)] : fileOf(square) + 1}路`);
/// 前 or 后 where another of the same kind stands on the file.
function twin(position, square) {
  const letter = position.board[square];
  const same = position.board.flatMap((there, at) => (there === letter && fileOf(at) === fileOf(square) ? [at] : []));
  if (same.length < 2) return '';
  const order = sideOf(letter) === 'red' ? [...same].reverse() : same;
  const place = order.indexOf(square);
  return place === 0 ? '前' : place === order.length - 1 ? '后' : '中';
}
/// A point without a piece: 红方四路河口, by the side whose half it is in.
const LINES = ['底线', '二线', '宫顶线', '兵线', '河口'];
function pointName(square) {
  const red = rankOf(square) < 5;
  const line = LINES[red ? rankOf(square) : 9 - rankOf(square)];
  return `${red ? '红方' : '黑方'}${fileWord(red ? 'red' : 'black', square)}${line === '兵线' && !red ? '卒线' : line}${lettered() ? ` ${nameOf(square)}` : ''}`;
}

/// A text in which squares are called what players call them, unless the board has letters at its
/// edge: the service adds the square to each piece it names, `四路马（f5）`.
export function local(text, position) {
  if (!text || current === 'en' || lettered()) return text;
  return localZh(text, position);
}
export function localZh(text, position) {
  const tell = (name) => {
    const square = squareOf(name);
    return position && position.board[square] ? twin(position, square) : '';
  };
  return text.replace(/([一-龥])（([a-i][0-9])）/g, (whole, kind, name) => { const one = tell(name); return one ? `${kind}（${one}）` : kind; })
    .replace(/(^|[^a-z0-9])([a-i][0-9])(?![a-z0-9])/g, (whole, before, name) => `${before}${pointName(squareOf(name))}`);
}

/// The same where moves are counted, too: 第17着 is 第9回合红方.
export const recounted = (text, first) => local(text).replace(/第(\d+)着/g, (_, ply) => turnName(first, Number(ply) - 1));

/// A square in words, with what stands there.
export function squareName(position, square) {
  const letter = position.board[square];
  const place = say(`${pointName(square).replace(/ .*/, '')} ${nameOf(square)}`, nameOf(square));
  return letter ? `${pieceName(letter)}，${place}` : `${say('空', 'empty')}，${place}`;
}

/// A clause; of one whose number below is not known, what is known.
export const clauseName = (id) => id.replace(/\.x$/, '');

/// A move as people write it: in Chinese by file, in English by squares.
export function moveName(position, move) {
  if (move === 'pass') return say('（停一着）', '(pass)');
  if (!isMove(move)) return move;
  if (current === 'zh') return chinese(position, move);
  const letter = position.board[from(move)];
  const role = letter ? ROLES[ROLE[letter.toLowerCase()]][1] : '';
  const takes = position.board[to(move)] ? '×' : '–';
  return `${role} ${move.slice(0, 2)}${takes}${move.slice(2)}`;
}

/// The same in a language of one's own choice.
export function moveNameIn(lang, position, move) {
  const before = current;
  current = lang;
  const name = moveName(position, move);
  current = before;
  return name;
}

/// A position in words, for those who listen.
export function positionName(position) {
  const one = (side) => {
    const found = position.board
      .map((letter, square) => (letter && sideOf(letter) === side ? `${say(written(letter), ROLES[ROLE[letter.toLowerCase()]][1])} ${nameOf(square)}` : ''))
      .filter(Boolean);
    return `${sideName(side)}${say('：', ': ')}${found.join(say('、', ', '))}`;
  };
  return `${one('red')}${say('。', '. ')}${one('black')}${say('。', '. ')}${sideName(position.turn)}${say('走', ' to move')}`;
}

/// What a verdict comes to, in the fewest words.
export function headline(verdict, lang = current) {
  const say = (zh, en) => (lang === 'zh' ? zh : en);
  const side = verdict.side ? say(...SIDES[verdict.side]) : '';
  switch (verdict.outcome) {
    case 'loss': return say(`${side}判负`, `${side} loses`);
    case 'must_change': return say(`${side}变着`, `${side} must change`);
    case 'draw': return say('和棋', 'Draw');
    case 'undetermined': return say('未能裁定', 'Undetermined');
    default: return say('尚无可裁', 'Nothing to rule on yet');
  }
}

export { GLYPH };
