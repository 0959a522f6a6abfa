// A ruling as it is shown: the verdict in large type, the moves with their natures, and what the
// board shows for each.

import { html, useState } from './preact.js';
import { outline } from './outlines.js';
import { positions, reach, from, to, squareOf, sideOf, other, nameOf } from './chess.js';
import {
  say, told, word, headline, sideName, natureName, moveName, bookName, turnName, roundName, roundNumber, afterName,
  placedName, local, recounted, clauseName, NATURES, ROOTS, CLAIMS, FALSE_ROOTS, SHORT_ROOTS, CERTAINTY, OUTCOMES,
} from './words.js';

/// The character of a nature, which no font is needed for.
function Sign({ nature }) {
  const { em, path } = outline(NATURES[nature][0]);
  return html`<svg class="sign-of" viewBox="${-em / 2} ${-em / 2} ${em} ${em}" aria-hidden="true"><path d=${path} fill="currentColor" /></svg><span class="heard">${NATURES[nature][0]}</span>`;
}

/// The nature of a move as a sign that needs no colour.
export function Badge({ nature, candidates, small }) {
  if (!nature && !candidates) return null;
  if (!nature) {
    return html`<span class="badge open ${small ? 'small' : ''}" title=${say('未定', 'undetermined')}>${(candidates || []).map((one) => html`<${Sign} nature=${one} />`)}?</span>`;
  }
  return html`<span class="badge ${nature} ${small ? 'small' : ''}" title=${natureName(nature)}><${Sign} nature=${nature} />${say('', html`<span class="en">${NATURES[nature][1]}</span>`)}</span>`;
}

/// Clauses, each with its text one tap away.
export function Clauses({ ids, book }) {
  const [open, setOpen] = useState(null);
  if (!ids || !ids.length) return null;
  const article = open && book && book.articles.find((one) => one.id === open);
  return html`<div class="clauses">
    <span class="label">${say('条款', 'Clauses')}</span>
    ${ids.map((id) => html`<button type="button" class="chip" aria-expanded=${open === id ? 'true' : 'false'} onClick=${() => setOpen(open === id ? null : id)}>${clauseName(id)}</button>`)}
    ${open && html`<blockquote class="clause"><b>${clauseName(open)}</b> ${article ? told(article) : say('（条文未收录）', '(its text is not at hand)')}
      ${article && article.certainty !== 'text' && html` <em>${say('〔', '[')}${word(CERTAINTY, article.certainty)}${say('〕', ']')}</em>`}</blockquote>`}
  </div>`;
}

/// The conduct of a side in words.
export function conduct(side) {
  if (!side || !side.pattern) return say('未定', 'open');
  const parts = side.pattern.split('_');
  const name = side.pattern === 'perpetual_idle' ? say('闲着', 'idle moves') : parts[0] === 'perpetual'
    ? say(`长${NATURES[parts[1]][0]}`, `perpetual ${NATURES[parts[1]][1]}`)
    : say(`${parts.map((part) => NATURES[part][0]).join('、')}兼有`, parts.map((part) => NATURES[part][1]).join(' and '));
  const standing = side.standing === 'forbidden' ? say('禁止着法', 'forbidden') : side.standing === 'permitted' ? say('允许着法', 'permitted') : say('未定', 'open');
  return say(`${name}，${standing}`, `${name}, ${standing}`);
}

