/**
 * A process that acts and tells, on a real store: each operation asks a question, is sent and succeeds, and the events of it
 * go to a receiver. It ends with 0 once all have arrived. `CRASH=STEP:N` makes it kill itself with -9 at the nth such step.
 *
 * Time passes `SPEED` times faster, so that an hour of retries is seconds.
 */
import { receiverOf } from '../../../../src/events/deliver.ts';
import { createSender } from '../../../../src/events/send.ts';
import { tendEvents } from '../../../../src/events/tend.ts';
import type { Clock } from '../../../../src/journal/ports.ts';
import { openPostgresState } from '../../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import type { State } from '../../../../src/store/state.ts';
import { newOperation } from '../../../store/new-operation.ts';
import { pendingApproval } from '../../../support/approvals.ts';
import type { Orders } from './orders.ts';

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { store, receiver, operations, bookings, speed, begun, crash, paceMs } = orders;
const START = Date.parse('2026-03-01T00:00:00Z');
const now = () => START + Math.round((Date.now() - begun) * speed);
const clock: Clock = {
  now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(resolve, ms / speed);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      signal?.addEventListener('abort', end, { once: true });
    }),
};

let steps = 0;
function reach(step: string): void {
  if (step !== crash?.step) return;
  steps += 1;
  if (steps === crash.at) process.kill(process.pid, 'SIGKILL');
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
const state: State = store.startsWith('postgres')
  ? await openPostgresState(store, { now })
  : await openSqliteState(store, { now });

/** Goes on where the process before it died. */
async function act(i: number): Promise<void> {
  const [id, locator] = [`op${i}`, `BOOK${i % bookings}`];
  const at = { now: now(), actor: OWNER };
  if ((await state.approvals.byOperation(id)) === undefined)
    await state.approvals.put(
      pendingApproval({
        handleHash: id,
        operationId: id,
        locator,
        createdAt: at.now,
        expiresAt: at.now + 30 * 86_400_000,
      }),
    );
  await state.operations.insert(newOperation(id, { locator }), { ...at, owner: OWNER, leaseUntil: at.now + 60_000 });
  await state.operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: at.now }, at);
  await dying('settled', () =>
    state.operations.transition(id, ['dispatched'], 'succeeded', { outcome: { basis: 'reply' } }, at),
  )();
}

const { deliveries, outbox, leases } = state;
const key = receiverOf(receiver);
await deliveries.begin(key);
const sender = createSender({ secrets: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'], privateHosts: ['127.0.0.1'], now });
const told = {
  outbox,
  leases,
  clock,
  deliveries: Object.assign(Object.create(deliveries) as typeof deliveries, {
    enter: dying('entered', (...given: Parameters<typeof deliveries.enter>) =>
      given[1].length === 0 ? Promise.resolve() : deliveries.enter(...given),
    ),
    delivered: dying('noted', deliveries.delivered.bind(deliveries)),
    begin: deliveries.begin.bind(deliveries),
    due: deliveries.due.bind(deliveries),
    failed: deliveries.failed.bind(deliveries),
    hurry: deliveries.hurry.bind(deliveries),
    stop: deliveries.stop.bind(deliveries),
  }),
  sender: { send: dying('sent', sender.send.bind(sender)), close: sender.close.bind(sender) },
};

const end = new AbortController();
const telling = tendEvents({ ...told, owner: OWNER, addresses: [receiver], withCaller: false }, end.signal);
const done = (await state.operations.list({ states: ['succeeded'] })).length;
for (let i = done; i < operations; i++) {
  await act(i);
  if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
}
for (;;) {
  const { upTo } = await deliveries.begin(key);
  const { waiting } = await deliveries.counts([key]);
  if (waiting === 0 && upTo === (await outbox.last())) break;
  await new Promise((resolve) => setTimeout(resolve, 20));
}
end.abort();
await telling;
await sender.close();
await state.close();
