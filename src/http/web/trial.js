// A first comparison in one field: a parameter at another value, another book, games of one's own.

import { html, useState, useEffect, useRef } from './preact.js';
import { say, told, bookName } from './words.js';
import * as api from './api.js';

// Games that are sent at once.
const MOST_GAMES = 5000;

/// The values a parameter can take besides the one it has.
function valuesOf(parameter, now) {
  if (parameter.kind === 'flag') return [[String(!now), !now ? say('是', 'yes') : say('否', 'no')]];
  if (parameter.kind === 'count') return Array.from({ length: Math.min(20, parameter.max - parameter.min + 1) }, (_, n) => parameter.min + n).filter((n) => n !== now).map((n) => [String(n), String(n)]);
  return parameter.values.filter((choice) => choice.id !== now).map((choice) => [choice.id, told(choice)]);
}
const valueName = (parameter, now) => (parameter.kind === 'flag' ? (now ? say('是', 'yes') : say('否', 'no')) : parameter.kind === 'count' ? String(now) : told(parameter.values.find((choice) => choice.id === now) || { zh: String(now), en: String(now) }));

export function Trial({ books, busy, onTry }) {
  const [base, setBase] = useState('cxa-1999');
  const [book, setBook] = useState(null);
  const [way, setWay] = useState('set');
  const [key, setKey] = useState('kill_is_attack');
  const [value, setValue] = useState('');
  const [other, setOther] = useState('cxa-2020');
  const [games, setGames] = useState(null);
  const [library, setLibrary] = useState(true);
  const [note, setNote] = useState('');
  const picker = useRef(null);
  useEffect(() => {
    let here = true;
    api.ruleset(base).then((found) => { if (here) setBook(found); }).catch(() => {});
    return () => { here = false; };
  }, [base]);
  const parameters = book ? book.parameters : [];
  const parameter = parameters.find((one) => one.key === key) || parameters[0];
  const choices = parameter ? valuesOf(parameter, book.definitions[parameter.key]) : [];
  const chosen = choices.some(([id]) => id === value) ? value : (choices[0] || [''])[0];
  const against = other === base ? books.find((id) => id !== base) : other;
  const ready = !busy && book && (way === 'with' || chosen !== '');
  const attempt = (event) => {
    event.preventDefault();
    if (!ready) return;
    onTry({ base, ...(way === 'set' ? { set: [`${parameter.key}=${chosen}`] } : { with: against }), ...(games ? { games: games.text, ...(library ? {} : { no_cases: true }) } : {}) });
  };
  // Files in any form are read into rows first.
  const take = async (files) => {
    const rows = [];
    let bad = 0;
    for (const file of files) {
      try {
        const found = await api.postFile('/v1/games:list', file);
        for (const game of found.games) {
          if (game.fen && rows.length < MOST_GAMES) rows.push(JSON.stringify({ id: `${file.name}#${game.index + 1}`, fen: game.fen, moves: game.moves, kind: 'game' }));
        }
      } catch { bad += 1; }
    }
    setGames(rows.length ? { count: rows.length, text: rows.join('\n') } : null);
    setNote(bad ? say(`${bad}个文件读不了`, `${bad} files cannot be read`) : '');
  };
  return html`<form class="trial" onSubmit=${attempt} aria-label=${say('试一试', 'Try it')}><h3>${say('试一试', 'Try it')}</h3>
    <div class="row"><label class="field"><span>${say('规则', 'Rule book')}</span><select value=${base} onChange=${(event) => { setBook(null); setBase(event.target.value); }}>${books.map((id) => html`<option value=${id}>${bookName(id)}</option>`)}</select></label>
      <div class="row" role="group" aria-label=${say('与什么比', 'Against what')}><button type="button" aria-pressed=${way === 'set' ? 'true' : 'false'} onClick=${() => setWay('set')}>${say('改一个参数', 'One parameter')}</button><button type="button" aria-pressed=${way === 'with' ? 'true' : 'false'} onClick=${() => setWay('with')}>${say('另一本规则', 'Another book')}</button></div></div>
    <div class="row fields">${way === 'set' ? html`
      <label class="field wide"><span>${say('参数', 'Parameter')}</span><select value=${parameter ? parameter.key : ''} onChange=${(event) => { setKey(event.target.value); setValue(''); }}>${parameters.map((one) => html`<option value=${one.key}>${told(one)}</option>`)}</select></label>
      <label class="field"><span>${parameter ? say(`由“${valueName(parameter, book.definitions[parameter.key])}”改为`, `from “${valueName(parameter, book.definitions[parameter.key])}” to`) : say('改为', 'to')}</span><select value=${chosen} onChange=${(event) => setValue(event.target.value)}>${choices.map(([id, name]) => html`<option value=${id}>${name}</option>`)}</select></label>`
      : html`<label class="field"><span>${say('与之相比', 'Set against')}</span><select value=${against} onChange=${(event) => setOther(event.target.value)}>${books.filter((id) => id !== base).map((id) => html`<option value=${id}>${bookName(id)}</option>`)}</select></label>`}
      <button type="submit" class="primary" disabled=${!ready}>${busy === 'trial' ? say('比较中…', 'Comparing…') : say('比较', 'Compare')}</button></div>
    <div class="row"><input ref=${picker} type="file" multiple hidden onChange=${(event) => { take([...event.target.files]); event.target.value = ''; }} />
      <button type="button" onClick=${() => picker.current.click()}>${say('加上自己的对局', 'Add own games')}</button>
      ${games && html`<span>${say(`${games.count}局`, `${games.count} games`)} <button type="button" class="link" onClick=${() => setGames(null)}>${say('去掉', 'Remove')}</button></span>
        <label class="check"><input type="checkbox" checked=${library} onChange=${(event) => setLibrary(event.target.checked)} /> ${say('连判例库一起比', 'The library, too')}</label>`}<span class="note" role="status">${note}</span></div></form>`;
}
