// The committee's page: an amendment is written in a form made from the book itself, or pasted,
// and tried on the case library.

import { html, useState, useEffect, useRef } from './preact.js';
import { say, told, word, bookName, OUTCOMES } from './words.js';
import { kept, keep } from './keep.js';
import { save } from './board.js';
import { Compared } from './compared.js';
import { Trial } from './trial.js';
import { readAmendment } from './books.js';
import { Drafts, Discussion, idOf, openDraft, addDraft, reviseDraft } from './drafts.js';
import { Trouble, useAttempt } from './trouble.js';
import { Typed } from './typed.js';
import * as api from './api.js';

const SITUATIONS = {
  one_sided_check: ['单方长将', 'one side checks on every move'], mutual_check: ['双方长将', 'both check on every move'],
  one_forbidden: ['一方禁止着法', 'one side forbidden'], both_forbidden: ['双方禁止着法', 'both forbidden'],
  stronger_attacks: ['一方攻击更强', 'one side attacks more strongly'], graver_offence: ['一方犯规更重', "one side's offence is graver"],
  both_permitted: ['双方允许着法', 'both permitted'], not_changed: ['责令后仍不变', 'ordered to change and did not'],
  conduct_not_judged: ['不问着法', 'conduct not judged'],
};
const empty = (base) => ({ base, id: '', title: { zh: '', en: '' }, reason: { zh: '', en: '' }, effective: '', definitions: {}, strike: [], articles: {}, verdicts: {}, grounds: {}, limit: null });

/// A text in both languages: what is said in one stands for the other, too.
const either = ({ zh, en }, fallback = { zh: '', en: '' }) => ({ zh: zh || en || fallback.zh, en: en || zh || fallback.en });
const TRIED = { id: 'trial', title: { zh: '试拟', en: 'A trial' }, reason: { zh: '试拟', en: 'To be tried' } };
/// The same with what a comparison does without: nobody names what he only tries.
function named(amendment) {
  if (typeof amendment === 'string') return amendment;
  return { ...amendment, id: amendment.id || TRIED.id, title: either(amendment.title, TRIED.title), reason: either(amendment.reason, TRIED.reason) };
}

/// The amendment as the service takes it, without what the form leaves as it was.
function amendmentOf(draft, book) {
  const made = { id: draft.id, title: either(draft.title), reason: either(draft.reason), effective: draft.effective, base: draft.base };
  if (Object.keys(draft.definitions).length) made.definitions = draft.definitions;
  if (draft.strike.length) made.strike = draft.strike;
  const articles = Object.values(draft.articles);
  if (articles.length) made.articles = articles.map((one) => ({ ...one, ...either(one) }));
  if (Object.keys(draft.verdicts).length) {
    made.verdicts = Object.fromEntries(Object.entries(draft.verdicts).map(([key, outcome]) => [key, { ...book.verdicts[key], outcome }]));
  }
  if (Object.keys(draft.grounds).length) made.grounds = draft.grounds;
  if (draft.limit !== null && book.natural_limit) made.natural_limit = { ...book.natural_limit, count: draft.limit };
  return made;
}

/// A draft of the form that says the same as an amendment; null where the form cannot say it.
function formOf(amendment, book) {
  if (typeof amendment === 'string') return null;
  const draft = {
    ...empty(amendment.base), id: amendment.id, title: amendment.title, reason: amendment.reason, effective: amendment.effective || '',
    definitions: amendment.definitions || {}, strike: amendment.strike || [], grounds: amendment.grounds || {},
    articles: Object.fromEntries((amendment.articles || []).map((one) => [one.id, one])),
    verdicts: Object.fromEntries(Object.entries(amendment.verdicts || {}).map(([key, row]) => [key, row.outcome])),
    limit: amendment.natural_limit ? amendment.natural_limit.count : null,
  };
  return same(amendmentOf(draft, book), amendment) ? draft : null;
}

