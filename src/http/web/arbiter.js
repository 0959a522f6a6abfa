// The arbiter's page: enter a dispute, have it ruled on, look into the ruling.

import { html, useState, useEffect, useLayoutEffect, useRef, useMemo } from './preact.js';
import { START, EMPTY, readFen, writeFen, positions, reach, sideOf, nameOf } from './chess.js';
import { say, told, sideName, moveName, afterName, turnName } from './words.js';
import { Board, png, save } from './board.js';
import { anew, read, ofText, ofGame, saidOf, goesOn, textOf, linkOf, pgnOf, subjectOf, roundOf, requestOf, settingsOf, rememberBook } from './entry.js';
import { Entry, Tray, MOST } from './enter.js';
import { Games, useFiles } from './files.js';
import { Record, Large, useSteps } from './record.js';
import { Verdict, Moves, Detail, Instead, Books, Limit, scene } from './ruling.js';
import { textOfRuling } from './account.js';
import { Certificate, certify } from './certificate.js';
import { Keeping } from './keeping.js';
import { bookOf } from './books.js';
import * as api from './api.js';

// What was due in a game, and its limit; nothing where that cannot be told.
const audited = (entry, game, options) => api.post('/v1/games:audit', { ...requestOf(entry, game), explain: 'none' }, options).catch(() => false);
// How long a ruling waits for what was due earlier in its game, in milliseconds.
const WAIT = 1500;
// How long typing pauses before its text is read, and how long qili may be silent before that is said.
const PAUSE = 150;
const SILENCE = 5000;

/// Whether a ruling is by a draft, under which only rulings are asked for.
const ofDraft = (ruling) => ruling.rules.id.includes('+');

/// What a move changes of an entry.
const boardOf = ({ fen, moves, text, unread, good, game, games, fault, kind, ordered }) => ({ fen, moves, text, unread, good, game, games, fault, kind, ordered });
/// What another game changes of it: all but the book.
const gameOf = ({ rules: _, ...game }) => game;

/// Whether the game goes on after the ruling, so that something else may be played.
const mayGoOn = (ruling) => !ruling.ended && !ofDraft(ruling) && ['must_change', 'none', 'undetermined'].includes(ruling.verdict.outcome);

