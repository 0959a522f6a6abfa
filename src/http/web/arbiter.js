// The arbiter's page: enter a dispute, have it ruled on, look into the ruling.

import { html, useState, useEffect, useLayoutEffect, useRef, useMemo } from './preact.js';
import { START, EMPTY, readFen, writeFen, positions, play, reach, from, to, sideOf, other, nameOf } from './chess.js';
import { say, told, sideName, bookName, pieceName, moveName } from './words.js';
import { Board, Piece, PALETTES, png, save } from './board.js';
import { blank, read, textOf, linkOf, subjectOf, roundOf, requestOf } from './entry.js';
import { Files } from './files.js';
import { Verdict, Moves, Detail, Instead, Books, Limit, scene } from './ruling.js';
import { textOfRuling } from './sheet.js';
import { Keeping } from './log.js';
import { bookOf } from './drafts.js';
import { Key, needsKey } from './trouble.js';
import * as api from './api.js';

const TRAY = ['K', 'A', 'B', 'N', 'R', 'C', 'P'];
const MOST = { k: 1, a: 2, b: 2, n: 2, r: 2, c: 2, p: 5 };

/// Whether a ruling is by a draft, under which only rulings are asked for.
const ofDraft = (ruling) => ruling.rules.id.includes('+');

/// Whether the game goes on after the ruling, so that something else may be played.
const mayGoOn = (ruling) => !ruling.ended && !ofDraft(ruling) && ['must_change', 'none', 'undetermined'].includes(ruling.verdict.outcome);

