// The board: drawn as the service draws it, with outlines for characters, and played on by
// pointer, touch and keyboard.

import { html, useRef, useState, useMemo, useEffect, useLayoutEffect } from './preact.js';
import { GLYPH, from, to, fileOf, rankOf, nameOf, squareOf, sideOf, isMove, written, checkedKing } from './chess.js';
import { outline } from './outlines.js';
import { say, squareName, positionName, lettered, plainPieces } from './words.js';

const CELL = 100;
const RED_FILES = '九八七六五四三二一';

/// The colours of the diagrams; in none of them is anything told by colour alone.
export const PALETTES = {
  wood: {
    ground: '#f2d8a4', grid: '#6b4420', text: '#54331a', redFace: '#fff6e0', redInk: '#b01217', blackFace: '#2b2421',
    blackInk: '#fbeed3', blackEdge: '#15100e', shadow: '#54331a', last: '#0b5fa5', attack: '#c2181e', guard: '#0d6b3c',
    line: '#1d4f91', target: '#c2181e', cross: '#8a0f5c', halo: '#fff6e0',
  },
  dark: {
    ground: '#1f2328', grid: '#8b949e', text: '#c9d1d9', redFace: '#f3e4cf', redInk: '#a40e14', blackFace: '#0d1014',
    blackInk: '#e9edf1', blackEdge: '#aeb7c0', shadow: null, last: '#58a6ff', attack: '#ff6b61', guard: '#4ccb75',
    line: '#79b8ff', target: '#ff8f3d', cross: '#ff7bd0', halo: '#1f2328',
  },
  plain: {
    ground: '#fff', grid: '#000', text: '#000', redFace: '#fff', redInk: '#000', blackFace: '#000', blackInk: '#fff',
    blackEdge: '#000', shadow: null, last: '#000', attack: '#000', guard: '#000', line: '#000', target: '#000',
    cross: '#000', halo: '#fff',
  },
};

function Character({ character, x = 0, y = 0, size, fill }) {
  const { em, path } = outline(character);
  return html`<path d=${path} fill=${fill} transform="translate(${x} ${y})scale(${(size / em).toFixed(4)})" />`;
}

/// A piece around the origin.
export function Piece({ letter, palette }) {
  const red = sideOf(letter) === 'red';
  return html`
    ${palette.shadow && html`<circle cx="2" cy="4" r="46" fill=${palette.shadow} fill-opacity=".35" />`}
    <circle r="44" fill=${red ? palette.redFace : palette.blackFace} stroke=${red ? palette.redInk : palette.blackEdge} stroke-width="3" />
    ${red && html`<circle r="38" fill="none" stroke=${palette.redInk} stroke-width="2" />`}
    <${Character} character=${plainPieces() ? written(letter) : GLYPH[letter]} size=${66} fill=${red ? palette.redInk : palette.blackInk} />`;
}

function grid(palette) {
  let lines = '';
  for (let rank = 0; rank < 10; rank += 1) lines += `M0 ${rank * CELL}h800`;
  lines += 'M0 0v900M800 0v900';
  for (let file = 1; file < 8; file += 1) lines += `M${file * CELL} 0v400M${file * CELL} 500v400`;
  for (const top of [0, 700]) lines += `M300 ${top}l200 200m0-200-200 200`;
  let marks = '';
  const points = [[1, 2], [7, 2], [0, 3], [2, 3], [4, 3], [6, 3], [8, 3]];
  for (const [file, rank] of points) {
    for (const y of [rank * CELL, 900 - rank * CELL]) {
      for (const [sx, sy] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
        const x = file * CELL;
        if (x + sx >= 0 && x + sx <= 800) marks += `M${x + 8 * sx} ${y + 24 * sy}v${-16 * sy}h${16 * sx}`;
      }
    }
  }
  return html`
    <g fill="none" stroke=${palette.grid}>
      <rect x="-12" y="-12" width="824" height="924" stroke-width="5" />
      <path stroke-width="3" d=${lines} /><path stroke-width="2.5" d=${marks} />
    </g>
    ${[['楚', 140], ['河', 260], ['漢', 540], ['界', 660]].map(([character, x]) => html`<${Character} character=${character} x=${x} y=${450} size=${68} fill=${palette.text} />`)}`;
}

