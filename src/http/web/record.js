// The moves of the game beside the board, and how it is stepped through: by list, keys and wheel.

import { html, useEffect, useLayoutEffect, useRef } from './preact.js';
import { say, sideName, moveName, roundNumber, headline, positionName } from './words.js';
import { Board } from './board.js';
import { Badge } from './ruling.js';

/// The moves as on a score sheet: a round a row, Red on the left. `natures` says what single plies are.
export function Record({ all, moves, at, onAt, natures, aside }) {
  const list = useRef(null);
  // The move that is shown stays in sight of the list, and nothing else moves.
  useLayoutEffect(() => {
    const box = list.current;
    const chosen = box && box.querySelector('[aria-pressed=true]');
    if (!chosen) { if (box) box.scrollTop = 0; return; }
    const top = chosen.offsetTop;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + chosen.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + chosen.offsetHeight - box.clientHeight;
  }, [at, moves.length]);
  if (!moves.length) return html`<p class="record empty note">${say('走过的着法按回合列在这里。', 'The moves are listed here, a round a row.')}</p>`;
  const first = all[0].turn;
  return html`<ol class="record ${aside ? 'aside' : ''}" ref=${list} tabindex="0" aria-label=${say('着法', 'Moves')}>${moves.map((move, ply) => {
    const { turn } = all[ply];
    const found = natures && natures.get(ply);
    return html`<li key=${ply} class=${turn}>${(turn === 'red' || ply === 0) && html`<small>${roundNumber(first, ply)}</small>`}<button type="button" tabindex="-1" class="chip ${turn}" aria-label=${`${roundNumber(first, ply)} ${sideName(turn)} ${moveName(all[ply], move)}`} aria-pressed=${at === ply + 1 ? 'true' : 'false'} onClick=${() => onAt(ply + 1)}>${moveName(all[ply], move)}${found && html` <${Badge} nature=${found.nature} candidates=${found.candidates} small=${true} />`}</button></li>`;
  })}</ol>`;
}

const typing = (target) => target.closest && target.closest('input, textarea, select, [contenteditable]');
// Pixels of a wheel that turn one move on: a notch of a mouse, a stroke on a pad.
const NOTCH = 60;

/// Steps by keys and by the wheel over the board. `step(plies)` goes so far, `to(ply)` there.
export function useSteps({ step, to, count, flip, judge, print }) {
  const newest = useRef({});
  newest.current = { step, to, count, flip, judge, print };
  useEffect(() => {
    const keys = (event) => {
      const now = newest.current;
      const command = event.ctrlKey || event.metaKey;
      if (command && event.key === 'Enter') { event.preventDefault(); now.judge(); return; }
      if (command && event.key.toLowerCase() === 'p' && now.print) { event.preventDefault(); now.print(); return; }
      if (command || event.altKey || event.defaultPrevented || typing(event.target)) return;
      const act = { ArrowLeft: () => now.step(-1), ArrowRight: () => now.step(1), Home: () => now.to(0), End: () => now.to(now.count), f: now.flip, F: now.flip }[event.key];
      if (!act || (event.key.length > 1 && !now.count)) return;
      event.preventDefault();
      act();
    };
    let turned = 0;
    const wheel = (event) => {
      const now = newest.current;
      if (!now.count || event.ctrlKey || !event.target.closest || !event.target.closest('#board, #large-board')) return;
      event.preventDefault();
      turned += event.deltaMode ? event.deltaY * NOTCH : event.deltaY;
      if (Math.abs(turned) < NOTCH) return;
      now.step(turned > 0 ? 1 : -1);
      turned = 0;
    };
    document.addEventListener('keydown', keys);
    document.addEventListener('wheel', wheel, { passive: false });
    return () => {
      document.removeEventListener('keydown', keys);
      document.removeEventListener('wheel', wheel);
    };
  }, []);
}

/// The board and the verdict as large as the screen, to be turned to the players.
export function Large({ shown, theme, flipped, verdict, move, onClose, onStep, onFlip }) {
  const dialog = useRef(null);
  useEffect(() => { dialog.current.showModal(); }, []);
  return html`<dialog class="large" ref=${dialog} aria-label=${say('给棋手看', 'For the players')} onClose=${onClose}><div>
    <${Board} id="large-board" theme=${theme} flipped=${flipped} position=${shown.position} last=${shown.last} arrows=${shown.arrows} targets=${shown.targets} crossed=${shown.crossed} label=${positionName(shown.position)} />
    <div class="told-large">${verdict && html`<p class="headline ${verdict.outcome}">${headline(verdict)}</p>`}<p class="move-large" aria-live="polite">${move}</p>
      <p class="row"><button type="button" aria-label=${say('退一着', 'one back')} onClick=${() => onStep(-1)}>‹</button><button type="button" aria-label=${say('进一着', 'one on')} onClick=${() => onStep(1)}>›</button>
        <button type="button" onClick=${onFlip}>${say('翻转', 'Flip')}</button><button type="button" onClick=${() => dialog.current.close()}>${say('关闭', 'Close')}</button></p></div></div></dialog>`;
}
