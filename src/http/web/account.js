// A ruling told outside the page: as text for a messenger, and what the papers call things.

import { positions, chinese } from './chess.js';
import { headline, turnName, localZh, clauseName, NATURES } from './words.js';
import { addressOf } from './keeping.js';

export const TITLES = {
  'cxa-1999': ['象棋竞赛规则（1999年）', 'Chinese rules of 1999'], 'cxa-2007': ['象棋竞赛规则（2007年试行）', 'Chinese rules of 2007 (trial)'],
  'cxa-2011': ['象棋竞赛规则（2011年）', 'Chinese rules of 2011'], 'cxa-2020': ['象棋竞赛规则（2020年）', 'Chinese rules of 2020'],
  wxf: ['亚洲／世界象棋规则', 'Asian / World rules'], threefold: ['三次重复即和', 'Threefold'],
};
export const titleOfBook = (id) => TITLES[id] || [id, id];

/// The ruling as text for a messenger.
export function textOfRuling(result, entry) {
  const { ruling, subject } = result;
  const all = positions(subject.fen, subject.moves);
  const first = all[0].turn;
  const sheet = entry.sheet;
  const head = [sheet.event, sheet.round && `第${sheet.round}轮`, sheet.table && `${sheet.table}台`, sheet.red && sheet.black && `${sheet.red}（红）— ${sheet.black}（黑）`].filter(Boolean).join(' ');
  const lines = ruling.moves.map((move) => {
    const nature = move.nature ? NATURES[move.nature][0] : move.candidates ? '未定' : '';
    return `${turnName(first, move.ply, 'zh')} ${chinese(all[move.ply], move.iccs)} (${move.iccs}) ${nature}`;
  });
  const { verdict, cycle } = ruling;
  return [
    '棋例裁决', head, `${titleOfBook(ruling.rules.id)[0]} ${ruling.rules.version}`,
    result.number && `编号 ${result.number} ${addressOf(result.number)}`,
    `【${headline(verdict, 'zh')}】${verdict.clauses.map(clauseName).join('、')}`, verdict.reason ? localZh(verdict.reason.zh) : '',
    cycle && subject.kind === 'cycle' ? `（只给了一个循环，按已循环${cycle.rounds}次计）` : '',
    `[${headline(verdict, 'en')}] ${verdict.reason ? verdict.reason.en : ''}`, ...lines, `FEN ${subject.fen}`,
  ].filter(Boolean).join('\n');
}
