// What may be done with a ruling: kept under a number, found again by it, made a case of the library.

import { html, useState, useEffect, useRef } from './preact.js';
import { readFen, isMove } from './chess.js';
import { say, headline, timeOf } from './words.js';
import { blank, settingsOf, subjectOf, textOf } from './entry.js';
import { bookOf } from './books.js';
import { Trouble, useAttempt } from './trouble.js';
import * as api from './api.js';

/// Where a kept ruling is found again.
export const addressOf = (number) => `${location.origin}${location.pathname}#ruling=${number}`;

/// A number as it is read out: its last eight signs, by which it is found again, too.
export const shortOf = (number) => number.slice(-8);

export const filled = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value));

/// What a ruling belongs to.
export function recordOf(sheet, supersedes) {
  const players = filled({ red: sheet.red, black: sheet.black });
  return { ...filled({ event: sheet.event, round: sheet.round, board: sheet.table, supersedes }), ...(Object.keys(players).length ? { players } : {}) };
}

// The same request sent again, because its answer was lost, gets the same number.
const words = new Map();

/// Has a ruling kept with what the sheet says of its game, with its certificate where there is one, and answers what there is more of
/// it then: its number, and what it was kept with.
export async function keepRuling(result, entry, supersedes) {
  const explain = result.certified && result.certified.proof ? 'proof' : result.request.explain;
  const request = { ...result.request, explain, record: recordOf(entry.sheet, supersedes) };
  const body = JSON.stringify(request);
  if (!words.has(body)) words.set(body, [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(16)).join('-'));
  const answer = await api.postRaw('/v1/rulings', request, { idempotency: words.get(body) });
  const number = answer.headers.get('Qili-Ruling-Number');
  if (!number) throw new api.Problem({ code: 'no_store', status: 404, detail: '' });
  return { number, record: recordOf(entry.sheet), at: new Date().toISOString() };
}

/// An entry and a result as they were when the ruling was kept.
export async function openKept(number) {
  const kept = await api.get(`/v1/rulings/${encodeURIComponent(number)}`);
  const { request, ruling, record } = kept;
  if (!readFen(request.fen) || !request.moves.every(isMove)) throw new api.Problem({ code: 'unreadable', status: 0, detail: say('这份裁决的局面读不出来。', 'The position of this ruling cannot be read.') });
  const fen = request.fen;
  const order = (request.ordered || [])[0];
  const players = record.players || {};
  const entry = {
    ...blank(), fen, moves: request.moves, kind: request.kind, rules: ruling.rules.id.includes('+') ? request.rules : ruling.rules.id, claimed: request.claimed !== false,
    theoretical: Boolean(request.assertions && request.assertions.theoretical_draw), budget: request.budget || null,
    ordered: order ? `${order.after_ply}-${order.side}` : '', text: textOf({ fen, moves: request.moves }),
  };
  Object.assign(entry.sheet, filled({ event: record.event, round: record.round && String(record.round), table: record.board && String(record.board), red: players.red, black: players.black }));
  const book = await bookOf(ruling.rules.id, request.rules).catch(() => null);
  const subject = subjectOf(entry);
  return {
    entry,
    result: { subject, whole: subject, ruling, book, settings: settingsOf(entry), request: { ...request, explain: 'full' }, number: kept.number, record: recordOf(entry.sheet), superseded: kept.superseded_by, recalled: true, insteadMoves: null, at: kept.recorded_at },
  };
}

