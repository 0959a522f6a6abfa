// The package as it is installed, beside the command: same questions, same bytes.

import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { getEventListeners } from 'node:events';
import { open, openWorker, QiliError } from 'qili';
import { remote } from './node_modules/qili/remote.js';

const root = new URL('../../..', import.meta.url).pathname;
const qili = process.env.QILI;
const requests = readFileSync(process.env.QILI_REQUESTS, 'utf8').split('\n').filter(Boolean);
const judge = await open();
const MATE_IN_A_CYCLE = { fen: '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w', moves: ['f0e0', 'e8f8', 'e0f0', 'f8e8'] };

/** What the command says; its status is 1 where a line was bad. */
function command(args, input) {
  const done = spawnSync(qili, args, { input, maxBuffer: 1 << 30 });
  assert.ok(done.status === 0 || done.status === 1, String(done.stderr));
  return done.stdout;
}
const lines = (bytes) => bytes.toString('utf8').split('\n').filter(Boolean);
/** As a line of the command, which tells errors in their place. */
function line(text) {
  try {
    return judge.ask('judge', text);
  } catch (error) {
    const { name, id, code, detail, detail_zh, pointer, index } = error;
    assert.equal(name, 'QiliError', error.stack);
    return JSON.stringify({ id, error: { code, detail, detail_zh, pointer, index } });
  }
}
function thrown(asked) {
  try {
    asked();
  } catch (error) {
    assert.ok(error instanceof QiliError, error.stack);
    return error;
  }
  return assert.fail('no error');
}

test('every published case under every book is ruled on to the byte as by the command', () => {
  const said = lines(command(['judge', '--format', 'ndjson'], `${requests.join('\n')}\n`));
  assert.equal(said.length, requests.length);
  requests.forEach((request, at) => assert.equal(line(request), said[at], request));
});

test('a certificate is made and verified as by the command', () => {
  // 1999, figure 2, which takes numbers to prove.
  const threats = { fen: '2ba1k3/4a4/4b4/9/1n5R1/9/9/4B4/4A4/2BAK4 w', moves: ['h5h9', 'f9f8', 'h9h5', 'f8f9'] };
  const text = JSON.stringify({ ...threats, explain: 'proof' });
  const [said] = lines(command(['judge', '--format', 'ndjson'], `${text}\n`));
  assert.equal(line(text), said);
  const { proof } = JSON.parse(said);
  const { verified, moves, numbers } = judge.verify(proof);
  assert.deepEqual({ verified, moves }, { verified: true, moves: 4 });
  assert.ok(numbers > 10);
  const natures = proof.claims.natures.with(1, 'chase');
  const refused = judge.verify({ ...proof, claims: { ...proof.claims, natures } });
  assert.deepEqual([refused.verified, refused.claim, refused.ply], [false, 'claims.natures', 1]);
  const unknown = thrown(() => judge.verify({ ...proof, rules: { ...proof.rules, id: 'cxa-1998' } }));
  assert.deepEqual([unknown.code, unknown.pointer], ['unknown_rules', '/rules']);
  assert.equal(thrown(() => judge.verify({})).code, 'request_shape');
});

test('what is wrong is told as by the command', () => {
  const bad = [
    '{"id": "a"}', '{"id": 7, "moves": ["h2e2"], "fen": "rnbakabnr/9 w"}', '{', '{"moves": ["e0e5"]}', '{"moves": ["h2e2"], "rules": "cxa-1998"}',
    '{"moves": ["h2e2", "h9g7"]}', '{"moves": [], "mvoes": 1}', `{"moves": ${JSON.stringify(Array(601).fill('h2e2'))}}`, '{"id": {}, "moves": []}',
    '{"moves": ["马九进七", "h9g7"], "kind": "game", "ordered": [{"after_ply": 9, "side": "red"}]}', '{"id":"x","moves":["炮二平五"],"kind":"game","budget":-1}',
  ];
  const said = lines(command(['judge', '--format', 'ndjson'], `${bad.join('\n')}\n`));
  assert.equal(said.length, bad.length);
  // The command reads a line with its end.
  bad.forEach((request, at) => assert.equal(line(`${request}\n`), said[at], request));
});

