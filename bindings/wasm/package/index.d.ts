// The shapes are those of the HTTP API: `openapi.d.ts` is made from its description.
import type { components } from './openapi.js';

type Schemas = components['schemas'];
/** What may be left out has a default. */
export type Request = Partial<Schemas['Request']> & Pick<Schemas['Request'], 'moves'>;
export type Ruling = Schemas['RulingJson'];
/** What proves a ruling, in its `proof` where `explain` is `proof`. */
export type Certificate = Schemas['Certificate'];
export type Verification = Schemas['Verification'];
export type GameAudit = Schemas['GameAudit'];
export type ContinuationList = Schemas['ContinuationList'];
export type Classified = Schemas['Classified'];
export type Reading = Schemas['Reading'];
export type GameList = Schemas['GameList'];
export type RulesetList = Schemas['RulesetList'];
export type Ruleset = Schemas['Ruleset'];
export type Side = 'red' | 'black';

export interface LimitRequest {
  rules?: string;
  fen?: string;
  moves: string[];
  /** Whose claim is audited; an arbiter's own audit where missing. */
  claim?: Side;
  earlier_false_claims?: number;
  count?: number;
  unit?: 'rounds' | 'plies';
  checks?: number;
  excess_check_removes?: 'round' | 'ply';
  /** Audit after this many plies instead of the last. */
  after?: number;
}

export interface LimitAudit {
  rule: Record<string, unknown>;
  claim: { by: Side; earlier_false_claims: number } | null;
  reached: boolean;
  count: number;
  if_claimed: Record<Side, number>;
  since: unknown;
  checks: Record<Side, number>;
  consequence: Record<string, unknown>;
  clauses: string[];
  left_out: unknown[];
  plies: unknown[];
  reason: { zh: string; en: string };
}

export interface BoardOptions {
  /** The move that led to it, as ICCS. */
  move?: string;
  /** `attack:h2h9,guard:e0e1,line:a0a1,mark:c3,cross:d5` */
  arrows?: string;
  lang?: 'zh' | 'en';
  theme?: string;
  coordinates?: 'none' | 'chinese' | 'iccs' | 'both';
  flipped?: boolean;
  caption?: string;
}

export type Operation =
  | 'judge' | 'verify' | 'audit' | 'next' | 'classify' | 'read' | 'list' | 'limit' | 'board' | 'books' | 'book' | 'version';

/** What is wrong with a question, and where. */
export class QiliError extends Error {
  /** A stable name, in snake case. */
  code: string;
  detail: string;
  detail_zh: string;
  /** JSON pointer to the offending value. */
  pointer?: string;
  /** The move at fault, 0 for the first. */
  index?: number;
  /** The id of the request, where it had one. */
  id: string | number | null;
}

/** In this thread: answers at once, errors are thrown. */
export interface Judge {
  /** A text or bytes in, the text of the answer out: to the byte what the command says. */
  ask(operation: Operation, question?: string | Uint8Array): string;
  readonly operations: Operation[];
  judge(request: Request): Ruling;
  /** Whether a certificate proves what it claims, or which claim it does not. */
  verify(certificate: Certificate): Verification;
  audit(request: Request): GameAudit;
  next(request: Request): ContinuationList;
  classify(request: Request): Classified;
  /** A score sheet in any notation or form of words. */
  read(text: string, game?: number): Reading;
  /** The games of a file as it is: XQF, CBL, CBR, PGN … */
  list(file: string | Uint8Array): GameList;
  limit(request: LimitRequest): LimitAudit;
  /** A board as SVG. */
  board(fen: string, options?: BoardOptions): string;
  books(): RulesetList;
  book(id: string): Ruleset;
  version(): { version: string };
}

type Promised<T> = { [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : T[K] };

/** In a worker: the same by promises. */
export interface RemoteJudge extends Promised<Omit<Judge, 'ask' | 'operations'>> {
  ask(operation: Operation, question?: string | Uint8Array, options?: { signal?: AbortSignal }): Promise<string>;
  /** The same judge, whose answers are cancelled by a signal. */
  within(signal: AbortSignal): Omit<RemoteJudge, 'within' | 'close'>;
  /** Ends the worker. */
  close(): void;
}

/** A judge in this thread; from bytes, or in a browser from a URL, where `qili.wasm` does not lie beside the module. */
export function open(from?: Uint8Array | ArrayBuffer | URL | string): Promise<Judge>;
/** A judge in a worker of its own, started with the first question. */
export function openWorker(): RemoteJudge;
