// Lists that grow as they are scrolled, and boards that are drawn when they come into sight.

import { html, useState, useEffect, useRef } from './preact.js';
import { readFen } from './chess.js';
import { Board } from './board.js';

/// Calls when a place comes near the part of the page that is seen.
function useSight(box, seen, again) {
  const newest = useRef(seen);
  newest.current = seen;
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) newest.current(); }, { rootMargin: '400px' });
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, again);
}

/// A board that is drawn when it comes into sight.
export function LazyBoard({ fen, theme }) {
  const box = useRef(null);
  const [seen, setSeen] = useState(false);
  useSight(box, () => setSeen(true), []);
  return html`<div class="board-box" ref=${box}>${seen && html`<${Board} position=${readFen(fen)} theme=${theme} />`}</div>`;
}

/// A list with one more page of it; without a cursor it begins anew.
export const joined = (before, page, cursor) => (cursor && before ? [...before, ...page] : page);

/// Where a list goes on, as long as it is the one that is asked for: what is chosen anew has another.
export const onward = (list, filter) => (list && list.filter === filter ? list.next : null);

/// The end of a list that goes on: the rest comes as it is scrolled to. The room is there before, so
/// that nothing below it moves.
export function More({ next, onMore }) {
  const box = useRef(null);
  useSight(box, () => { if (next) onMore(next); }, [next]);
  return html`<div class="more" data-next=${next ? 'true' : undefined} ref=${box}></div>`;
}
