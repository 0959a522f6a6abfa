// The case library: found by book, clause, nature and verdict; each case with its board, labels,
// commentary, and what every book makes of it.

import { html, useState, useEffect, useRef } from './preact.js';
import { LazyBoard, More, joined, onward } from './lists.js';
import { readFen, positions } from './chess.js';
import { say, told, word, bookName, headline, BOOKS, NATURES, OUTCOMES, POSITIONS, sideName } from './words.js';
import { Board } from './board.js';
import { Moves, Detail, Badge, Books, Verdict, scene } from './ruling.js';
import { textOf } from './entry.js';
import { Trouble } from './trouble.js';
import * as api from './api.js';

// Cases fetched at a time: more come as the list is scrolled.
const PAGE = '36';

export function Library({ id, theme, books, onOpen, go }) {
  const [filter, setFilter] = useState({ book: 'cxa-1999', clause: '', nature: '', verdict: '', origin: '', text: '' });
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  const [attempt, setTry] = useState(0);
  const turn = useRef(0);
  const load = async (cursor, signal) => {
    const now = turn.current;
    const query = new URLSearchParams(Object.entries({ ...filter, limit: PAGE, cursor: cursor || '' }).filter(([, value]) => value.trim()).map(([name, value]) => [name, value.trim()]));
    try {
      const page = await api.get(`/v1/cases?${query}`, { signal });
      if (now !== turn.current) return;
      setFound((before) => ({ turn: now, filter, cases: joined(before && before.cases, page.cases, cursor), next: page.next }));
      setProblem(null);
    } catch (error) {
      if (error.name !== 'AbortError' && now === turn.current) setProblem(error);
    }
  };
  useEffect(() => {
    turn.current += 1;
    const stop = new AbortController();
    const wait = setTimeout(() => load('', stop.signal), 60);
    return () => { clearTimeout(wait); stop.abort(); };
  }, [filter.book, filter.clause, filter.nature, filter.verdict, filter.origin, filter.text, attempt]);
  if (id) return html`<${One} id=${id} theme=${theme} books=${books} rules=${filter.book || 'cxa-1999'} onOpen=${onOpen} go=${go} />`;
  const choose = (name, label, options) => html`<label class="field"><span>${label}</span><select value=${filter[name]} onChange=${(event) => setFilter({ ...filter, [name]: event.target.value })}>
    <option value="">${say('不限', 'any')}</option>${options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></label>`;
  return html`<main id="main" tabindex="-1" class="library"><h2>${say('判例库', 'Case library')}</h2>
    <div class="filters row" role="search">
      <label class="field"><span>${say('查找', 'Search')}</span><input type="search" maxlength="80" value=${filter.text} onInput=${(event) => setFilter({ ...filter, text: event.target.value })} /></label>
      ${choose('book', say('规则', 'Book'), books.map((book) => [book, bookName(book)]))}
      <label class="field"><span>${say('条款', 'Clause')}</span><input type="text" size="7" maxlength="20" value=${filter.clause} onInput=${(event) => setFilter({ ...filter, clause: event.target.value })} /></label>
      ${choose('nature', say('着法', 'Nature'), Object.keys(NATURES).map((nature) => [nature, say(NATURES[nature][0], `${NATURES[nature][0]} ${NATURES[nature][1]}`)]))}
      ${choose('verdict', say('裁决', 'Verdict'), ['draw', 'must_change', 'loss', 'none', 'undetermined'].map((outcome) => [outcome, word(OUTCOMES, outcome)]))}
      ${choose('origin', say('来源', 'Origin'), [['published', say('已公布', 'published')], ['own', say('自存', 'own')]])}
      <p class="note" aria-live="polite">${found ? say(`${found.cases.length}例${found.next ? '，往下还有' : ''}`, `${found.cases.length} cases${found.next ? ', more below' : ''}`) : ''}</p></div>
    <${Trouble} problem=${problem} again=${() => setTry(attempt + 1)} gone=${say('连不上 qili，判例库读不到。', 'qili does not answer: the library cannot be read.')} />
    <ul class="cases" key=${found ? found.turn : ''}>${(found ? found.cases : []).map((one) => {
      const expect = one.expect[filter.book] || one.expect[one.book] || Object.values(one.expect)[0];
      return html`<li key=${one.id}><a href=${`#cases=${one.id}`}><${LazyBoard} fen=${one.fen} theme=${theme} />
        <h3>${one.origin === 'own' ? html`<span class="status-of">${say('自存', 'own')}</span> ` : ''}${told(one.title)}</h3><p><b class="outcome ${expect.outcome}">${headline(expect)}</b> <span class="note">${(expect.clauses || []).join(say('、', ', '))}</span></p>
        <p class="chips">${[...new Set(expect.natures || [])].map((nature) => html`<${Badge} nature=${nature} small=${true} />`)}</p></a></li>`;
    })}</ul><${More} next=${onward(found, filter)} onMore=${load} /></main>`;
}