function edges(palette, flipped, letters) {
  const [top, bottom] = [-76, 976];
  const signs = [];
  // Letters and numbers by the side, where squares are named by them.
  if (letters) {
    for (let file = 0; file < 9; file += 1) signs.push(html`<${Character} character=${'abcdefghi'[file]} x=${(flipped ? 8 - file : file) * CELL} y=${bottom + 42} size=${30} fill=${palette.text} />`);
    for (let rank = 0; rank < 10; rank += 1) signs.push(html`<${Character} character=${String(rank)} x=${-78} y=${(flipped ? rank : 9 - rank) * CELL} size=${30} fill=${palette.text} />`);
  }
  for (let file = 0; file < 9; file += 1) {
    const x = (flipped ? 8 - file : file) * CELL;
    signs.push(html`<${Character} character=${RED_FILES[file]} x=${x} y=${flipped ? top : bottom} size=${38} fill=${palette.text} />`);
    signs.push(html`<${Character} character=${String(file + 1)} x=${x} y=${flipped ? bottom : top} size=${38} fill=${palette.text} />`);
  }
  return signs;
}

/// An arrow of a kind: `attack` full with a full head, `guard` dashed with an open head, `false`
/// a guard crossed out, `line` a numbered move.
function Arrow({ arrow, point, palette }) {
  const [a, b] = [point(arrow.from), point(arrow.to)];
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  // Between neighbours there is hardly room.
  const short = length < 150;
  const [out, head_, wide] = short ? [34, 26, 14] : [46, 34, 20];
  const start = [a[0] + ux * out, a[1] + uy * out];
  const tip = [b[0] - ux * (short ? 34 : 44), b[1] - uy * (short ? 34 : 44)];
  const back = [tip[0] - ux * head_, tip[1] - uy * head_];
  const [px, py] = [-uy * wide, ux * wide];
  const colour = { attack: palette.attack, guard: palette.guard, false: palette.cross, line: palette.line }[arrow.kind];
  const dash = { guard: '18 12', false: '6 14' }[arrow.kind];
  const d = `M${start}L${arrow.kind === 'attack' || arrow.kind === 'line' ? back : tip}`;
  const head = `M${back[0] + px} ${back[1] + py}L${tip}L${back[0] - px} ${back[1] - py}`;
  const aside = short ? 40 : 0;
  const middle = [(a[0] + b[0]) / 2 - uy * aside, (a[1] + b[1]) / 2 + ux * aside];
  const full = arrow.kind === 'attack' || arrow.kind === 'line';
  return html`<g fill="none" stroke-linecap="round" stroke-linejoin="round" pointer-events="none">
    <path d=${d} stroke=${palette.halo} stroke-width="17" stroke-opacity=".8" />
    <path d=${head + (full ? 'z' : '')} stroke=${palette.halo} stroke-width="14" stroke-opacity=".8" />
    <path d=${d} stroke=${colour} stroke-width="9" stroke-dasharray=${dash} />
    <path d=${head + (full ? 'z' : '')} stroke=${colour} stroke-width="7" fill=${full ? colour : 'none'} />
    ${arrow.kind === 'false' && !short && html`<path d="M${middle[0] - 24} ${middle[1] - 24}l48 48m0-48l-48 48" stroke=${palette.halo} stroke-width="20" /><path d="M${middle[0] - 24} ${middle[1] - 24}l48 48m0-48l-48 48" stroke=${colour} stroke-width="10" />`}
    ${arrow.number && html`<g><circle cx=${middle[0]} cy=${middle[1]} r="24" fill=${palette.halo} stroke=${colour} stroke-width="5" /><${Character} character=${String(arrow.number % 10)} x=${middle[0]} y=${middle[1]} size=${36} fill=${colour} /></g>`}
  </g>`;
}

function LastMove({ move, point, palette }) {
  if (!move || !isMove(move)) return null;
  const [a, b] = [point(from(move)), point(to(move))];
  return html`<g fill="none" stroke=${palette.last} stroke-width="5" pointer-events="none">
    <circle cx=${a[0]} cy=${a[1]} r="30" stroke-dasharray="12 6.85" />
    <path d="M${b[0] - 32} ${b[1] - 50}h-18v18m0 64v18h18m64 0h18v-18m0-64v-18h-18" /></g>`;
}

