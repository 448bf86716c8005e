/**
 * After an older copy of the journal was restored: lost operations are entered again and settled, before anything
 * is sent.
 */
import { describe, expect, test } from 'vitest';
import { whyNotSend } from '../../src/journal/context.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { booking, CREATE, type Operation, operation, paidBooking } from './answers.ts';
import { GAP, Harness, MINUTE, type Options, SETTLE } from './harness.ts';

type Chain = NonNullable<Options['chain']>;
type Hold = NonNullable<Awaited<ReturnType<Chain['status']>>['hold']>;

const SEND = 180_000;
const LINK = { n: 9, hash: '9'.repeat(64) };

/** A journal whose sending is held, and the entries that it lacks. */
class HeldChain implements Chain {
  hold: Hold | undefined = { since: 1_000_000, seen: LINK, head: { n: 1, hash: '1'.repeat(64) } };
  acts: Awaited<ReturnType<Chain['lost']>>['acts'];
  links = 3;
  /** How many more entries another instance records meanwhile. */
  more = 0;
  releasedBy: string | undefined;
  /** The operator paused sending. */
  paused: Awaited<ReturnType<Chain['status']>>['pause'];
  /** Another process ends the hold meanwhile. */
  other: string | undefined;

  constructor(...acts: HeldChain['acts']) {
    this.acts = acts;
  }

  async status() {
    return { head: LINK, ...(this.hold && { hold: this.hold }), ...(this.paused && { pause: this.paused }) };
  }
  async has() {
    return false;
  }
  async lost() {
    return { links: this.links, acts: this.acts };
  }
  async keepUp() {}
  async release({ at, by, links }: NonNullable<Hold['release']>, now: number) {
    if (this.other !== undefined) this.hold = undefined;
    if (this.hold === undefined) return 'released' as const;
    if (this.more > 0) {
      this.more -= 1;
      this.links += 1;
    }
    if (links !== this.links) return 'more_lost' as const;
    if (now < at) {
      this.hold = { ...this.hold, release: { at, by, links } };
      return 'planned' as const;
    }
    this.releasedBy = by;
    this.hold = undefined;
    return 'released' as const;
  }
  async pause() {}
  async holdSince(since: number) {
    if (this.links === 0) this.hold ??= { since, seen: { n: 0, hash: '' }, head: LINK };
    return this.hold;
  }
  async resume() {
    return { kind: 'not_paused' } as const;
  }
}

function sent(id: string, over: Partial<Operation> = {}): Operation {
  const at = { createdAt: 900_000, updatedAt: 900_500, dispatchedAt: 900_500 };
  const made = operation({ kind: 'pay', amount: { minor: 17250, currency: 'SAR' }, coupons: 2 });
  return { ...made, ...at, id, owner: 'gone', ...over };
}

/** Runs it, and lets no time pass. */
async function restored(h: Harness) {
  const running = h.journal.restored('os:ann');
  await h.clock.pass(0);
  return await running;
}

async function held(...acts: HeldChain['acts']) {
  const chain = new HeldChain(...acts);
  return { chain, h: await Harness.open({ chain }) };
}

/** A journal of which second records miss nothing, perhaps because they are lost too. */
async function unrecorded() {
  const { chain, h } = await held();
  [chain.hold, chain.links] = [undefined, 0];
  return { chain, h };
}

