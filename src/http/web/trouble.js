// What a service that was asked in vain is told of: plainly, and with what can be done about it.

import { html, useState } from './preact.js';
import { say, word, FIELDS } from './words.js';
import * as api from './api.js';

export const needsKey = (problem) => Boolean(problem) && (problem.status === 401 || problem.status === 403);

/// Work that is asked for by name: which is `busy`, what came in its way, and `attempt`, which does it.
/// `mend` makes of an error what is shown.
export function useAttempt(mend = (error) => error) {
  const [busy, setBusy] = useState('');
  const [problem, setProblem] = useState(null);
  const attempt = async (name, work) => {
    setBusy(name);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(await mend(error));
    }
    setBusy('');
  };
  return { busy, problem, setProblem, attempt };
}

/// Where a service asks for a key; `onKey` hears of one.
export function Key({ onKey }) {
  const [bad, setBad] = useState(false);
  const write = (event) => {
    const taken = api.setKey(event.target.value);
    setBad(!taken);
    if (taken && onKey) onKey();
  };
  return html`<label class="field"><span>${say('此处的 qili 要密钥；填好后再按一次', 'This qili asks for a key; press again once it stands here')}</span><input type="text" autocomplete="off" spellcheck=${false} aria-invalid=${bad ? 'true' : undefined} onInput=${write} />
    ${bad && html`<span role="alert">${say('密钥只有字母、数字和半角符号，中间没有空格。', 'A key has letters, digits and signs of ASCII only, and no blanks.')}</span>`}</label>`;
}

/// What a fault is about, in the words of the form.
const where = (pointer) => (pointer ? html`${FIELDS[pointer] ? word(FIELDS, pointer) : html`<code>${pointer}</code>`}${say('：', ': ')}` : '');

/// A problem; `gone` is what is said where the service does not answer at all.
export function Trouble({ problem, gone, again }) {
  if (!problem) return null;
  return html`<div class="fault" role="alert">
    <p>${problem.unreachable ? gone || say('连不上 qili。', 'qili does not answer.') : problem.code === 'no_store' ? say('此处的 qili 不存档。', 'This qili keeps nothing.') : problem.detail || String(problem)}
      ${again && html` <button type="button" class="link" onClick=${again}>${say('再试', 'Try again')}</button>`}</p>
    ${problem.faults && html`<ul>${problem.faults.map((fault) => html`<li>${fault.line ? say(`第${fault.line}行：`, `line ${fault.line}: `) : ''}${where(fault.pointer)}${say(fault.message_zh, fault.message)}</li>`)}</ul>`}
    ${needsKey(problem) && html`<${Key} />`}</div>`;
}

/// What is said where nothing is kept.
export function NoStore({ children }) {
  return html`<p class="note kept-nowhere">${children} ${say('要存档，请以 --database 指定存储启动 qili serve。', 'To keep things, start qili serve with --database and a store.')}</p>`;
}