/// What happens if they go on, in plain words. Of a cycle alone nobody knows how often it was played.
export function consequence(ruling, book, assumed) {
  const { verdict } = ruling;
  const side = verdict.side && sideName(verdict.side);
  const row = book && book.verdicts && book.verdicts.not_changed;
  const cycles = book && book.definitions.extra_cycles_after_warning;
  const times = ruling.cycle ? ruling.cycle.rounds : 3;
  const ifSo = assumed ? say(`若确已循环${times}次：`, `If it was played ${times} times: `) : '';
  switch (verdict.outcome) {
    case 'must_change': {
      if (!row) return say(`${ifSo}${side}须立即变着。`, `${ifSo}${side} must play something else at once.`);
      const end = row.outcome === 'loss' ? say('判负', 'loses') : say('判和', 'draws');
      return say(
        `${ifSo}${side}须立即变着；若不变，再走满${cycles}个循环，${side}${end}（${row.clauses.join('、')}）。`,
        `${ifSo}${side} must play something else at once; after ${cycles} more cycle${cycles === 1 ? '' : 's'} ${side} ${end} (${row.clauses.join(', ')}).`,
      );
    }
    case 'loss': return say(`${ifSo}对局到此结束，${other(verdict.side) === 'red' ? '红方' : '黑方'}胜。`, `${ifSo}${assumed ? 'the' : 'The'} game is over: ${sideName(other(verdict.side))} wins.`);
    case 'draw': return say(`${ifSo}对局到此结束，双方和棋；再走也是和。`, `${ifSo}${assumed ? 'the' : 'The'} game is over, drawn; going on would change nothing.`);
    case 'undetermined': return say('计算量之内不能断定，不作猜测。请按下列未定的着法由裁判裁定，或加大计算量再判。', 'It could not be decided within the budget, and nothing is guessed. The moves left open are named below: decide them yourself, or judge again with a larger budget.');
    default: return say('继续对局。', 'The game goes on.');
  }
}

/// What was due in a game, in its order; what was due again on the very next plies is one.
export function dueOf(audit, without) {
  const runs = [];
  for (const one of audit ? audit.pending : []) {
    const { outcome, side } = one.ruling.verdict;
    const run = runs[runs.length - 1];
    if (run && one.after_ply - run.to <= 2 && run.outcome === outcome && run.side === side) run.to = one.after_ply;
    else runs.push({ after_ply: one.after_ply, to: one.after_ply, outcome, side, verdict: one.ruling.verdict });
  }
  return runs.filter((run) => !(run.after_ply <= without && without <= run.to && run.after_ply === run.to));
}

// So many are listed before one asks for the rest.
const FIRST_DUE = 3;

/// What was due earlier, each opening with the board and the limit of its moment.
function Due({ runs, first, now, onPending }) {
  const [more, setMore] = useState(false);
  if (!runs.length) return null;
  const shown = more ? runs : runs.slice(0, FIRST_DUE);
  return html`<ul class="due" aria-label=${say('对局中曾应裁决', 'What was due in the game')}>${shown.map((run) => html`<li key=${run.after_ply}><button type="button" class="row-button" aria-pressed=${now === run.after_ply ? 'true' : 'false'} onClick=${() => onPending(run.after_ply)}>
    <b>${afterName(first, run.after_ply)}</b> <span class="outcome ${run.outcome}">${headline(run.verdict)}</span> <span class="note">${run.verdict.clauses.map(clauseName).join(say('、', ', '))}${run.to > run.after_ply ? say(`，至${turnName(first, run.to - 1)}仍是`, `, still so ${afterName(first, run.to)}`) : ''}</span></button></li>`)}
    ${runs.length > shown.length && html`<li><button type="button" class="link" onClick=${() => setMore(true)}>${say(`还有${runs.length - shown.length}处`, `${runs.length - shown.length} more`)}</button></li>`}</ul>`;
}

/// How far a game is from its natural limit, in a line.
function LimitLine({ audit }) {
  const limit = audit && audit.natural_limit;
  if (!limit) return html`<p class="limit-line note">${audit ? '' : audit === false ? say('自然限着没有算出来。', 'The natural limit could not be counted.') : '…'}</p>`;
  const claims = audit.limit_claims || {};
  const good = ['red', 'black'].filter((side) => claims[side] && claims[side].reached).map(sideName);
  const unit = limit.rule.unit === 'rounds' ? say('回合', 'rounds') : say('着', 'plies');
  return html`<p class="limit-line">${say('自然限着', 'Natural limit')} <b>${limit.count}</b> / ${limit.rule.count} ${unit}${say('：', ': ')}${limit.reached ? html`<b>${say('已达', 'reached')}</b>` : say('未达', 'not reached')}${limit.reached
    ? good.length ? say(`，${good.join('、')}提出即成立`, `; a claim by ${good.join(' or ')} is good`) : say('，但扣去照将后，谁提出都不成立', '; but with checks left out no claim is good') : ''}</p>`;
}

