// The service: the public API, and nothing else.

import { language } from './words.js';

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

let key = sessionStorage.getItem('qili.key') || '';
const watchers = new Set();
let reachable = true;

/// The key of a service that asks for one; kept until the tab is closed.
export function setKey(text) {
  key = text.trim();
  sessionStorage.setItem('qili.key', key);
  once.clear();
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

async function ask(method, path, body, { signal, accept, match, idempotency, file } = {}) {
  const headers = { 'Accept-Language': language() };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (file) headers['Content-Type'] = 'application/octet-stream';
  if (key) headers.Authorization = `Bearer ${key}`;
  if (accept) headers.Accept = accept;
  if (idempotency) headers['Idempotency-Key'] = idempotency;
  if (match) headers['If-Match'] = `"${match}"`;
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: file || (body === undefined ? undefined : JSON.stringify(body)) });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    reached(false);
    throw new Problem({ code: 'unreachable', status: 0, detail: '' });
  }
  reached(true);
  if (answer.ok) return answer;
  let told = {};
  try {
    told = await answer.json();
  } catch {
    // Something between here and the service answered.
  }
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
