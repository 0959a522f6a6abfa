// Amendments under discussion: listed, opened again, with their history, status, notes and the
// comparisons that were kept with them.

import { html, useState, useEffect } from './preact.js';
import { say, told, word, bookName, timeOf, STATUSES } from './words.js';
import { draftPath, readAmendment } from './books.js';
import { kept, keep } from './keep.js';
import { filled } from './keeping.js';
import { More, joined } from './lists.js';
import { Trouble, NoStore, useAttempt } from './trouble.js';
import * as api from './api.js';

const by = (caller) => (caller ? ` · ${caller}` : '');

/// What an amendment has to say for itself, as far as it can be told at a glance.
export function idOf(amendment) {
  if (typeof amendment !== 'string') return amendment.id || '';
  return (amendment.match(/^\s*id\s*=\s*["']([^"']*)["']/m) || ['', ''])[1];
}
/// What a draft is called, in the language of the page where the amendment has it.
function titleOf(row) {
  const { title } = readAmendment(row.amendment);
  return (title && title.zh === row.title ? told(title) : row.title) || row.id;
}
function baseOf(amendment) {
  if (typeof amendment !== 'string') return amendment.base || '';
  return (amendment.match(/^\s*base\s*=\s*["']([^"']*)["']/m) || ['', ''])[1];
}
function changesOf(amendment) {
  if (typeof amendment === 'string') return say('TOML 文件', 'a TOML file');
  const { definitions, strike, articles, verdicts, grounds, natural_limit: limit } = amendment;
  const changes = [
    ...Object.entries(definitions || {}).map(([key, value]) => `${key} = ${value}`),
    ...(strike || []).map((id) => say(`删 ${id}`, `${id} struck`)),
    ...(articles || []).map((one) => say(`条文 ${one.id}`, `article ${one.id}`)),
    ...Object.entries(verdicts || {}).map(([key, row]) => `${key}: ${row.outcome}`),
    ...Object.keys(grounds || {}).map((key) => say(`${key} 的条款`, `clauses of ${key}`)),
    ...(limit ? [say(`自然限着 ${limit.count}`, `natural limit ${limit.count}`)] : []),
  ];
  return changes.length ? changes.join(say('，', ', ')) : say('尚无改动', 'changes nothing yet');
}

// Drafts fetched at a time: more come as the list is scrolled.
const AT_ONCE = 30;

/// The drafts there are.
export function Drafts({ canKeep, go, onReady }) {
  const [pages, setPages] = useState(null);
  const [problem, setProblem] = useState(null);
  const load = (cursor) => api.get(`/v1/drafts?${new URLSearchParams(filled({ limit: AT_ONCE, cursor }))}`).then((page) => {
    setPages((before) => ({ drafts: joined(before && before.drafts, page.drafts, cursor), next: page.next }));
    setProblem(null);
  }).catch(setProblem);
  useEffect(() => {
    if (canKeep) load().finally(onReady);
    else if (canKeep === false) onReady();
  }, [canKeep]);
  if (canKeep === false) return html`<${NoStore}>${say('此处的 qili 不存草案；所写的留在本浏览器里，可导出修订文件带走。', 'This qili keeps no drafts: what you write stays in this browser; export the amendment to take it along.')}<//>`;
  return html`<section class="drafts" aria-label=${say('草案', 'Drafts')}><h3>${say('草案', 'Drafts')}</h3>
    <${Trouble} problem=${problem} again=${() => load()} gone=${say('连不上 qili，草案读不到。', 'qili does not answer: the drafts cannot be read.')} />
    <div class="scrolled"><ul class="rows">${(pages ? pages.drafts : []).map((one) => html`<li key=${one.id}><a href="#amend=${one.id}" onClick=${(event) => { event.preventDefault(); go(`amend=${one.id}`); }}>
      <b>${titleOf(one)}</b> <span class="what"><span class="status-of ${one.status}">${word(STATUSES, one.status)}</span> ${say(`第${one.version}版`, `version ${one.version}`)}</span>
      <span class="note">${bookName(baseOf(readAmendment(one.amendment)))} · ${timeOf(one.changed_at)}${by(one.caller)}</span><code>${one.id}</code></a></li>`)}</ul>
      <${More} next=${pages && pages.next} onMore=${load} /></div>
    ${pages && pages.drafts.length === 0 && html`<p class="note">${say('还没有草案。在下面写好修订，按“存为草案”。', 'There are none yet: write an amendment below and press “Keep as a draft”.')}</p>`}</section>`;
}

/// A draft in full, with its history.
export async function openDraft(id) {
  const [draft, versions] = await Promise.all([api.get(draftPath(id)), api.all(draftPath(id, '/versions'), 'versions')]);
  return { ...draft, versions };
}

export const addDraft = (amendment) => api.post('/v1/drafts', { amendment });
export const reviseDraft = (id, version, changes) => api.put(draftPath(id), changes, { match: version });

