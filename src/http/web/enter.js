// Where a dispute is entered: the box that takes everything, the settings of the event, and the
// pieces for a position that is set up.

import { html, useState, useRef } from './preact.js';
import { positions } from './chess.js';
import { say, told, sideName, bookName, pieceName, afterName, recounted } from './words.js';
import { Piece, PALETTES } from './board.js';
import { subjectOf, orderOf, LONGEST_NAME } from './entry.js';
import { Files } from './files.js';
import { Typed } from './typed.js';
import { Key, needsKey } from './trouble.js';

const TRAY = ['K', 'A', 'B', 'N', 'R', 'C', 'P'];
export const MOST = { k: 1, a: 2, b: 2, n: 2, r: 2, c: 2, p: 5 };

/// The pieces that are not on the board yet.
export function Tray({ position, held, onHold, onPlace, theme, onTurn, onClear, onStart }) {
  const [ghost, setGhost] = useState(null);
  const count = (letter) => MOST[letter.toLowerCase()] - position.board.filter((there) => there === letter).length;
  const move = (event) => { if (ghost) setGhost({ ...ghost, x: event.clientX, y: event.clientY, moved: ghost.moved || Math.hypot(event.clientX - ghost.x, event.clientY - ghost.y) > 4 }); };
  const up = (event) => {
    if (!ghost) return;
    setGhost(null);
    const target = document.elementFromPoint(event.clientX, event.clientY);
    const point = target && target.closest('[data-square]');
    if (point && ghost.moved) onPlace(ghost.letter, 'abcdefghi'.indexOf(point.dataset.square[0]) + 9 * Number(point.dataset.square[1]));
  };
  return html`<div class="tray" role="group" aria-label=${say('摆子：点棋子，再点棋盘；或拖上去', 'Set up: tap a piece, then the board; or drag it there')}>
    ${[TRAY, TRAY.map((letter) => letter.toLowerCase())].map((row) => html`<div class="pieces">${row.map((letter) => html`<button type="button" class="tray-piece" aria-pressed=${held === letter ? 'true' : 'false'}
      aria-label=${`${pieceName(letter)} ×${count(letter)}`} disabled=${count(letter) <= 0} onClick=${() => onHold(letter)}
      onPointerDown=${(event) => { event.currentTarget.setPointerCapture(event.pointerId); setGhost({ letter, x: event.clientX, y: event.clientY, moved: false }); }} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${() => setGhost(null)}>
      <svg viewBox="-50 -50 100 100" width="36" height="36" aria-hidden="true"><${Piece} letter=${letter} palette=${PALETTES[theme]} /></svg><small>${count(letter)}</small></button>`)}</div>`)}
    <div><button type="button" aria-pressed=${held === 'none' ? 'true' : 'false'} onClick=${() => onHold('none')}>${say('拿掉', 'Remove')}</button>
      <button type="button" aria-pressed=${position.turn === 'red' ? 'true' : 'false'} onClick=${() => onTurn('red')}>${say('红先', 'Red moves')}</button>
      <button type="button" aria-pressed=${position.turn === 'black' ? 'true' : 'false'} onClick=${() => onTurn('black')}>${say('黑先', 'Black moves')}</button>
      <button type="button" onClick=${onClear}>${say('清空', 'Clear')}</button><button type="button" onClick=${onStart}>${say('初始', 'Opening')}</button></div>
    ${ghost && ghost.moved && html`<svg class="ghost" viewBox="-50 -50 100 100" width="52" height="52" style=${{ left: `${ghost.x - 26}px`, top: `${ghost.y - 26}px` }} aria-hidden="true"><${Piece} letter=${ghost.letter} palette=${PALETTES[theme]} /></svg>`}
  </div>`;
}