/// How often the cycle was played: read off the game, or taken as the book asks where only one was given.
function Played({ cycle, subject }) {
  if (!cycle) return null;
  if (subject.kind === 'cycle') {
    return html`<span>${say(`每循环${cycle.period / 2}回合，按已循环${cycle.rounds}次、局面出现${cycle.occurrences}次计，请核对记录`, `${cycle.period} moves a cycle; taken as played ${cycle.rounds} times, the position standing ${cycle.occurrences} times: check the record`)}</span>`;
  }
  const first = positions(subject.fen, [])[0].turn;
  return html`<span>${say(`${turnName(first, cycle.start_ply)}起，${cycle.rounds}个循环，局面出现${cycle.occurrences}次`, `from ${turnName(first, cycle.start_ply)}: ${cycle.rounds} cycles, position stood ${cycle.occurrences} times`)}</span>`;
}

/// The verdict at arm's length; what was due earlier in the game comes first.
export function Verdict({ result, busy, book, onBudget, onRound, onPending, children }) {
  const { ruling, subject, whole } = result;
  const { verdict, ended } = ruling;
  const gameOver = ended && verdict.outcome === 'none';
  const side = ended && sideName(ended.loser);
  const by = ended && (ended.by === 'mate' || ended.by === 'checkmate' ? say('被将死', 'is mated') : say('被困毙', 'is stalemated'));
  const first = positions(subject.fen, [])[0].turn;
  const game = subject.kind === 'game' && onPending;
  const early = game && subject.moves.length < whole.moves.length;
  const runs = game ? dueOf(result.audit, early ? -1 : subject.moves.length) : [];
  // What had to be ruled on and was not outweighs that there is nothing to rule on now.
  const missed = !gameOver && verdict.outcome === 'none' && runs.length > 0;
  const kind = gameOver ? 'loss' : missed ? runs[0].outcome : verdict.outcome;
  const cycle = ruling.cycle;
  return html`<section class="verdict ${kind}" aria-busy=${busy ? 'true' : undefined} aria-live="polite" aria-label=${say('裁决', 'Ruling')}>
    <p class="book">${bookName(ruling.rules.id)}<${Played} cycle=${cycle} subject=${subject} /></p>
    ${early && html`<p class="moment"><b>${say(`所裁为${afterName(first, subject.moves.length)}的局面`, `The position ${afterName(first, subject.moves.length)}`)}</b> <button type="button" class="link" onClick=${() => onPending(null)}>${say('回到全局', 'Back to the whole game')}</button></p>`}
    <h2 class="headline" tabindex="-1">${gameOver ? say(`${side}${by}，判负`, `${side} ${by} and loses`) : missed ? html`<small>${say('曾应裁：', 'Was due: ')}</small>${headline(runs[0].verdict)}` : headline(verdict)}</h2>
    <p class="next">${gameOver ? say('对局已在盘上结束。', 'The game was over on the board.') : missed
      ? say(`${afterName(first, runs[0].after_ply)}已是待判局面，当时即应裁决；其后有变，最后的局面尚无可裁。`, `The position was pending ${afterName(first, runs[0].after_ply)} and was to be ruled on then; they varied since, and as it stands there is nothing to rule on.`)
      : verdict.outcome === 'none' && !cycle
      ? say('还没有成为待判局面，双方继续对局。', 'No position is pending yet; the game goes on.') : consequence(ruling, book, subject.kind === 'cycle')}</p>
    ${runs.length > 0 && html`<${Due} runs=${runs} first=${first} now=${early ? subject.moves.length : 0} onPending=${onPending} />`}
    ${subject.kind === 'game' && !result.plain && !ruling.rules.id.includes('+') && html`<${LimitLine} audit=${early ? result.moment : result.audit} />`}
    ${onRound && html`<p class="next"><button type="button" class="plain" onClick=${onRound}>${say('最后的局面曾经出现：按此循环试裁', 'The last position has stood before: rule on that cycle')}</button></p>`}
    ${ruling.sides && html`<ul class="sides">${['red', 'black'].map((side) => html`<li><b>${sideName(side)}</b> ${conduct(ruling.sides[side])}</li>`)}</ul>`}
    ${verdict.outcome === 'undetermined' && html`<ul class="open-moves">
      ${ruling.moves.filter((move) => move.open).map((move) => html`<li>${say(`${turnName(first, move.ply)} ${move.chinese}：`, `${turnName(first, move.ply)}, ${move.iccs}: `)}${say('是否为', 'whether it is ')}${natureName(move.open.test)}${say('未定，可能是', ' is open; it may be ')}${move.candidates.map((n) => natureName(n)).join(say('、', ', '))}${say(`（限${move.open.budget}个局面）`, ` (within ${move.open.budget} positions)`)}</li>`)}
      <li><button type="button" class="plain" onClick=${onBudget}>${say('加大计算量再判', 'Judge again with a larger budget')}</button></li></ul>`}
    <${Clauses} ids=${verdict.clauses} book=${book} />
    ${verdict.uncertain && verdict.uncertain.length > 0 && html`<p class="note">${say('以下条款未见原文，系据旁述或推断：', 'Not read in the book itself, but told by secondary sources or inferred: ')}${verdict.uncertain.map(clauseName).join(say('、', ', '))}</p>`}
    ${verdict.reason && html`<p class="reason">${local(told(verdict.reason))}</p>`}
    ${children}
  </section>`;
}

