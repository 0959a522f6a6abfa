import { open, openWorker, QiliError, type Ruling } from 'qili';

const qili = await open();
const ruling: Ruling = qili.judge({ moves: ['h2e2'], kind: 'game', rules: 'wxf' });
const outcome: 'draw' | 'must_change' | 'loss' | 'none' | 'undetermined' = ruling.verdict.outcome;
const proved: boolean = ruling.proof ? qili.verify(ruling.proof).verified : false;
const svg: string = qili.board('start', { flipped: true });
const far = openWorker();
const count: number = (await far.within(AbortSignal.timeout(100)).list(new Uint8Array())).games.length;
// @ts-expect-error a request has moves
qili.judge({ rules: 'wxf' });
console.log(outcome, proved, svg, count, QiliError);