/// One move as it is written; what follows may stand close to it.
const MOVE = /^(?:[a-i]\d-?[a-i]\d|\S\S[进進退平+=.-]\S|\p{L}[\d０-９]{2}|[^\s，,；;。(（{]+)/iu;

/// An order to change, by the move after which it was given.
function orderName(first, order) {
  const [ply, side] = order.split('-');
  return say(`${afterName(first, Number(ply) + 1)}令${sideName(side)}变`, `${sideName(side)}, ${afterName(first, Number(ply) + 1)}`);
}

/// The orders that may be chosen: after the last moves, and the one that was.
function ordersOf({ moves, ordered }) {
  const last = moves.map((_, ply) => ply).slice(-40).flatMap((ply) => [`${ply}-red`, `${ply}-black`]);
  return ordered && !last.includes(ordered) ? [ordered, ...last] : last;
}

/// What an entry was understood to be.
function readAs(entry) {
  const { moves } = entry;
  if (!moves.length) {
    return html`${say('贴上后，或在棋盘上走出循环后，按“裁决”。也可从', 'Paste, or play the cycle on the board, then press “Rule”. The ')}<a href="#cases">${say('判例', 'cases')}</a>${say('里取一例来看。', ' have examples.')}`;
  }
  const { kind } = subjectOf(entry);
  const rounds = Math.ceil(moves.length / 2);
  return kind === 'cycle'
    ? say(`读到${rounds}回合，恰好回到起始局面：作为一个循环，按已循环满次数计。`, `${moves.length} plies, back to the start: one cycle, taken as played often enough.`)
    : say(`读到${rounds}回合：作为对局，按最后的局面裁决。`, `${rounds} rounds: a game, ruled on as it stands at the end.`);
}

/// What is wrong with an entry: told, shown in the text, and put right by a tap where it can be.
function Fault({ fault, first, onShow, onChoice }) {
  const choices = fault.choices || [];
  const whole = say(recounted(told(fault.detail), first), told(fault.detail));
  const detail = choices.length ? whole.replace(/[；;][^；;]*$/, '') : whole;
  return html`<div class="fault" id="fault" role="alert"><p>${detail} ${fault.line ? html`<button type="button" class="link" onClick=${onShow}>${say('去改', 'Show')}</button>` : ''}</p>
    ${choices.length > 0 && html`<p class="chips" aria-label=${say('改为', 'Put instead')}><span class="note">${say('改为', 'Instead')}</span>${choices.map((one) => html`<button type="button" class="chip" key=${one.iccs} onClick=${() => onChoice(one)}>${say(one.chinese, one.iccs)}</button>`)}</p>`}</div>`;
}

/// Scrolls a field to what stands at an offset, also where its lines are wrapped.
function scrollTo(box, start) {
  const copy = box.cloneNode();
  copy.removeAttribute('aria-describedby');
  copy.rows = 1;
  Object.assign(copy.style, { position: 'absolute', visibility: 'hidden', minHeight: '0', height: '0', width: `${box.offsetWidth}px` });
  copy.value = box.value.slice(0, start);
  box.parentNode.append(copy);
  const height = copy.scrollHeight;
  copy.remove();
  box.scrollTop = Math.max(0, height - box.clientHeight / 2);
}

/// The box that takes everything, and the settings of the event.
export function Entry({ entry, setup, result, busy, ready, reachable, books, files, onText, onMoves, onKey, onJudge, onStop, onSettings, onEdit, onNew, problem }) {
  const box = useRef(null);
  const fault = entry.fault;
  // Of several games the one that was chosen is read on.
  const type = (text) => onText(text, entry.games > 1 ? entry.game : null);
  // Where the fault begins and ends in the text; its columns are characters.
  const place = () => {
    const lines = entry.text.split('\n');
    const before = [...lines.slice(0, fault.line - 1), [...lines[fault.line - 1]].slice(0, fault.column - 1).join('')];
    const start = before.join('\n').length;
    return [start, start + (entry.text.slice(start).match(MOVE) || [' '])[0].length];
  };
  const goto = () => {
    const [start, end] = place();
    box.current.focus({ preventScroll: true });
    box.current.setSelectionRange(start, end);
    scrollTo(box.current, start);
    box.current.scrollIntoView({ block: 'nearest' });
  };
  const choose = (choice) => {
    if (!fault.line) return onMoves([...entry.moves, choice.iccs]);
    const [start, end] = place();
    return type(entry.text.slice(0, start) + choice.chinese + entry.text.slice(end));
  };
  const book = html`<label class="field"><span>${say('规则', 'Rule book')}</span><select value=${entry.rules} onChange=${(event) => onSettings({ rules: event.target.value })}>
    ${[...new Set([...books, entry.rules])].map((id) => html`<option value=${id}>${books.includes(id) ? bookName(id) : say(`草案 ${id}`, `Draft ${id}`)}</option>`)}</select></label>`;
  const gone = !reachable || (problem && problem.unreachable);
  const stop = html`<button type="button" class="stop swap" onClick=${onStop}>${say('停', 'Stop')}</button>`;
  const first = positions(entry.fen, [])[0].turn;
  const order = orderOf(entry, subjectOf(entry));
  const faults = html`
    ${gone && html`<p class="fault" role="alert">${result ? say('连不上 qili，没有重裁；仍是原来的裁决。', 'qili does not answer, so nothing was ruled on anew; the ruling is the one there was.') : say('连不上 qili，不能裁决。已输入的都在，可以继续摆子、走子；连上后再按“裁决”。', 'qili does not answer, so nothing can be ruled on. What you entered is kept, and you can go on editing; press “Rule” when it is back.')}</p>`}
    ${needsKey(problem) && html`<${Key} onKey=${onKey} />`}
    ${problem && !problem.unreachable && html`<p class="fault" role="alert"><b>${problem.title || say('出错', 'Error')}</b> ${problem.detail}${typeof problem.index === 'number' ? say(`（第${problem.index + 1}着）`, ` (move ${problem.index + 1})`) : ''}</p>`}`;
  if (result) {
    return html`<section key="ruled" class="entry small" aria-label=${say('所裁', 'The dispute')}><div class="row">${book}
      ${busy ? stop : html`<button type="button" class="swap" onClick=${onEdit}>${say('修改', 'Edit')}</button>`}<button type="button" onClick=${onNew}>${say('另裁一局', 'New dispute')}</button></div>${faults}</section>`;
  }
  return html`<section key="entered" class="entry" aria-label=${say('输入', 'Enter')}>
    <label class="paste"><span>${say('贴上局面、着法、棋谱或链接', 'Paste a position, moves, a game record or a link')}</span>
      <textarea ref=${box} rows="5" spellcheck=${false} autocomplete="off" aria-invalid=${fault ? 'true' : undefined} aria-describedby=${fault ? 'fault' : undefined} value=${entry.text} onInput=${(event) => type(event.target.value)}
        placeholder=${say('FEN、炮二平五、炮25、C2=5、h2e2、PGN 都可以，也可直接在棋盘上走', 'FEN, 炮二平五, C2=5, h2e2, PGN: anything goes; or play on the board')}></textarea></label>
    ${entry.games > 1 && html`<label class="field"><span>${say(`棋谱共${entry.games}局，读第`, `Game, of ${entry.games}`)}</span><${Typed} type="number" min="1" max=${entry.games} value=${entry.game || 1} onValue=${(value) => onText(entry.text, Number(value))} /></label>`}
    <${Files} files=${files} />
    <div class="row"><button type="button" class="primary big" disabled=${!ready} onClick=${onJudge}>${busy ? say('裁决中…', 'Ruling…') : say('裁决', 'Rule')}</button>${book}
      ${busy ? stop : html`<button type="button" onClick=${onNew}>${say('清空', 'Clear')}</button>`}</div>
    <div class="told">${fault && !setup ? html`<${Fault} fault=${fault} first=${first} onShow=${goto} onChoice=${choose} />` : ''}
      ${faults}${!fault && !gone && !problem && html`<p class="note">${entry.moves.length ? say(`按${bookName(entry.rules)}。`, `By ${bookName(entry.rules)}. `) : ''}${readAs(entry)} ${entry.moves.length ? '' : say(`按${bookName(entry.rules)}；改选后记住。`, `By ${bookName(entry.rules)}; another choice is remembered.`)}${order && html` <b>${say(`已${orderName(first, entry.ordered)}着。`, `Change ordered: ${orderName(first, entry.ordered)}.`)}</b>`}</p>`}</div>
    <details class="settings"><summary>${say('赛事与裁决设置', 'Event and settings')}</summary><div>
      <label class="field"><span>${say('所列着法', 'The moves are')}</span><select value=${entry.kind} onChange=${(event) => onSettings({ kind: event.target.value })}>
        <option value="auto">${say('自动判别', 'worked out')}</option><option value="cycle">${say('恰为一个循环', 'exactly one cycle')}</option><option value="game">${say('对局', 'a game')}</option></select></label>
      <label class="check"><input type="checkbox" checked=${entry.claimed} onChange=${(event) => onSettings({ claimed: event.target.checked })} /> ${say('由棋手提请裁决', 'A player asked for the ruling')}</label>
      <label class="check"><input type="checkbox" checked=${entry.theoretical} onChange=${(event) => onSettings({ theoretical: event.target.checked })} /> ${say('裁判认定：守住即为例和', 'The arbiter finds: a plain theoretical draw while the post is held')}</label>
      <label class="field"><span>${say('已令变着', 'Change ordered')}</span><select value=${entry.ordered} onChange=${(event) => onSettings({ ordered: event.target.value })}>
        <option value="">${say('没有', 'no')}</option>${ordersOf(entry).map((one) => html`<option value=${one}>${orderName(first, one)}</option>`)}</select></label>
      ${[['event', '赛事', 'Event'], ['round', '轮次', 'Round'], ['table', '台次', 'Table'], ['red', '红方棋手', 'Red'], ['black', '黑方棋手', 'Black'], ['arbiter', '裁判', 'Arbiter'], ['chief', '裁判长', 'Chief arbiter'], ['unit', '单位', 'Organiser']].map(([name, zh, en]) => html`<label class="field"><span>${say(zh, en)}</span><input type="text" maxlength=${LONGEST_NAME} value=${entry.sheet[name]} onInput=${(event) => onSettings({ sheet: { ...entry.sheet, [name]: event.target.value } })} /></label>`)}
      <p class="note keys">${say('键盘：← → 走动，Home、End 首尾，F 倒转棋盘，Ctrl+Enter 裁决，Ctrl+P 打印裁决书；滚轮在盘上也可走动。', 'Keys: ← → step, Home and End, F turns the board, Ctrl+Enter rules, Ctrl+P prints the sheet; the wheel steps over the board.')}</p>
    </div></details>
  </section>`;
}
