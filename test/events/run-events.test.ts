import { afterEach, beforeEach, expect, test } from 'vitest';
import { webhook } from '../../src/events/deliver-with-retries.ts';
import { runEvents } from '../../src/events/run-events.ts';
import { pendingApproval } from '../support/approvals.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { HOUR, MINUTE, openToldAddress, START, type ToldAddress } from './support/told-address.ts';

let now: number;
let desk: ToldAddress;
let state: ToldAddress['state'];
let receiver: Receiver;
let sender: ToldAddress['sender'];
beforeEach(async () => {
  now = START;
  desk = await openToldAddress(() => now);
  ({ state, receiver, sender } = desk);
});
afterEach(() => desk.close());

type RunEventsOptions = Parameters<typeof runEvents>[0];

/** Time passes while somebody sleeps, `most` at a time; the others get their turn. */
const clockOf = (most: number): RunEventsOptions['clock'] => ({
  now: () => now,
  async sleep(ms, signal) {
    if (!signal?.aborted) now += Math.min(ms, most);
    await new Promise((resolve) => setTimeout(resolve, 1));
  },
});
const clock = clockOf(1_000);

/** Only what time brings, for so long. */
async function tendFor(ms: number): Promise<void> {
  const [one, end] = [tend('sweeper', { targets: [], clock: clockOf(MINUTE / 2) }), now + ms];
  await until(() => now > end);
  await one.stop();
}

/** With the time in tens of minutes. */
const told = async () =>
  (await state.outbox.newest(100)).toReversed().map(({ id, at }) => [id, Math.round((at - START) / (10 * MINUTE))]);
const idsOf = async () => (await told()).map(([id]) => id);
const hold = (locator: string, limits: { readonly payBy?: number; readonly namesUntil?: number }) =>
  state.ledger.record(
    { tenant: 't', id: 'me' },
    {
      locator,
      madeHere: true,
      seenAt: now,
      state: 'held',
      ...Object.fromEntries(Object.entries(limits).map(([what, ms]) => [what, new Date(START + ms).toISOString()])),
    },
  );

test('a limit that comes near has an event for each time before it, whatever other limit comes first', async () => {
  await hold('PAY111', { payBy: 3 * HOUR });
  await hold('SHORT1', { payBy: 20 * MINUTE });
  await hold('NAMES1', { namesUntil: 25 * HOUR });
  await hold('BOTH11', { payBy: 3 * HOUR, namesUntil: HOUR });
  await tendFor(3 * HOUR);
  const [short, ...rest] = await told();
  expect(short).toEqual([`hold_lapsing/SHORT1/${START + 20 * MINUTE}/30m`, 0]);
  expect(rest.toSorted()).toEqual([
    [`hold_lapsing/BOTH11/${START + 3 * HOUR}/2h`, 6],
    [`hold_lapsing/BOTH11/${START + 3 * HOUR}/30m`, 15],
    [`hold_lapsing/PAY111/${START + 3 * HOUR}/2h`, 6],
    [`hold_lapsing/PAY111/${START + 3 * HOUR}/30m`, 15],
    [`names_due/BOTH11/${START + HOUR}/24h`, 0],
    [`names_due/NAMES1/${START + 25 * HOUR}/24h`, 6],
  ]);
});

test('a limit that moved has an event again', async () => {
  await hold('PAY111', { payBy: HOUR });
  await tendFor(MINUTE);
  await hold('PAY111', { payBy: 90 * MINUTE });
  await tendFor(MINUTE);
  expect(await idsOf()).toEqual([
    `hold_lapsing/PAY111/${START + HOUR}/2h`,
    `hold_lapsing/PAY111/${START + 90 * MINUTE}/2h`,
  ]);
});

test('the next server tells of a question that lapsed within the last day', async () => {
  const ask = (operationId: string, expiresAt: number) =>
    state.approvals.put(pendingApproval({ handleHash: operationId, operationId, expiresAt, createdAt: expiresAt - 1 }));
  await ask('old', START - 24 * HOUR);
  await ask('new', START - 23 * HOUR);
  await tendFor(MINUTE / 2);
  expect((await idsOf()).filter((id) => `${id}`.endsWith('lapsed'))).toEqual(['question/new/lapsed']);
});

function tend(owner: string, changes: Partial<RunEventsOptions> = {}) {
  const end = new AbortController();
  const { outbox, deliveries, leases } = state;
  const targets = [webhook(receiver.url)];
  const done = runEvents({ outbox, deliveries, leases, clock, sender, owner, targets, ...changes }, end.signal);
  return {
    async stop() {
      end.abort();
      await done;
    },
  };
}
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
};

test('one process of a fleet delivers; when it ends, the next one goes on', async () => {
  const [one, two] = [tend('one'), tend('two')];
  await until(() => now > START + 10_000);
  const add = (id: string) =>
    state.outbox.add([{ id, type: 'booking.changed', at: now, tenant: 't', caller: 'me', locator: 'ABC123' }]);
  await add('a');
  await until(() => receiver.got.length > 0);
  await one.stop();
  await add('b');
  await until(() => receiver.got.length > 1);
  await two.stop();
  expect(receiver.got.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(JSON.parse(receiver.got[0]?.body ?? '').data).toEqual({ tenant: 't', locator: 'ABC123' });
  expect(await state.leases.take('events', 'three', now + 1, now)).toBe(true);
});

test('a process without addresses, or with others, does not keep events from those of another process', async () => {
  const other = await startReceiver();
  const none = tend('none', { targets: [] });
  await until(() => now > START + 10_000);
  const targets = [receiver.url, other.url].map((address) => webhook(address));
  const [one, two] = [tend('one'), tend('two', { targets })];
  await until(() => now > START + 30_000);
  await state.outbox.add([{ id: 'a', type: 'booking.changed', at: now, tenant: 't' }]);
  await until(() => receiver.got.length > 0 && other.got.length > 0);
  for (const each of [none, one, two]) await each.stop();
  expect([receiver.got.length, other.got.length]).toEqual([1, 1]);
  await other.close();
});

test('goes on after a failure of the store, and says so', async () => {
  const failures: unknown[] = [];
  const { begin } = state.deliveries;
  state.deliveries.begin = async () => Promise.reject(new Error('away'));
  const one = tend('one', { onFailure: (error) => failures.push(error) });
  await until(() => failures.length > 0);
  state.deliveries.begin = begin.bind(state.deliveries);
  await until(() => now > START + 10_000);
  await state.outbox.add([{ id: 'a', type: 'booking.changed', at: now, tenant: 't' }]);
  await until(() => receiver.got.length > 0);
  await one.stop();
});
