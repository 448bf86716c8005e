import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Deliverer, receiverName } from '../../src/events/deliver-with-retries.ts';
import type { Receiver } from './support/receiver.ts';
import { deliverAll, HOUR, MINUTE, openToldAddress, START, type ToldAddress } from './support/told-address.ts';

let now: number;
let desk: ToldAddress;
let state: ToldAddress['state'];
let receiver: Receiver;
let deliverer: Deliverer;
let tried: string[];

const restart = async (chance = 0.5) => {
  deliverer = await desk.deliverer(undefined, { random: () => chance, onTry: (result) => tried.push(result) });
};

beforeEach(async () => {
  now = START;
  tried = [];
  desk = await openToldAddress(() => now);
  ({ state, receiver } = desk);
  await restart();
});
afterEach(() => desk.close());

type NewEvent = Parameters<ToldAddress['state']['outbox']['add']>[0][number];
const event = (id: string, changes: Partial<NewEvent> = {}): NewEvent => ({
  ...{ id, type: 'booking.changed', at: now, tenant: 't', caller: 'me', locator: 'ABC123', findingId: id },
  ...changes,
});
const add = (...ids: string[]) => state.outbox.add(ids.map((id) => event(id, { locator: id.slice(0, 1) })));
const all = () => deliverAll(deliverer);
const got = () => receiver.got.map(({ id }) => id);
const counts = async () => ({
  waits: (await state.deliveries.oldestWaiting([receiverName(receiver.url)])) !== undefined,
  dead: (await state.deliveries.dead(10)).length,
});

