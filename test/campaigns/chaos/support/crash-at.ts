/**
 * Loaded before the program itself (`node --import`): names every step by which the program leaves a mark (a commit to
 * its SQLite file, bytes to or from the airline, a line on stdout), and kills the process at the chosen one, with
 * SIGKILL, before it can do anything more. The program knows nothing of it.
 *
 * Over IPC: `{arm: {name, nth}}` kills at the nth step of that name from now on; `{trace: true}` lists the steps until
 * `{report: true}`.
 */
import { subscribe } from 'node:diagnostics_channel';
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';

export interface Step {
  readonly name: string;
  /** From 1. */
  readonly nth: number;
}

export type ToCrasher = { readonly arm: Step } | { readonly trace: true } | { readonly report: true };
export type FromCrasher = { readonly ready: true } | { readonly steps: readonly Step[] };

let target: Step | undefined;
let seen: Map<string, number> | undefined;
let steps: Step[] = [];
/** Where the operation in hand stands, so that equal steps before and after its dispatch have names of their own. */
let phase = 'asking';

function step(what: string): void {
  if (seen === undefined) return;
  const name = `${phase}: ${what}`;
  const nth = (seen.get(name) ?? 0) + 1;
  seen.set(name, nth);
  steps.push({ name, nth });
  if (target?.name === name && target.nth === nth) process.kill(process.pid, 'SIGKILL');
}

process.on('message', (message: ToCrasher) => {
  if ('report' in message) {
    process.send?.({ steps } satisfies FromCrasher);
    seen = undefined;
    return;
  }
  target = 'arm' in message ? message.arm : undefined;
  seen = new Map();
  steps = [];
  phase = 'asking';
  process.send?.({ ready: true } satisfies FromCrasher);
});
// The program ends when it likes, whether or not somebody listens here.
process.channel?.unref();

/** What the open transaction has written so far: its commit is named by that. */
let writes: string[] | undefined;

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  const word = sql.trim().toLowerCase();
  const what = word === 'commit' ? (writes ?? []).join(' + ') : '';
  if (what !== '') step(`before commit of ${what}`);
  exec.call(this, sql);
  if (word.startsWith('begin')) writes = [];
  if (word === 'commit' || word === 'rollback') writes = undefined;
  if (what === '') return;
  turned(what);
  step(`after commit of ${what}`);
};

/** The hash chain goes with every change; offers and the ledger are written by a timer, some time after the act. */
const UNNAMED = / (?:event|meta|offer|booking)$/;

const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values: SQLInputValue[]) {
  const what = nameOf(this.sourceSQL, values);
  if (writes !== undefined) {
    if (!UNNAMED.test(what)) writes.push(what);
    return Reflect.apply(run, this, values);
  }
  step(`before ${what}`);
  const result = Reflect.apply(run, this, values);
  step(`after ${what}`);
  return result;
} as typeof run;

function nameOf(sql: string, values: readonly unknown[]): string {
  const [, verb, table] = /^\s*(insert|update|delete)(?:\s+or\s+\w+)?(?:\s+into|\s+from)?\s+(\w+)/i.exec(sql) ?? [];
  const state = /^\s*update operation set state/i.test(sql) ? ` to ${String(values[0])}` : '';
  return `${verb ?? 'other'} ${table ?? ''}${state}`;
}

function turned(what: string): void {
  if (what.startsWith('insert operation')) phase = 'intent';
  phase = /update operation to (\w+)/.exec(what)?.[1] ?? phase;
}

for (const [channel, what] of [
  ['undici:client:connected', 'connected to the airline'],
  ['undici:client:sendHeaders', 'bytes sent'],
  ['undici:request:bodySent', 'request sent'],
  ['undici:request:headers', 'answer begun'],
  ['undici:request:trailers', 'answer read'],
] as const) {
  subscribe(channel, () => step(what));
}

const write = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean;
process.stdout.write = ((...args: unknown[]) => {
  step('before stdout');
  const done = write(...args);
  step('after stdout');
  return done;
}) as typeof process.stdout.write;
