// The rulings that are kept: listed, and found again by their numbers.

import { html, useState, useEffect, useRef } from './preact.js';
import { say, word, bookName, headline, timeOf, OUTCOMES } from './words.js';
import { filled } from './keeping.js';
import { More, joined, onward } from './lists.js';
import { Trouble, NoStore } from './trouble.js';
import * as api from './api.js';

// Signs of a number, of one that is read out, and pages looked through for it.
const WHOLE = 26;
const SHORT = 6;
const MOST_PAGES = 25;

/// The rulings that were kept.
export function Log({ canKeep, books, go, missing }) {
  const [number, setNumber] = useState(missing ? missing.number : '');
  const [filter, setFilter] = useState({ event: '', rules: '', outcome: '', since: '' });
  const [pages, setPages] = useState(null);
  const [problem, setProblem] = useState(null);
  const asked = useRef(0);
  const load = async (cursor) => {
    asked.current += 1;
    const turn = asked.current;
    try {
      // The day begins where the arbiter is, as the times are told.
      const since = filter.since && new Date(`${filter.since}T00:00`).toISOString();
      const query = new URLSearchParams(filled({ ...filter, since, event: filter.event.trim(), limit: '30', cursor }));
      const page = await api.get(`/v1/rulings?${query}`);
      if (turn !== asked.current) return;
      setPages((before) => ({ turn: cursor && before ? before.turn : turn, filter, items: joined(before && before.items, page.items, cursor), next: page.next }));
      setProblem(null);
    } catch (error) {
      if (turn === asked.current) setProblem(error);
    }
  };
  useEffect(() => {
    if (canKeep !== true) return undefined;
    const wait = setTimeout(load, 120);
    return () => clearTimeout(wait);
  }, [canKeep, filter.event, filter.rules, filter.outcome, filter.since]);
  // By the whole number, or by its last signs as they stand on the sheet.
  const find = async (event) => {
    event.preventDefault();
    const asked = number.trim().replace(/^.*#ruling=/, '').toUpperCase();
    if (!asked) return;
    if (asked.length >= WHOLE || asked.length < SHORT) { go(`ruling=${asked}`); return; }
    try {
      for (let page = 0, cursor = ''; page < MOST_PAGES; page += 1) {
        const found = await api.get(`/v1/rulings?${new URLSearchParams(filled({ limit: '200', cursor }))}`);
        const row = found.items.find((one) => one.number.endsWith(asked));
        if (row) { go(`ruling=${row.number}`); return; }
        if (!found.next) break;
        cursor = found.next;
      }
      go(`ruling=${asked}`);
    } catch (error) {
      setProblem(error);
    }
  };
  const title = html`<h2>${say('存档的裁决', 'Rulings that were kept')}</h2>`;
  if (canKeep === false) {
    return html`<main id="main" tabindex="-1" class="library log">${title}<${NoStore}>${say('此处的 qili 不存档：裁决没有编号，裁决书可以打印或存为 PDF，链接可以保存整局。', 'This qili keeps nothing: rulings have no number here; print the sheet or save it as a PDF, and a link holds the whole dispute.')}<//></main>`;
  }
  const choose = (name, label, options) => html`<label class="field"><span>${label}</span><select value=${filter[name]} onChange=${(event) => setFilter({ ...filter, [name]: event.target.value })}>
    <option value="">${say('不限', 'any')}</option>${options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></label>`;
  return html`<main id="main" tabindex="-1" class="library log">${title}
    <form class="row" role="search" onSubmit=${find}><label class="field number-field"><span>${say('按编号或末几位找', 'Find by number, or its last signs')}</span><input type="text" autocomplete="off" spellcheck=${false} maxlength="200" placeholder="01KAJ1BXM0V9S4N7Q2ZC8TD6WE" value=${number} onInput=${(event) => setNumber(event.target.value)} /></label>
      <button type="submit" class="primary" disabled=${!number.trim()}>${say('打开', 'Open')}</button></form>
    ${missing && html`<${Trouble} problem=${missing.problem} gone=${say('连不上 qili，存档读不到。', 'qili does not answer: what was kept cannot be read.')} />`}
    <div class="row filters"><label class="field"><span>${say('赛事（全名）', 'Event (in full)')}</span><input type="text" maxlength="80" value=${filter.event} onInput=${(event) => setFilter({ ...filter, event: event.target.value })} /></label>
      ${choose('rules', say('规则', 'Rule book'), books.map((id) => [id, bookName(id)]))}
      ${choose('outcome', say('裁决', 'Verdict'), ['draw', 'must_change', 'loss', 'none', 'undetermined'].map((outcome) => [outcome, word(OUTCOMES, outcome)]))}
      <label class="field"><span>${say('某日起', 'Since')}</span><input type="date" value=${filter.since} onChange=${(event) => setFilter({ ...filter, since: event.target.value })} /></label></div>
    <${Trouble} problem=${problem} again=${() => load()} gone=${say('连不上 qili，存档读不到。', 'qili does not answer: what was kept cannot be read.')} />
    <ul class="rows" key=${pages ? pages.turn : ''} aria-label=${say('裁决', 'Rulings')}>${pages && pages.items.map((row) => html`<li key=${row.number}><a href="#ruling=${row.number}">
      <b class="outcome ${row.outcome}">${headline({ outcome: row.outcome, side: row.side })}</b>
      <span class="what">${[row.record.event, row.record.round && say(`第${row.record.round}轮`, `round ${row.record.round}`), row.record.board && say(`${row.record.board}台`, `table ${row.record.board}`)].filter(Boolean).join(' ')}
        ${row.record.players && (row.record.players.red || row.record.players.black) ? html` <span>${row.record.players.red || '—'}${say('（红）', ' (Red)')} — ${row.record.players.black || '—'}${say('（黑）', ' (Black)')}</span>` : ''}</span>
      <span class="note">${bookName(row.rules.id)} · ${timeOf(row.recorded_at)}${row.caller ? ` · ${row.caller}` : ''}</span><code>${row.number}</code></a></li>`)}</ul>
    ${pages && pages.items.length === 0 && html`<p class="note">${Object.values(filter).some(Boolean) ? say('没有符合的裁决。', 'No ruling meets this.') : say('还没有存档。裁决之后按“存档并编号”，就列在这里。', 'Nothing has been kept yet: press “Keep, with a number” beside a ruling, and it is listed here.')}</p>`}
    <${More} next=${onward(pages, filter)} onMore=${load} />
  </main>`;
}