/// The board. `onTap(square)` and `onDrop(from, to)` make it one to play on; `to` is null off the
/// board. Without them it is a picture.
export function Board({ position, theme = 'wood', flipped, last, arrows = [], targets = [], crossed = [], selected, hints = [], onTap, onDrop, movable, label, id, letters: shown }) {
  const palette = PALETTES[theme];
  const svg = useRef(null);
  const newest = useRef({});
  newest.current = { can: (square) => Boolean(position.board[square] && (!movable || movable(square))) };
  const [focus, setFocus] = useState(squareOf('e4'));
  const [drag, setDrag] = useState(null);
  const point = (square) => (flipped ? [(8 - fileOf(square)) * CELL, rankOf(square) * CELL] : [fileOf(square) * CELL, (9 - rankOf(square)) * CELL]);
  const letters = shown === undefined ? lettered() : shown;
  const ground = useMemo(() => [grid(palette), edges(palette, flipped, letters)], [theme, flipped, letters]);
  const live = Boolean(onTap);
  const [left, low] = letters ? [-104, 1054] : [-62, 1004];
  const checked = useMemo(() => checkedKing(position), [position]);

  // The piece that has just moved is seen to move.
  const before = useRef(position);
  useLayoutEffect(() => {
    const was = before.current;
    before.current = position;
    if (!id || was === position || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const changed = [];
    for (let square = 0; square < 90; square += 1) if (was.board[square] !== position.board[square]) changed.push(square);
    if (changed.length !== 2) return;
    const to = changed.find((square) => position.board[square] && was.board[changed.find((one) => one !== square)] === position.board[square]);
    const from = changed.find((square) => square !== to);
    if (to === undefined || position.board[from] && was.board[from]) return;
    const piece = svg.current.querySelector(`[data-slide="${nameOf(to)}"]`);
    const [a, b] = [point(from), point(to)];
    if (piece && piece.animate) piece.animate([{ transform: `translate(${a[0] - b[0]}px, ${a[1] - b[1]}px)` }, { transform: 'none' }], { duration: 140, easing: 'ease-out' });
  }, [position]);

  // A finger on a piece that can move drags it; on anything else it scrolls the page.
  useEffect(() => {
    if (!onDrop) return undefined;
    const hold = (event) => {
      const square = squareAt(place(event.touches[0]));
      if (square !== null && event.touches.length === 1 && newest.current.can(square)) event.preventDefault();
    };
    svg.current.addEventListener('touchstart', hold, { passive: false });
    return () => svg.current && svg.current.removeEventListener('touchstart', hold);
  }, [Boolean(onDrop), flipped]);

  const place = (event) => {
    const matrix = svg.current.getScreenCTM();
    if (!matrix) return [0, 0];
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [at.x, at.y];
  };
  const squareAt = ([x, y]) => {
    let [column, row] = [Math.round(x / CELL), Math.round(y / CELL)];
    if (column < 0 || column > 8 || row < 0 || row > 9) return null;
    if (flipped) column = 8 - column;
    return column + 9 * (flipped ? row : 9 - row);
  };
  const down = (event) => {
    if (event.button !== 0) return;
    const at = place(event);
    const square = squareAt(at);
    if (square === null) return;
    const can = onDrop && position.board[square] && (!movable || movable(square));
    setDrag({ square, at, begun: at, moved: false, can });
    if (can) event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event) => {
    if (!drag || !drag.can) return;
    const at = place(event);
    const moved = drag.moved || Math.hypot(at[0] - drag.begun[0], at[1] - drag.begun[1]) > 24;
    setDrag({ ...drag, at, moved });
  };
  const up = (event) => {
    if (!drag) return;
    setDrag(null);
    if (drag.moved) {
      const square = squareAt(place(event));
      if (square !== drag.square) onDrop(drag.square, square);
    } else if (squareAt(place(event)) === drag.square) {
      setFocus(drag.square);
      onTap(drag.square);
    }
  };
  const keys = (event) => {
    const steps = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      const turn = flipped ? -1 : 1;
      const file = Math.min(8, Math.max(0, fileOf(focus) + turn * step[0]));
      const rank = Math.min(9, Math.max(0, rankOf(focus) + turn * step[1]));
      setFocus(rank * 9 + file);
      const next = svg.current.querySelector(`[data-square="${nameOf(rank * 9 + file)}"]`);
      if (next) next.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onTap(focus);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && onDrop && position.board[focus]) {
      event.preventDefault();
      onDrop(focus, null);
    }
  };
  // A pointer that leaves the window ends what it began.
  useEffect(() => {
    if (!drag) return undefined;
    const end = () => setDrag(null);
    window.addEventListener('blur', end);
    return () => window.removeEventListener('blur', end);
  }, [drag]);

  const squares = [];
  for (let square = 0; square < 90; square += 1) {
    const letter = position.board[square];
    if (!live && !letter) continue;
    const [x, y] = point(square);
    const lifted = drag && drag.moved && drag.square === square;
    const piece = letter && html`<g data-slide=${nameOf(square)} opacity=${lifted ? 0.3 : 1}>${square === checked && html`<circle class="checked" r="56" fill="none" stroke=${palette.attack} stroke-width="9" stroke-dasharray="6 7" />`}<${Piece} letter=${letter} palette=${palette} /></g>`;
    squares.push(live
      ? html`<g key=${square} class="point ${letter ? 'piece' : ''}" role="button" data-square=${nameOf(square)} transform="translate(${x} ${y})"
          tabindex=${square === focus ? 0 : -1} aria-label=${squareName(position, square) + (square === checked ? say('，被将军', ', in check') : '')} aria-pressed=${selected === square ? 'true' : undefined}
          onFocus=${() => setFocus(square)}>
          <rect x="-50" y="-50" width="100" height="100" fill="transparent" />${piece}
          <circle class="ring" r="49" fill="none" stroke-width="7" stroke=${palette.last} /></g>`
      : html`<g key=${square} transform="translate(${x} ${y})">${piece}</g>`);
  }
  const far = arrows.filter((arrow) => Math.hypot(point(arrow.from)[0] - point(arrow.to)[0], point(arrow.from)[1] - point(arrow.to)[1]) > 150);
  const near = arrows.filter((arrow) => !far.includes(arrow));
  return html`<svg ref=${svg} id=${id} class="board ${live ? 'live' : ''}" xmlns="http://www.w3.org/2000/svg" viewBox="${left} -104 ${862 - left} ${low + 104}"
      role=${live ? 'group' : 'img'} aria-label=${label || positionName(position)}
      onPointerDown=${live && down} onPointerMove=${live && move} onPointerUp=${live && up} onPointerCancel=${live && (() => setDrag(null))} onKeyDown=${live && keys}>
    <rect x=${left} y="-104" width=${862 - left} height=${low + 104} fill=${palette.ground} />
    ${ground}
    <${LastMove} move=${last} point=${point} palette=${palette} />
    ${squares}
    ${far.map((arrow) => html`<${Arrow} arrow=${arrow} point=${point} palette=${palette} />`)}
    <g fill="none" pointer-events="none">
      ${hints.map((square) => { const [x, y] = point(square); return html`<circle cx=${x} cy=${y} r=${position.board[square] ? 47 : 14} fill=${position.board[square] ? 'none' : palette.last} stroke=${palette.last} stroke-width="6" stroke-dasharray=${position.board[square] ? '10 8' : undefined} />`; })}
      ${typeof selected === 'number' && html`<circle cx=${point(selected)[0]} cy=${point(selected)[1]} r="48" stroke=${palette.last} stroke-width="8" />`}
      ${targets.map((square) => { const [x, y] = point(square); return html`<circle cx=${x} cy=${y} r="48" stroke=${palette.halo} stroke-width="13" /><circle cx=${x} cy=${y} r="48" stroke=${palette.target} stroke-width="7" />`; })}
      ${crossed.map((square) => { const [x, y] = point(square); const d = `M${x - 34} ${y - 34}l68 68m0-68l-68 68`; return html`<path d=${d} stroke=${palette.halo} stroke-width="12" /><path d=${d} stroke=${palette.cross} stroke-width="7" />`; })}
    </g>
    ${near.map((arrow) => html`<${Arrow} arrow=${arrow} point=${point} palette=${palette} />`)}
    ${drag && drag.moved && html`<g transform="translate(${drag.at[0]} ${drag.at[1]})scale(1.12)" pointer-events="none"><${Piece} letter=${position.board[drag.square]} palette=${palette} /></g>`}
    <${Turn} position=${position} flipped=${flipped} palette=${palette} />
  </svg>`;
}

/// A triangle at the edge that points at the side to move.
function Turn({ position, flipped, palette }) {
  const top = (position.turn === 'black') !== Boolean(flipped);
  const y = top ? -92 : 992;
  return html`<path d="M826 ${y}h26l-13 ${top ? 24 : -24}z" fill=${palette.text} />`;
}

/// The board as a PNG, `width` pixels wide.
export async function png(svg, width = 1200) {
  const copy = svg.cloneNode(true);
  copy.querySelectorAll('.ring, rect[fill=transparent]').forEach((node) => node.remove());
  const box = svg.viewBox.baseVal;
  const height = Math.round((width * box.height) / box.width);
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d').drawImage(image, 0, 0, width, height);
    return await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
