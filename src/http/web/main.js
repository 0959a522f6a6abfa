// The page: what is open, in which language and which light.

import { html, render, useState, useEffect, useLayoutEffect, useRef } from './preact.js';
import { language, speak, say, look, lettered, plainPieces } from './words.js';
import { kept, keep } from './keep.js';
import { load as loadOutlines } from './outlines.js';
import { load, store, ofLink, anew } from './entry.js';
import { Arbiter } from './arbiter.js';
import { openKept } from './keeping.js';
import { hasServer, hasJudge, install } from './local.js';
import * as api from './api.js';

const BOOKS = ['cxa-1999', 'cxa-2007', 'cxa-2011', 'cxa-2020', 'wxf', 'threefold'];
const dark = matchMedia('(prefers-color-scheme: dark)');

// What the first picture does not need comes after it; then it is at hand, whatever becomes of the service.
const LATER = { Sheet: () => import('./sheet.js'), Library: () => import('./library.js'), Committee: () => import('./committee.js'), Log: () => import('./log.js') };
const arrived = {};
const fetched = (name) => LATER[name]().then((module) => { arrived[name] = module[name]; return module[name]; });
function later(name) {
  return function Later(props) {
    const [Part, setPart] = useState(() => arrived[name]);
    useEffect(() => { if (!Part) fetched(name).then((part) => setPart(() => part)); }, []);
    return Part ? html`<${Part} ...${props} />` : html`<main id="main" tabindex="-1" class="library"><p class="note">…</p></main>`;
  };
}
const [Sheet, Library, Committee, Log] = Object.keys(LATER).map(later);
const IDLE = 1200;

function viewOf(hash) {
  const query = new URLSearchParams(hash.slice(1));
  if (query.get('fen')) return { name: 'arbiter' };
  const name = ['cases', 'amend', 'sheet', 'kept', 'ruling'].find((name) => query.has(name)) || 'arbiter';
  return { name, id: query.get(name) || '' };
}

/// The entry of a link, which is read once: what is made of it is not to be lost to it when the page is loaded again or come back to.
function linkedEntry() {
  const linked = ofLink(location.hash);
  if (linked) history.replaceState(null, '', `${location.pathname}#`);
  return linked;
}

