// The ruling sheet: one page of A4, in both languages, to be printed, kept and signed.

import { html, useState, useEffect, useLayoutEffect, useRef } from './preact.js';
import { positions, readFen, chinese } from './chess.js';
import { say, headline, positionName, timeOf, SIDES, NATURES } from './words.js';
import { Board } from './board.js';
import { keepRuling, addressOf } from './log.js';
import { Trouble, useAttempt } from './trouble.js';

const TITLES = {
  'cxa-1999': '象棋竞赛规则（1999年）', 'cxa-2007': '象棋竞赛规则（2007年试行）', 'cxa-2011': '象棋竞赛规则（2011年）',
  'cxa-2020': '象棋竞赛规则（2020年）', wxf: '亚洲／世界象棋规则', threefold: '三次重复即和',
};

/// The ruling as text for a messenger.
export function textOfRuling(result, entry) {
  const { ruling, subject } = result;
  const all = positions(subject.fen, subject.moves);
  const sheet = entry.sheet;
  const head = [sheet.event, sheet.round && `第${sheet.round}轮`, sheet.table && `${sheet.table}台`, sheet.red && sheet.black && `${sheet.red}（红）— ${sheet.black}（黑）`].filter(Boolean).join(' ');
  const lines = ruling.moves.map((move) => {
    const nature = move.nature ? NATURES[move.nature][0] : move.candidates ? '未定' : '';
    return `${move.ply + 1}. ${move.side === 'red' ? '红' : '黑'} ${chinese(all[move.ply], move.iccs)} (${move.iccs}) ${nature}`;
  });
  const { verdict } = ruling;
  return [
    '棋例裁决', head, `${TITLES[ruling.rules.id] || ruling.rules.id} ${ruling.rules.version}`,
    result.number && `编号 ${result.number} ${addressOf(result.number)}`,
    `【${headline(verdict, 'zh')}】${verdict.clauses.join('、')}`, verdict.reason ? verdict.reason.zh : '',
    `[${headline(verdict, 'en')}] ${verdict.reason ? verdict.reason.en : ''}`, ...lines, `FEN ${subject.fen}`,
  ].filter(Boolean).join('\n');
}

/// What the sheet is called as a file: by its number, or by event, round and table.
function titleOf(sheet, number) {
  const parts = number ? [number] : [sheet.event, sheet.round && `第${sheet.round}轮`, sheet.table && `${sheet.table}台`].filter(Boolean);
  return ['裁决书', ...parts].map((part) => part.replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, ' ').trim()).join('-');
}

