// The ruling sheet: one page of A4, in both languages, to be printed, kept and signed.

import { html, useState, useLayoutEffect, useRef } from './preact.js';
import { positions, readFen, chinese } from './chess.js';
import { say, headline, positionName, SIDES, NATURES } from './words.js';
import { Board } from './board.js';
import * as api from './api.js';

const TITLES = {
  'cxa-1999': '象棋竞赛规则（1999年）', 'cxa-2007': '象棋竞赛规则（2007年试行）', 'cxa-2011': '象棋竞赛规则（2011年）',
  'cxa-2020': '象棋竞赛规则（2020年）', wxf: '亚洲／世界象棋规则', threefold: '三次重复即和',
};

const time = (iso) => {
  const at = new Date(iso);
  const two = (n) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

/// The ruling as text for a messenger.
export function textOfRuling(result, entry) {
  const { ruling, subject } = result;
  const all = positions(subject.fen, subject.moves);
  const sheet = entry.sheet;
  const head = [sheet.event, sheet.round && `第${sheet.round}轮`, sheet.table && `${sheet.table}台`, sheet.red && sheet.black && `${sheet.red}（红）— ${sheet.black}（黑）`].filter(Boolean).join(' ');
  const lines = ruling.moves.map((move) => {
    const nature = move.nature ? NATURES[move.nature][0] : '未定';
    return `${move.ply + 1}. ${move.side === 'red' ? '红' : '黑'} ${chinese(all[move.ply], move.iccs)} (${move.iccs}) ${nature}`;
  });
  const { verdict } = ruling;
  return [
    '棋例裁决', head, `${TITLES[ruling.rules.id] || ruling.rules.id} ${ruling.rules.version}`,
    `【${headline(verdict, 'zh')}】${verdict.clauses.join('、')}`, verdict.reason ? verdict.reason.zh : '',
    `[${headline(verdict, 'en')}] ${verdict.reason ? verdict.reason.en : ''}`, ...lines, `FEN ${subject.fen}`,
  ].filter(Boolean).join('\n');
}

/// The sheet with its actions.
export function Sheet({ entry, setEntry, result, canKeep, onKept, onClose }) {
  const page = useRef(null);
  const [density, setDensity] = useState(0);
  const [problem, setProblem] = useState('');
  const { ruling, subject, number } = result;
  const { verdict } = ruling;
  const all = positions(subject.fen, subject.moves);
  const sheet = entry.sheet;
  const start = ruling.moves.length ? all[ruling.moves[0].ply] : all[all.length - 1];

  // Set smaller until it fits its page.
  useLayoutEffect(() => {
    const node = page.current;
    if (node && node.scrollHeight > node.clientHeight + 1 && density < 9) setDensity(density + 1);
  }, [density, ruling, sheet, number]);

  const record = async () => {
    setProblem('');
    const filled = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
    const players = filled({ red: sheet.red, black: sheet.black });
    try {
      const answer = await api.postRaw('/v1/rulings', {
        ...result.request,
        record: { ...filled({ event: sheet.event, round: sheet.round, board: sheet.table }), ...(Object.keys(players).length ? { players } : {}) },
      });
      const given = answer.headers.get('Qili-Ruling-Number');
      if (given) onKept(given);
      else setProblem(say('此处没有存档。', 'Rulings are not kept here.'));
    } catch (error) {
      setProblem(error.unreachable ? say('连不上 qili，未能存档。', 'qili does not answer; nothing was kept.') : error.detail);
    }
  };
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
      <button type="button" class="primary" onClick=${() => window.print()}>${say('打印 / 存为 PDF', 'Print / save as PDF')}</button>
      ${canKeep && !number && html`<button type="button" onClick=${record}>${say('存档并编号', 'Keep, with a number')}</button>`}
      ${problem && html`<span class="fault" role="alert">${problem}</span>`}</div>
    <article class="page density-${density}" ref=${page} lang="zh-Hans" aria-label=${say('裁决书', 'Ruling sheet')}>
      <header><h1>裁决书 <i>Ruling</i></h1><p class="number">${number ? html`编号 No. <b>${number}</b>` : ''}</p></header>
      <div class="blanks">${field('event', '赛事', 'Event')}${field('round', '轮次', 'Round')}${field('table', '台次', 'Table')}${field('red', '红方', 'Red')}${field('black', '黑方', 'Black')}</div>
      <div class="middle"><figure><${Board} position=${start} theme="plain" label=${positionName(start)} /><figcaption>${start.turn === 'red' ? '红方走 Red to move' : '黑方走 Black to move'}</figcaption></figure>
        <div class="verdict-box"><p class="big">${headline(verdict, 'zh')}</p><p class="big en" lang="en">${headline(verdict, 'en')}</p>
          <p><b>条款 Clauses</b>：${verdict.clauses.join('、') || '—'}</p><p><b>规则 Rules</b>：${TITLES[ruling.rules.id] || ruling.rules.id} <span lang="en">${ruling.rules.id} ${ruling.rules.version}</span></p>
          ${standing('red')}${standing('black')}
          ${ruling.cycle && html`<p><b>循环 Cycle</b>：${ruling.cycle.period}着 plies，${ruling.cycle.rounds}次 times${subject.kind === 'game' ? `，第${ruling.cycle.start_ply + 1}着起 from ply ${ruling.cycle.start_ply + 1}` : ''}</p>`}
          ${verdict.uncertain && verdict.uncertain.length > 0 && html`<p><b>未见原文 Not read in the book itself</b>：${verdict.uncertain.join('、')}</p>`}</div></div>
      ${ruling.moves.length > 0 && html`<div class="cycle columns-${columns}">${ruling.moves.map((move) => html`<p><span>${move.ply + 1}.</span> <b class=${move.side}>${move.side === 'red' ? '红' : '黑'} ${chinese(all[move.ply], move.iccs)}</b> <span lang="en">${move.iccs}</span> <em>${move.nature ? `${NATURES[move.nature][0]} ${NATURES[move.nature][1]}` : `未定 open：${move.candidates.map((n) => NATURES[n][0]).join('/')}`}</em> <span class="cited">${(move.clauses || []).join('、')}</span>
        ${reasons && move.reason && html`<small>${move.reason.zh} <span lang="en">${move.reason.en}</span></small>`}</p>`)}</div>`}
      ${verdict.reason && html`<section class="grounds"><p>${verdict.reason.zh}</p><p lang="en">${verdict.reason.en}</p></section>`}
      <footer><p class="fen" lang="en">${subject.fen}</p>
        <div class="sign">${[['裁判', 'Arbiter', sheet.arbiter], ['红方', 'Red', sheet.red], ['黑方', 'Black', sheet.black]].map(([zh, en, name]) => html`<p>${zh} <i>${en}</i> ${name}</p>`)}</div>
        <p class="made"><span>${time(result.at)}</span><span lang="en">qili ${ruling.rules.digest.slice(0, 19)}</span></p></footer>
    </article></main>`;
}

export { readFen };
