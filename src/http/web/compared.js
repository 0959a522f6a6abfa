// What another book makes otherwise: what flips in a table, the flips first, each opening with its
// board, both rulings, and a mark on every label that changed.

import { html, useState, useEffect, useRef } from './preact.js';
import { say, told, word, headline, moveName, timeOf, local, OUTCOMES } from './words.js';
import { positions } from './chess.js';
import { LazyBoard } from './lists.js';
import { Badge, Clauses } from './ruling.js';
import { amended } from './books.js';

const KINDS = {
  flipped: ['裁决改变', 'verdict flips'], undetermined: ['变为未定', 'becomes undetermined'],
  determined: ['变为可定', 'becomes determined'], relabelled: ['着法改判，裁决不变', 'relabelled, same verdict'],
};
const ORDER = Object.keys(KINDS);

/// What made a case flip, in the words of the form.
function leverName(lever, base) {
  const [kind, key] = lever.split('.');
  const parameter = kind === 'definitions' && base && base.parameters.find((one) => one.key === key);
  return parameter ? say(`参数“${told(parameter)}”`, `parameter ${key}`) : lever;
}

/// The moves with their labels; what changed stands out and says what it was.
function Natures({ ruling, before, fen, moves }) {
  const all = positions(fen, moves);
  return html`<p class="chips natures">${ruling.moves.map((move) => {
    const was = before && before.moves.find((one) => one.ply === move.ply);
    const changed = was && was.nature !== move.nature;
    return html`<span class=${changed ? 'relabelled' : ''}>${all[move.ply] ? moveName(all[move.ply], move.iccs) : move.iccs} ${changed ? html`<s><${Badge} nature=${was.nature} candidates=${was.candidates} small=${true} /></s><span aria-hidden="true">→</span>` : ''}<${Badge} nature=${move.nature} candidates=${move.candidates} small=${true} /></span>`;
  })}</p>`;
}