export function Arbiter({ entry, setEntry, result, setResult, theme, books, onSheet, reachable, canKeep, onKept, go }) {
  const [at, setAt] = useState(entry.moves.length);
  const [view, setView] = useState(() => (result && result.ruling.moves.length ? { ply: result.ruling.moves[0].ply } : null));
  const [flipped, setFlipped] = useState(false);
  const [selected, setSelected] = useState(null);
  const [setup, setSetup] = useState(false);
  const [held, setHeld] = useState(null);
  const [legal, setLegal] = useState(null);
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const [opening, setOpening] = useState(Boolean(entry.linked && entry.moves.length));
  const past = useRef([]);
  const reading = useRef(null);
  const latest = useRef(0);
  // What was entered last, for what was begun before.
  const newest = useRef(entry);
  newest.current = entry;
  const put = (next) => { newest.current = next; setEntry(next); };

  const all = useMemo(() => positions(entry.fen, entry.moves), [entry.fen, entry.moves]);
  const position = all[Math.min(at, all.length - 1)];
  const shown = result ? scene(result, view) : { position, last: at > 0 ? entry.moves[at - 1] : null, arrows: [], targets: [], crossed: [] };

  // What is made of a kept ruling may take its place.
  const corrects = () => (result && result.number ? { corrects: result.number } : {});
  // Whatever is entered anew has no ruling yet.
  const change = (changes, remember = true) => {
    if (remember === true) past.current = [...past.current.slice(-199), { fen: entry.fen, moves: entry.moves, text: entry.text, fault: entry.fault }];
    if (remember !== 'settings') latest.current += 1;
    setResult(null);
    setView(null);
    setProblem(null);
    put({ ...newest.current, ...corrects(), ...changes });
  };
  const edit = (fen, moves) => {
    setNote('');
    setSelected(null);
    change({ fen, moves, text: textOf({ fen, moves }), fault: null, games: 1 });
    setAt(moves.length);
  };
  // A game of a file: its text is written anew, with what its record says about it.
  const take = (game) => {
    const { fen, moves } = game;
    const sheet = { ...newest.current.sheet };
    for (const name of ['event', 'red', 'black']) sheet[name] = game[name] || '';
    setNote('');
    setSelected(null);
    change({ fen: fen || newest.current.fen, moves, text: fen ? textOf({ fen, moves }) : '', fault: game.fault ? { ...game.fault, line: null } : null, games: 1, kind: 'auto', sheet, corrects: null });
    setAt(moves.length);
  };
  const undo = () => {
    const before = past.current.pop();
    if (!before) return;
    change(before, false);
    setAt(before.moves.length);
    setSelected(null);
  };

  // A pasted text is read as soon as typing pauses.
  const paste = (text, game) => {
    const turn = latest.current + 1;
    change({ text, corrects: null }, false);
    const work = new Promise((done) => { setTimeout(done, game ? 0 : 150); }).then(async () => {
      if (turn !== latest.current) return;
      try {
        const found = await read(text, game);
        if (turn !== latest.current) return;
        const before = newest.current;
        past.current.push({ fen: before.fen, moves: before.moves, text: before.text, fault: before.fault });
        const tags = found.tags || {};
        const names = { event: tags.Event, round: tags.Round, table: tags.Table, red: tags.Red, black: tags.Black };
        const sheet = { ...before.sheet };
        for (const [name, value] of Object.entries(names)) if (value && value !== '?') sheet[name] = value;
        put({ ...before, ...found, fen: found.fen || before.fen, text, sheet });
        setAt(newest.current.moves.length);
      } catch (error) {
        setProblem(error);
      }
    });
    reading.current = work;
  };

  // What is legal, for the hints; without the service pieces go by geometry alone.
  useEffect(() => {
    setLegal(null);
    if (result || setup || entry.fault) return undefined;
    const stop = new AbortController();
    const wait = setTimeout(() => {
      api.post('/v1/positions:continuations', { fen: entry.fen, moves: entry.moves.slice(0, at), explain: 'none' }, { signal: stop.signal })
        .then((found) => setLegal(new Set(found.continuations.map((one) => one.iccs))))
        .catch(() => {});
    }, 200);
    return () => { clearTimeout(wait); stop.abort(); };
  }, [entry.fen, entry.moves, entry.fault, at, result, setup]);

  // A position being set up is checked as it grows.
  useEffect(() => {
    if (!setup) return undefined;
    const stop = new AbortController();
    const wait = setTimeout(() => {
      api.post('/v1/games:read', { text: entry.fen }, { signal: stop.signal })
        .then((found) => setEntry((now) => (now.fen === entry.fen ? { ...now, fault: found.fault } : now)))
        .catch(() => {});
    }, 120);
    return () => { clearTimeout(wait); stop.abort(); };
  }, [setup, entry.fen]);

  const step = (a, b) => {
    const move = nameOf(a) + nameOf(b);
    if (!reach(position, a).includes(b)) return setSelected(null);
    if (legal && !legal.has(move)) {
      setNote(say(`${moveName(position, move)}：此着不合法（送将或将帅照面）。`, `${moveName(position, move)} is not legal: it would leave the king in check or facing the other.`));
      return setSelected(null);
    }
    return edit(entry.fen, [...entry.moves.slice(0, at), move]);
  };
  const place = (letter, square) => {
    const board = position.board.slice();
    board[square] = letter;
    if (letter && board.filter((there) => there === letter).length >= MOST[letter.toLowerCase()]) setHeld(null);
    edit(writeFen({ board, turn: position.turn }), []);
  };
  const tap = (square) => {
    const letter = position.board[square];
    if (setup) {
      if (held !== null) return place(held === 'none' ? null : held, square);
      if (selected !== null && selected !== square) return drop(selected, square);
      return setSelected(letter && selected !== square ? square : null);
    }
    if (selected !== null && letter && sideOf(letter) === position.turn && square !== selected) return setSelected(square);
    if (selected !== null && square !== selected) return step(selected, square);
    return setSelected(selected === null && letter && sideOf(letter) === position.turn ? square : null);
  };
  const drop = (a, b) => {
    setSelected(null);
    if (!setup) return b === null ? undefined : step(a, b);
    const board = position.board.slice();
    if (b !== null) board[b] = board[a];
    board[a] = null;
    return edit(writeFen({ board, turn: position.turn }), []);
  };

  const judge = async (changes = {}, asked) => {
    setBusy(true);
    setProblem(null);
    await reading.current;
    reading.current = null;
    const now = { ...newest.current, ...changes };
    if (now.fault) {
      setBusy(false);
      return;
    }
    if (Object.keys(changes).length) put(now);
    const turn = latest.current + 1;
    latest.current = turn;
    const subject = asked || subjectOf(now);
    const begun = performance.now();
    try {
      const ruling = await api.post('/v1/rulings', requestOf(now, subject));
      const book = await bookOf(ruling.rules.id).catch(() => null);
      if (turn !== latest.current) return;
      const first = ruling.moves[0];
      setView(first ? { ply: first.ply } : null);
      setResult({ subject, whole: subjectOf(now), ruling, book, request: requestOf(now, subject), asked: Boolean(asked), insteadMoves: mayGoOn(ruling) ? [] : null, at: new Date().toISOString() });
      requestAnimationFrame(() => performance.measure('ruling shown', { start: begun }));
      further(now, subject, ruling, turn);
    } catch (error) {
      if (turn === latest.current) {
        setProblem(error);
        setResult(null);
        setView(null);
      }
    } finally {
      setBusy(false);
      setOpening(false);
    }
  };

  const rows = (rules) => [...new Set([rules, ...books])].sort((a, b) => books.indexOf(a) - books.indexOf(b));
  // What stands beside the ruling comes after it.
  const further = async (now, subject, ruling, turn) => {
    const more = (changes) => { if (turn === latest.current) setResult((result) => (result ? { ...result, ...changes } : result)); };
    const whole = subjectOf(now);
    if (whole.kind === 'game' && !ofDraft(ruling)) {
      api.post('/v1/games:audit', { ...requestOf(now, whole), explain: 'none' }).then((audit) => more({ audit })).catch(() => more({ audit: false }));
    }
    if (mayGoOn(ruling)) {
      let moves = subject.moves;
      if (subject.kind === 'cycle') {
        const rounds = ruling.cycle ? ruling.cycle.rounds : 1;
        moves = Array.from({ length: rounds }, () => subject.moves).flat();
      }
      const side = ruling.verdict.side;
      const turnOf = positions(subject.fen, moves)[moves.length].turn;
      if (side && turnOf !== side && ruling.moves.length) moves = [...moves, ruling.moves[0].iccs];
      api.post('/v1/positions:continuations', { ...requestOf(now, { fen: subject.fen, moves, kind: 'game' }), explain: 'none' })
        .then((found) => more({ instead: found, insteadAt: readFen(found.fen), insteadMoves: moves })).catch(() => {});
    }
    const others = await Promise.all(rows(now.rules).map(async (id) => {
      if (id === now.rules) return { id, ruling };
      try {
        return { id, ruling: await api.post('/v1/rulings', { ...requestOf({ ...now, rules: id }, subject), explain: 'none' }) };
      } catch (error) {
        return { id, problem: error.detail || '…' };
      }
    }));
    more({ others });
  };

  // Beside a ruling that was kept stands what today's program says.
  useLayoutEffect(() => {
    if (!result || !result.recalled || result.others) return;
    setAt(entry.moves.length);
    if (result.ruling.moves.length) setView({ ply: result.ruling.moves[0].ply });
    if (mayGoOn(result.ruling)) setResult({ ...result, insteadMoves: [] });
    further(entry, result.subject, result.ruling, latest.current);
  }, [result && result.recalled && result.number]);

  // A link that is opened is ruled on at once.
  useEffect(() => {
    if (!entry.linked) return;
    put({ ...entry, linked: false });
    setOpening(entry.moves.length > 0);
    if (entry.moves.length) judge();
  }, [entry.linked]);
  useEffect(() => { setAt(entry.moves.length); }, [entry.stamp]);

  // What was pressed is gone when the ruling is there: those who read by keyboard go on with it.
  useEffect(() => {
    const headline = document.querySelector('.arbiter .headline');
    if (result && !opening && headline && document.activeElement === document.body) headline.focus();
  }, [Boolean(result)]);

  // Another setting gives another ruling; the old one stands, dimmed, until it is there.
  const settings = (changes) => {
    if (!result) return change(changes, 'settings');
    return judge({ ...corrects(), ...changes }, result.asked ? result.subject : undefined);
  };
  const ply = (index) => setView(result.ruling.moves.some((move) => move.ply === index) ? { ply: index } : { at: index });
  const pending = (plies) => judge({}, { ...result.whole, moves: result.whole.moves.slice(0, plies) });
  const tools = { tray: setup && !result, note };
  const board = html`<section class="table" aria-label=${say('棋盘', 'Board')}>
    <${Board} id="board" theme=${theme} flipped=${flipped} ...${shown} selected=${result ? undefined : selected ?? undefined}
      hints=${!result && !setup && selected !== null ? reach(position, selected).filter((square) => !legal || legal.has(nameOf(selected) + nameOf(square))) : []}
      onTap=${result ? undefined : tap} onDrop=${result ? undefined : drop}
      movable=${(square) => setup || sideOf(position.board[square]) === position.turn} />
    ${tools.tray && html`<div class="so-far">${entry.fault ? html`<p class="fault" id="fault" role="alert">${told(entry.fault.detail)}</p>` : html`<p class="note">${say('点棋子再点棋盘，或拖上去；点盘上的子可以移动。', 'Tap a piece, then the board, or drag it there; tap a piece on the board to move it.')}</p>`}</div><${Tray} position=${position} held=${held} onHold=${(letter) => { setHeld(held === letter ? null : letter); setSelected(null); }} onPlace=${place}
      theme=${theme} onTurn=${(turn) => edit(writeFen({ board: position.board, turn }), [])} onClear=${() => edit(EMPTY, [])} onStart=${() => edit(START, [])} />`}
    ${!result && html`<p class="status" aria-live="polite">${note || html`<b>${say(`${sideName(position.turn)}走`, `${sideName(position.turn)} to move`)}</b> ${entry.moves.length ? say(`第${at}着，共${entry.moves.length}着`, `ply ${at} of ${entry.moves.length}`) : ''}${entry.moves.length && at === entry.moves.length && subjectOf(entry).kind === 'cycle' ? say('，回到了起始局面', ', back where it began') : ''}`}</p>`}
    <div class="tools">
      ${!result && entry.moves.length > 0 && html`<button type="button" class="primary near" disabled=${busy || Boolean(entry.fault)} onClick=${() => judge()}>${busy ? say('裁决中…', 'Ruling…') : say('裁决', 'Rule')}</button>`}
      ${!result && html`<button type="button" aria-label=${say('到开头', 'to the start')} disabled=${at === 0} onClick=${() => { setAt(0); setSelected(null); }}>|‹</button>
      <button type="button" aria-label=${say('退一着', 'one back')} disabled=${at === 0} onClick=${() => { setAt(at - 1); setSelected(null); }}>‹</button>
      <button type="button" aria-label=${say('进一着', 'one on')} disabled=${at >= entry.moves.length} onClick=${() => { setAt(at + 1); setSelected(null); }}>›</button>
      <button type="button" aria-label=${say('到末尾', 'to the end')} disabled=${at >= entry.moves.length} onClick=${() => { setAt(entry.moves.length); setSelected(null); }}>›|</button>
      <button type="button" onClick=${undo}>${say('撤销', 'Undo')}</button>
      <button type="button" aria-pressed=${setup ? 'true' : 'false'} onClick=${() => { setSetup(!setup); setHeld(null); setSelected(null); setNote(''); if (!setup && entry.moves.length) edit(writeFen(position), []); }}>${setup ? say('摆好了', 'Done') : say('摆子', 'Set up')}</button>`}
      <button type="button" onClick=${() => setFlipped(!flipped)}>${say('翻转', 'Flip')}</button>
      <button type="button" onClick=${async () => save(await png(document.getElementById('board')), 'qili.png')}>${say('存图', 'PNG')}</button>
    </div>
    ${!result && html`<${Sheetlist} entry=${entry} all=${all} at=${at} onAt=${(index) => { setAt(index); setSelected(null); }} />`}
  </section>`;

  return html`<main id="main" tabindex="-1" class="arbiter ${result ? 'ruled' : ''} ${opening ? 'opening' : ''}">
    <${Entry} entry=${entry} setup=${setup && !result} result=${result} busy=${busy} reachable=${reachable} books=${books} onText=${paste} onGame=${take} onProblem=${setProblem} onJudge=${() => judge()} onSettings=${settings}
      onEdit=${() => { put({ ...entry, ...corrects() }); setResult(null); setView(null); setAt(entry.moves.length); }} onNew=${() => { past.current.push(entry); latest.current += 1; setResult(null); setView(null); setProblem(null); setAt(0); setEntry({ ...blank(), rules: entry.rules, sheet: { ...entry.sheet, red: '', black: '' } }); }} problem=${problem} />
    ${result && html`<${Verdict} result=${result} busy=${busy} book=${result.book} onBudget=${() => judge({ budget: Math.min(1000000, (entry.budget || 100000) * 5) }, result.asked ? result.subject : undefined)}
      onRound=${result.ruling.verdict.outcome === 'none' && !result.ruling.ended && roundOf(result.subject) && (() => judge({}, roundOf(result.subject)))}>
      <${Keeping} canKeep=${canKeep} result=${result} entry=${entry} onKept=${onKept}><button type="button" class="primary" onClick=${onSheet}>${say('裁决书', 'Ruling sheet')}</button>
        <${Copy} text=${() => linkOf({ ...entry, ...result.subject })} name=${say('复制链接', 'Copy link')} />
        <${Copy} text=${() => textOfRuling(result, entry)} name=${say('复制文字', 'Copy text')} /><//>
    </${Verdict}>`}
    ${board}
    ${result && html`<section class="evidence" aria-label=${say('逐着', 'Move by move')}>
      <${Moves} ruling=${result.ruling} all=${positions(result.subject.fen, result.subject.moves)} selected=${view ? view.ply : null} onSelect=${(index) => setView({ ply: index })} />
      <${Detail} result=${result} book=${result.book} view=${view} onView=${setView} />
      <${Books} books=${rows(entry.rules)} others=${result.others} rules=${entry.rules} onRules=${(id) => settings({ rules: id })} />
      ${result.insteadMoves !== null && html`<${Instead} found=${result.instead} next=${result.ruling.verdict.outcome === 'none'} position=${result.insteadAt} onPlay=${(move) => { const moves = [...result.insteadMoves, move]; edit(result.subject.fen, moves); }} />`}
      <${Limit} audit=${result.audit} onPly=${ply} onPending=${pending} />
    </section>`}
  </main>`;
}

