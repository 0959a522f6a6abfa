// The ruling sheet: one page of A4, in Chinese, English or both, to be printed, kept and signed, with
// what it takes to replay it.

import { html, useState, useEffect, useLayoutEffect, useRef } from './preact.js';
import { positions, writeFen, chinese, START } from './chess.js';
import { say, language, headline, positionName, dayOf, timeOf, turnName, roundNumber, roundName, localZh, recounted, moveNameIn, clauseName, SIDES, NATURES } from './words.js';
import { Board } from './board.js';
import { linkOf, orderOf, rememberOfficials } from './entry.js';
import { titleOfBook } from './account.js';
import { keepRuling, recordOf, addressOf, shortOf } from './keeping.js';
import { kept, keep } from './keep.js';
import { Trouble, useAttempt } from './trouble.js';
import { generate } from './qr.js';

// A code with more than this is too fine to be read off a print, in characters.
const LONGEST_CODE = 420;
// Letters of the sheet, from the largest: page.css has the sizes.
const SIZES = 8;
// The smallest in which reasons are printed.
const SMALLEST = 4;

/// What the sheet is called as a file: by its number, or by event, round and table.
function titleOf(sheet, number) {
  const parts = number ? [number] : [sheet.event, sheet.round && `第${sheet.round}轮`, sheet.table && `${sheet.table}台`].filter(Boolean);
  return ['裁决书', ...parts].map((part) => part.replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, ' ').trim()).join('-');
}

/// How a sheet may be set, from the roomiest: the size of its letters, whether the moves of the whole
/// game stand on it, and for how many moves of the cycle the reason. Reasons go last.
function settings(moves, hasGame) {
  const found = [];
  for (const game of hasGame ? [true, false] : [false]) {
    for (let size = 0; size <= SMALLEST; size += 1) found.push({ size, game, reasons: moves });
  }
  for (let reasons = moves - 1; reasons > 0; reasons -= 1) found.push({ size: SMALLEST, game: false, reasons });
  for (let size = 0; size < SIZES; size += 1) found.push({ size, game: false, reasons: 0 });
  return found;
}

/// A link as a code for a camera.
function Code({ text }) {
  const code = generate(text);
  let path = '';
  for (let y = 0; y < code.size; y += 1) for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  return html`<svg class="code" viewBox="-2 -2 ${code.size + 4} ${code.size + 4}" role="img" aria-label=${say('二维码：', 'QR code: ') + text} shape-rendering="crispEdges"><rect x="-2" y="-2" width=${code.size + 4} height=${code.size + 4} fill="#fff" /><path d=${path} /></svg>`;
}