test('an error has its code, its place, and both languages', () => {
  const error = thrown(() => judge.judge({ id: 'n', moves: ['h2e2', 'a0a5'], kind: 'game' }));
  assert.equal(error.pointer, '/moves/1');
  assert.equal(error.index, 1);
  assert.equal(error.id, 'n');
  assert.match(error.code, /^[a-z_]+$/);
  assert.match(error.detail_zh, /\p{Script=Han}/u);
  assert.equal(thrown(() => judge.ask('adjourn', '{}')).code, 'unknown_operation');
  assert.equal(thrown(() => judge.judge({ moves: ['h2e2'], record: true })).code, 'record_not_here');
  assert.equal(thrown(() => judge.board('9/9 w')).pointer, '/fen');
  assert.equal(thrown(() => judge.ask('judge', new Uint8Array([0x7b, 0xff]))).code, 'not_utf8');
  assert.equal(thrown(() => judge.ask('list', new Uint8Array([0x47, 0x49, 0x46, 0x38, 0, 1]))).name, 'QiliError');
});

test('a game is audited, its next moves and its last move told', () => {
  const moves = Array(3).fill(['b0c2', 'b9c7', 'c2b0', 'c7b9']).flat();
  const audit = judge.audit({ rules: 'cxa-2020', moves });
  assert.deepEqual(audit.pending.map((one) => [one.after_ply, one.ruling.verdict.outcome]), [[12, 'draw']]);
  assert.equal(audit.plies, 12);
  const next = judge.next({ rules: 'cxa-2020', moves: moves.slice(0, 11), explain: 'none' });
  const ruled = next.continuations.filter((one) => one.outcome !== 'none');
  assert.deepEqual(ruled.map((one) => [one.iccs, one.occurrences, one.outcome]), [['c7b9', 4, 'draw']]);
  const what = judge.classify({ ...MATE_IN_A_CYCLE, moves: ['f0e0'] });
  assert.equal(what.move.nature, 'check');
});

test('the natural limit is counted as by the command', () => {
  const moves = ['h2e2', 'h9g7', 'h0g2', 'i9h9'];
  const said = command(['limit', '--format', 'json', '--claim', 'red', '--after', '3', ...moves]);
  assert.equal(judge.ask('limit', JSON.stringify({ moves, claim: 'red', after: 3 })), said.toString().trim());
  assert.equal(thrown(() => judge.limit({ moves, after: 5 })).code, 'after_beyond_game');
  assert.equal(thrown(() => judge.limit({ moves, rules: 'threefold' })).code, 'no_limit');
});

test('records of every form are read', () => {
  const read = judge.read('炮二平五 马8进7 H2+3');
  assert.deepEqual(read.moves.map((move) => move.iccs), ['h2e2', 'h9g7', 'h0g2']);
  const gbk = Uint8Array.from([...Buffer.from('[Event "a"]\n\n1. '), 0xc5, 0xda, 0xb6, 0xfe, 0xc6, 0xbd, 0xce, 0xe5, 0x20, 0x2a, 0x0a]);
  assert.deepEqual(judge.list(gbk).games[0].moves, ['h2e2']);
  const folder = process.env.QILI_RECORDS;
  if (!folder) return;
  let games = 0;
  for (const kind of ['cbl', 'cbr', 'pgn', 'xqf']) {
    for (const name of readdirSync(`${folder}/${kind}`)) {
      const file = `${folder}/${kind}/${name}`;
      const rows = lines(command(['convert', '--to', 'ndjson', file])).map((row) => JSON.parse(row));
      const { games: found, more } = judge.list(readFileSync(file));
      const whole = found.filter((game) => game.fen);
      assert.ok(more || whole.length === rows.length, `${name}: ${whole.length} games, ${rows.length} by the command`);
      whole.forEach((game, at) => assert.deepEqual(game.moves, rows[at].moves, name));
      games += whole.length;
    }
  }
  assert.ok(games > 0);
});

test('a board is drawn, the books are told', () => {
  const svg = judge.board(MATE_IN_A_CYCLE.fen, { move: 'f0e0', lang: 'en', caption: '1' });
  assert.match(svg, /^<svg [^]*<\/svg>\s*$/);
  const books = judge.books().rulesets.map((book) => book.id);
  assert.ok(['cxa-1999', 'cxa-2020', 'wxf', 'threefold'].every((id) => books.includes(id)), books.join());
  const told = JSON.parse(command(['rules', 'show', 'wxf', '--format', 'json']));
  assert.equal(judge.book('wxf').articles.length, told.articles.length);
  const version = JSON.parse(readFileSync(`${root}/bindings/wasm/package/package.json`, 'utf8')).version;
  assert.equal(judge.version().version.split('+')[0], version);
});

