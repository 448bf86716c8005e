/**
 * After an older copy of the journal was restored: lost operations are entered again and settled, before anything
 * is sent.
 */
import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/journal/operation.ts';
import type { Chain, Hold, Link, Lost, LostAct, Released } from '../../src/journal/ports.ts';
import { newOperation } from '../store/new-operation.ts';
import { act, booking, GAP, Harness, paidBooking, receipt, SETTLE } from './harness.ts';

const SEND = 180_000;
const LINK: Link = { n: 9, hash: '9'.repeat(64) };

/** A journal whose sending is held, and the entries that it lacks. */
class HeldChain implements Chain {
  hold: Hold | undefined = { since: 1_000_000, seen: LINK, head: { n: 1, hash: '1'.repeat(64) } };
  acts: LostAct[] = [];
  links = 3;
  /** How many more entries another instance records meanwhile. */
  more = 0;
  releasedBy: string | undefined;
  withoutRecords = false;
  /** Another process ends the hold meanwhile. */
  other: string | undefined;

  async status() {
    return { head: LINK, ...(this.hold && { hold: this.hold }) };
  }
  async has() {
    return false;
  }
  async lost(): Promise<Lost> {
    return { links: this.links, acts: this.acts };
  }
  async keepUp() {}
  async holdAll() {
    return this.hold as Hold;
  }
  async release(links: number, by: string, _now: number, withoutRecords = false): Promise<Released> {
    if (this.other !== undefined) this.hold = undefined;
    if (this.hold === undefined) return { kind: 'released_before', by: this.other ?? '' };
    if (this.more > 0) {
      this.more -= 1;
      this.links += 1;
    }
    if (links !== this.links) return { kind: 'more_lost' };
    this.withoutRecords = withoutRecords;
    this.releasedBy = by;
    this.hold = undefined;
    return { kind: 'released' };
  }
  async pause() {}
  async resume() {
    return false;
  }
}

function sent(id: string, changes: Partial<Operation> = {}): Operation {
  const meta = { state: 'dispatched', createdAt: 900_000, updatedAt: 900_500, owner: 'gone', leaseUntil: 0 } as const;
  return { ...newOperation(id), ...meta, negatives: 0, dispatchedAt: 900_500, ...changes };
}

async function restored(h: Harness, ms = SETTLE + SEND + 10_000, withoutRecords = false) {
  const waits: number[] = [];
  const running = h.journal.restored('os:ann', { onWait: (left) => waits.push(left), withoutRecords });
  await h.clock.pass(ms);
  return { done: await running, waits };
}

const harness = (chain: HeldChain) => new Harness({ chain });

