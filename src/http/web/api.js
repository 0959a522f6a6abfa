// The public API, and nothing else: of the service, or as far as the page has it of the judge in this browser.

import { language, say } from './words.js';
import { hasServer, questionOf, answered } from './local.js';

/// A problem the service told of, or that it could not be asked (`code` is `unreachable`).
export class Problem extends Error {
  constructor(told) {
    super(told.detail);
    Object.assign(this, told);
  }

  get unreachable() {
    return this.code === 'unreachable';
  }
}

// What a header can carry.
const isKey = (text) => /^[\x21-\x7e]*$/.test(text);
let key = sessionStorage.getItem('qili.key') || '';
const watchers = new Set();
let reachable = true;

/// The key of a service that asks for one; kept until the tab is closed. Answers whether it can be one.
export function setKey(text) {
  const given = text.trim();
  if (!isKey(given)) return false;
  key = given;
  sessionStorage.setItem('qili.key', key);
  once.clear();
  return true;
}
export const isReachable = () => reachable;

export function onReach(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function reached(now) {
  if (now === reachable) return;
  reachable = now;
  watchers.forEach((watcher) => watcher(now));
}

// What the judge here does not have may stand in the service: a book of its own.
const ELSEWHERE = ['unknown_rules', 'unknown_rules_version'];

/// What the judge in this browser answers; nothing where the service is to be asked.
async function here(method, path, body, { signal, file }) {
  // Who has a key wants to be known.
  const question = key && reachable ? null : questionOf(method, path, body, file);
  if (!question) return null;
  try {
    return new Response(await answered(question, signal));
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    if (hasServer && (error.name !== 'QiliError' || ELSEWHERE.includes(error.code))) return null;
    const { code, detail, detail_zh: zh, pointer, index } = error;
    throw new Problem({ code: code || 'internal', status: 422, detail: code ? say(zh, detail) : say(`此浏览器裁决不了：${error.message}`, `this browser cannot rule: ${error.message}`), pointer: pointer ?? undefined, index: index ?? undefined });
  }
}

async function ask(method, path, body, options = {}) {
  const found = await here(method, path, body, options);
  if (found) return found;
  if (!hasServer) throw new Problem({ code: 'no_service', status: 0, detail: say('此页不连服务，没有这一项。', 'This page has no service: this is not to be had here.') });
  const { signal, accept, match, idempotency, file } = options;
  const headers = new Headers({ 'Accept-Language': language() });
  const put = (name, value) => { if (value) headers.set(name, value); };
  put('Content-Type', file ? 'application/octet-stream' : body !== undefined && 'application/json');
  put('Authorization', key && `Bearer ${key}`);
  put('Accept', accept);
  put('Idempotency-Key', idempotency);
  put('If-Match', match && `"${match}"`);
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: file || (body === undefined ? undefined : JSON.stringify(body)) });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    reached(false);
    throw new Problem({ code: 'unreachable', status: 0, detail: '' });
  }
  reached(true);
  if (answer.ok && (answer.headers.get('Content-Type') || '').includes(accept || 'json')) return answer;
  // Where no problem is told, something between here and the service answered.
  const told = answer.ok
    ? { detail: say('答复的不是 qili：此处的网络也许要先登录。', 'What answered is not qili: perhaps this network wants you to log in first.') }
    : await answer.json().catch(() => ({}));
  throw new Problem({ code: 'http', detail: `HTTP ${answer.status}`, ...told, status: answer.status });
}

export const get = async (path, options) => (await ask('GET', path, undefined, options)).json();

/// Every page of a list.
export async function all(path, name, options) {
  const found = [];
  for (let cursor = ''; ;) {
    const page = await get(path + cursor, options);
    found.push(...page[name]);
    if (!page.next) return found;
    cursor = `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(page.next)}`;
  }
}
export const post = async (path, body, options) => (await ask('POST', path, body, options)).json();
/// Puts what is meant for the version `match` of it.
export const put = async (path, body, options) => (await ask('PUT', path, body, options)).json();
/// Posts a file as it is.
export const postFile = async (path, file, options) => (await ask('POST', path, undefined, { ...options, file })).json();
/// The answer with its headers.
export const postRaw = (path, body, options) => ask('POST', path, body, options);

const once = new Map();

/// What does not change while the page is open; asked again where it failed.
export function known(path) {
  if (!once.has(path)) {
    const asked = get(path);
    asked.catch(() => once.delete(path));
    once.set(path, asked);
  }
  return once.get(path);
}

/// What is known under a path is asked anew.
export function forget(start) {
  for (const path of once.keys()) if (path.startsWith(start)) once.delete(path);
}

export const ruleset = (id) => known(`/v1/rulesets/${encodeURIComponent(id)}`);

/// Whether the service answers, asked now.
export async function probe() {
  try {
    await ask('GET', '/healthz');
    return true;
  } catch (error) {
    return !error.unreachable;
  }
}