describe('an address', () => {
  test('gets each event once, with its ids and times and nobody’s name', async () => {
    await state.outbox.add([
      event('f1', { kind: 'cancelled' }),
      event('f2', { dueAt: now + HOUR, tool: 'pay_booking', operationId: 'o1' }),
    ]);
    await all();
    const head = { type: 'booking.changed', timestamp: '2026-03-01T00:00:00.000Z' };
    const booking = { tenant: 't', locator: 'ABC123' };
    const payment = { tool: 'pay_booking', operation_id: 'o1', due_at: '2026-03-01T01:00:00.000Z' };
    expect(receiver.got.map(({ body }) => JSON.parse(body))).toEqual([
      { ...head, data: { ...booking, kind: 'cancelled', finding_id: 'f1' } },
      { ...head, data: { ...booking, ...payment, finding_id: 'f2' } },
    ]);
    expect(tried).toEqual(['delivered', 'delivered']);
  });

  test('that refuses an event gets no later one of that booking before it, and those of others at once', async () => {
    receiver.answer = ({ id }) => (id === 'A1' && now < START + 6_000 ? 500 : 204);
    await add('A1', 'A2', 'B1', 'B2');
    await all();
    expect(got().toSorted()).toEqual(['A1', 'B1', 'B2']);
    now += 6_000;
    await all();
    expect(got().slice(3)).toEqual(['A1', 'A2']);
    expect(await counts()).toEqual({ waits: false, dead: 0 });
  });

  test('gets the events of one operation in order, although its booking is known only at the end', async () => {
    receiver.answer = ({ id }) => (id === 'asked' && now === START ? 500 : 204);
    await state.outbox.add([
      { id: 'asked', type: 'question.waiting', at: now, tenant: 't', operationId: 'o1' },
      { id: 'made', type: 'operation.settled', at: now, tenant: 't', operationId: 'o1', locator: 'NEW111' },
      { id: 'changed', type: 'booking.changed', at: now, tenant: 't', locator: 'NEW111' },
    ]);
    await all();
    expect(got()).toEqual(['asked']);
    now += 6_000;
    await all();
    expect(got()).toEqual(['asked', 'asked', 'made', 'changed']);
  });

  test('is sent nothing twice at once while the store fails: a pass ends with its last try', async () => {
    await add('A1', 'B1');
    receiver.answer = ({ id }) => (id === 'A1' ? 204 : new Promise((resolve) => setTimeout(() => resolve(204), 100)));
    const { deliveries } = state;
    const delivered = deliveries.delivered.bind(deliveries);
    let failed = false;
    deliveries.delivered = async (...args) => {
      if (tried.length === 0 && !failed) {
        failed = true;
        throw new Error('away');
      }
      await delivered(...args);
    };
    await expect(deliverer.pass()).rejects.toThrow('away');
    expect(tried).toEqual(['delivered']);
  });

  test('is tried for three days, in the end every half hour; then the event is a dead letter, and the next of its booking is sent', async () => {
    receiver.answer = ({ id }) => (id === 'A1' ? 500 : 204);
    await add('A1', 'A2');
    const at: number[] = [];
    for (let i = 0; i === 0 || (await counts()).waits; i++) {
      const before = receiver.got.length;
      await all();
      if (receiver.got.length > before) at.push(now - START);
      const [first] = await state.deliveries.due(receiverName(receiver.url), Number.MAX_SAFE_INTEGER, 1);
      now = first?.nextAt ?? now;
    }
    const hours = at.map((ms) => Math.round((ms / HOUR) * 10) / 10);
    expect(hours.slice(0, 6)).toEqual([0, 0, 0.1, 0.6, 1.1, 1.6]);
    expect(hours.at(-1)).toBe(72.1);
    expect(hours).toHaveLength(147);
    expect(got().slice(-2)).toEqual(['A1', 'A2']);
    expect(await counts()).toEqual({ waits: false, dead: 1 });
    expect(await state.deliveries.dead(1)).toMatchObject([{ tries: 147, said: 'HTTP 500', failedAt: START }]);
    expect(tried.filter((each) => each === 'dead')).toHaveLength(1);
    receiver.answer = () => 204;
    expect(await state.deliveries.resend([receiverName(receiver.url)], now)).toBe(1);
    await all();
    expect(got().at(-1)).toBe('A1');
  });

  test('that says 410 gets nothing more, not even events from before', async () => {
    receiver.answer = () => 410;
    await add('A1', 'A2', 'B1');
    await all();
    expect(got().toSorted()).toEqual(['A1', 'B1']);
    await add('C1');
    expect(await deliverer.pass()).toBe(false);
    expect(await counts()).toEqual({ waits: false, dead: 3 });
  });

  test('that is down for an hour loses nothing, and is caught up soon after it is back', async () => {
    receiver.answer = () => (now < START + HOUR ? 503 : 204);
    const ids: string[] = [];
    for (; now < START + 90 * MINUTE; now += MINUTE) {
      const id = `${'ABCDE'.charAt(ids.length % 5)}${ids.length}`;
      ids.push(id);
      await add(id);
      await all();
    }
    expect(await counts()).toEqual({ waits: false, dead: 0 });
    const taken = [...new Set(got().slice(tried.indexOf('delivered')))];
    for (const booking of 'ABCDE') {
      const ofBooking = (all: readonly string[]) => all.filter((id) => id.startsWith(booking));
      expect(ofBooking(taken)).toEqual(ofBooking(ids));
    }
  });

  test('that takes one event in five seconds gets them all, and is left alone in between', async () => {
    let free = 0;
    receiver.answer = () => {
      if (now < free) return 429;
      free = now + 5_000;
      return 204;
    };
    await state.outbox.add(Array.from({ length: 40 }, (_, i) => event(`e${i}`, { locator: `P${i}` })));
    for (let i = 0; i < 60; i++, now += 5_000) await all();
    expect(await counts()).toEqual({ waits: false, dead: 0 });
    expect(receiver.got.length).toBeLessThan(130);
  });

  test('that refuses a booking with ten thousand events still gets the others', async () => {
    receiver.answer = ({ id }) => (id.startsWith('poison') ? 500 : 204);
    await state.outbox.add(Array.from({ length: 10_100 }, (_, i) => event(`poison${i}`, { locator: 'POISON' })));
    await add('Z1');
    await all();
    expect(got()).toEqual(['poison0', 'Z1']);
  });
});

test.each([
  [0, 4_000],
  [0.999_999, 6_000],
])('the delay before the next try is spread: by chance %d it is %d ms', async (chance, ms) => {
  await restart(chance);
  receiver.answer = () => 500;
  await add('A1');
  await all();
  const [due] = await state.deliveries.due(receiverName(receiver.url), Number.MAX_SAFE_INTEGER, 1);
  expect(due?.nextAt).toBe(START + ms);
});