function App() {
  const [view, setView] = useState(viewOf(location.hash));
  const [spoken, setLanguage] = useState(language());
  const [light, setLight] = useState(kept('light', 'auto'));
  const [system, setSystem] = useState(dark.matches);
  // What was entered before, to be brought back.
  const past = useRef([]);
  const remember = (before) => { past.current = [...past.current.slice(-199), before]; };
  const [entry, setEntry] = useState(() => {
    const linked = linkedEntry();
    if (!linked) return load();
    remember(load());
    return { ...linked, linked: true, stamp: 1 };
  });
  const [result, setResult] = useState(null);
  const [reachable, setReachable] = useState(true);
  const [books, setBooks] = useState(BOOKS);
  const [status, setStatus] = useState({});
  // Whether there is a store; null until that is known.
  const [canKeep, setCanKeep] = useState(null);
  const [missing, setMissing] = useState(null);
  // Whether the sheet is to be printed as soon as it is there, and how the board looks.
  const [printing, setPrinting] = useState(false);
  const [looks, setLooks] = useState(0);
  // The number of the kept ruling that is shown.
  const shown = useRef('');
  const newest = useRef(entry);
  newest.current = entry;
  // Another dispute takes the place of what was entered, under another stamp.
  const enter = (next) => {
    remember(newest.current);
    setEntry((now) => ({ ...next, stamp: (now.stamp || 0) + 1 }));
  };

  // Before it is painted: what one has seen is there when the page is closed at once.
  useLayoutEffect(() => { store({ ...entry, linked: false }); }, [entry]);
  useEffect(() => {
    const open = () => {
      const linked = linkedEntry();
      if (linked) {
        setResult(null);
        enter({ ...linked, sheet: anew(newest.current).sheet, linked: true });
      }
      setView(viewOf(location.hash));
    };
    const shade = (event) => setSystem(event.matches);
    addEventListener('hashchange', open);
    dark.addEventListener('change', shade);
    return () => { removeEventListener('hashchange', open); dark.removeEventListener('change', shade); };
  }, []);
  useEffect(() => api.onReach(setReachable), []);
  useEffect(() => {
    api.known('/v1/rulesets').then((found) => setBooks([...new Set(found.rulesets.map((one) => one.id))])).catch(() => {});
    api.known('/v1/status').then(setStatus).catch(() => {});
    api.known('/readyz').catch((told) => told).then((ready) => { if (!ready.unreachable) setCanKeep(Boolean(ready.database)); });
  }, [reachable]);
  // A kept ruling is opened by its number, and left as soon as anything about it is changed.
  useEffect(() => {
    if (view.name !== 'ruling' || (result && result.number === view.id)) return undefined;
    setMissing(null);
    setResult(null);
    let here = true;
    openKept(view.id).then((kept) => {
      if (!here) return;
      // Whoever has kept it keeps: what belongs to a kept ruling is not to come when the service has told so as well.
      setCanKeep(true);
      enter({ ...kept.entry, sheet: { ...kept.entry.sheet, arbiter: newest.current.sheet.arbiter } });
      setResult(kept.result);
    }).catch((problem) => { if (here) setMissing({ number: view.id, problem }); });
    return () => { here = false; };
  }, [view.name, view.id]);
  const opened = view.name === 'ruling' && result && result.number === view.id;
  useEffect(() => {
    if (view.name !== 'ruling') shown.current = '';
    else if (opened) shown.current = view.id;
    else if (shown.current === view.id) {
      shown.current = '';
      history.replaceState(null, '', `${location.pathname}#`);
      setView({ name: 'arbiter', id: '' });
    }
  }, [opened, view.name]);
  useLayoutEffect(() => { scrollTo(0, 0); }, [view.name, view.id]);
  // Once lost, the service is looked for until it is back.
  useEffect(() => {
    if (reachable) return undefined;
    const timer = setInterval(api.probe, 5000);
    return () => clearInterval(timer);
  }, [reachable]);

  const showSheet = view.name === 'sheet' && Boolean(result);
  const theme = light === 'dark' || (light === 'auto' && system) ? 'dark' : 'wood';
  useEffect(() => { document.documentElement.dataset.light = theme === 'dark' ? 'dark' : 'light'; }, [theme]);
  // The sheet has a title of its own: a file is called after it.
  useEffect(() => { if (!showSheet) document.title = say('棋例 · 象棋循环裁决', 'qili · rulings on repetition in xiangqi'); }, [showSheet, spoken]);
  const go = (hash) => { if (location.hash.slice(1) === hash) setView(viewOf(`#${hash}`)); else location.hash = hash; };
  const turn = () => { speak(language() === 'zh' ? 'en' : 'zh'); setLanguage(language()); };
  const turnLooks = (changes) => { look(changes); setLooks(looks + 1); };
  const shine = () => { const next = theme === 'dark' ? 'light' : 'dark'; keep('light', next); setLight(next); };
  const tab = (name, hash, zh, en) => html`<a href="#${hash}" aria-current=${view.name === name || (name === 'arbiter' && ['sheet', 'ruling'].includes(view.name)) ? 'page' : undefined} onClick=${(event) => { event.preventDefault(); go(hash); }}>${say(zh, en)}</a>`;
  const loadCase = (found, rules) => {
    setResult(null);
    enter({ ...anew(entry), ...found, rules: rules || entry.rules, linked: true });
    go('');
  };
  // What comes later belongs to the ruling it was asked for, and to none that has taken its place.
  const onMore = (request, more) => setResult((now) => (now && now.request === request ? { ...now, ...more } : now));
  const ruleBy = (rules) => {
    setResult(null);
    setEntry({ ...entry, rules });
    go('');
  };
  return html`
    <header class="top"><a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); document.getElementById('main').focus(); }}>${say('跳到正文', 'Skip to content')}</a>
      <h1>棋例<span>qili</span></h1>
      <nav aria-label=${say('页面', 'Pages')}>${tab('arbiter', '', '裁决', 'Rule')}${hasServer && html`${tab('cases', 'cases', '判例', 'Cases')}${tab('amend', 'amend', '修订', 'Amend')}${tab('kept', 'kept', '存档', 'Kept')}`}</nav>
      <div class="looks"><button type="button" class="language" onClick=${turn} lang=${language() === 'zh' ? 'en' : 'zh-Hans'}>${say(html`En<span>glish</span>`, html`中<span>文</span>`)}</button>
        <details class="board-looks"><summary aria-label=${say('棋盘样式', 'How the board looks')}>${say('棋盘', 'Board')}</summary><div>
          <label class="check"><input type="checkbox" checked=${lettered()} onChange=${(event) => turnLooks({ letters: event.target.checked })} /> ${say('棋盘边标坐标字母', 'Letters at the edge')}</label>
          <label class="check"><input type="checkbox" checked=${plainPieces()} onChange=${(event) => turnLooks({ plain: event.target.checked })} /> ${say('简体棋子', 'Simplified characters')}</label></div></details>
        <button type="button" onClick=${shine} aria-label=${theme === 'dark' ? say('浅色', 'light') : say('深色', 'dark')}>${theme === 'dark' ? '☀' : '☾'}</button></div></header>
    ${!reachable && view.name !== 'arbiter' && html`<p class="fault banner" role="alert">${hasJudge ? say('连不上 qili 服务：此页要等它；裁决照常。', 'The service does not answer: this waits for it; rulings go on.') : say('连不上 qili：不能裁决，已输入的都在。', 'qili does not answer: nothing can be ruled on; what you entered is kept.')}</p>`}
    ${showSheet ? html`<${Sheet} entry=${entry} setEntry=${setEntry} result=${result} canKeep=${canKeep} onMore=${onMore} printing=${printing} onPrinted=${() => setPrinting(false)} onClose=${() => history.back()} />`
      : !hasServer && !['arbiter', 'sheet'].includes(view.name) ? html`<main id="main" tabindex="-1" class="library"><p class="note">${say('判例、修订和存档须有 qili 服务；此页自行裁决，不连服务。', 'Cases, amendments and what is kept need a qili service; this page rules by itself and has none.')}</p></main>`
      : view.name === 'cases' ? html`<${Library} id=${view.id} theme=${theme} books=${books} onOpen=${loadCase} go=${go} />`
        : view.name === 'amend' ? html`<${Committee} key=${view.id} id=${view.id} theme=${theme} books=${books} canKeep=${canKeep} reachable=${reachable} go=${go} onRule=${ruleBy} />`
        : view.name === 'kept' || (view.name === 'ruling' && missing) ? html`<${Log} key=${view.id} canKeep=${canKeep} books=${books} go=${go} missing=${view.name === 'ruling' ? missing : null} />`
        : view.name === 'ruling' && !opened && shown.current !== view.id ? html`<main id="main" tabindex="-1" class="library"><p class="note">${say('正在取回', 'Opening')} ${view.id}…</p></main>`
          : html`<${Arbiter} canKeep=${canKeep} onMore=${onMore} past=${past} remember=${remember} entry=${entry} setEntry=${setEntry} result=${result} setResult=${setResult} theme=${theme} books=${books} reachable=${reachable || hasJudge} onSheet=${() => go('sheet')} onPrint=${() => { setPrinting(true); go('sheet'); }} />`}
    <footer class="foot">${hasServer ? html`<a href="/docs/">${say('接口文档', 'API')}</a>` : say('此页自行裁决，不连服务：没有存档、判例和修订。', 'This page rules by itself, without a service: nothing is kept, and there are no cases or amendments.')} ${status.version ? `qili ${status.version}` : ''}</footer>`;
}

speak(language());
// The first picture waits for the outlines, so that nothing moves afterwards.
loadOutlines(new URL('outlines.txt', import.meta.url)).catch(() => {}).finally(() => {
  const app = document.getElementById('app');
  app.replaceChildren();
  render(html`<${App} />`, app);
  install();
  setTimeout(() => { for (const name of Object.keys(LATER)) fetched(name).catch(() => {}); }, IDLE);
});

// A page that is loaded again starts at its top: what was scrolled to comes later than the place it had.
addEventListener('pagehide', () => { history.scrollRestoration = 'manual'; });
for (const input of ['pointerdown', 'keydown']) addEventListener(input, () => { history.scrollRestoration = 'auto'; }, { once: true });