/// The moves entered so far.
function Sheetlist({ entry, all, at, onAt }) {
  if (!entry.moves.length) return null;
  return html`<ol class="record" aria-label=${say('着法', 'Moves')}>${entry.moves.map((move, index) => html`<li key=${index}><button type="button" class="chip ${all[index].turn}" aria-pressed=${at === index + 1 ? 'true' : 'false'} onClick=${() => onAt(index + 1)}>
    <small>${index + 1}</small> ${moveName(all[index], move)}</button></li>`)}</ol>`;
}

function Copy({ text, name }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    const value = text();
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Without a secure origin there is no clipboard: a field that is selected will do.
      const field = document.createElement('textarea');
      field.value = value;
      document.body.append(field);
      field.select();
      document.execCommand('copy');
      field.remove();
    }
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return html`<button type="button" onClick=${copy} aria-live="polite">${done ? say('已复制 ✓', 'Copied ✓') : name}</button>`;
}

/// The pieces that are not on the board yet.
function Tray({ position, held, onHold, onPlace, theme, onTurn, onClear, onStart }) {
  const [ghost, setGhost] = useState(null);
  const count = (letter) => MOST[letter.toLowerCase()] - position.board.filter((there) => there === letter).length;
  const move = (event) => { if (ghost) setGhost({ ...ghost, x: event.clientX, y: event.clientY, moved: ghost.moved || Math.hypot(event.clientX - ghost.x, event.clientY - ghost.y) > 4 }); };
  const up = (event) => {
    if (!ghost) return;
    setGhost(null);
    const target = document.elementFromPoint(event.clientX, event.clientY);
    const point = target && target.closest('[data-square]');
    if (point && ghost.moved) onPlace(ghost.letter, 'abcdefghi'.indexOf(point.dataset.square[0]) + 9 * Number(point.dataset.square[1]));
  };
  return html`<div class="tray" role="group" aria-label=${say('摆子：点棋子，再点棋盘；或拖上去', 'Set up: tap a piece, then the board; or drag it there')}>
    ${[TRAY, TRAY.map((letter) => letter.toLowerCase())].map((row) => html`<div class="pieces">${row.map((letter) => html`<button type="button" class="tray-piece" aria-pressed=${held === letter ? 'true' : 'false'}
      aria-label=${`${pieceName(letter)} ×${count(letter)}`} disabled=${count(letter) <= 0} onClick=${() => onHold(letter)}
      onPointerDown=${(event) => { event.currentTarget.setPointerCapture(event.pointerId); setGhost({ letter, x: event.clientX, y: event.clientY, moved: false }); }} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${() => setGhost(null)}>
      <svg viewBox="-50 -50 100 100" width="36" height="36" aria-hidden="true"><${Piece} letter=${letter} palette=${PALETTES[theme]} /></svg><small>${count(letter)}</small></button>`)}</div>`)}
    <div><button type="button" aria-pressed=${held === 'none' ? 'true' : 'false'} onClick=${() => onHold('none')}>${say('拿掉', 'Remove')}</button>
      <button type="button" aria-pressed=${position.turn === 'red' ? 'true' : 'false'} onClick=${() => onTurn('red')}>${say('红先', 'Red moves')}</button>
      <button type="button" aria-pressed=${position.turn === 'black' ? 'true' : 'false'} onClick=${() => onTurn('black')}>${say('黑先', 'Black moves')}</button>
      <button type="button" onClick=${onClear}>${say('清空', 'Clear')}</button><button type="button" onClick=${onStart}>${say('初始', 'Opening')}</button></div>
    ${ghost && ghost.moved && html`<svg class="ghost" viewBox="-50 -50 100 100" width="52" height="52" style=${{ left: `${ghost.x - 26}px`, top: `${ghost.y - 26}px` }} aria-hidden="true"><${Piece} letter=${ghost.letter} palette=${PALETTES[theme]} /></svg>`}
  </div>`;
}