/// The sheet with its actions.
export function Sheet({ entry, setEntry, result, canKeep, onMore, onClose, printing, onPrinted }) {
  const page = useRef(null);
  const [lang, setLang] = useState(() => kept('sheet', language()));
  const [step, setStep] = useState(0);
  const [fitted, setFitted] = useState(false);
  const [turn, setTurn] = useState(0);
  const { busy, problem, attempt } = useAttempt();
  const { ruling, subject, number } = result;
  const { verdict, cycle } = ruling;
  // The limit as it stood when the ruling was due.
  const audit = subject.moves.length < result.whole.moves.length && result.moment ? result.moment : result.audit;
  const all = positions(subject.fen, subject.moves);
  const first = all[0].turn;
  const sheet = entry.sheet;
  const limit = audit && audit.natural_limit;
  const full = limit && limit.reached && verdict.outcome === 'none';
  const start = ruling.moves.length ? all[ruling.moves[0].ply] : all[all.length - 1];
  const hasGame = subject.kind === 'game' && subject.moves.length > 0;
  const steps = settings(ruling.moves.length, hasGame);
  const { size, game, reasons: told } = steps[Math.min(step, steps.length - 1)];
  const zh = lang !== 'en';
  const en = lang !== 'zh';
  const both = (chinese_, english) => html`${zh ? chinese_ : ''}${zh && en ? ' ' : ''}${en ? html`<i lang="en">${english}</i>` : ''}`;
  const refit = () => { setStep(0); setFitted(false); setTurn((turn) => turn + 1); };

  // Set smaller until it fits its page; measured as it is printed, whatever the screen shows.
  useLayoutEffect(() => {
    const node = page.current;
    if (!node) return;
    node.classList.add('as-printed');
    const over = node.scrollHeight > node.clientHeight + 1;
    node.classList.remove('as-printed');
    if (over && step < steps.length - 1) setStep(step + 1);
    else setFitted(true);
  }, [step, turn]);
  useLayoutEffect(() => { refit(); }, [number, audit, result.certified]);

  // A PDF of the page is called what the page is called.
  const title = titleOf(sheet, number);
  useEffect(() => { document.title = title; }, [title]);
  // Asked for by Ctrl+P: printed as soon as it fits.
  useEffect(() => {
    if (!printing || !fitted) return undefined;
    const wait = setTimeout(() => { onPrinted(); window.print(); }, 50);
    return () => clearTimeout(wait);
  }, [printing, fitted]);

  const unkept = number && JSON.stringify(recordOf(sheet)) !== JSON.stringify(result.record);
  const record = () => attempt('keep', async () => onMore(result.request, await keepRuling(result, entry)));
  const set = (name) => (event) => {
    refit();
    const changed = { ...sheet, [name]: event.target.value };
    rememberOfficials(changed);
    setEntry({ ...entry, sheet: changed });
  };
  const choose = (which) => { keep('sheet', which); setLang(which); refit(); };
  const day = sheet.date || dayOf(result.at);
  const field = (name, chinese_, english, value = sheet[name]) => html`<label class="blank ${name}"><span>${both(chinese_, english)}</span><input type="text" maxlength="60" value=${value} onInput=${set(name)} /></label>`;
  const columns = told ? 1 : ruling.moves.length > 24 ? 3 : ruling.moves.length > 6 ? 2 : 1;
  const standing = (side) => {
    const found = ruling.sides && ruling.sides[side];
    if (!found || !found.pattern) return null;
    const parts = found.pattern.split('_');
    const idle = found.pattern === 'perpetual_idle';
    const inZh = idle ? '闲着' : parts[0] === 'perpetual' ? `长${NATURES[parts[1]][0]}` : parts.map((part) => NATURES[part][0]).join('、');
    const inEn = idle ? 'idle moves' : parts[0] === 'perpetual' ? `perpetual ${NATURES[parts[1]][1]}` : parts.map((part) => NATURES[part][1]).join(' and ');
    const allowed = { forbidden: ['禁止着法', 'forbidden'], permitted: ['允许着法', 'permitted'] }[found.standing] || ['未定', 'open'];
    return html`<p><b>${both(...SIDES[side])}</b>：${zh ? `${inZh}，${allowed[0]}` : ''}${zh && en ? ' · ' : ''}${en ? html`<span lang="en">${inEn}, ${allowed[1]}</span>` : ''}</p>`;
  };
  // Reasons go to the weightiest moves first, where there is not room for all.
  const weight = Object.keys(NATURES);
  const spoken = new Set([...ruling.moves].sort((a, b) => weight.indexOf(a.nature) - weight.indexOf(b.nature) || a.ply - b.ply).slice(0, told).map((move) => move.ply));
  const reason = (move) => html`<small>${zh ? lang === 'zh' ? localZh(move.reason.zh, all[move.ply + 1]) : move.reason.zh : ''} ${en ? html`<span lang="en">${move.reason.en}</span>` : ''}</small>`;
  const nature = (move) => (move.nature ? both(...NATURES[move.nature]) : html`${both('未定', 'open')}：${move.candidates.map((n) => (zh ? NATURES[n][0] : NATURES[n][1])).join('/')}`);
  const name = (ply, iccs) => html`${zh ? chinese(all[ply], iccs) : ''}${en ? html` <span lang="en">${zh ? iccs : moveNameIn('en', all[ply], iccs)}</span>` : ''}`;
  // A cycle by itself is short, and ruled on alike; what was ordered is only told by the game.
  const alone = subject.kind === 'game' && ruling.moves.length > 0 && !orderOf(entry, subject);
  const link = number ? addressOf(number) : linkOf({ ...entry, ...(alone ? { fen: writeFen(start), moves: ruling.moves.map((move) => move.iccs), kind: 'cycle' } : subject) });
  const rounds = cycle && (subject.kind === 'cycle'
    ? both(`${cycle.period / 2}回合；只给了一个循环，按已循环${cycle.rounds}次计`, `${cycle.period} moves; one cycle was given, taken as played ${cycle.rounds} times`)
    : both(`${cycle.period / 2}回合，已循环${cycle.rounds}次，${turnName(first, cycle.start_ply, 'zh')}起`, `${cycle.period} moves, played ${cycle.rounds} times from ${turnName(first, cycle.start_ply, 'en')}`));
  return html`<main id="main" tabindex="-1" class="sheet-view">
    <div class="sheet-actions"><button type="button" onClick=${onClose}>← ${say('返回', 'Back')}</button>
      <button type="button" class="primary" onClick=${() => window.print()}>${say('打印 / 另存为 PDF', 'Print / save as PDF')}</button>
      ${canKeep && !number && html`<button type="button" disabled=${Boolean(busy)} onClick=${record}>${busy ? say('存档中…', 'Keeping…') : say('存档并编号', 'Keep, with a number')}</button>`}
      <span class="row languages" role="group" aria-label=${say('裁决书的文字', 'Language of the sheet')}>${[['zh', '中文', 'Chinese'], ['en', '英文', 'English'], ['both', '中英', 'Both']].map(([which, a, b]) => html`<button type="button" aria-pressed=${lang === which ? 'true' : 'false'} onClick=${() => choose(which)}>${say(a, b)}</button>`)}</span>
      <p class="note">${say(`横线上可以填写。在打印窗口选“另存为 PDF”，文件名即“${title}”。`, `Fill in the lines. In the print window choose “Save as PDF”; the file is called “${title}”.`)}</p>
      ${unkept && html`<p class="note" role="status">${say('存档之后改填的只印在纸上，不在存档里。', 'What was filled in since it was kept stands on the paper only, not in what is kept.')}</p>`}
      <${Trouble} problem=${problem} gone=${say('连不上 qili，未能存档。', 'qili does not answer; nothing was kept.')} /></div>
    <article class="page size-${size} ${lang}" ref=${page} lang=${lang === 'en' ? 'en' : 'zh-Hans'} aria-label=${say('裁决书', 'Ruling sheet')}>
      <header><h1>${both('裁决书', 'Ruling')}</h1>${number ? html`<p class="number">${both('编号', 'No.')} <b>${shortOf(number)}</b></p>` : ''}</header>
      <div class="blanks">${field('event', '赛事', 'Event')}${field('round', '轮次', 'Round')}${field('table', '台次', 'Table')}${field('red', '红方', 'Red')}${field('black', '黑方', 'Black')}${field('unit', '单位', 'Organiser')}${field('date', '日期', 'Date', day)}</div>
      <div class="middle"><figure><${Board} position=${start} theme="plain" letters=${en} label=${positionName(start)} /><figcaption>${hasGame && ruling.moves.length ? html`${both(`${turnName(first, ruling.moves[0].ply, 'zh')}走前`, `before ${turnName(first, ruling.moves[0].ply, 'en')}`)} · ` : ''}${start.turn === 'red' ? both('红方走', 'Red to move') : both('黑方走', 'Black to move')}<span class="fen" lang="en">${writeFen(start)}</span></figcaption></figure>
        <div class="verdict-box">${zh && html`<p class="big">${full ? '已达自然限着' : headline(verdict, 'zh')}</p>`}${en && html`<p class="big en" lang="en">${full ? 'Natural move limit reached' : headline(verdict, 'en')}</p>`}
          <p><b>${both('条款', 'Clauses')}</b>：${verdict.clauses.map(clauseName).join('、') || '—'}</p><p><b>${both('规则', 'Rules')}</b>：${zh ? titleOfBook(ruling.rules.id)[0] : titleOfBook(ruling.rules.id)[1]} <span lang="en">${ruling.rules.id} ${ruling.rules.version}</span></p>
          ${standing('red')}${standing('black')}
          ${cycle && html`<p><b>${both('循环', 'Cycle')}</b>：${rounds}</p>`}
          ${limit && html`<p><b>${both('自然限着', 'Natural limit')}</b>：${limit.count} / ${limit.rule.count} ${limit.rule.unit === 'rounds' ? both('回合', 'rounds') : both('着', 'plies')}，${limit.reached ? both('已达', 'reached') : both('未达', 'not reached')}</p>`}
          ${verdict.uncertain && verdict.uncertain.length > 0 && html`<p><b>${both('未见原文', 'Not read in the book itself')}</b>：${verdict.uncertain.map(clauseName).join('、')}</p>`}</div></div>
      ${ruling.moves.length > 0 && html`<div class="cycle columns-${columns}">${ruling.moves.map((move) => html`<p><span class="round">${roundNumber(first, move.ply)}.</span> <b class=${move.side}>${zh ? (move.side === 'red' ? '红' : '黑') : SIDES[move.side][1]} ${name(move.ply, move.iccs)}</b> ${(move.nature || move.candidates) && html`<em>${nature(move)}</em>`} <span class="cited">${(move.clauses || []).map(clauseName).join('、')}</span>
        ${spoken.has(move.ply) && move.reason && reason(move)}</p>`)}${told < ruling.moves.length && html`<p class="left-out">${both('其余着法的理由见网页。', 'The reasons of the other moves are on the page.')}</p>`}</div>`}
      ${verdict.reason && html`<section class="grounds">${zh && html`<p>${lang === 'zh' ? localZh(verdict.reason.zh) : verdict.reason.zh}</p>`}${en && html`<p lang="en">${verdict.reason.en}</p>`}</section>`}
      ${limit && (full || !ruling.moves.length) && audit.limit_claims && html`<section class="grounds">${['red', 'black'].map((side) => html`<p>${zh ? html`<b>若${SIDES[side][0]}提出</b>：${recounted(audit.limit_claims[side].zh.join(''), first)} ` : ''}${en ? html`<span lang="en"><b>If ${SIDES[side][1]} claims</b>: ${audit.limit_claims[side].en.join(' ')}</span>` : ''}</p>`)}</section>`}
      ${hasGame && (game
        ? html`<section class="game-moves"><b>${both('对局着法', 'The game')}</b> ${writeFen(all[0]) === START ? '' : html`<span lang="en">FEN ${writeFen(all[0])}</span> `}${subject.moves.map((move, ply) => html`<span class="one">${all[ply].turn === 'red' ? html`<i>${roundNumber(first, ply)}.</i>` : ply === 0 ? html`<i>${roundNumber(first, 0)}.</i> … ` : ''}${zh ? chinese(all[ply], move) : html`<span lang="en">${move}</span>`}</span> `)}</section>`
        : html`<section class="game-moves">${ruling.moves.length ? both(`对局共${roundNumber(first, subject.moves.length - 1)}回合；循环自${roundName(first, ruling.moves[0].ply, 'zh')}起，对照记录纸。`, `${roundNumber(first, subject.moves.length - 1)} rounds were played; the cycle begins in ${roundName(first, ruling.moves[0].ply, 'en')}: see the score sheet.`) : both(`对局共${roundNumber(first, subject.moves.length - 1)}回合。`, `${roundNumber(first, subject.moves.length - 1)} rounds were played.`)}</section>`)}
      <footer><div class="sign">${[['arbiter', '裁判', 'Arbiter', sheet.arbiter], ['chief', '裁判长', 'Chief arbiter', sheet.chief], ['red', '红方', 'Red', sheet.red], ['black', '黑方', 'Black', sheet.black]].map(([, chinese_, english, name_]) => html`<p>${both(chinese_, english)} ${name_}</p>`)}</div>
        <div class="made">${link.length <= LONGEST_CODE && html`<${Code} text=${link} />`}<p>${number ? html`<span>${both('编号', 'No.')} ${number}</span> ` : ''}<span>${timeOf(result.at)}</span> <span lang="en">qili ${ruling.rules.digest.slice(0, 19)}</span>${result.certified && result.certified.verified ? html` <span>✓ ${both('证书已核验', 'certificate verified')}</span>` : ''}</p></div></footer>
    </article></main>`;
}
