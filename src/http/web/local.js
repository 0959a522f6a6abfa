// The judge in this browser, where the page was given one: in a worker, so that nothing waits for it.

import { trusted } from './trusted.js';

/// What this page has: `server`, `judge`, or both.
const has = (document.documentElement.dataset.has || 'server').split(' ');
export const hasServer = has.includes('server');
export const hasJudge = has.includes('judge') && typeof WebAssembly === 'object' && typeof Worker === 'function';

/// What the judge answers, as the service does.
const OPERATIONS = {
  'POST /v1/rulings': 'judge', 'POST /v1/games:audit': 'audit', 'POST /v1/positions:continuations': 'next', 'POST /v1/moves:classify': 'classify',
  'POST /v1/proofs:verify': 'verify', 'POST /v1/games:read': 'read', 'POST /v1/games:list': 'list', 'GET /v1/rulesets': 'books',
};
const BOOK = /^\/v1\/rulesets\/([^/]+)$/;

/// What the judge is to be asked, where it is for it; not what is to be kept, nor by a draft.
export function questionOf(method, path, body, file) {
  if (!hasJudge) return null;
  const operation = OPERATIONS[`${method} ${path}`];
  const rules = body && body.rules ? body.rules.id || body.rules : '';
  if (operation) return (body && body.record) || rules.includes('+') ? null : { operation, question: file || (body === undefined ? '' : JSON.stringify(body)) };
  const book = method === 'GET' && BOOK.exec(path);
  return book ? { operation: 'book', question: JSON.stringify({ id: decodeURIComponent(book[1]) }) } : null;
}

let judge;
/// A worker that is started when it is first asked.
function started() {
  judge ??= import('./remote.js').then(({ remote }) => remote((heard, broken) => {
    const worker = new Worker(trusted('worker.js'), { type: 'module' });
    worker.addEventListener('message', (event) => heard(event.data));
    worker.addEventListener('error', (event) => broken(new Error(event.message || 'the worker could not be started')));
    return { post: (asked) => worker.postMessage(asked), end: () => worker.terminate() };
  }));
  judge.catch(() => { judge = undefined; });
  return judge;
}

/// The text of the answer; what is wrong with the question is thrown with its `code`.
export async function answered({ operation, question }, signal) {
  const bytes = typeof question === 'string' ? question : new Uint8Array(await question.arrayBuffer());
  return (await started()).ask(operation, bytes, { signal });
}

/// Keeps the page at hand for when there is no network; whether there is a newer one is asked whenever it is opened.
export async function install() {
  if (!hasJudge || !navigator.serviceWorker) return;
  try {
    const found = await navigator.serviceWorker.register(trusted('../../service-worker.js'));
    if (found.active) await found.update();
  } catch {
    // There is no network, or this place may keep nothing.
  }
}