/// One change, closed to a row of the table.
function Change({ change, theme, base, after }) {
  const [open, setOpen] = useState(false);
  const { base: was, other: is } = change.rulings;
  const places = change.places || [];
  return html`<details class="change ${change.kind}" open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary><b class="title">${change.title ? told(change.title) : change.id}</b>
      <span class="turned"><span class="outcome ${was.verdict.outcome}">${headline(was.verdict)}</span> <span aria-hidden="true">→</span><span class="heard">${say('变为', 'becomes')}</span> <span class="outcome ${is.verdict.outcome}">${headline(is.verdict)}</span></span>
      <span class="note">${word(KINDS, change.kind)}${change.changed.length ? say(`，${change.changed.length}着改判`, `, ${change.changed.length} relabelled`) : ''}</span></summary>
    ${open && html`<p class="note">${change.title ? html`<a href=${`#cases=${change.id}`}>${change.id}</a>` : html`<code>${change.id}</code>`} · ${change.cause.levers.map((lever) => leverName(lever, base)).join(say('、', ', '))}${places.length ? ` · ${places.slice(0, 5).map((one) => one.id).join(say('、', ', '))}` : ''}</p>
      <div class="sides-by-side"><${LazyBoard} fen=${change.fen} theme=${theme} />
      ${['base', 'other'].map((which) => html`<div key=${which}><p class="note">${which === 'base' ? say('原规则', 'Before') : say('改后', 'After')}</p><p class="headline small ${change.rulings[which].verdict.outcome}">${headline(change.rulings[which].verdict)}</p>
        <${Natures} ruling=${change.rulings[which]} before=${which === 'other' ? was : null} fen=${change.fen} moves=${change.moves} />
        <${Clauses} ids=${change.rulings[which].verdict.clauses} book=${which === 'base' ? base : after} />
        ${change.rulings[which].verdict.reason && html`<p class="reason">${local(told(change.rulings[which].verdict.reason))}</p>`}</div>`)}</div>`}</details>`;
}

// So many rows are drawn at a time.
const ROWS = 60;

export function Compared({ compared, theme, base, other, after: otherBook, children }) {
  const { counts, changes, errors } = compared;
  const place = useRef(null);
  const [filter, setFilter] = useState({ kind: '', verdict: '', lever: '', text: '' });
  const [shown, setShown] = useState(ROWS);
  // It stands below a long form: it is brought into sight.
  useEffect(() => { place.current.scrollIntoView({ block: 'start' }); place.current.focus({ preventScroll: true }); }, [compared]);
  const after = otherBook || amended(base, other);
  const levers = [...new Set(changes.flatMap((change) => change.cause.levers))];
  const turned = (change) => `${change.rulings.base.verdict.outcome} ${change.rulings.other.verdict.outcome}`;
  const verdicts = [...new Set(changes.filter((change) => change.kind === 'flipped').map(turned))];
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (change) => (!filter.kind || change.kind === filter.kind) && (!filter.verdict || turned(change) === filter.verdict)
    && (!filter.lever || change.cause.levers.includes(filter.lever))
    && words.every((one) => `${change.id} ${change.title ? `${change.title.zh} ${change.title.en}` : ''}`.toLowerCase().includes(one));
  const found = changes.filter(fits).sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const set = (name) => (event) => { setShown(ROWS); setFilter({ ...filter, [name]: event.target.value }); };
  const choose = (name, label, options) => options.length > 1 && html`<label class="field"><span>${label}</span><select value=${filter[name]} onChange=${set(name)}><option value="">${say('全部', 'all')}</option>${options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></label>`;
  const name = (text) => { const [a, b] = text.split(' '); return `${word(OUTCOMES, a)} → ${word(OUTCOMES, b)}`; };
  return html`<section class="compared" aria-live="polite"><h3 tabindex="-1" ref=${place}>${compared.kept && compared.kept.version ? say(`第${compared.kept.version}版的比较，${timeOf(compared.kept.made_at)}存：`, `Version ${compared.kept.version}, compared and kept ${timeOf(compared.kept.made_at)}: `) : ''}${say(`共${counts.total}例：${counts.flipped}例裁决改变，${counts.relabelled}例着法改判，${counts.unchanged}例不变`, `Of ${counts.total} cases ${counts.flipped} flip, ${counts.relabelled} are relabelled, ${counts.unchanged} stay`)}</h3>
    <p class="note">${told(compared.books.base.title)} → ${told(compared.books.other.title)}</p>
    ${children}
    ${changes.length > 3 && html`<div class="filters row" role="search">
      ${choose('kind', say('何种改变', 'What changes'), ORDER.filter((kind) => changes.some((change) => change.kind === kind)).map((kind) => [kind, word(KINDS, kind)]))}
      ${choose('verdict', say('裁决如何变', 'How it flips'), verdicts.map((one) => [one, name(one)]))}
      ${choose('lever', say('因何改变', 'By what'), levers.map((lever) => [lever, leverName(lever, base)]))}
      <label class="field"><span>${say('查找', 'Search')}</span><input type="search" value=${filter.text} onInput=${set('text')} /></label>
      <p class="note" role="status">${say(`${found.length}例`, `${found.length} cases`)}</p></div>`}
    <div class="changes">${found.slice(0, shown).map((change) => html`<${Change} key=${change.id} change=${change} theme=${theme} base=${base} after=${after} />`)}</div>
    ${found.length > shown && html`<p><button type="button" onClick=${() => setShown(shown + ROWS)}>${say(`再列${Math.min(ROWS, found.length - shown)}例`, `${Math.min(ROWS, found.length - shown)} more`)}</button></p>`}
    ${changes.length === 0 && html`<p>${say('没有例局改变。', 'No case changes.')}</p>`}
    ${errors && errors.length > 0 && html`<details class="note"><summary>${say(`${errors.length}处没有读成`, `${errors.length} could not be read`)}</summary><ul>${errors.slice(0, 20).map((one) => html`<li>${one.id}: ${one.error.detail || one.error.code || ''}</li>`)}</ul></details>`}</section>`;
}

