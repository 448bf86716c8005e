/**
 * A process that acts and tells, on a real store: each operation asks a question, is sent and ends, and the events of it
 * go to a receiver. It ends with 0 once all have arrived. Time passes faster, so that an hour of retries is seconds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { receiverName, webhook } from '../../../../src/events/deliver-with-retries.ts';
import { runEvents } from '../../../../src/events/run-events.ts';
import { createSender } from '../../../../src/events/signed-post.ts';
import { openPostgresState } from '../../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import { newOperation, SAR } from '../../../store/support/new-operation.ts';
import { pendingApproval } from '../../../support/approvals.ts';
import { replacing } from '../../support/replacing.ts';
import { foundBefore, HOLD, isPaidOut, needsPerson, UNANSWERED } from './played.ts';

export interface Orders {
  /** A file of SQLite, or an address of PostgreSQL. */
  readonly store: string;
  readonly receiver: string;
  readonly secret: string;
  readonly operations: number;
  readonly bookings: number;
  /** How much faster time passes, and since when, milliseconds since 1970. */
  readonly speed: number;
  readonly begun: number;
  /** It kills itself with -9 at the nth such step. */
  readonly crash?: { readonly step: string; readonly at: number };
  /** Milliseconds between two operations. */
  readonly paceMs: number;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { store, receiver, secret, operations, bookings, speed, begun, crash, paceMs } = orders;
const START = Date.parse('2026-03-01T00:00:00Z');
const now = () => START + Math.round((Date.now() - begun) * speed);
const sleep = (ms: number, signal?: AbortSignal) =>
  wait(ms / speed, undefined, signal && { signal }).catch(() => undefined);
const clock = { now, sleep };

let steps = 0;
function reach(step: string): void {
  if (step === crash?.step && ++steps === crash.at) process.kill(process.pid, 'SIGKILL');
}
function dying<A extends unknown[], R>(name: string, work: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    reach(`before ${name}`);
    const result = await work(...args);
    reach(`after ${name}`);
    return result;
  };
}

// Ends with whoever started it.
process.stdin.on('end', () => process.exit(2)).resume();
(process.stdin as unknown as { unref?(): void }).unref?.();

const OWNER = `desk ${process.pid}`;
const state = store.startsWith('postgres')
  ? await openPostgresState(store, { now })
  : await openSqliteState(store, { now });

/** Goes on where the process before it died. */
async function act(i: number): Promise<void> {
  const [id, locator] = [`op${i}`, `BOOK${i % bookings}`];
  const at = { now: now(), actor: OWNER };
  const asked = { handleHash: id, operationId: id, locator, createdAt: at.now, expiresAt: at.now + 30 * 86_400_000 };
  if ((await state.approvals.byOperation(id)) === undefined) await state.approvals.put(pendingApproval(asked));
  await state.operations.insert(newOperation(id, { locator }), { ...at, owner: OWNER, leaseUntil: at.now + 60_000 });
  await state.operations.transition(id, { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: at.now } }, at);
  const found = foundBefore(i);
  const finding = found && { id: `f${i}`, tenant: 't', locator, seenAt: at.now, since: START, kind: found };
  if (finding !== undefined) await state.findings.add([finding]);
  const refund = isPaidOut(i) && { refund: { amount: SAR(100), orderStatus: 'PAID' } };
  const outcome = { outcome: { basis: 'reply' as const, ...refund } };
  const end = needsPerson(i) ? 'needs_person' : 'succeeded';
  await dying('settled', () =>
    state.operations.transition(id, { from: ['dispatched'], to: end, patch: outcome }, at),
  )();
}

/** What time brings: a hold with its limits, and questions that nobody answers. Returns when the last of it is over. */
async function beginWaits(): Promise<number> {
  const [at, { locator }] = [now(), HOLD];
  const limits = {
    payBy: new Date(at + HOLD.payBeforeMs).toISOString(),
    namesUntil: new Date(at + HOLD.namesBeforeMs).toISOString(),
  };
  const me = { tenant: 't', id: 'me' };
  await state.ledger.record(me, { locator, madeHere: true, seenAt: at, state: 'held', ...limits });
  for (const { id, minutes } of UNANSWERED) {
    const times = { createdAt: at, expiresAt: at + minutes * 60_000 };
    await state.approvals.put(pendingApproval({ handleHash: id, operationId: id, locator, ...times }));
  }
  return at + Math.max(...UNANSWERED.map(({ minutes }) => minutes)) * 60_000;
}

const { deliveries, outbox, leases } = state;
const key = receiverName(receiver);
await deliveries.begin(key);
const sender = createSender({ secrets: [secret], privateHosts: ['127.0.0.1'], now });
const enter = dying('entered', deliveries.enter.bind(deliveries));
const told = {
  ...{ outbox, leases, clock, owner: OWNER, targets: [webhook(receiver)] },
  deliveries: replacing(deliveries, {
    enter: (...given) => (given[1].length === 0 ? Promise.resolve() : enter(...given)),
    delivered: dying('noted', deliveries.delivered.bind(deliveries)),
  }),
  sender: { send: dying('sent', sender.send.bind(sender)), close: sender.close.bind(sender) },
};

const end = new AbortController();
const telling = runEvents(told, end.signal);
const waitsEnd = crash === undefined ? await beginWaits() : 0;
const done = (await state.operations.list({ states: ['succeeded', 'needs_person'] })).length;
for (let i = done; i < operations; i++) {
  await act(i);
  if (paceMs > 0) await wait(paceMs);
}
for (;;) {
  const { upTo } = await deliveries.begin(key);
  const waitingSince = await deliveries.oldestWaiting([key]);
  // Some minutes later the last question's end was noticed.
  const [newest] = await outbox.newest(1);
  if (waitingSince === undefined && upTo === (newest?.n ?? 0) && now() > waitsEnd + 5 * 60_000) break;
  await wait(20);
}
end.abort();
await telling;
await sender.close();
await state.close();
