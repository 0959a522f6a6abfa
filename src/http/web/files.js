// Files of games: picked, dropped anywhere, or pasted; a list with search where there are many.

import { html, useEffect, useLayoutEffect, useRef, useState } from './preact.js';
import { say, told } from './words.js';
import * as api from './api.js';

// Files taken at once, and games shown at once.
const MOST_FILES = 200;
const MOST_SHOWN = 100;

/// The files of what was dropped, those in folders too.
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
  const plain = [...transfer.files];
  const found = [];
  const walk = async (entry) => {
    if (found.length >= MOST_FILES || entry.name.startsWith('.')) return;
    if (entry.isFile) {
      found.push(await new Promise((done, failed) => { entry.file(done, failed); }));
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, failed) => { reader.readEntries(done, failed); });
      if (!some.length) return;
      for (const one of some) await walk(one);
    }
  };
  for (const entry of entries) await walk(entry);
  return entries.length ? found : plain;
}

const typing = (target) => target.closest && target.closest('input, textarea, select, [contenteditable]');

const nameOf = (game) => [game.red, game.black].filter(Boolean).join(' – ') || game.title || `#${game.index + 1}`;

/// Games out of files that are picked, or dropped or pasted anywhere: `onGame` takes one, `onText` what was pasted outside any box, where
/// that is wanted.
export function useFiles({ onGame, onText, onProblem }) {
  const list = useRef(null);
  const newest = useRef({ onGame, onText, onProblem });
  newest.current = { onGame, onText, onProblem };
  const [games, setGames] = useState([]);
  const [more, setMore] = useState(false);
  const [busy, setBusy] = useState(false);

  const take = async (files) => {
    setBusy(true);
    const found = [];
    const faults = [];
    let cut = files.length > MOST_FILES;
    for (const file of files.slice(0, MOST_FILES)) {
      try {
        const answer = await api.postFile('/v1/games:list', file);
        cut = cut || answer.more;
        found.push(...answer.games.map((game) => ({ ...game, file: file.name })));
      } catch (problem) {
        if (problem.unreachable) { faults.push(problem); break; }
        faults.push(Object.assign(problem, { detail: `${file.name}: ${problem.detail}` }));
      }
    }
    setBusy(false);
    setMore(cut);
    setGames(found.length > 1 ? found : []);
    // The arbiter's page was left meanwhile.
    if (!list.current) return;
    if (list.current.open) list.current.close();
    if (found.length > 1) list.current.showModal();
    // Of many files not all need be records.
    newest.current.onProblem(found.length ? null : faults[0] || null);
    if (found.length === 1) newest.current.onGame(found[0]);
  };

  useEffect(() => {
    const over = (event) => { if ([...event.dataTransfer.types].includes('Files')) event.preventDefault(); };
    const drop = async (event) => {
      if (![...event.dataTransfer.types].includes('Files')) return;
      event.preventDefault();
      take(await dropped(event.dataTransfer));
    };
    const paste = (event) => {
      if (typing(event.target)) return;
      const files = [...event.clipboardData.files];
      const text = event.clipboardData.getData('text/plain');
      if (files.length) take(files);
      else if (text.trim() && newest.current.onText) newest.current.onText(text);
      else return;
      event.preventDefault();
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
      document.removeEventListener('paste', paste);
    };
  }, []);

  return { list, games, busy, take, count: `${games.length}${more ? '+' : ''}`, onGame };
}

/// The button by which files are picked, and the one by which their list is seen again.
export function Files({ files: { list, games, busy, take, count } }) {
  const picker = useRef(null);
  return html`<div class="files row">
    <input ref=${picker} type="file" multiple hidden onChange=${(event) => { take([...event.target.files]); event.target.value = ''; }} />
    <button type="button" disabled=${busy} onClick=${() => picker.current.click()}>${busy ? say('读取中…', 'Reading…') : say('打开棋谱文件', 'Open game files')}</button>
    <button type="button" class="link" hidden=${!games.length} onClick=${() => list.current.showModal()}>${say(`选局（${count}）`, `Choose (${count})`)}</button></div>`;
}

/// The list, over the page, so that nothing below it moves; it stays while its games are ruled on.
export function Games({ files: { list, games, count, onGame } }) {
  const [search, setSearch] = useState('');
  useLayoutEffect(() => { setSearch(''); }, [games]);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const about = (game) => [game.file, game.title, game.red, game.black, game.event, game.date, game.result].join(' ').toLowerCase();
  const many = games.some((game) => game.file !== games[0].file);
  const shown = games.filter((game) => words.every((word) => about(game).includes(word)));
  const choose = (game) => { list.current.close(); onGame(game); };
  return html`<div class="files listed"><dialog ref=${list} aria-label=${say('文件中的棋局', 'Games of the files')} onClick=${(event) => event.target === list.current && list.current.close()}><div>
      <div class="row"><label class="field"><span>${say(`共${count}局，查找`, `Search ${count} games`)}</span>
        <input type="search" value=${search} onInput=${(event) => setSearch(event.target.value)} /></label>
        <button type="button" onClick=${() => list.current.close()}>${say('关闭', 'Close')}</button></div>
      <p class="note" role="status">${!shown.length ? say('没有这样的棋局', 'No such game') : shown.length > MOST_SHOWN ? say(`符合者${shown.length}局，列出前${MOST_SHOWN}局`, `${shown.length} match, the first ${MOST_SHOWN} are listed`) : say(`符合者${shown.length}局`, `${shown.length} match`)}</p>
      <ul>${shown.slice(0, MOST_SHOWN).map((game) => html`<li key=${`${game.file}#${game.index}`}><button type="button" class="row-button" onClick=${() => choose(game)}><b>${nameOf(game)}</b>
        <span class="note">${[game.title !== nameOf(game) && game.title, game.event, game.date, game.result !== '*' && game.result, say(`${game.moves.length}着`, `${game.moves.length} plies`), many && game.file, game.fault && told(game.fault.detail)].filter(Boolean).join(' · ')}</span></button></li>`)}</ul>
    </div></dialog></div>`;
}