describe('a restored older copy', () => {
  test('enters a lost payment again and settles it by what the airline shows', async () => {
    // Its amount counts for the limit of the day again.
    const money = { amount: { minor: 17250, currency: 'SAR' }, direction: 'payment' } as const;
    const asked = { approvedBy: 'oauth:boss', trace: '00-1-2-01', plan: 'digest of its plan' };
    const facts = { route: 'MED-JED', trains: ['HHR101'], adults: 1 };
    const over = { ...asked, supersedes: 'z', fingerprint: 'f', outcome: {}, facts, ...money };
    const { chain, h } = await held({ sent: sent('a', over) });
    const done = await restored(h);
    const allowedAt = 1_000_000 + SETTLE + SEND;
    expect(done).toMatchObject({ links: 3, read: ['ABC123'], unread: [], end: 'planned', allowedAt });
    expect(done?.acts).toMatchObject([
      { id: 'a', state: 'succeeded', createdAt: 900_000, ...over, outcome: { basis: 'read' } },
    ]);
    expect(chain.hold?.release).toEqual({ at: allowedAt, by: 'os:ann', links: 3 });
    const why = /Sending is allowed again at 1970-01-01T00:23:40Z\. Nothing was sent/;
    expect(whyNotSend(await chain.status())).toMatchObject({
      message: expect.stringMatching(why),
      next: expect.stringContaining('nobody needs to do anything'),
    });
    await h.clock.pass(SETTLE + SEND);
    expect(await restored(h)).toMatchObject({ end: 'released', acts: [{ id: 'a', state: 'succeeded' }] });
    expect(chain.releasedBy).toBe('os:ann');
    const events = await h.store.events('a');
    expect(events.map(({ to, actor }) => `${to} ${actor}`)).toEqual(['intent p1', 'in_doubt os:ann', 'succeeded p1']);
  });

  test('leaves a lost payment in doubt if its booking is unpaid, until it cannot be carried out any more', async () => {
    const { h } = await held({ sent: sent('a') });
    h.shown = booking();
    expect((await restored(h))?.acts).toMatchObject([{ state: 'in_doubt' }]);
    await h.tend(SETTLE + 4 * GAP);
    expect(await h.entry()).toMatchObject({ state: 'not_executed' });
  });

  test('keeps what readings settled since if it is run again', async () => {
    const { h } = await held({ sent: sent('a'), end: { id: 'a', state: 'not_executed' } });
    await h.clock.pass(1);
    expect((await restored(h))?.acts).toMatchObject([{ state: 'not_executed' }]);
    await h.move('not_executed', 'needs_person');
    expect((await restored(h))?.acts).toMatchObject([{ state: 'needs_person' }]);
  });

  test('does not wait for a booking that cannot be read', async () => {
    const { h } = await held({ sent: sent('a') });
    h.shown = () => new Promise<never>(() => undefined);
    const running = h.journal.restored('os:ann');
    await h.clock.pass(5_000);
    expect(await running).toMatchObject({
      end: 'planned',
      read: [],
      unread: ['ABC123'],
      acts: [{ state: 'in_doubt' }],
    });
  });

  test('restores lost operations with their recorded end, and leaves an end that the copy has', async () => {
    const made = { locator: 'NEW123', outcome: { basis: 'reply', locator: 'NEW123' } } as const;
    const { locator: _, ...bare } = sent('a');
    const { h } = await held(
      { sent: bare, end: { id: 'a', state: 'succeeded', ...made } },
      { sent: sent('b'), end: { id: 'b', state: 'not_executed' } },
      { end: { id: 'c', state: 'refused' } },
      // Never sent.
      { end: { id: 'never', state: 'not_executed' } },
      {},
    );
    await h.journal.open(newOperation('c', { locator: 'XYZ789' }));
    await h.move('intent', 'refused', {}, 'c');
    const done = await restored(h);
    expect(done).toMatchObject({
      end: 'planned',
      acts: [{ state: 'succeeded', ...made }, { state: 'not_executed' }, { state: 'refused' }],
    });
    expect(await h.store.events('c')).toHaveLength(2);
  });

  test.each([
    ['lost', { sent: sent('a') }],
    ['in doubt', {}],
  ])('looks again at what was settled as not carried out and is %s in the copy', async (word, lost) => {
    const { h } = await held({ ...lost, end: { id: 'a', state: 'not_executed', outcome: { looks: 1 } } });
    if (word === 'in doubt') {
      await h.open();
      await h.move('intent', 'in_doubt', { dispatchedAt: h.clock.now(), leaseUntil: h.clock.now() });
    }
    h.shown = booking();
    const done = await restored(h);
    expect(done?.acts).toMatchObject([{ state: 'not_executed', outcome: { looks: 1 } }]);
    h.shown = paidBooking();
    await h.tend(46 * MINUTE);
    expect(await h.entry()).toMatchObject({
      state: 'needs_person',
      outcome: { check: expect.stringMatching(/^It had been settled as not carried out/) },
    });
  });

  test('does not look again at what was given up before it was sent', async () => {
    const { h } = await held({ end: { id: 'a', state: 'not_executed', outcome: {} } });
    await h.open();
    await restored(h);
    h.shown = paidBooking();
    await h.tend(90 * MINUTE);
    expect(await h.entry()).toMatchObject({ state: 'not_executed', outcome: {} });
  });

  test('reads the booking of an operation that only looks unsent in the copy', async () => {
    const { chain, h } = await held({ sent: sent('a') });
    await h.open();
    await h.clock.pass(MINUTE);
    await h.journal.reconcile();
    expect((await h.entry()).state).toBe('intent');
    chain.hold = { ...(chain.hold as Hold), since: h.clock.now() };
    expect((await restored(h))?.acts).toMatchObject([{ state: 'succeeded', dispatchedAt: 900_500 }]);
  });

  test('reads a lost operation given up since, and keeps one that was settled since', async () => {
    const { dispatchedAt: _, ...early } = sent('a');
    const { h } = await held({ sent: early }, { sent: sent('b', { locator: 'XYZ789' }) });
    await h.open();
    await h.move('intent', 'not_executed');
    await h.journal.open(newOperation('b', { locator: 'XYZ789' }));
    await h.move('intent', 'dispatched', { dispatchedAt: 5 }, 'b');
    await h.move('dispatched', 'not_executed', {}, 'b');
    const done = await restored(h);
    expect(done?.acts.map(({ state }) => state)).toEqual(['succeeded', 'not_executed']);
  });

  test('restores two operations on one booking one after the other', async () => {
    const { h } = await held({ sent: sent('a') }, { sent: sent('b') });
    const done = await restored(h);
    expect(done?.acts.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    expect(done?.read).toEqual(['ABC123']);
  });

  test('keeps sending held if a restored operation cannot be settled', async () => {
    const { chain, h } = await held({ sent: sent('a') }, { sent: sent('b') });
    h.shown = () => Promise.reject(new Error('down'));
    const done = await restored(h);
    expect(done).toMatchObject({ end: 'busy', unread: ['ABC123'], acts: [{ id: 'a', state: 'in_doubt' }] });
    expect(chain.hold).toBeDefined();
  });

  test('hands a lost create to a person instead of repeating it', async () => {
    const { h } = await held({ sent: sent('a', CREATE) });
    expect(await restored(h)).toMatchObject({ acts: [{ state: 'in_doubt' }], read: [], unread: [], end: 'planned' });
    await h.tend(SETTLE + GAP);
    expect(await h.entry()).toMatchObject({ state: 'needs_person' });
  });

  test('also recovers what another process records meanwhile, or finds that it released sending', async () => {
    const { chain, h } = await held();
    chain.more = 1;
    expect(await restored(h)).toMatchObject({ links: 4, acts: [], end: 'planned' });
    const other = await held();
    other.chain.other = 'os:bob';
    expect(await restored(other.h)).toMatchObject({ end: 'released' });
    expect(other.chain.releasedBy).toBeUndefined();
  });

  test('holds paused sending without second records until seven minutes after the pause, and then no longer', async () => {
    const { chain, h } = await unrecorded();
    chain.paused = { since: 1_000_000, by: 'os:ann', why: 'restored a copy' };
    await h.clock.pass(MINUTE);
    const allowedAt = 1_000_000 + 7 * MINUTE;
    const nothing = { links: 0, acts: [], read: [], unread: [], isPaused: true, isUnknown: true };
    expect(await restored(h)).toEqual({ ...nothing, end: 'planned', allowedAt });
    expect(chain.hold).toMatchObject({ since: 1_000_000, release: { at: allowedAt, by: 'os:ann', links: 0 } });
    expect(whyNotSend(await chain.status())).toMatchObject({
      message: expect.stringMatching(
        /an older copy of the journal was put back, and no second record says what it lacks/,
      ),
      next: expect.stringContaining('then allows sending with `fareclerk resume`'),
    });
    expect(await restored(h)).toMatchObject({ end: 'planned', allowedAt });
    await h.clock.pass(6 * MINUTE);
    expect(await restored(h)).toMatchObject({ end: 'released', isUnknown: true });
  });

  test('holds nothing of sending that was paused over seven minutes ago', async () => {
    const { chain, h } = await unrecorded();
    chain.paused = { since: 1_000_000, by: 'os:ann', why: 'restored a copy' };
    await h.clock.pass(7 * MINUTE);
    expect(await restored(h)).toMatchObject({ end: 'released', allowedAt: 1_000_000 + 7 * MINUTE });
    expect(chain.hold).toBeUndefined();
  });

  test('also recovers what other second records have, while sending is paused', async () => {
    const { chain, h } = await unrecorded();
    chain.paused = { since: 1_000_000, by: 'os:ann', why: 'restored a copy' };
    expect(await restored(h)).toMatchObject({ links: 0, isUnknown: true });
    [chain.links, chain.acts] = [3, [{ sent: sent('a') }]];
    expect(await restored(h)).toMatchObject({ links: 3, isUnknown: false, acts: [{ state: 'succeeded' }] });
  });

  test('does nothing if sending is neither held nor paused, or there is no chain', async () => {
    const { chain, h } = await held();
    chain.hold = undefined;
    expect(await h.journal.restored('os:ann')).toBeUndefined();
    expect(await (await Harness.open()).journal.restored('os:ann')).toBeUndefined();
  });
});

test('records who closed an operation, when, and what they found', async () => {
  const h = await Harness.open();
  await h.doubt();
  await h.move('in_doubt', 'needs_person', { outcome: { check: 'look' } });
  expect(await h.journal.resolve(await h.entry(), 'os:ann', 'it is paid')).toBe(true);
  const resolved = { by: 'os:ann', at: h.clock.now(), note: 'it is paid' };
  expect(await h.entry()).toMatchObject({ state: 'resolved', outcome: { check: 'look', resolved } });
  expect((await h.store.events('a')).at(-1)).toMatchObject({ to: 'resolved', actor: 'os:ann' });
  expect(await h.store.verify()).toBeUndefined();
  expect(await h.journal.resolve(await h.entry(), 'os:ann', 'again')).toBe(false);
});