export function Arbiter({ entry, setEntry, result, setResult, theme, books, onSheet, onPrint, reachable, canKeep, onMore, past, remember }) {
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
  const [large, setLarge] = useState(false);
  const [slow, setSlow] = useState(false);
  // The ruling that is asked for, the one that stands, and the text that is read.
  const asking = useRef(null);
  const standing = useRef(null);
  standing.current = result;
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
  // Nothing more comes of the ruling that is asked for.
  const done = () => {
    asking.current = null;
    setBusy(false);
    setOpening(false);
  };
  const end = () => {
    if (asking.current) asking.current.stop.abort();
    done();
  };
  // What stands was not ruled on by the settings that were asked by.
  const restore = () => { if (standing.current) put({ ...newest.current, ...standing.current.settings }); };
  const stop = () => {
    if (!asking.current) return;
    end();
    restore();
  };
  // A page that is left puts nothing over what is entered elsewhere; what was not read then is read when it is come back to.
  useEffect(() => () => {
    stop();
    latest.current += 1;
  }, []);

  // Whatever is entered anew has no ruling yet.
  const change = (changes) => {
    end();
    latest.current += 1;
    setResult(null);
    setView(null);
    setProblem(null);
    setNote('');
    setSelected(null);
    put({ ...newest.current, ...corrects(), ...changes });
    setAt(newest.current.moves.length);
  };
  const edit = (fen, moves, same = fen === newest.current.fen ? moves.length > 0 : !newest.current.moves.length && goesOn(newest.current, { fen, moves })) => {
    const before = newest.current;
    remember(same ? boardOf(before) : gameOf(before));
    change({ ...saidOf(before, { fen, moves }, same), fen, moves, text: textOf({ fen, moves }), fault: null, unread: false, good: null, game: null, games: 1 });
  };
  const take = (game) => {
    remember(gameOf(newest.current));
    change(ofGame(newest.current, game));
  };
  const renew = () => {
    remember(newest.current);
    change(anew(newest.current));
  };
  const undo = () => {
    const before = past.current.pop();
    if (!before) return;
    change({ ...before, linked: false });
    if (newest.current.unread) readOut();
  };

  // A text is read as soon as typing pauses; one that could not be read is read again when it is asked for.
  const readOut = (pause = 0) => {
    latest.current += 1;
    const turn = latest.current;
    const { text, game } = newest.current;
    const work = new Promise((go) => { setTimeout(go, pause); }).then(async () => {
      if (turn !== latest.current) return;
      try {
        const found = await read(text, game);
        if (turn !== latest.current) return;
        put(ofText(newest.current, found));
        setProblem(null);
        setAt(found.moves.length);
      } catch (error) {
        if (turn !== latest.current) return;
        // What was wrong with the text before says nothing of this one.
        put({ ...newest.current, fault: null });
        setProblem(error);
      }
    }).finally(() => { if (reading.current === work) reading.current = null; });
    reading.current = work;
    return work;
  };
  const paste = (text, game = null) => {
    // Taken back is what had been read, not what was typed since.
    if (!newest.current.unread) remember(gameOf(newest.current));
    change({ text, game, corrects: null, unread: true });
    readOut(PAUSE);
  };
  const files = useFiles({ onGame: take, onText: result ? null : paste, onProblem: setProblem });

  // What could not be read while the service was away is read as soon as it is back, and what the page was closed over when it is opened.
  useEffect(() => {
    if (!reachable) return;
    setProblem((problem) => (problem && problem.unreachable ? null : problem));
    // What was entered last, not what was shown when it came back.
    if (newest.current.unread) readOut();
  }, [reachable]);

  // A network that hangs says nothing.
  const waiting = busy || (reachable && !problem && entry.unread && Boolean(reading.current));
  useEffect(() => {
    if (!waiting) return undefined;
    const wait = setTimeout(() => setSlow(true), SILENCE);
    return () => { clearTimeout(wait); setSlow(false); };
  }, [waiting, entry.text]);

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
    end();
    const stop = new AbortController();
    const { signal } = stop;
    asking.current = { stop, asked };
    setBusy(true);
    setProblem(null);
    if (Object.keys(changes).length) put({ ...newest.current, ...changes });
    try {
      if (newest.current.unread) await (reading.current || readOut());
      const now = newest.current;
      if (signal.aborted || now.unread || now.fault || !now.moves.length) return;
      const subject = asked || subjectOf(now);
      const whole = subjectOf(now);
      const begun = performance.now();
      const request = requestOf(now, subject);
      const counts = whole.kind === 'game' && books.includes(now.rules);
      const before = standing.current;
      const known = asked && before && before.audit && before.ruling.rules.id === now.rules ? before.audit : null;
      const audit = counts ? known || audited(now, whole, { signal }) : undefined;
      // The limit as it stood at an earlier moment.
      const moment = counts && subject.kind === 'game' && subject.moves.length < whole.moves.length ? audited(now, subject, { signal }) : undefined;
      const ruling = await api.post('/v1/rulings', request, { signal });
      const soon = (asked) => Promise.race([asked, new Promise((done) => { setTimeout(done, WAIT); })]);
      const [book, found, then] = await Promise.all([bookOf(ruling.rules.id, now.rules).catch(() => null), soon(audit), soon(moment)]);
      if (signal.aborted) return;
      const first = ruling.moves[0];
      setView(first ? { ply: first.ply } : null);
      setResult({ subject, whole, ruling, book, request, settings: settingsOf(now), asked: Boolean(asked), audit: found, moment: then, insteadMoves: mayGoOn(ruling) ? [] : null, at: new Date().toISOString() });
      requestAnimationFrame(() => performance.measure('ruling shown', { start: begun }));
      further(now, subject, ruling, request, found === undefined ? audit : null, then === undefined ? moment : null);
    } catch (error) {
      if (signal.aborted) return;
      setProblem(error);
      restore();
    } finally {
      if (!signal.aborted) done();
    }
  };

  const rows = (rules) => [...new Set([rules, ...books])].sort((a, b) => books.indexOf(a) - books.indexOf(b));
  // What stands beside the ruling comes after it.
  const further = async (now, subject, ruling, request, audit, moment) => {
    const more = (changes) => onMore(request, changes);
    // Of a draft nothing but its rulings is asked for, and where nothing is ruled nothing is proved.
    if (ruling.moves.length && !ofDraft(ruling)) certify(ruling, requestOf(now, subject)).then((certified) => more({ certified })).catch(() => more({ certified: null }));
    else more({ certified: null });
    if (audit) audit.then((found) => { if (found !== undefined) more({ audit: found }); });
    if (moment) moment.then((found) => more({ moment: found }));
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
        .then((found) => more({ instead: found, insteadAt: readFen(found.fen), insteadMoves: moves })).catch(() => more({ instead: null }));
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
    const audit = result.whole.kind === 'game' && !ofDraft(result.ruling) ? audited(entry, result.whole) : null;
    further(entry, result.subject, result.ruling, result.request, audit);
  }, [result && result.recalled && result.number]);

  // A link that is opened is ruled on at once.
  useEffect(() => {
    if (!entry.linked) return;
    end();
    latest.current += 1;
    put({ ...entry, linked: false });
    if (entry.moves.length) judge();
    setOpening(entry.moves.length > 0);
  }, [entry.linked]);
  useEffect(() => { setAt(entry.moves.length); }, [entry.stamp]);

  // What was pressed is gone when the ruling is there: those who read by keyboard go on with it.
  useEffect(() => {
    const headline = document.querySelector('.arbiter .headline');
    if (result && !opening && headline && document.activeElement === document.body) headline.focus();
  }, [Boolean(result)]);

  // Another setting gives another ruling; the old one stands, dimmed, until it is there.
  const settings = (changes) => {
    if (books.includes(changes.rules)) rememberBook(changes.rules);
    // Who plays and who signs changes no ruling.
    if (!changes.sheet && (asking.current || result)) return judge({ ...corrects(), ...changes }, asking.current ? asking.current.asked : result.asked ? result.subject : undefined);
    if (!entry.unread) setProblem(null);
    return put({ ...newest.current, ...changes });
  };
  const ply = (index) => setView(result.ruling.moves.some((move) => move.ply === index) ? { ply: index } : { at: index });
  const pending = (plies) => judge({}, plies === null ? undefined : { ...result.whole, moves: result.whole.moves.slice(0, plies) });

  // The whole game can be stepped through, before a ruling and after it.
  const whole = result ? result.whole : { fen: entry.fen, moves: entry.moves };
  const before = result && result.subject.kind !== result.whole.kind ? result.whole.moves.length - result.subject.moves.length : 0;
  const everything = result ? positions(whole.fen, whole.moves) : all;
  let now = at;
  if (result) {
    if (!view) now = result.subject.kind === 'cycle' ? before : before + result.subject.moves.length;
    else now = view.ply === undefined ? view.at + 1 : before + view.ply + 1;
  }
  const goTo = (to) => {
    const n = Math.max(0, Math.min(whole.moves.length, to));
    setSelected(null);
    if (!result) return setAt(n);
    const index = n - 1 - before;
    return setView(index >= 0 && result.ruling.moves.some((move) => move.ply === index) ? { ply: index } : { at: n - 1 });
  };
  const advance = (by) => {
    if (result && view && view.line !== undefined) {
      const { line } = result.ruling.moves.find((one) => one.ply === view.ply).evidence[view.line];
      const next = view.step + by;
      return setView(next < 0 ? { ply: view.ply } : { ...view, step: Math.min(line.length, next) });
    }
    return goTo(now + by);
  };
  const ready = !busy && (entry.unread ? entry.text.trim() !== '' : !entry.fault && entry.moves.length > 0);
  useSteps({ step: advance, to: goTo, count: setup && !result ? 0 : whole.moves.length, flip: () => setFlipped(!flipped), judge: () => { if (ready && !result) judge(); }, print: result && onPrint });
  const natures = result && new Map(result.ruling.moves.map((move) => [before + move.ply, move]));
  const turnOfGame = everything[0].turn;
  const spoken = now > 0 && whole.moves[now - 1] ? `${turnName(turnOfGame, now - 1)} ${moveName(everything[now - 1], whole.moves[now - 1])}` : say('开局', 'the start');
  const tools = { tray: setup && !result, note };
  const board = html`<section class="table" aria-label=${say('棋盘', 'Board')}>
    <${Board} id="board" theme=${theme} flipped=${flipped} ...${shown} selected=${result ? undefined : selected ?? undefined}
      hints=${!result && !setup && selected !== null ? reach(position, selected).filter((square) => !legal || legal.has(nameOf(selected) + nameOf(square))) : []}
      onTap=${result ? undefined : tap} onDrop=${result ? undefined : drop}
      movable=${(square) => setup || sideOf(position.board[square]) === position.turn} />
    ${tools.tray && html`<div class="so-far">${entry.fault ? html`<p class="fault" id="fault" role="alert">${told(entry.fault.detail)}</p>` : html`<p class="note">${say('点棋子再点棋盘，或拖上去；点盘上的子可以移动。', 'Tap a piece, then the board, or drag it there; tap a piece on the board to move it.')}</p>`}</div><${Tray} position=${position} held=${held} onHold=${(letter) => { setHeld(held === letter ? null : letter); setSelected(null); }} onPlace=${place}
      theme=${theme} onTurn=${(turn) => edit(writeFen({ board: position.board, turn }), [])} onClear=${() => edit(EMPTY, [])} onStart=${() => edit(START, [])} />`}
    <p class="status" aria-live="polite">${note || html`<b>${say(`${sideName(shown.position.turn)}走`, `${sideName(shown.position.turn)} to move`)}</b> ${whole.moves.length ? spoken : ''}${!result && entry.moves.length && at === entry.moves.length && subjectOf(entry).kind === 'cycle' ? say('，回到了起始局面', ', back where it began') : ''}`}</p>
    <div class="tools" key=${result ? 'ruled' : 'entered'}>
      ${!result && entry.moves.length > 0 && html`<button type="button" class="primary near" disabled=${!ready} onClick=${() => judge()}>${busy ? say('裁决中…', 'Ruling…') : say('裁决', 'Rule')}</button>`}
      <button type="button" aria-label=${say('到开头', 'to the start')} disabled=${now === 0} onClick=${() => goTo(0)}>|‹</button>
      <button type="button" aria-label=${say('退一着', 'one back')} disabled=${now === 0} onClick=${() => advance(-1)}>‹</button>
      <button type="button" aria-label=${say('进一着', 'one on')} disabled=${now >= whole.moves.length} onClick=${() => advance(1)}>›</button>
      <button type="button" aria-label=${say('到末尾', 'to the end')} disabled=${now >= whole.moves.length} onClick=${() => goTo(whole.moves.length)}>›|</button>
      ${!result && html`<button type="button" onClick=${undo}>${say('撤销', 'Undo')}</button>
      <button type="button" aria-pressed=${setup ? 'true' : 'false'} onClick=${() => { setSetup(!setup); setHeld(null); setSelected(null); setNote(''); if (!setup && entry.moves.length) edit(writeFen(position), []); }}>${setup ? say('摆好了', 'Done') : say('摆子', 'Set up')}</button>`}
      <button type="button" onClick=${() => setFlipped(!flipped)}>${say('翻转', 'Flip')}</button>
      <button type="button" class="enlarge" onClick=${() => setLarge(true)}>${say('大图', 'Large')}</button>
      <${Copy} text=${() => writeFen(shown.position)} name=${say('复制FEN', 'Copy FEN')} />
      <button type="button" disabled=${!whole.moves.length} onClick=${() => save(new Blob([pgnOf({ ...whole, sheet: entry.sheet, tags: entry.tags })], { type: 'application/x-chess-pgn' }), 'qili.pgn')}>${say('导出PGN', 'PGN')}</button>
      <button type="button" onClick=${async () => save(await png(document.getElementById('board')), 'qili.png')}>${say('存图', 'Picture')}</button>
    </div>
    ${large && html`<${Large} shown=${shown} theme=${theme} flipped=${flipped} verdict=${result && result.ruling.verdict.outcome !== 'none' ? result.ruling.verdict : null} move=${spoken} onClose=${() => setLarge(false)} onStep=${advance} onFlip=${() => setFlipped(!flipped)} />`}
  </section>`;
  const record = html`<${Record} aside=${Boolean(result) && result.whole.kind === 'cycle'} all=${everything} moves=${whole.moves} at=${now} onAt=${goTo} natures=${natures} />`;

  return html`<main id="main" tabindex="-1" class="arbiter ${result ? 'ruled' : ''} ${opening ? 'opening' : ''}">
    <${Entry} entry=${entry} setup=${setup && !result} result=${result} busy=${busy} ready=${ready} reachable=${reachable} books=${books} files=${files} onText=${paste} onMoves=${(moves) => edit(entry.fen, moves)} onKey=${() => { if (newest.current.unread) readOut(PAUSE); }} onJudge=${() => judge()} onStop=${stop} onSettings=${settings}
      onEdit=${() => { put({ ...entry, ...corrects() }); setResult(null); setView(null); setAt(entry.moves.length); }} onNew=${renew} problem=${problem} />
    <${Games} files=${files} />
    ${slow && html`<p class="silence" role="status">${say('qili 久未答复，仍在等。', 'qili is slow to answer; it is still waited for.')}</p>`}
    ${result && html`<${Verdict} result=${result} busy=${busy} book=${result.book} onPending=${pending} onBudget=${() => judge({ budget: Math.min(1000000, (entry.budget || 200000) * 5) }, result.asked ? result.subject : undefined)}
      onRound=${result.ruling.verdict.outcome === 'none' && !result.ruling.ended && roundOf(result.subject) && (() => judge({}, roundOf(result.subject)))}>
      <${Keeping} key=${result.request} canKeep=${canKeep} result=${result} entry=${entry} onMore=${onMore}><button type="button" class="primary" onClick=${onSheet}>${say('裁决书', 'Ruling sheet')}</button>
        <${Copy} text=${() => linkOf({ ...entry, ...result.subject })} name=${say('复制链接', 'Copy link')} />
        <${Copy} text=${() => textOfRuling(result, entry)} name=${say('复制文字', 'Copy text')} /><//>
      ${result.ruling.moves.length > 0 && !ofDraft(result.ruling) && html`<${Certificate} certified=${result.certified} name=${result.number || 'qili'} />`}
    </${Verdict}>`}
    ${board}
    ${record}
    ${result && html`<section class="evidence" aria-label=${say('逐着', 'Move by move')}>
      <${Moves} ruling=${result.ruling} all=${positions(result.subject.fen, result.subject.moves)} selected=${view ? view.ply : null} onSelect=${(index) => setView({ ply: index })} />
      <${Detail} result=${result} book=${result.book} view=${view} onView=${setView} />
      <${Books} books=${rows(entry.rules)} others=${result.others} rules=${entry.rules} onRules=${(id) => settings({ rules: id })} />
      ${result.insteadMoves !== null && html`<${Instead} found=${result.instead} next=${result.ruling.verdict.outcome === 'none'} position=${result.insteadAt} onPlay=${(move) => { const moves = [...result.insteadMoves, move]; edit(result.subject.fen, moves, true); }} />`}
      <${Limit} audit=${result.audit} moment=${result.moment} first=${everything[0].turn} onPly=${ply} onPending=${pending} />
    </section>`}
  </main>`;
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
