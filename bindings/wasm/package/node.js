// In Node.

import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { judgeOf } from './judge.js';
import { remote } from './remote.js';

export { QiliError } from './judge.js';

let module;
/** The module, compiled once. */
export function compiled(bytes) {
  if (bytes) return WebAssembly.compile(bytes);
  module ??= readFile(new URL('./qili.wasm', import.meta.url)).then((read) => WebAssembly.compile(read));
  return module;
}

/** A judge in this thread. */
export const open = async (bytes) => judgeOf(await compiled(bytes));

/** A judge in a worker thread. */
export function openWorker() {
  return remote((heard, broken) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url));
    worker.on('message', heard);
    let ended = false;
    worker.on('error', (error) => { if (!ended) broken(error); });
    return {
      // While an answer is waited for the process stays.
      post(asked) { worker.ref(); worker.postMessage(asked); },
      idle() { worker.unref(); },
      end() { ended = true; worker.terminate(); },
    };
  });
}