/// What an entry was understood to be.
function readAs(entry) {
  const { moves } = entry;
  if (!moves.length) {
    return html`${say('贴上后，或在棋盘上走出循环后，按“裁决”。也可从', 'Paste, or play the cycle on the board, then press “Rule”. The ')}<a href="#cases">${say('判例', 'cases')}</a>${say('里取一例来看。', ' have examples.')}`;
  }
  const { kind } = subjectOf(entry);
  return kind === 'cycle'
    ? say(`读到${moves.length}着，恰好回到起始局面：作为一个循环裁决。`, `${moves.length} plies that lead back to the start: ruled on as one cycle.`)
    : say(`读到${moves.length}着：作为对局，按最后的局面裁决。`, `${moves.length} plies: a game, ruled on as it stands after the last.`);
}

/// The box that takes everything, and the settings of the event.
function Entry({ entry, setup, result, busy, reachable, books, onText, onGame, onProblem, onJudge, onSettings, onEdit, onNew, problem }) {
  const box = useRef(null);
  const fault = entry.fault;
  const goto = () => {
    const lines = entry.text.split('\n');
    const start = lines.slice(0, fault.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + fault.column - 1;
    const end = start + Math.max(1, (entry.text.slice(start).match(/^[^\s，,；;。]+/) || [''])[0].length);
    box.current.focus();
    box.current.setSelectionRange(start, end);
  };
  const book = html`<label class="field"><span>${say('规则', 'Rule book')}</span><select value=${entry.rules} onChange=${(event) => onSettings({ rules: event.target.value })}>
    ${[...new Set([...books, entry.rules])].map((id) => html`<option value=${id}>${books.includes(id) ? bookName(id) : say(`草案 ${id}`, `Draft ${id}`)}</option>`)}</select></label>`;
  const gone = !reachable || (problem && problem.unreachable);
  const faults = html`
    ${gone && html`<p class="fault" role="alert">${say('连不上 qili，不能裁决。已输入的都在，可以继续摆子、走子；连上后再按“裁决”。', 'qili does not answer, so nothing can be ruled on. What you entered is kept, and you can go on editing; press “Rule” when it is back.')}</p>`}
    ${needsKey(problem) && html`<${Key} />`}
    ${problem && !problem.unreachable && html`<p class="fault" role="alert"><b>${problem.title || say('出错', 'Error')}</b> ${problem.detail}${typeof problem.index === 'number' ? say(`（第${problem.index + 1}着）`, ` (ply ${problem.index + 1})`) : ''}</p>`}`;
  if (result) {
    return html`<section class="entry small" aria-label=${say('所裁', 'The dispute')}><div class="row">${book}
      <button type="button" onClick=${onEdit}>${say('修改', 'Edit')}</button><button type="button" onClick=${onNew}>${say('另裁一局', 'New dispute')}</button></div>${faults}</section>`;
  }
  return html`<section class="entry" aria-label=${say('输入', 'Enter')}>
    <label class="paste"><span>${say('贴上局面、着法、棋谱或链接', 'Paste a position, moves, a game record or a link')}</span>
      <textarea ref=${box} rows="5" spellcheck=${false} autocomplete="off" aria-invalid=${fault ? 'true' : undefined} aria-describedby=${fault ? 'fault' : undefined} value=${entry.text} onInput=${(event) => onText(event.target.value)}
        placeholder=${say('FEN、炮二平五、炮25、C2=5、h2e2、PGN 都可以，也可直接在棋盘上走', 'FEN, 炮二平五, C2=5, h2e2, PGN: anything goes; or play on the board')}></textarea></label>
    ${entry.games > 1 && html`<label class="field"><span>${say(`棋谱共${entry.games}局，读第`, `Game, of ${entry.games}`)}</span><input type="number" min="1" max=${entry.games} onChange=${(event) => onText(entry.text, Number(event.target.value))} /></label>`}
    <${Files} onGame=${onGame} onText=${onText} onProblem=${onProblem} />
    <div class="row"><button type="button" class="primary big" disabled=${busy || Boolean(fault) || !entry.moves.length} onClick=${onJudge}>${busy ? say('裁决中…', 'Ruling…') : say('裁决', 'Rule')}</button>${book}
      <button type="button" onClick=${onNew}>${say('清空', 'Clear')}</button></div>
    <div class="told">${fault && !setup ? html`<p class="fault" id="fault" role="alert">${told(fault.detail)} ${fault.line ? html`<button type="button" class="link" onClick=${goto}>${say('去改', 'Show')}</button>` : ''}</p>` : ''}
      ${faults}${!fault && !gone && !problem && html`<p class="note">${readAs(entry)}</p>`}</div>
    <details class="settings"><summary>${say('赛事与裁决设置', 'Event and settings')}</summary><div>
      <label class="field"><span>${say('所列着法', 'The moves are')}</span><select value=${entry.kind} onChange=${(event) => onSettings({ kind: event.target.value })}>
        <option value="auto">${say('自动判别', 'worked out')}</option><option value="cycle">${say('恰为一个循环', 'exactly one cycle')}</option><option value="game">${say('对局', 'a game')}</option></select></label>
      <label class="check"><input type="checkbox" checked=${entry.claimed} onChange=${(event) => onSettings({ claimed: event.target.checked })} /> ${say('由棋手提请裁决', 'A player asked for the ruling')}</label>
      <label class="check"><input type="checkbox" checked=${entry.theoretical} onChange=${(event) => onSettings({ theoretical: event.target.checked })} /> ${say('裁判认定：守住即为例和', 'The arbiter finds: a plain theoretical draw while the post is held')}</label>
      <label class="field"><span>${say('已令变着', 'Change ordered')}</span><select value=${entry.ordered} onChange=${(event) => onSettings({ ordered: event.target.value })}>
        <option value="">${say('没有', 'no')}</option>${entry.moves.slice(-40).flatMap((_, index) => { const ply = Math.max(0, entry.moves.length - 40) + index; return ['red', 'black'].map((side) => html`<option value="${ply}-${side}">${say(`第${ply + 1}着后令${sideName(side)}变`, `${sideName(side)}, after ply ${ply + 1}`)}</option>`); })}</select></label>
      ${[['event', '赛事', 'Event'], ['round', '轮次', 'Round'], ['table', '台次', 'Table'], ['red', '红方棋手', 'Red'], ['black', '黑方棋手', 'Black'], ['arbiter', '裁判', 'Arbiter']].map(([name, zh, en]) => html`<label class="field"><span>${say(zh, en)}</span><input type="text" maxlength="80" value=${entry.sheet[name]} onInput=${(event) => onSettings({ sheet: { ...entry.sheet, [name]: event.target.value } })} /></label>`)}
    </div></details>
  </section>`;
}
