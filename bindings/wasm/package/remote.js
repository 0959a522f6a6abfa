// The judge in a worker: what takes long holds nothing up, and is cancelled by ending the worker.

import { methods, unpacked } from './judge.js';

/**
 * @param start starts a worker and says how to speak to it: `{post, listen, end}`.
 */
export function remote(start) {
  let worker = null;
  let last = 0;
  let closed = false;
  const waiting = new Map();

  const settle = (number, settleOne) => {
    const asked = waiting.get(number);
    if (!asked) return;
    waiting.delete(number);
    asked.signal?.removeEventListener('abort', asked.abort);
    if (waiting.size === 0) worker?.idle?.();
    settleOne(asked);
  };
  const heard = ({ number, told, error }) => settle(number, (asked) => (error ? asked.reject(unpacked(error)) : asked.resolve(told)));
  const broken = (error) => {
    worker = null;
    for (const number of [...waiting.keys()]) settle(number, (asked) => asked.reject(error));
  };
  const working = () => {
    worker ??= start(heard, broken);
    return worker;
  };
  const cancel = (number) => {
    const asked = waiting.get(number);
    if (!asked) return;
    settle(number, () => asked.reject(asked.signal.reason));
    // It cannot be interrupted, only ended; what else was asked is asked again.
    worker?.end();
    worker = null;
    for (const [again, { operation, question }] of waiting) working().post({ number: again, operation, question });
  };

  const ask = (operation, question = '', { signal } = {}) => new Promise((resolve, reject) => {
    if (closed) throw new Error('the judge was closed');
    signal?.throwIfAborted();
    last += 1;
    const number = last;
    const abort = () => cancel(number);
    waiting.set(number, { operation, question, resolve, reject, signal, abort });
    signal?.addEventListener('abort', abort);
    working().post({ number, operation, question });
  });

  const under = (signal) => ({
    ask: (operation, question, options) => ask(operation, question, { signal, ...options }),
    ...methods((operation, question) => ask(operation, question, { signal })),
  });
  return {
    ...under(undefined),
    ask,
    /** The same judge, whose answers are cancelled by a signal. */
    within: under,
    /** Ends the worker. */
    close() {
      closed = true;
      worker?.end();
      broken(new Error('the judge was closed'));
    },
  };
}
