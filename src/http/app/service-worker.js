// The page with no network: each state of its files in a cache of its own, the newest page where there is one.

const STATE = '{state}';
const FILES = '{files}'.split(' ');
// Of this place alone: another page may have the same origin.
const PREFIX = `qili ${registration.scope} `;
const NAME = PREFIX + STATE;
// A network that does not answer is none, after so many milliseconds.
const PATIENCE = 3000;

const address = (name) => new URL(name, registration.scope).href;
// A cache that is opened is made: what is looked for must not bring back the cache of a state that is gone.
const kept = (asked) => caches.match(asked, { cacheName: NAME });

async function keep() {
  const index = await fetch(address('./'), { cache: 'reload' });
  // Where files are laid one after another, or by several servers, the page may still be, or be already, another one's.
  if (!index.ok || !(await index.clone().text()).includes(`page/${STATE}/`)) throw new Error(`the page is not that of ${STATE}`);
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map(address));
  await cache.put(address('./'), index);
}

addEventListener('install', (event) => {
  event.waitUntil(keep().catch(async (error) => {
    await caches.delete(NAME);
    throw error;
  }));
  skipWaiting();
});

addEventListener('activate', (event) => {
  const old = async () => Promise.all((await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
  event.waitUntil(old().then(() => clients.claim()));
});

async function page(asked) {
  const late = new Promise((done) => { setTimeout(done, PATIENCE); });
  const fresh = fetch(asked).catch(() => undefined);
  const answer = await Promise.race([fresh, late]);
  if (answer && answer.ok) return answer;
  return (await kept(address('./'))) || (await fresh) || Response.error();
}

async function file(asked) {
  return (await kept(asked)) || fetch(asked);
}

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(registration.scope)) return;
  const path = request.url.slice(registration.scope.length).split(/[?#]/)[0];
  if (request.mode === 'navigate' && ['', 'index.html'].includes(path)) event.respondWith(page(request));
  else if (path.startsWith('page/')) event.respondWith(file(request));
});
