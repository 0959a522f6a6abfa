// The page with no network: each state of its files in a cache of its own, the newest page where there is one.

const STATE = '{state}';
const FILES = '{files}'.split(' ');
// Of this place alone: another page may have the same origin.
const PREFIX = `qili ${registration.scope} `;
const NAME = PREFIX + STATE;
// A network that does not answer is none, after so many milliseconds.
const PATIENCE = 3000;

const address = (name) => new URL(name, registration.scope).href;

addEventListener('install', (event) => {
  const fetched = ['./', ...FILES].map((name) => new Request(address(name), { cache: name === './' ? 'reload' : 'default' }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(fetched)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const old = async () => Promise.all((await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
  event.waitUntil(old().then(() => clients.claim()));
});

async function page(asked) {
  const cache = await caches.open(NAME);
  const late = new Promise((done) => { setTimeout(done, PATIENCE); });
  const fresh = fetch(asked).catch(() => undefined);
  const answer = await Promise.race([fresh, late]);
  if (answer && answer.ok) return answer;
  return (await cache.match(address('./'))) || (await fresh) || Response.error();
}

async function file(asked) {
  const cache = await caches.open(NAME);
  return (await cache.match(asked)) || fetch(asked);
}

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(registration.scope)) return;
  const path = request.url.slice(registration.scope.length).split(/[?#]/)[0];
  if (request.mode === 'navigate' && ['', 'index.html'].includes(path)) event.respondWith(page(request));
  else if (path.startsWith('page/')) event.respondWith(file(request));
});