describe('a restored older copy', () => {
  test('enters a lost payment again and settles it by what the airline shows', async () => {
    const chain = new HeldChain();
    chain.acts = [{ sent: sent('a', { approvedBy: 'oauth:boss', supersedes: 'z', fingerprint: 'f', outcome: {} }) }];
    const h = harness(chain);
    h.shown = paidBooking();
    const { done, waits } = await restored(h);
    expect(done).toMatchObject({ links: 3, read: ['ABC123'], unread: [], end: 'released' });
    expect(done?.acts).toMatchObject([{ id: 'a', state: 'succeeded', createdAt: 900_000, approvedBy: 'oauth:boss' }]);
    expect(waits[0]).toBe(SETTLE + SEND);
    expect(chain.releasedBy).toBe('os:ann');
    const events = await h.store.events('a');
    expect(events.map(({ to, actor }) => [to, actor])).toEqual([
      ['intent', 'p1'],
      ['in_doubt', 'os:ann'],
      ['succeeded', 'p1'],
    ]);
  });

  test('does not release sending before the last request must have ended', async () => {
    const chain = new HeldChain();
    const h = harness(chain);
    void h.journal.restored('os:ann');
    await h.clock.pass(SETTLE + SEND - 1);
    expect(chain.hold).toBeDefined();
    await h.clock.pass(10_000);
    expect(chain.hold).toBeUndefined();
  });

  test('restores a lost operation with its recorded outcome', async () => {
    const chain = new HeldChain();
    const end = {
      id: 'a',
      state: 'succeeded',
      locator: 'NEW123',
      outcome: { basis: 'reply', locator: 'NEW123' },
    } as const;
    const { locator: _, amount: __, direction: ___, ...bare } = sent('a');
    chain.acts = [{ sent: bare, end }];
    const h = harness(chain);
    const { done } = await restored(h);
    expect(done?.acts).toMatchObject([{ state: 'succeeded', locator: 'NEW123', outcome: { basis: 'reply' } }]);
  });

  test('restores an end without an outcome, and leaves an end that the copy has', async () => {
    const chain = new HeldChain();
    chain.acts = [{ sent: sent('a'), end: { id: 'a', state: 'not_executed' } }, { end: { id: 'b', state: 'refused' } }];
    const h = harness(chain);
    await h.journal.open(newOperation('b', { locator: 'XYZ789' }));
    await h.store.transition('b', ['intent'], 'refused', {}, { now: 1, actor: 'p2' });
    const { done } = await restored(h);
    expect(done?.acts.map(({ state }) => state)).toEqual(['not_executed', 'refused']);
    expect(await h.store.events('b')).toHaveLength(2);
  });

  test('reads the booking of an operation that only looks unsent in the copy', async () => {
    const chain = new HeldChain();
    chain.acts = [{ sent: sent('a') }];
    const h = harness(chain);
    await h.open();
    await h.clock.pass(60_000);
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('intent');
    chain.hold = { ...(chain.hold as Hold), since: h.clock.now() };
    expect((await restored(h)).done?.acts).toMatchObject([{ state: 'succeeded', dispatchedAt: 900_500 }]);
  });

  test('reads a lost operation given up since, and keeps one that was settled since', async () => {
    const chain = new HeldChain();
    const { dispatchedAt: _, ...early } = sent('a');
    chain.acts = [{ sent: early }, { sent: sent('b', { locator: 'XYZ789' }) }];
    const h = harness(chain);
    await h.open();
    const meta = { now: 1, actor: 'p2' };
    await h.store.transition('a', ['intent'], 'not_executed', {}, meta);
    await h.journal.open(newOperation('b', { locator: 'XYZ789' }));
    await h.store.transition('b', ['intent'], 'dispatched', { dispatchedAt: 5 }, meta);
    await h.store.transition('b', ['dispatched'], 'not_executed', {}, meta);
    const { done } = await restored(h);
    expect(done?.acts.map(({ state }) => state)).toEqual(['succeeded', 'not_executed']);
  });

  test('enters nothing for an operation that was never sent', async () => {
    const chain = new HeldChain();
    chain.acts = [{ end: { id: 'never', state: 'not_executed' } }, {}];
    const h = harness(chain);
    const { done } = await restored(h);
    expect(done).toMatchObject({ acts: [], end: 'released' });
  });

  test('restores two operations on one booking one after the other', async () => {
    const chain = new HeldChain();
    chain.acts = [{ sent: sent('a') }, { sent: sent('b') }];
    const { done } = await restored(harness(chain));
    expect(done?.acts.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    expect(done?.read).toEqual(['ABC123']);
  });

  test('keeps sending held if a restored operation cannot be settled', async () => {
    const chain = new HeldChain();
    chain.acts = [{ sent: sent('a') }, { sent: sent('b') }];
    const h = harness(chain);
    h.shown = () => Promise.reject(new Error('down'));
    const { done } = await restored(h, SETTLE + SEND + 400_000);
    expect(done).toMatchObject({ end: 'busy', unread: ['ABC123'] });
    expect(done?.acts).toMatchObject([{ id: 'a', state: 'in_doubt' }]);
    expect(chain.hold).toBeDefined();
  });

  test('hands a lost create to a person instead of repeating it', async () => {
    const chain = new HeldChain();
    const { locator: _, amount: __, direction: ___, ...bare } = sent('a', { subject: { kind: 'create' } as never });
    chain.acts = [{ sent: { ...bare, fingerprint: 'f' } }];
    const { done } = await restored(harness(chain), SETTLE + SEND + GAP);
    expect(done).toMatchObject({ acts: [{ state: 'needs_person' }], read: [], unread: [], end: 'released' });
  });

  test('also recovers what another instance records meanwhile', async () => {
    const chain = new HeldChain();
    chain.more = 1;
    const { done } = await restored(harness(chain));
    expect(done).toMatchObject({ links: 4, end: 'released' });
  });

  test('ends, and says who released sending, if another process did so meanwhile', async () => {
    const chain = new HeldChain();
    chain.other = 'os:bob';
    const { done } = await restored(harness(chain));
    expect(done).toMatchObject({ end: 'released', releasedBy: 'os:bob' });
    expect(chain.releasedBy).toBeUndefined();
  });

  test('keeps sending held where second records are missing, until a person says that they are lost', async () => {
    const chain = new HeldChain();
    chain.hold = { since: 1_000_000, head: LINK };
    const h = harness(chain);
    expect((await restored(h)).done).toEqual({ links: 0, acts: [], read: [], unread: [], end: 'no_records' });
    expect(chain.hold).toBeDefined();
    chain.hold = { since: h.clock.now(), head: LINK };
    const { done, waits } = await restored(h, SETTLE + SEND + 10_000, true);
    expect(waits[0]).toBe(SETTLE + SEND);
    expect(done).toMatchObject({ links: 3, end: 'released' });
    expect(chain.withoutRecords).toBe(true);
  });

  test('does nothing if sending is not held or there is no chain', async () => {
    const chain = new HeldChain();
    chain.hold = undefined;
    expect(await harness(chain).journal.restored('os:ann')).toBeUndefined();
    expect(await new Harness().journal.restored('os:ann')).toBeUndefined();
  });

  test('settles a lost payment as not carried out if the booking is unpaid', async () => {
    const chain = new HeldChain();
    chain.acts = [{ sent: sent('a') }];
    const h = harness(chain);
    h.shown = booking();
    const { done } = await restored(h, SETTLE + SEND + 200_000);
    expect(done?.acts).toMatchObject([{ state: 'not_executed' }]);
  });
});

describe('a store that stops sending', () => {
  test("sends nothing if the store stops sending, and reports the store's own error", async () => {
    const h = new Harness();
    const operation = await h.open();
    const stopped = Object.assign(new Error('no'), {});
    const { ClerkError } = await import('../../src/errors.ts');
    const words = new ClerkError('E_NOT_PERMITTED', 'Paused. Nothing was sent.', { next: 'Wait.', cause: stopped });
    const { transition } = h.store;
    h.store.transition = async (...given) => {
      if (given[2] === 'dispatched') throw words;
      return await transition.call(h.store, ...given);
    };
    const sending = act(async () => receipt());
    const ran = await h.journal.run(operation, sending);
    expect(ran).toMatchObject({ operation: { state: 'not_executed' }, error: words });
    expect(sending.sends).toBe(0);
  });

  test('reports a store failure before the dispatch as nothing sent', async () => {
    const h = new Harness();
    const operation = await h.open();
    const { ClerkError } = await import('../../src/errors.ts');
    const { transition } = h.store;
    h.store.transition = async (...given) => {
      if (given[2] !== 'dispatched') return await transition.call(h.store, ...given);
      throw new ClerkError('E_INTERNAL', 'The disk is full. Who knows.', { next: 'Tell.', effect: 'unknown' });
    };
    const ran = await h.journal.run(
      operation,
      act(async () => receipt()),
    );
    expect(ran.error).toMatchObject({ message: 'The disk is full. Nothing was sent.', effect: 'none' });
  });
});

describe('a person closes an operation', () => {
  test('records who closed an operation, when, and what they found', async () => {
    const h = new Harness();
    await h.doubt();
    await h.store.transition(
      'a',
      ['in_doubt'],
      'needs_person',
      { outcome: { check: 'look' } },
      { now: 1, actor: 'p1' },
    );
    expect(await h.journal.resolve(await h.state(), 'os:ann', 'it is paid')).toBe(true);
    const resolved = { by: 'os:ann', at: h.clock.now(), note: 'it is paid' };
    expect(await h.state()).toMatchObject({ state: 'resolved', outcome: { check: 'look', resolved } });
    expect((await h.store.events('a')).at(-1)).toMatchObject({ to: 'resolved', actor: 'os:ann' });
    expect(await h.store.verify()).toBeUndefined();
    expect(await h.journal.resolve(await h.state(), 'os:ann', 'again')).toBe(false);
  });

  test('hands a closed operation to a person again if the airline confirms it later', async () => {
    const h = new Harness();
    const { promise, resolve } = Promise.withResolvers<void>();
    const operation = await h.open();
    const running = h.journal.run(
      operation,
      act(async () => {
        await promise;
        return receipt();
      }),
    );
    await h.clock.pass(1);
    await h.store.transition('a', ['dispatched'], 'needs_person', {}, { now: 1, actor: 'p2' });
    await h.journal.resolve(await h.state(), 'os:ann', 'it is not paid');
    resolve();
    await running;
    expect(await h.state()).toMatchObject({ state: 'needs_person', outcome: { resolved: { by: 'os:ann' } } });
  });
});