/// The sheet with its actions.
export function Sheet({ entry, setEntry, result, canKeep, onKept, onClose }) {
  const page = useRef(null);
  const [density, setDensity] = useState(0);
  const { busy, problem, attempt } = useAttempt();
  const { ruling, subject, number, audit } = result;
  const { verdict } = ruling;
  const all = positions(subject.fen, subject.moves);
  const sheet = entry.sheet;
  const limit = audit && audit.natural_limit;
  const full = limit && limit.reached && verdict.outcome === 'none';
  const unit = limit && (limit.rule.unit === 'rounds' ? ['回合', 'rounds'] : ['着', 'plies']);
  const start = ruling.moves.length ? all[ruling.moves[0].ply] : all[all.length - 1];

  // Set smaller until it fits its page; measured as it is printed, whatever the screen shows.
  useLayoutEffect(() => {
    const node = page.current;
    if (!node) return;
    node.classList.add('as-printed');
    const full = node.scrollHeight > node.clientHeight + 1;
    node.classList.remove('as-printed');
    if (full && density < 9) setDensity(density + 1);
  }, [density, ruling, sheet, number, audit]);

  // A PDF of the page is called what the page is called.
  const title = titleOf(sheet, number);
  useEffect(() => { document.title = title; }, [title]);

  const record = () => attempt('keep', async () => onKept(await keepRuling(result, entry)));
  const set = (name) => (event) => { setDensity(0); setEntry({ ...entry, sheet: { ...sheet, [name]: event.target.value } }); };
  const field = (name, zh, en) => html`<label class="blank"><span>${zh}<i>${en}</i></span><input type="text" maxlength="60" value=${sheet[name]} onInput=${set(name)} /></label>`;
  // Reasons are printed where there is room for them.
  const reasons = density < 3;
  const columns = reasons ? 1 : ruling.moves.length > 24 ? 3 : ruling.moves.length > 6 ? 2 : 1;
  const standing = (side) => {
    const found = ruling.sides && ruling.sides[side];
    if (!found || !found.pattern) return null;
    const parts = found.pattern.split('_');
    const idle = found.pattern === 'perpetual_idle';
    const zh = idle ? '闲着' : parts[0] === 'perpetual' ? `长${NATURES[parts[1]][0]}` : parts.map((part) => NATURES[part][0]).join('、');
    const en = idle ? 'idle moves' : parts[0] === 'perpetual' ? `perpetual ${NATURES[parts[1]][1]}` : parts.map((part) => NATURES[part][1]).join(' and ');
    const allowed = { forbidden: ['禁止着法', 'forbidden'], permitted: ['允许着法', 'permitted'] }[found.standing] || ['未定', 'open'];
    return html`<p><b>${SIDES[side][0]} ${SIDES[side][1]}</b>：${zh}，${allowed[0]} · ${en}, ${allowed[1]}</p>`;
  };
  return html`<main id="main" tabindex="-1" class="sheet-view">
    <div class="sheet-actions"><button type="button" onClick=${onClose}>← ${say('返回', 'Back')}</button>
      <button type="button" class="primary" onClick=${() => window.print()}>${say('打印 / 另存为 PDF', 'Print / save as PDF')}</button>
      ${canKeep && !number && html`<button type="button" disabled=${Boolean(busy)} onClick=${record}>${busy ? say('存档中…', 'Keeping…') : say('存档并编号', 'Keep, with a number')}</button>`}
      <p class="note">${say(`横线上可以填写。在打印窗口选“另存为 PDF”，文件名即“${title}”。`, `Fill in the lines. In the print window choose “Save as PDF”; the file is called “${title}”.`)}</p>
      <${Trouble} problem=${problem} gone=${say('连不上 qili，未能存档。', 'qili does not answer; nothing was kept.')} /></div>
    <article class="page density-${density}" ref=${page} lang="zh-Hans" aria-label=${say('裁决书', 'Ruling sheet')}>
      <header><h1>裁决书 <i>Ruling</i></h1><p class="number">${number ? html`编号 No. <b>${number}</b>` : ''}</p></header>
      <div class="blanks">${field('event', '赛事', 'Event')}${field('round', '轮次', 'Round')}${field('table', '台次', 'Table')}${field('red', '红方', 'Red')}${field('black', '黑方', 'Black')}</div>
      <div class="middle"><figure><${Board} position=${start} theme="plain" label=${positionName(start)} /><figcaption>${start.turn === 'red' ? '红方走 Red to move' : '黑方走 Black to move'}</figcaption></figure>
        <div class="verdict-box"><p class="big">${full ? '已达自然限着' : headline(verdict, 'zh')}</p><p class="big en" lang="en">${full ? 'Natural move limit reached' : headline(verdict, 'en')}</p>
          <p><b>条款 Clauses</b>：${verdict.clauses.join('、') || '—'}</p><p><b>规则 Rules</b>：${TITLES[ruling.rules.id] || ruling.rules.id} <span lang="en">${ruling.rules.id} ${ruling.rules.version}</span></p>
          ${standing('red')}${standing('black')}
          ${ruling.cycle && html`<p><b>循环 Cycle</b>：${ruling.cycle.period}着 plies，${ruling.cycle.rounds}次 times${subject.kind === 'game' ? `，第${ruling.cycle.start_ply + 1}着起 from ply ${ruling.cycle.start_ply + 1}` : ''}</p>`}
          ${limit && html`<p><b>自然限着 Natural limit</b>：${limit.count} / ${limit.rule.count} ${unit[0]} ${unit[1]}，${limit.reached ? '已达 reached' : '未达 not reached'}</p>`}
          ${verdict.uncertain && verdict.uncertain.length > 0 && html`<p><b>未见原文 Not read in the book itself</b>：${verdict.uncertain.join('、')}</p>`}</div></div>
      ${ruling.moves.length > 0 && html`<div class="cycle columns-${columns}">${ruling.moves.map((move) => html`<p><span>${move.ply + 1}.</span> <b class=${move.side}>${move.side === 'red' ? '红' : '黑'} ${chinese(all[move.ply], move.iccs)}</b> <span lang="en">${move.iccs}</span> ${(move.nature || move.candidates) && html`<em>${move.nature ? `${NATURES[move.nature][0]} ${NATURES[move.nature][1]}` : `未定 open：${move.candidates.map((n) => NATURES[n][0]).join('/')}`}</em>`} <span class="cited">${(move.clauses || []).join('、')}</span>
        ${reasons && move.reason && html`<small>${move.reason.zh} <span lang="en">${move.reason.en}</span></small>`}</p>`)}</div>`}
      ${verdict.reason && html`<section class="grounds"><p>${verdict.reason.zh}</p><p lang="en">${verdict.reason.en}</p></section>`}
      ${limit && (full || !ruling.moves.length) && audit.limit_claims && html`<section class="grounds">${['red', 'black'].map((side) => html`<p><b>若${SIDES[side][0]}提出 If ${SIDES[side][1]} claims</b>：${audit.limit_claims[side].zh.join('')} <span lang="en">${audit.limit_claims[side].en.join(' ')}</span></p>`)}</section>`}
      <footer><p class="fen" lang="en">${subject.fen}</p>
        <div class="sign">${[['裁判', 'Arbiter', sheet.arbiter], ['红方', 'Red', sheet.red], ['黑方', 'Black', sheet.black]].map(([zh, en, name]) => html`<p>${zh} <i>${en}</i> ${name}</p>`)}</div>
        <p class="made"><span>${timeOf(result.at)}</span><span lang="en">qili ${ruling.rules.digest.slice(0, 19)}</span></p></footer>
    </article></main>`;
}

export { readFen };