test('a judge that broke off starts anew', () => {
  const deep = `{"moves": ${'['.repeat(100000)}`;
  assert.ok(thrown(() => judge.ask('judge', deep)).code);
  assert.equal(judge.judge(MATE_IN_A_CYCLE).verdict.outcome, 'loss');
});

test('a worker answers, tells errors, and is cancelled', async () => {
  const far = openWorker();
  assert.equal((await far.judge(MATE_IN_A_CYCLE)).verdict.outcome, 'loss');
  await assert.rejects(far.judge({ moves: ['h2e2'] }), (error) => error instanceof QiliError && error.code.length > 0 && error.detail.length > 0);
  const stop = new AbortController();
  const many = requests.map((request) => far.ask('judge', request, { signal: stop.signal }));
  const kept = far.ask('judge', JSON.stringify(MATE_IN_A_CYCLE));
  stop.abort(new Error('enough'));
  const ended = await Promise.allSettled(many);
  assert.ok(ended.every((one) => one.status === 'fulfilled' || one.reason.message === 'enough'));
  assert.ok(ended.some((one) => one.status === 'rejected'));
  // What nobody cancelled is answered all the same.
  assert.equal(JSON.parse(await kept).verdict.outcome, 'loss');
  assert.equal((await far.within(new AbortController().signal).version()).version, judge.version().version);
  await assert.rejects(far.within(AbortSignal.abort()).version());
  far.close();
  await assert.rejects(far.version());
});

/** A worker that answers when it is told to, and what was started, asked and ended of such. */
function actors({ fails = () => false } = {}) {
  const seen = { started: 0, ended: 0, asked: [], answer: null };
  const far = remote((heard) => {
    seen.started += 1;
    if (fails(seen.started)) throw new Error('no worker here');
    return {
      post({ number, operation, question }) {
        if (question === 'unsendable') throw new Error('it cannot be sent');
        seen.asked.push(question);
        seen.answer = () => heard({ number, told: `${operation} ${question}` });
      },
      end() { seen.ended += 1; },
    };
  });
  return { seen, far };
}

test('cancelling many ends one worker, and what waits is asked once and in order', async () => {
  const { seen, far } = actors();
  const stop = new AbortController();
  const before = far.ask('judge', 'before');
  const many = Array.from({ length: 100 }, (_, n) => far.ask('judge', String(n), { signal: stop.signal }));
  const after = ['x', 'y'].map((question) => far.ask('judge', question));
  assert.equal(getEventListeners(stop.signal, 'abort').length, 1);
  seen.answer();
  assert.equal(await before, 'judge before');
  seen.answer();
  assert.equal(await many[0], 'judge 0');
  stop.abort(new Error('enough'));
  const ended = await Promise.allSettled(many.slice(1));
  assert.ok(ended.every((one) => one.reason?.message === 'enough'));
  assert.deepEqual([seen.started, seen.ended], [2, 1]);
  seen.answer();
  seen.answer();
  assert.deepEqual(await Promise.all(after), ['judge x', 'judge y']);
  assert.deepEqual(seen.asked, ['before', '0', '1', 'x', 'y']);
  assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
});

test('cancelling what only waits ends no worker', async () => {
  const { seen, far } = actors();
  const stop = new AbortController();
  const first = far.ask('judge', 'first');
  const second = far.ask('judge', 'second', { signal: stop.signal });
  stop.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  seen.answer();
  assert.equal(await first, 'judge first');
  assert.deepEqual([seen.started, seen.ended, seen.asked.length], [1, 0, 1]);
});

test('a worker that does not start, and a question that cannot be sent, are told to whoever asked', async () => {
  const { seen, far } = actors({ fails: (time) => time === 1 });
  await assert.rejects(far.ask('judge', 'first'), /no worker here/);
  await assert.rejects(far.ask('judge', 'unsendable'), /cannot be sent/);
  const said = far.ask('judge', 'again');
  seen.answer();
  assert.equal(await said, 'judge again');
});