/// The moves of the cycle as on a score sheet.
export function Moves({ ruling, all, selected, onSelect }) {
  const first = all[0].turn;
  return html`<ol class="moves" aria-label=${say('循环着法', 'Moves of the cycle')}>
    ${ruling.moves.map((move) => html`<li><button type="button" class="move ${move.side}" aria-pressed=${selected === move.ply ? 'true' : 'false'} onClick=${() => onSelect(move.ply)}>
      <span class="ply">${roundNumber(first, move.ply)}</span><span class="who">${say(move.side === 'red' ? '红' : '黑', move.side === 'red' ? 'Red' : 'Blk')}</span>
      <span class="name">${moveName(all[move.ply], move.iccs)}</span><${Badge} nature=${move.nature} candidates=${move.candidates} /></button></li>`)}
  </ol>`;
}

/// What the board shows for a move, or for a step of a line behind it.
export function scene(result, view) {
  const { ruling, subject } = result;
  const all = positions(subject.fen, subject.moves);
  if (!view) {
    const last = subject.moves.length;
    const at = subject.kind === 'cycle' ? 0 : last;
    return { position: all[at], last: at ? subject.moves[at - 1] : null, arrows: [], targets: [], crossed: [] };
  }
  if (view.at !== undefined) {
    const { fen, moves } = result.whole;
    return { position: positions(fen, moves.slice(0, view.at + 1))[view.at + 1], last: moves[view.at], arrows: [], targets: [], crossed: [] };
  }
  const move = ruling.moves.find((one) => one.ply === view.ply);
  const evidence = move.evidence || [];
  if (view.line !== undefined) {
    const { line, from_ply: start, victim } = evidence[view.line];
    let position = all[start + 1];
    let last = subject.moves[start];
    for (const step of line.slice(0, view.step)) {
      position = positionAfter(position, step);
      if (step !== 'pass') last = step;
    }
    const next = line[view.step];
    const arrows = next && next !== 'pass' ? [{ kind: 'line', from: from(next), to: to(next), number: lineNumber(line, view.step) }] : [];
    return { position, last, arrows, targets: victim && position.board[squareOf(victim)] ? [squareOf(victim)] : [], crossed: [] };
  }
  const position = all[view.ply + 1];
  const arrows = [];
  const targets = new Set();
  const crossed = new Set();
  for (const target of move.targets || []) {
    const square = squareOf(target.square);
    targets.add(square);
    for (const root of target.roots || []) {
      const real = !root.false || (root.through && root.through.length);
      if (!real) crossed.add(squareOf(root.square));
      arrows.push({ kind: real ? 'guard' : 'false', from: squareOf(root.square), to: square });
    }
  }
  for (const { claim, line, victim } of evidence) {
    const first = line[0] === 'pass' ? line[1] : null;
    if (claim === 'check') {
      const king = squareOf(victim);
      targets.add(king);
      position.board.forEach((letter, square) => {
        if (letter && sideOf(letter) === move.side && reach(position, square).includes(king)) arrows.push({ kind: 'attack', from: square, to: king });
      });
    } else if (claim === 'gain' && first) {
      if (victim) targets.add(squareOf(victim));
      const direct = first.slice(2) === victim;
      arrows.push({ kind: direct ? 'attack' : 'line', from: from(first), to: to(first), number: direct ? undefined : 1 });
    } else if (claim === 'mate' && first) {
      arrows.push({ kind: 'line', from: from(first), to: to(first), number: 1 });
    }
  }
  const seen = new Set();
  const distinct = arrows.filter((arrow) => {
    const key = `${arrow.from}-${arrow.to}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return { position, last: subject.moves[view.ply] || move.iccs, arrows: distinct, targets: [...targets], crossed: [...crossed] };
}

function positionAfter(position, step) {
  const board = position.board.slice();
  if (step !== 'pass') {
    board[to(step)] = board[from(step)];
    board[from(step)] = null;
  }
  return { board, turn: other(position.turn) };
}

const lineNumber = (line, step) => line.slice(0, step + 1).filter((move) => move !== 'pass').length;

/// Everything about one move.
export function Detail({ result, book, view, onView }) {
  const { ruling, subject } = result;
  const move = view && ruling.moves.find((one) => one.ply === view.ply);
  if (!move) {
    return ruling.moves.length ? html`<p class="hint">${say('点一着，看它为什么是将、杀、捉或闲。', 'Tap a move to see why it is what it is.')}</p>` : null;
  }
  const all = positions(subject.fen, subject.moves);
  const position = all[move.ply + 1];
  const plies = ruling.moves.map((one) => one.ply);
  const at = plies.indexOf(move.ply);
  const victim = other(move.side);
  return html`<article class="detail" aria-label=${turnName(all[0].turn, move.ply)}>
    <header><button type="button" class="step" disabled=${at === 0} aria-label=${say('上一着', 'previous move')} onClick=${() => onView({ ply: plies[at - 1] })}>‹</button>
      <h2><small>${roundName(all[0].turn, move.ply)}</small> ${sideName(move.side)} ${moveName(all[move.ply], move.iccs)} <${Badge} nature=${move.nature} candidates=${move.candidates} />
      ${(move.also || []).map((nature) => html` <${Badge} nature=${nature} small=${true} />`)}</h2>
      <button type="button" class="step" disabled=${at === plies.length - 1} aria-label=${say('下一着', 'next move')} onClick=${() => onView({ ply: plies[at + 1] })}>›</button></header>
    <p>${local(told(move.reason), position)}</p>
    ${(move.targets || []).length > 0 && html`<ul class="targets">${move.targets.map((target) => html`<li>
      <span class="mark target" aria-hidden="true">◎</span> ${say(sideName(victim)[0], '')}${placedName(position, squareOf(target.square))}${say('：', ': ')}<b>${word(ROOTS, target.root)}</b>
      ${(target.roots || []).map((root) => html`<span class="root ${root.false && !(root.through || []).length ? 'false' : ''}">
        ${root.false && !(root.through || []).length ? '✕' : '◆'} ${root.hidden ? say('暗根 ', 'hidden root ') : ''}<span class="guard">${placedName(position, squareOf(root.square))}</span>
        ${root.false ? say('：', ': ') + word(FALSE_ROOTS, root.false.why || root.false.kind || root.false) : ''}${root.short ? say('：', ': ') + word(SHORT_ROOTS, root.short.why) : ''}</span>`)}</li>`)}</ul>`}
    <${Lines} key=${move.ply} move=${move} all=${all} view=${view} onView=${onView} />
    <${Clauses} ids=${move.clauses} book=${book} />
  </article>`;
}

// What a label rests on is always shown; of captures that fail the best, where nothing else decides.
const DECIDES = ['check', 'mate', 'gain', 'existed', 'exempt'];
const BY_VALUE = 'krcnabp';

/// The lines behind a move: first those its label rests on, with what is compared with them, then the
/// best capture that fails; the others on demand.
export function orderOfLines(move, all) {
  const lines = (move.evidence || []).map((evidence, index) => ({ evidence, index })).filter(({ evidence }) => evidence.line.length);
  const decides = ({ evidence }) => DECIDES.includes(evidence.claim) || evidence.from_ply !== move.ply;
  const value = ({ evidence }) => BY_VALUE.indexOf((all[evidence.from_ply + 1].board[squareOf(evidence.victim || evidence.line.find((step) => step !== 'pass').slice(2))] || 'p').toLowerCase());
  const failing = lines.filter((line) => !decides(line)).sort((a, b) => value(a) - value(b) || a.index - b.index);
  const first = lines.filter(decides);
  return first.length ? [first, failing] : [failing.slice(0, 1), failing.slice(1)];
}

/// The lines behind a move.
function Lines({ move, all, view, onView }) {
  const [first, rest] = orderOfLines(move, all);
  const [more, setMore] = useState(false);
  const row = ({ evidence, index }) => html`<${Line} key=${index} evidence=${evidence} earlier=${evidence.from_ply !== move.ply} base=${all[evidence.from_ply + 1]}
    step=${view.line === index ? view.step : null} onStep=${(step) => onView(step === null ? { ply: move.ply } : { ply: move.ply, line: index, step })} />`;
  return html`${first.map(row)}${more ? rest.map(row) : ''}
    ${rest.length > 0 && !more && html`<p><button type="button" class="link more-lines" onClick=${() => setMore(true)}>${say(`更多：另有${rest.length}个不成立的吃子`, `More: ${rest.length} other capture${rest.length === 1 ? '' : 's'} that fail${rest.length === 1 ? 's' : ''}`)}</button></p>`}`;
}

/// A line of play, to be stepped through.
function Line({ evidence, earlier, base, step, onStep }) {
  let position = base;
  const names = evidence.line.map((move) => {
    const name = moveName(position, move);
    position = positionAfter(position, move);
    return name;
  });
  const active = step !== null;
  return html`<div class="line"><span class="label">${earlier && evidence.claim === 'refuted' ? say('走前不成立', 'failed before the move') : word(CLAIMS, evidence.claim)}${evidence.victim ? ` ${placedName(base, squareOf(evidence.victim))}` : ''}</span>
    <span class="steps">
      <button type="button" class="step" aria-label=${say('退一步', 'step back')} disabled=${!active} onClick=${() => onStep(step > 0 ? step - 1 : null)}>‹</button>
      ${names.map((name, index) => html`<button type="button" class="chip" aria-pressed=${active && step === index + 1 ? 'true' : 'false'} onClick=${() => onStep(index + 1)}>${name}</button>`)}
      <button type="button" class="step" aria-label=${say('进一步', 'step on')} disabled=${active && step >= names.length} onClick=${() => onStep(active ? step + 1 : 1)}>›</button>
    </span></div>`;
}

/// What may be played instead.
export function Instead({ found, position, next, onPlay }) {
  const [more, setMore] = useState(false);
  if (!found) return html`<section class="instead"><h2>${say('可改走', 'What may be played instead')}</h2><p class="note">${found === null ? say('没有算出来。', 'That could not be worked out.') : '…'}</p></section>`;
  const bad = (one) => one.outcome !== 'none';
  const free = found.continuations.filter((one) => !bad(one) && one.occurrences === 1);
  const again = found.continuations.filter((one) => !bad(one) && one.occurrences > 1);
  const ruled = found.continuations.filter(bad);
  const shown = more ? free : free.slice(0, 14);
  const chip = (one) => html`<button type="button" class="chip" onClick=${() => onPlay(one.iccs)}>${moveName(position, one.iccs)}${one.ended ? say('（胜）', ' (wins)') : ''}</button>`;
  return html`<section class="instead"><h2>${next ? say(`${sideName(found.turn)}下一着`, `What ${sideName(found.turn)} may play next`) : say(`${sideName(found.turn)}可改走`, `What ${sideName(found.turn)} may play instead`)}</h2>
    ${free.length === 0 && html`<p>${say('没有别的着法。', 'There is nothing else to play.')}</p>`}
    <p class="chips">${shown.map(chip)}${free.length > shown.length && html`<button type="button" class="chip more" onClick=${() => setMore(true)}>${say(`还有${free.length - shown.length}着`, `${free.length - shown.length} more`)}</button>`}</p>
    ${again.length > 0 && html`<p class="note">${say('回到曾出现的局面，但尚不裁处：', 'Back to a position that has stood, not ruled on yet: ')}${again.map((one) => moveName(position, one.iccs)).join(say('、', ', '))}</p>`}
    ${ruled.length > 0 && html`<p class="note">${say('再走即裁：', 'Ruled on if played: ')}${ruled.map((one) => html`<span class="ruled">${moveName(position, one.iccs)} → ${one.side ? sideName(one.side) + say('', ' ') : ''}${word(OUTCOMES, one.outcome)}${one.clauses.length ? say(`（${one.clauses.join('、')}）`, ` (${one.clauses.join(', ')})`) : ''} </span>`)}</p>`}
  </section>`;
}

/// The same under every book.
export function Books({ books, others, rules, onRules }) {
  const rows = others || books.map((id) => ({ id }));
  return html`<section class="books"><h2>${say('各规则的裁决', 'Under every book')}</h2><table><tbody>
    ${rows.map(({ id, ruling, problem }) => html`<tr aria-current=${id === rules ? 'true' : undefined}><th scope="row">
      <button type="button" class="link" onClick=${() => onRules(id)}>${bookName(id)}</button></th>
      <td>${ruling ? html`<b class="outcome ${ruling.verdict.outcome}">${headline(ruling.verdict)}</b>` : problem ? html`<span class="note">${problem}</span>` : '…'}</td>
      <td>${ruling ? ruling.verdict.clauses.map(clauseName).join(say('、', ', ')) : ''}</td></tr>`)}
  </tbody></table></section>`;
}

/// The natural limit.
export function Limit({ audit, moment, first, onPly, onPending }) {
  if (!audit) return null;
  // What stood at an earlier moment is counted there.
  const { natural_limit: limit, limit_claims: claims } = moment || audit;
  const { pending } = audit;
  const counted = (text) => recounted(text, first);
  return html`<section class="limit"><h2>${say('自然限着', 'Natural move limit')}</h2>
    ${limit ? html`<p class="count"><b>${limit.count}</b> / ${limit.rule.count} ${limit.rule.unit === 'rounds' ? say('回合', 'rounds') : say('着', 'plies')} · ${limit.reached ? say('已达限着', 'reached') : say('未达限着', 'not reached')}</p>
      ${claims && ['red', 'black'].map((side) => html`<details><summary>${say(`若由${sideName(side)}提出：`, `If ${sideName(side)} claims: `)}<b>${claims[side].count}</b> · ${claims[side].reached ? say('成立', 'good') : say('不成立', 'false')}${claims[side].left_out.length ? say(`，${claims[side].left_out.length}着不计`, `, ${claims[side].left_out.length} plies left out`) : ''}</summary>
        ${say(claims[side].zh, claims[side].en).map((text) => html`<p>${say(counted(text), text)}</p>`)}
        ${claims[side].left_out.length > 0 && html`<p class="chips">${claims[side].left_out.map((ply) => html`<button type="button" class="chip" onClick=${() => onPly(ply.ply)}>${turnName(first, ply.ply)} ${ply.counting.kind === 'answer' ? say('应', 'answer') : say('将', 'check')}</button>`)}</p>`}
      </details>`)}` : html`<p>${say('本规则无自然限着。', 'This book has no natural limit.')}</p>`}
    ${pending.length > 0 && html`<h2>${say('对局中的待判局面', 'Pending positions of the game')}</h2><ul>${pending.map((one) => html`<li><button type="button" class="link" onClick=${() => onPending(one.after_ply)}>${afterName(first, one.after_ply)}</button> ${headline(one.ruling.verdict)} ${one.ruling.verdict.clauses.map(clauseName).join(say('、', ', '))}</li>`)}</ul>`}
  </section>`;
}

export { nameOf };
