// The clients that hey-api and openapi-typescript make: rulings, batches, games, drafts, cases, the log.

import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import * as qili from './hey/sdk.gen.js';
import { client } from './hey/client.gen.js';
import type { LineAnswer, Request } from './hey/types.gen.js';
import type { paths } from './schema.js';

const baseUrl = `http://${process.env.QILI_ADDRESS}`;
const key = process.env.QILI_KEY ?? '';
const cycle = { fen: '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w', moves: ['f0e0', 'e8f8', 'e0f0', 'f8e8'] } as Request;

// Of hey-api: a key is sent because the description says that one may be.
client.setConfig({ baseUrl });
assert.equal((await qili.judge({ body: cycle })).response?.status, 401);
client.setConfig({ baseUrl, auth: () => key });
const ruling = (await qili.judge({ body: cycle, throwOnError: true })).data;
assert.equal(ruling.verdict.outcome, 'loss');
const bad = await qili.judge({ body: { ...cycle, moves: ['a0a9'] } });
assert.equal(bad.error?.pointer, '/moves/0');

const lines = [1, 2, 3].map((id) => `${JSON.stringify({ ...cycle, id })}\n`).join('');
const answer = (await qili.batch({ body: new Blob([lines]), throwOnError: true })).data;
const told = (await answer.text()).trimEnd().split('\n').map((line) => JSON.parse(line) as LineAnswer);
assert.deepEqual(told.map((line) => ('verdict' in line ? line.id : null)), [1, 2, 3]);

const game = { ...cycle, moves: [1, 2, 3, 4].flatMap(() => cycle.moves) } as Request;
const audit = (await qili.audit({ body: game, throwOnError: true })).data;
assert.equal(audit.pending[0]?.after_ply, 12);
const list = (await qili.listGames({ body: new Blob(['1. 炮二平五 马8进7']), throwOnError: true })).data;
assert.equal(list.games[0]?.moves.length, 2);

const kept = await qili.judge({ body: { ...cycle, record: true }, throwOnError: true });
const number = kept.response.headers.get('Qili-Ruling-Number') ?? '';
assert.equal((await qili.keptRuling({ path: { number }, throwOnError: true })).data.number, number);
const log = (await qili.keptRulings({ query: { limit: 1 }, throwOnError: true })).data;
assert.equal(log.items.length, 1);
const cases = (await qili.cases({ query: { limit: 2 }, throwOnError: true })).data;
assert.equal(cases.cases.length, 2);
assert.ok(cases.next);
const drafts = (await qili.drafts({ throwOnError: true })).data;
assert.deepEqual(drafts.drafts.map((draft) => draft.id), ['trial']);
console.log('hey-api: every call answers as described');

// Of openapi-typescript.
const plain = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const ruled = await plain.POST('/v1/rulings', { body: cycle });
assert.equal(ruled.data?.verdict.outcome, 'loss');
const batch = await plain.POST('/v1/rulings:batch', {
  body: lines,
  bodySerializer: (text) => text,
  headers: { 'Content-Type': 'application/x-ndjson' },
  parseAs: 'text',
});
assert.equal(batch.data?.trimEnd().split('\n').length, 3);
const limits = await plain.POST('/v1/games:audit', { body: game });
assert.equal(limits.data?.plies, 16);
const one = await plain.GET('/v1/rulings/{number}', { params: { path: { number } } });
assert.equal(one.data?.number, number);
const revisions = await plain.GET('/v1/cases/{id}/revisions', { params: { path: { id: 'club-1' } } });
assert.equal(revisions.data?.revisions[0]?.revision, 1);
console.log('openapi-typescript: every call answers as described');
