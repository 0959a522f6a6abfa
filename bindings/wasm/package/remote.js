// The judge in a worker: what takes long holds nothing up, and is cancelled by ending the worker.

import { methods, unpacked } from './judge.js';

/**
 * @param start starts a worker and says how to speak to it: `{post, end, idle}`; `idle` may be missing.
 */
export function remote(start) {
  let worker = null;
  // What the worker is at: it is asked one question at a time, so that any other is cancelled by not asking it.
  let busy = null;
  let last = 0;
  let closed = false;
  const waiting = new Map();
  const watched = new Map();

  const settle = (number, settleOne) => {
    const asked = waiting.get(number);
    if (!asked) return;
    waiting.delete(number);
    if (busy === number) busy = null;
    const under = watched.get(asked.signal);
    under?.numbers.delete(number);
    if (under?.numbers.size === 0) {
      asked.signal.removeEventListener('abort', under.abort);
      watched.delete(asked.signal);
    }
    settleOne(asked);
  };
  const broken = (error) => {
    worker = null;
    for (const number of [...waiting.keys()]) settle(number, (asked) => asked.reject(error));
  };
  const next = () => {
    if (busy !== null) return;
    const [number] = waiting.keys();
    if (number === undefined) {
      worker?.idle?.();
      return;
    }
    const { operation, question } = waiting.get(number);
    try {
      worker ??= start(heard, broken);
      busy = number;
      worker.post({ number, operation, question });
    } catch (error) {
      // It was not started, or what was asked cannot be sent.
      if (worker === null) broken(error);
      else settle(number, (asked) => asked.reject(error));
      next();
    }
  };
  const heard = ({ number, told, error }) => {
    settle(number, (asked) => (error ? asked.reject(unpacked(error)) : asked.resolve(told)));
    next();
  };
  const cancel = (numbers, reason) => {
    // It cannot be interrupted, only ended.
    if (numbers.has(busy)) {
      worker?.end();
      worker = null;
    }
    for (const number of [...numbers]) settle(number, (asked) => asked.reject(reason));
    next();
  };
  const watch = (number, signal) => {
    let under = watched.get(signal);
    if (!under) {
      const numbers = new Set();
      under = { numbers, abort: () => cancel(numbers, signal.reason) };
      watched.set(signal, under);
      signal.addEventListener('abort', under.abort);
    }
    under.numbers.add(number);
  };

  const ask = (operation, question = '', { signal } = {}) => new Promise((resolve, reject) => {
    if (closed) throw new Error('the judge was closed');
    signal?.throwIfAborted();
    last += 1;
    waiting.set(last, { operation, question, resolve, reject, signal });
    if (signal) watch(last, signal);
    next();
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