/// One case under a book.
function One({ id, theme, books, rules: first, onOpen, go }) {
  const [found, setFound] = useState(null);
  const [rules, setRules] = useState(null);
  const [result, setResult] = useState(null);
  const [others, setOthers] = useState(null);
  const [view, setView] = useState(null);
  const [problem, setProblem] = useState(null);
  const request = (book, explain) => ({ rules: book, fen: found.fen, moves: found.moves, kind: found.kind, ordered: found.ordered, assertions: found.assertions, explain });
  useEffect(() => {
    setFound(null);
    api.known(`/v1/cases/${encodeURIComponent(id)}`).then((one) => { setFound(one); setRules(one.expect[first] ? first : one.source.book); }).catch(setProblem);
  }, [id]);
  useEffect(() => {
    if (!found) return undefined;
    let here = true;
    Promise.all([api.post('/v1/rulings', request(rules, 'full')), api.ruleset(rules)]).then(([ruling, book]) => {
      if (!here) return;
      setResult({ ruling, book, subject: { fen: found.fen, moves: iccsOf(ruling, found), kind: found.kind }, plain: true });
      setView(ruling.moves.length ? { ply: ruling.moves[0].ply } : null);
    }).catch(setProblem);
    return () => { here = false; };
  }, [found, rules]);
  useEffect(() => {
    if (!found) return;
    Promise.all(books.map(async (book) => {
      try {
        return { id: book, ruling: await api.post('/v1/rulings', request(book, 'none')) };
      } catch (error) {
        return { id: book, problem: error.detail || '…' };
      }
    })).then(setOthers);
  }, [found]);
  const back = html`<p><button type="button" onClick=${() => go('cases')}>← ${say('判例库', 'Library')}</button></p>`;
  if (problem) return html`<main id="main" tabindex="-1" class="library">${back}<${Trouble} problem=${problem} /></main>`;
  if (!found) return html`<main id="main" tabindex="-1" class="library">${back}<p class="note">…</p></main>`;
  const shown = result ? scene(result, view) : { position: readFen(found.fen) };
  const expect = found.expect[rules];
  const open = () => onOpen({ fen: found.fen, moves: result.subject.moves, text: textOf({ fen: found.fen, moves: result.subject.moves }), kind: found.kind, ordered: found.ordered && found.ordered.length ? `${found.ordered[0].after_ply}-${found.ordered[0].side}` : '', theoretical: Boolean(found.assertions && found.assertions.theoretical_draw) }, rules);
  return html`<main id="main" tabindex="-1" class="library one">${back}
    <h2>${told(found.title)}</h2>
    <div class="case"><section class="table"><${Board} theme=${theme} ...${shown} />
      <p class="note">${bookName(found.source.book)} ${/^[0-9A-Z]{26}$/.test(found.source.figure) ? html`${say('自存，源自裁决', 'own, from ruling')} <a href=${`#ruling=${found.source.figure}`}>${found.source.figure}</a>` : found.source.figure} · ${word(POSITIONS, found.source.position)}${found.source.official ? '' : say(' · 非官方文本', ' · not from the book itself')}</p>
      ${found.source.note && html`<p class="note">${told(found.source.note)}</p>`}</section>
    ${result && html`<section class="evidence">
      <label class="field"><span>${say('规则', 'Rule book')}</span><select value=${rules} onChange=${(event) => { setView(null); setRules(event.target.value); }}>${books.map((book) => html`<option value=${book}>${bookName(book)}</option>`)}</select></label>
      <${Verdict} result=${result} book=${result.book}>
        ${expect && html`<p class="note">${say('应为：', 'Expected: ')}<b>${headline(expect)}</b> ${(expect.clauses || []).join(say('、', ', '))} ${(expect.natures || []).map((nature) => html`<${Badge} nature=${nature} small=${true} />`)}</p>`}
        ${found.known_difference && found.known_difference[rules] && html`<p class="note">${say('所知差异：', 'Known to differ: ')}${told(found.known_difference[rules].reason)}</p>`}
        <p class="actions"><button type="button" class="primary" onClick=${open}>${say('在裁决页打开', 'Open as a dispute')}</button></p></${Verdict}>
      <${Moves} ruling=${result.ruling} all=${positions(result.subject.fen, result.subject.moves)} selected=${view ? view.ply : null} onSelect=${(ply) => setView({ ply })} />
      <${Detail} result=${result} book=${result.book} view=${view} onView=${setView} />
      <section class="books"><h2>${say('评注', 'Commentary')}</h2><p class="why">${told(found.why)}</p></section>
      <${Books} books=${books} others=${others} rules=${rules} onRules=${(book) => { setView(null); setRules(book); }} />
    </section>`}</div></main>`;
}

/// The moves by squares: cases may have them in any notation, rulings do not.
function iccsOf(ruling, found) {
  if (found.moves.every((move) => /^[a-i]\d[a-i]\d$/.test(move))) return found.moves;
  return ruling.moves.map((move) => move.iccs);
}

export { BOOKS, sideName };
