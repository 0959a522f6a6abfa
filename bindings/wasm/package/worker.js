// What runs in the worker, of a browser or of Node.

import { judgeOf, packed } from './judge.js';

const inNode = typeof process === 'object' && Boolean(process.versions?.node);
const port = inNode ? (await import('node:worker_threads')).parentPort : self;
const listen = (hear) => (inNode ? port.on('message', hear) : port.addEventListener('message', (event) => hear(event.data)));

let judge;
// What is asked before the module is there waits for it; one that could not be fetched is fetched again.
function opened() {
  judge ??= (inNode ? import('./node.js') : import('./browser.js')).then(({ compiled }) => compiled()).then(judgeOf);
  judge.catch(() => { judge = undefined; });
  return judge;
}
opened();

listen(async ({ number, operation, question }) => {
  try {
    port.postMessage({ number, told: (await opened()).ask(operation, question) });
  } catch (error) {
    port.postMessage({ number, error: packed(error) });
  }
});