/// Whether two values say the same, whatever the order of their fields; what is empty says nothing.
function same(a, b) {
  const plain = (value) => JSON.stringify(value, (_, one) => (one && typeof one === 'object' && !Array.isArray(one)
    ? Object.fromEntries(Object.entries(one).filter(([, field]) => field !== '' && field !== null).sort(([p], [q]) => (p < q ? -1 : 1))) : one));
  return plain(a) === plain(b);
}

const readValue = (text) => { try { return JSON.parse(text); } catch { return text; } };

const fresh = () => ({ form: true, draft: empty('cxa-1999'), text: '', version: null });

export function Committee({ theme, books, canKeep, reachable, id, go, onRule }) {
  const place = `amendment.${id}`;
  const [work, setWork] = useState(() => kept(place, null) || fresh());
  const [book, setBook] = useState(null);
  const [search, setSearch] = useState('');
  const { busy, problem, setProblem, attempt: tried } = useAttempt(async (error) => {
    if (error.code !== 'revision_mismatch') return error;
    await load().then((found) => { seen.current = found.version; }).catch(() => {});
    return { detail: say(`别人已存了更新的版本。你写的还在；看过新版后再存一次，就存为更新的一版。`, 'Somebody has kept a newer version meanwhile. What you wrote is still here: look at the newer one, then keep yours again.') };
  });
  const [compared, setCompared] = useState(null);
  const [message, setMessage] = useState('');
  const [draft, setDraft] = useState(null);
  // The form waits for what stands above it, so that nothing moves.
  const [listed, setListed] = useState(false);
  // What was written but not kept, while something that was kept is looked at.
  const [aside, setAside] = useState(null);
  const [keeping, setKeeping] = useState(null);
  const { form } = work;
  // The newest version that whoever writes has seen: what comes besides, with a note or a comparison, is not looked at.
  const seen = useRef(work.version);
  // What is written stays in this browser until it is kept in a draft.
  const written = useRef(work);
  const settle = (next) => {
    written.current = next;
    setWork(next);
  };
  const write = (changes) => {
    setMessage('');
    settle({ ...written.current, ...changes });
    keep(place, written.current);
  };
  useEffect(() => {
    let here = true;
    setBook(null);
    api.ruleset(work.draft.base).then((found) => { if (here) setBook(found); }).catch((error) => { if (here) setProblem(error); });
    return () => { here = false; };
  }, [work.draft.base]);

  /// What was kept, as the form says it, or as text.
  const workOf = async (row) => {
    const amendment = readAmendment(row.amendment);
    const base = typeof amendment === 'string' ? null : await api.ruleset(amendment.base).catch(() => null);
    const filled = base && books.includes(amendment.base) && formOf(amendment, base);
    const text = typeof amendment === 'string' ? amendment : JSON.stringify(amendment, null, 2);
    return filled ? { form: true, draft: filled, text: '', version: row.version } : { form: false, draft: fresh().draft, text, version: row.version };
  };
  const load = async () => {
    const found = await openDraft(id);
    setDraft(found);
    // A version that says the same as the newest is the newest.
    const from = found.versions.find((one) => one.version === written.current.version);
    const unchanged = from && from.amendment === found.amendment;
    if (unchanged) settle({ ...written.current, version: found.version });
    if (unchanged || seen.current === null) seen.current = found.version;
    return found;
  };
  useEffect(() => {
    if (!id) return;
    load().then(async (found) => { if (!kept(place, null)) settle(await workOf(found)); }).catch(setProblem);
  }, [id]);
  const amendment = () => (form ? amendmentOf(work.draft, book) : readAmendment(work.text));
  const unsaved = draft && (!form || book) && kept(place, null) && !same(amendment(), readAmendment(draft.amendment));
  const show = async (row) => {
    if (unsaved) setAside(work);
    seen.current = Math.max(seen.current || 0, row.version);
    keep(place, null);
    setCompared(null);
    settle(await workOf(row));
    setMessage(row.version === draft.version ? '' : say(`现在看的是第${row.version}版；存为新版，即回到这一版。`, `This is version ${row.version}; keep it as a new version to go back to it.`));
  };

  const attempt = (name, what) => () => tried(name, () => {
    setMessage('');
    return what();
  });
  const compare = attempt('compare', async () => {
    setCompared(null);
    const asked = named(amendment());
    setCompared({ ...await api.post('/v1/amendments:compare', { amendment: asked }), amendment: asked });
  });
  const report = attempt('report', async () => {
    const answer = await api.postRaw('/v1/amendments:compare', compared.trial || { amendment: compared.amendment }, { accept: 'text/html' });
    save(await answer.blob(), `${compared.books.other.id}.html`);
  });
  // A parameter, another book, own games: without an amendment.
  const attemptTrial = (trial) => tried('trial', async () => {
    setMessage('');
    setCompared(null);
    const found = await api.post('/v1/amendments:compare', trial);
    const of = await api.ruleset(found.books.base.id).catch(() => null);
    const changed = trial.with ? null : { definitions: Object.fromEntries((trial.set || []).map((one) => { const [key, value] = one.split('='); return [key, readValue(value)]; })) };
    setCompared({ ...found, trial, of, after: trial.with ? await api.ruleset(trial.with).catch(() => null) : null, amendment: changed || {} });
  });
  const add = attempt('keep', async () => {
    const sent = written.current;
    const row = await addDraft(amendment());
    // What was written meanwhile goes on from what was kept.
    const more = written.current === sent ? null : { ...written.current, version: row.version };
    if (!id) keep(place, null);
    keep(`amendment.${row.id}`, more);
    go(`amend=${row.id}`);
  });
  const revise = attempt('keep', async () => {
    const sent = written.current;
    const revised = amendment();
    setKeeping({ after: draft.version, amendment: revised });
    const row = await reviseDraft(id, seen.current, { amendment: revised });
    seen.current = row.version;
    if (written.current === sent) keep(place, null);
    await load();
    settle({ ...written.current, version: row.version });
    if (kept(place, null)) keep(place, written.current);
    setMessage(say(`已存为第${row.version}版。`, `Kept as version ${row.version}.`));
  });
  const another = idOf(form ? { id: work.draft.id } : readAmendment(work.text));
  const stored = JSON.stringify;
  return html`<main id="main" tabindex="-1" class="committee">
    ${id ? html`<p><button type="button" onClick=${() => go('amend')}>← ${say('草案与新修订', 'Drafts, and a new one')}</button></p>` : ''}
    <h2>${id ? say('草案', 'Draft') : say('规则修订', 'Amend a rule book')}</h2>
    ${id ? draft && html`<${Discussion} draft=${draft} at=${work.version} keeping=${busy === 'keep' ? keeping : null} onChanged=${load} onVersion=${show} onRule=${onRule}
        onReport=${(found, number) => { const of = draft.reports.find((one) => one.number === number); const row = draft.versions.find((one) => of && one.version === of.version) || draft; setCompared({ ...found, kept: of || { number }, amendment: readAmendment(row.amendment) }); }} />`
      : html`<p class="note">${say('试一个参数，或与另一本规则相比；要留下来讨论的，在下面写成修订。', 'Try a parameter, or set two books against each other; what is to be discussed is written as an amendment below.')}</p><${Drafts} canKeep=${canKeep} go=${go} onReady=${() => setListed(true)} />
      ${(listed || !reachable) && html`<${Trial} books=${books} busy=${busy} onTry=${attemptTrial} />`}`}
    ${id && !draft && !problem && html`<p class="note">…</p>`}
    ${(id ? draft || (kept(place, null) && (problem || !reachable)) : listed || !reachable) && html`<section class="writing" aria-label=${say('修订', 'The amendment')}>
    <h3>${id ? say(`修订内容${work.version ? `（据第${work.version}版）` : ''}`, `The amendment${work.version ? ` (from version ${work.version})` : ''}`) : say('新修订', 'A new amendment')}</h3>
    <div class="row" role="group" aria-label=${say('如何写', 'How to write it')}><button type="button" aria-pressed=${form ? 'true' : 'false'} onClick=${() => write({ form: true })}>${say('填表', 'Form')}</button>
      <button type="button" aria-pressed=${form ? 'false' : 'true'} onClick=${() => write({ form: false })}>${say('贴文件（TOML）', 'Paste a file (TOML)')}</button></div>
    ${form ? html`<${Form} draft=${work.draft} setDraft=${(draft) => write({ draft })} book=${book} books=${books} search=${search} setSearch=${setSearch} fixed=${Boolean(id)} />`
      : html`<label class="paste"><span>${say('修订文件', 'Amendment file')}</span><textarea rows="16" spellcheck=${false} class="code" value=${work.text} onInput=${(event) => write({ text: event.target.value })}></textarea></label>`}
    <div class="row bar"><button type="button" class="primary big" disabled=${Boolean(busy) || (form && !book)} onClick=${compare}>${say('比较', 'Compare')}</button>
      ${canKeep && (!id || draft) && (id && another === id ? html`<button type="button" disabled=${Boolean(busy) || (form && !book)} onClick=${revise}>${say('存为新版', 'Keep as a new version')}</button>`
        : html`<button type="button" disabled=${Boolean(busy) || (form && !book)} onClick=${add}>${id ? say(`另存为草案 ${another}`, `Keep as draft ${another}`) : say('存为草案', 'Keep as a draft')}</button>`)}
      <button type="button" disabled=${form && !book} onClick=${() => { const it = amendment(); save(new Blob([typeof it === 'string' ? it : stored(it, null, 2)], { type: 'application/json' }), `${another || 'amendment'}.${typeof it === 'string' ? 'toml' : 'json'}`); }}>${say('导出修订', 'Export the amendment')}</button>
      ${aside && html`<button type="button" onClick=${() => { write(aside); setAside(null); }}>${say('取回所写', 'Bring back what I wrote')}</button>`}
      ${unsaved && html`<button type="button" onClick=${() => show(draft)}>${say('放弃改动', 'Discard the changes')}</button>`}
      <span aria-live="polite">${busy === 'keep' ? say('存…', 'Keeping…') : message}</span></div></section>`}
    <${Trouble} problem=${problem} gone=${say('连不上 qili，不能比较，也存不了；所写的都在。', 'qili does not answer, so nothing can be compared or kept; what you wrote is still here.')} />
    ${['compare', 'trial'].includes(busy) && html`<section class="compared"><p class="note">${say('比较中…', 'Comparing…')}</p></section>`}
    ${compared && html`<${Compared} compared=${compared} theme=${theme} base=${compared.of || (book && book.id === compared.books.base.id ? book : null)} after=${compared.after} other=${compared.amendment}>
      <div class="row"><button type="button" onClick=${() => save(new Blob([stored(plainOf(compared), null, 1)], { type: 'application/json' }), `${compared.books.other.id}.json`)}>${say('导出比较（JSON）', 'Export comparison (JSON)')}</button>
        ${!compared.kept && html`<button type="button" disabled=${Boolean(busy)} onClick=${report}>${say('导出报告（HTML）', 'Export report (HTML)')}</button>`}</div><//>`}
  </main>`;
}

/// A comparison as the service gave it.
function plainOf(compared) {
  const { kept: _kept, amendment: _amendment, trial: _trial, of: _of, after: _after, ...plain } = compared;
  return plain;
}

function Form({ draft, setDraft, book, books, search, setSearch, fixed }) {
  const set = (changes) => setDraft({ ...draft, ...changes });
  const line = (label, value, onInput, more = {}) => html`<label class="field"><span>${label}</span><input type="text" value=${value} onInput=${(event) => onInput(event.target.value)} ...${more} /></label>`;
  const matches = (text) => !search.trim() || text.toLowerCase().includes(search.trim().toLowerCase());
  const parameters = book && book.parameters ? book.parameters : [];
  const put = (key, value) => {
    const definitions = { ...draft.definitions };
    if (value === book.definitions[key]) delete definitions[key];
    else definitions[key] = value;
    set({ definitions });
  };
  const ground = (key, text) => {
    const clauses = text.split(/[\s,，、;；]+/).filter(Boolean);
    const grounds = { ...draft.grounds };
    if (clauses.join() === book.grounds[key].join()) delete grounds[key];
    else grounds[key] = clauses;
    set({ grounds });
  };
  const added = Object.values(draft.articles).filter((one) => book && !book.articles.some((known) => known.id === one.id));
  const changes = (count) => (count ? ` · ${count} ${say('处改动', 'changed')}` : '');
  return html`<div class="form">
    <div class="grid"><label class="field"><span>${say('修订哪本规则', 'Amends')}</span><select value=${draft.base} disabled=${fixed} onChange=${(event) => setDraft({ ...empty(event.target.value), id: draft.id, title: draft.title, reason: draft.reason, effective: draft.effective })}>${books.map((id) => html`<option value=${id}>${bookName(id)}</option>`)}</select></label>
      ${line(say('代号（小写字母、数字、-）', 'Id (small letters, digits, -)'), draft.id, (id) => set({ id }), { maxlength: 60 })}
      ${line(say('名称（中文）', 'Title (Chinese)'), draft.title.zh, (zh) => set({ title: { ...draft.title, zh } }))}
      ${line(say('名称（英文，可空）', 'Title (English, may be empty)'), draft.title.en, (en) => set({ title: { ...draft.title, en } }))}
      ${line(say('理由（中文）', 'Reason (Chinese)'), draft.reason.zh, (zh) => set({ reason: { ...draft.reason, zh } }))}
      ${line(say('理由（英文，可空）', 'Reason (English, may be empty)'), draft.reason.en, (en) => set({ reason: { ...draft.reason, en } }))}
      ${line(say('生效日期（可空）', 'In force since (may be empty)'), draft.effective, (effective) => set({ effective }), { placeholder: '2027-01-01' })}
      <label class="field"><span>${say('在下面找', 'Find below')}</span><input type="text" value=${search} onInput=${(event) => setSearch(event.target.value)} /></label></div>
    ${book && html`
    <details open><summary>${say('参数', 'Parameters')}${changes(Object.keys(draft.definitions).length)}</summary><div class="parameters">
      ${parameters.filter((one) => matches(one.zh + one.en + one.key)).map((one) => {
        const value = one.key in draft.definitions ? draft.definitions[one.key] : book.definitions[one.key];
        const changed = one.key in draft.definitions;
        const label = `${told(one)}`;
        return html`<label class="parameter ${one.kind} ${changed ? 'changed' : ''}" key=${one.key}><span>${label} <small>${one.key}</small></span>
          ${one.kind === 'flag' ? html`<select value=${String(value)} onChange=${(event) => put(one.key, event.target.value === 'true')}><option value="true">${say('是', 'yes')}</option><option value="false">${say('否', 'no')}</option></select>`
            : one.kind === 'count' ? html`<${Typed} type="number" min=${one.min} max=${one.max} value=${value} onValue=${(value) => put(one.key, Number(value))} />`
              : html`<select value=${value} onChange=${(event) => put(one.key, event.target.value)}>${one.values.map((choice) => html`<option value=${choice.id}>${told(choice)}</option>`)}</select>`}</label>`;
      })}</div></details>
    <details><summary>${say('裁决', 'Verdicts')}${changes(Object.keys(draft.verdicts).length + (draft.limit === null ? 0 : 1))}</summary><div class="parameters">${Object.entries(book.verdicts).map(([key, row]) => html`<label class="parameter ${draft.verdicts[key] ? 'changed' : ''}"><span>${word(SITUATIONS, key)} <small>${row.clauses.join('、')}</small></span>
      <select value=${draft.verdicts[key] || row.outcome} onChange=${(event) => { const verdicts = { ...draft.verdicts }; if (event.target.value === row.outcome) delete verdicts[key]; else verdicts[key] = event.target.value; set({ verdicts }); }}>${['draw', 'must_change', 'loss'].map((outcome) => html`<option value=${outcome}>${word(OUTCOMES, outcome)}</option>`)}</select></label>`)}
      ${book.natural_limit && html`<label class="parameter ${draft.limit !== null ? 'changed' : ''}"><span>${say('自然限着', 'Natural move limit')} <small>${book.natural_limit.unit === 'plies' ? say('着', 'plies') : say('回合', 'rounds')}</small></span>
        <${Typed} type="number" min="1" max="1000" value=${draft.limit === null ? book.natural_limit.count : draft.limit} onValue=${(value) => set({ limit: Number(value) === book.natural_limit.count ? null : Number(value) })} /></label>`}</div></details>
    <details><summary>${say('着法所据条款', 'Clauses behind the natures')}${changes(Object.keys(draft.grounds).length)}</summary><div class="parameters">${Object.keys(book.grounds).filter((key) => matches(key + book.grounds[key].join())).map((key) => html`<label class="parameter ${draft.grounds[key] ? 'changed' : ''}" key=${key}><span>${key}</span>
      <${Typed} type="text" value=${(draft.grounds[key] || book.grounds[key]).join('、')} onValue=${(text) => ground(key, text)} /></label>`)}</div></details>
    <details><summary>${say('条文', 'Articles')}${changes(draft.strike.length + Object.keys(draft.articles).length)}</summary><${NewArticle} taken=${[...book.articles, ...added].map((one) => one.id)} onAdd=${(id) => set({ articles: { ...draft.articles, [id]: { id, zh: '', en: '', certainty: 'text', decides: [] } } })} /><div class="articles">${[...added, ...book.articles].filter((one) => matches(one.id + one.zh + one.en)).map((one) => {
      const changed = draft.articles[one.id];
      const struck = draft.strike.includes(one.id);
      const edit = (changes) => set({ articles: { ...draft.articles, [one.id]: { ...(changed || one), ...changes } } });
      return html`<div class="article ${changed || struck ? 'changed' : ''}" key=${one.id}><b>${one.id}</b>
        ${changed ? html`<textarea rows="2" aria-label=${`${one.id} 中文`} value=${changed.zh} onInput=${(event) => edit({ zh: event.target.value })}></textarea><textarea rows="2" aria-label=${`${one.id} English`} value=${changed.en} onInput=${(event) => edit({ en: event.target.value })}></textarea>` : html`<p class=${struck ? 'struck' : ''}>${told(one)}</p>`}
        <span class="row">${!struck && html`<button type="button" onClick=${() => { if (!changed) return edit({}); const articles = { ...draft.articles }; delete articles[one.id]; return set({ articles }); }}>${changed ? added.includes(changed) ? say('去掉', 'Remove') : say('恢复', 'Restore') : say('改写', 'Rewrite')}</button>`}
          ${!changed && html`<button type="button" aria-pressed=${struck ? 'true' : 'false'} onClick=${() => set({ strike: struck ? draft.strike.filter((id) => id !== one.id) : [...draft.strike, one.id] })}>${say('删去', 'Strike')}</button>`}</span></div>`;
    })}</div></details>`}
  </div>`;
}

/// The number of an article that is put in.
function NewArticle({ taken, onAdd }) {
  const [id, setId] = useState('');
  const good = id.trim() && !taken.includes(id.trim());
  return html`<div class="row"><label class="field"><span>${say('新条文的编号', 'Number of a new article')}</span><input type="text" size="8" maxlength="20" value=${id} onInput=${(event) => setId(event.target.value)} /></label>
    <button type="button" disabled=${!good} onClick=${() => { onAdd(id.trim()); setId(''); }}>${say('加一条', 'Add')}</button></div>`;
}