/// What was said, found and decided of a draft.
///
/// `keeping` is the amendment that is just being kept as the version after `keeping.after`. What is under way has its row from the
/// start, so that nothing moves when the service answers.
export function Discussion({ draft, at, keeping, onChanged, onVersion, onReport, onRule }) {
  const [note, setNote] = useState('');
  const [name, setName] = useState(() => kept('name', ''));
  // What is under way, after how many rows of its kind.
  const [sent, setSent] = useState({});
  const { busy, problem, attempt } = useAttempt(async (error) => {
    if (error.code !== 'revision_mismatch') return error;
    await onChanged().catch(() => {});
    return { detail: say('别人刚存了新版；已取回，请再看一遍。', 'Somebody has kept a newer version meanwhile; it is shown now: please look again.') };
  });
  const status = (event) => attempt('status', async () => {
    setSent({ after: draft.version });
    await reviseDraft(draft.id, draft.version, { status: event.target.value });
    await onChanged();
  });
  const write = (event) => {
    event.preventDefault();
    if (!note.trim()) return;
    attempt('note', async () => {
      const [text, caller] = [note.trim(), name.trim()];
      setSent({ after: draft.notes.length, text, caller });
      await api.post(draftPath(draft.id, '/notes'), { text, ...(caller ? { by: caller } : {}) });
      keep('name', name.trim());
      // Another may have been begun since.
      setNote((now) => (now.trim() === text ? '' : now));
      await onChanged();
    });
  };
  const show = (number) => attempt('report', async () => onReport(await api.get(draftPath(draft.id, `/reports/${number}`)), number));
  const compare = () => attempt('compare', async () => {
    setSent({ after: draft.reports.length });
    const kept = await api.post(draftPath(draft.id, '/reports'), {});
    await onChanged();
    onReport(await api.get(draftPath(draft.id, `/reports/${kept.number}`)), kept.number);
  });
  const now = timeOf(Date.now());
  const next = busy === 'status' && sent.after === draft.version ? readAmendment(draft.amendment) : keeping && keeping.after === draft.version ? keeping.amendment : null;
  return html`<section class="discussion" aria-label=${say('草案的讨论', 'The draft under discussion')}>
    <header><h3>${titleOf(draft)}</h3><p class="note"><code>${draft.id}</code> · ${say(`第${draft.version}版`, `version ${draft.version}`)} · ${timeOf(draft.changed_at)}${by(draft.caller)}</p></header>
    <div class="row"><label class="field"><span>${say('状态', 'Status')}</span><select value=${draft.status} disabled=${Boolean(busy)} onChange=${status}>${Object.keys(STATUSES).map((one) => html`<option value=${one}>${word(STATUSES, one)}</option>`)}</select></label>
      <button type="button" onClick=${() => onRule(draft.id)}>${say('按此草案裁决一局', 'Rule on a dispute by it')}</button></div>
    <${Trouble} problem=${problem} gone=${say('连不上 qili，没有存。', 'qili does not answer; nothing was kept.')} />
    <details open><summary>${say(`意见 ${draft.notes.length} 条`, `Notes: ${draft.notes.length}`)}</summary>
      <ol class="notes">${draft.notes.map((one) => html`<li key=${one.number}><p>${one.text}</p><p class="note">${timeOf(one.written_at)}${by(one.caller)} · ${say(`就第${one.version}版`, `on version ${one.version}`)}</p></li>`)}${busy === 'note' && sent.after === draft.notes.length && html`<li key="now"><p>${sent.text}</p><p class="note">${now}${by(sent.caller)} · ${say('存…', 'Keeping…')}</p></li>`}</ol>
      <form onSubmit=${write}><label class="field"><span>${say('写一条意见', 'Write a note')}</span><textarea rows="2" maxlength="4000" value=${note} onInput=${(event) => setNote(event.target.value)}></textarea></label>
        <p class="actions row"><label class="field"><span>${say('署名', 'Name')}</span><input type="text" maxlength="80" value=${name} onInput=${(event) => setName(event.target.value)} /></label><button type="submit" disabled=${!note.trim() || Boolean(busy)}>${busy === 'note' ? say('存…', 'Keeping…') : say('发表', 'Add the note')}</button></p></form></details>
    <details open><summary>${say(`存下的比较 ${draft.reports.length} 份`, `Comparisons kept: ${draft.reports.length}`)}</summary>
      <ul class="rows">${busy === 'compare' && sent.after === draft.reports.length && html`<li key="now"><p class="row-button"><b>${say('比较中…', 'Comparing…')}</b> <span class="what">…</span> <span class="note">${say(`第${draft.version}版`, `version ${draft.version}`)} · ${now}</span></p></li>`}${draft.reports.map((one) => html`<li key=${one.number}><button type="button" class="row-button" onClick=${() => show(one.number)}>
        <b>${say(`${one.summary.flipped}例裁决改变`, `${one.summary.flipped} flip`)}</b> <span class="what">${say(`共${one.summary.total}例，${one.summary.relabelled}例着法改判`, `of ${one.summary.total}; ${one.summary.relabelled} relabelled`)}</span>
        <span class="note">${say(`第${one.version}版`, `version ${one.version}`)} · ${timeOf(one.made_at)}${by(one.caller)} · qili ${one.engine}</span></button></li>`)}</ul>
      <p class="actions"><button type="button" disabled=${Boolean(busy)} onClick=${compare}>${busy === 'compare' ? say('比较中…', 'Comparing…') : say(`比较第${draft.version}版并存下`, `Compare version ${draft.version} and keep it`)}</button></p></details>
    <details><summary>${say(`历次版本 ${draft.versions.length} 个`, `Versions: ${draft.versions.length}`)}</summary>
      <ol class="rows" reversed>${next && html`<li key="now"><p class="row-button"><b>${say(`第${draft.version + 1}版`, `Version ${draft.version + 1}`)}</b> <span class="what"><span class="status-of ${draft.status}">${word(STATUSES, draft.status)}</span> ${changesOf(next)}</span> <span class="note">${now}</span></p></li>`}${draft.versions.map((one) => html`<li key=${one.version}><button type="button" class="row-button" aria-pressed=${at === one.version ? 'true' : 'false'} onClick=${() => onVersion(one)}>
        <b>${say(`第${one.version}版`, `Version ${one.version}`)}</b> <span class="what"><span class="status-of ${one.status}">${word(STATUSES, one.status)}</span> ${changesOf(readAmendment(one.amendment))}</span>
        <span class="note">${timeOf(one.changed_at)}${by(one.caller)}</span></button></li>`)}</ol></details>
  </section>`;
}
