// In a browser, or with a bundler.

import { judgeOf } from './judge.js';
import { remote } from './remote.js';

export { QiliError } from './judge.js';

let module;
/** The module, compiled once. */
export function compiled(from = new URL('./qili.wasm', import.meta.url)) {
  if (from instanceof ArrayBuffer || ArrayBuffer.isView(from)) return WebAssembly.compile(from);
  module ??= fetch(from).then(async (answer) => {
    if (!answer.ok) throw new Error(`qili.wasm: HTTP ${answer.status}`);
    // Not every web space knows the type of the file.
    return WebAssembly.compile(await answer.arrayBuffer());
  });
  module.catch(() => { module = undefined; });
  return module;
}

/** A judge in this thread. */
export const open = async (from) => judgeOf(await compiled(from));

/** A judge in a worker. */
export function openWorker() {
  return remote((heard, broken) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', (event) => heard(event.data));
    worker.addEventListener('error', (event) => broken(new Error(event.message || 'the worker could not be started')));
    return { post: (asked) => worker.postMessage(asked), end: () => worker.terminate() };
  });
}