/// What may be done with a ruling, `children`, and where there is a store: keep it, see its number,
/// make a case of it.
export function Keeping({ canKeep, result, entry, onMore, children }) {
  const { busy, problem, attempt } = useAttempt();
  const [naming, setNaming] = useState(false);
  const [made, setMade] = useState('');
  const [instead, setInstead] = useState(false);
  const [replayed, setReplayed] = useState(null);
  const { number } = result;
  if (!canKeep) return html`<p class="actions">${children}</p>`;
  const record = () => attempt('keep', async () => onMore(result.request, await keepRuling(result, entry, instead && entry.corrects)));
  const replay = () => attempt('replay', async () => setReplayed(await api.post(`/v1/rulings/${number}:replay`, {})));
  const name = (put) => attempt('case', async () => {
    const own = await api.post(`/v1/rulings/${number}:case`, put);
    api.forget('/v1/cases/');
    setMade(own.id);
    setNaming(false);
  });
  const superseded = result.superseded && result.superseded[0];
  return html`<p class="actions">${children}${!number && html`<button type="button" disabled=${Boolean(busy)} onClick=${record}>${say('存档并编号', 'Keep, with a number')}</button>`}</p>
    ${!number && entry.corrects && html`<label class="check"><input type="checkbox" checked=${instead} onChange=${(event) => setInstead(event.target.checked)} /> ${say('存档时取代原裁决 ', 'Once kept, it takes the place of ')}${entry.corrects}</label>`}
    <${Trouble} problem=${problem} gone=${say('连不上 qili，没有存。', 'qili does not answer; nothing was kept.')} />
    ${(number || busy === 'keep') && html`<div class="keeping">
      <p class="number">${number ? html`${say('编号', 'No.')} <a href="#ruling=${number}"><b>${number}</b></a> <span class="note">${say('存档于', 'kept')} ${timeOf(result.at)}</span>` : say('存档中…', 'Keeping…')}</p>
      ${superseded && html`<p class="fault">${say('已由新的裁决取代：', 'Another ruling has taken its place: ')}<a href="#ruling=${superseded}">${superseded}</a></p>`}
      <p class="actions"><button type="button" disabled=${Boolean(busy || made)} aria-expanded=${naming ? 'true' : 'false'} onClick=${() => setNaming(!naming)}>${say('存为判例', 'Make it a case')}</button>
        <button type="button" disabled=${Boolean(busy)} onClick=${replay}>${say('重裁核对', 'Rule again and compare')}</button></p>
      <div class="said" aria-live="polite">${made ? html`<p>${say('已存为判例 ', 'Now a case: ')}<a href="#cases=${made}">${made}</a></p>`
        : replayed && html`<p class="note">${replayed.verdict_changed ? say(`今日程序裁为：${headline(replayed.ruling.verdict)}，与存档不同。`, `Today's program rules otherwise: ${headline(replayed.ruling.verdict)}.`)
          : replayed.changed ? say('今日程序裁决相同，理由或演变有所不同。', "Today's program rules the same, with other words or lines.") : say('今日程序裁得一字不差。', "Today's program rules the same, to the letter.")}</p>`}</div>
      ${naming && !made && html`<${Naming} busy=${Boolean(busy)} onName=${name} />`}</div>`}`;
}

/// What a case is to be called.
function Naming({ busy, onName }) {
  const [name, setName] = useState({ id: '', zh: '', en: '', why: '' });
  const first = useRef(null);
  useEffect(() => { first.current.focus(); }, []);
  const set = (field) => (event) => setName({ ...name, [field]: event.target.value });
  const good = /^[a-z0-9][a-z0-9-]*$/.test(name.id) && (name.zh.trim() || name.en.trim());
  const put = (event) => {
    event.preventDefault();
    if (!good || busy) return;
    const both = (zh, en) => ({ zh: zh.trim() || en.trim(), en: en.trim() || zh.trim() });
    onName({ id: name.id, title: both(name.zh, name.en), ...(name.why.trim() ? { why: both(name.why, '') } : {}) });
  };
  return html`<form class="naming" onSubmit=${put}>
    <label class="field"><span>${say('代号（小写字母、数字、-）', 'Id (small letters, digits, -)')}</span><input ref=${first} type="text" maxlength="60" placeholder="club-1" value=${name.id} onInput=${set('id')} /></label>
    <label class="field"><span>${say('名称', 'Title (Chinese)')}</span><input type="text" maxlength="80" value=${name.zh} onInput=${set('zh')} /></label>
    <label class="field"><span>${say('名称（英文，可空）', 'Title (English)')}</span><input type="text" maxlength="80" value=${name.en} onInput=${set('en')} /></label>
    <label class="field wide"><span>${say('评注（不填则用裁决的理由）', "Commentary (the ruling's reasons, where empty)")}</span><textarea rows="3" maxlength="4000" value=${name.why} onInput=${set('why')}></textarea></label>
    <p class="actions"><button type="submit" class="primary" disabled=${!good || busy}>${say('存入判例库', 'Put it into the library')}</button></p></form>`;
}
