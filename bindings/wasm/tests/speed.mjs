// How long rulings take, beside the command in the same run.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { open } from 'qili';

const text = readFileSync(process.env.QILI_REQUESTS, 'utf8');
const requests = text.split('\n').filter((line) => line.includes('"explain": "notes"'));
let at = performance.now();
const qili = await open();
qili.judge({ moves: [], kind: 'game' });
const start = performance.now() - at;
const each = requests.map((request) => {
  at = performance.now();
  qili.ask('judge', request);
  return performance.now() - at;
});
at = performance.now();
spawnSync(process.env.QILI, ['judge', '--format', 'ndjson'], { input: `${requests.join('\n')}\n`, maxBuffer: 1 << 30 });
const native = performance.now() - at;
const whole = each.reduce((sum, one) => sum + one, 0);
each.sort((a, b) => a - b);
const place = (share) => each[Math.floor((each.length - 1) * share)].toFixed(2);
console.log(`start ${start.toFixed(0)} ms; ${requests.length} rulings with notes: ${(whole / requests.length * 1000).toFixed(0)} µs each `
  + `(median ${place(0.5)} ms, 99 % ${place(0.99)} ms, most ${place(1)} ms), the command ${(native / requests.length * 1000).toFixed(0)} µs each, `
  + `${(whole / native).toFixed(2)} times as long`);
