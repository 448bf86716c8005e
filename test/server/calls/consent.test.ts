/**
 * Channels of approval, mixed, repeated and interrupted, under settings that were tightened, a daily limit and two tenants:
 * one yes carries out one act at most, and never a later one.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { heldBooking, ticketedBooking } from './bookings.ts';
import {
  ask,
  CALLER,
  type Clerk,
  codeOf,
  type Desk,
  errorOf,
  failures,
  handleOf,
  openDesk,
  PAY,
  resultOf,
  siblingOf,
} from './desk.ts';

let desk: Desk;
let before: number;
let args: { locator: string };
beforeAll(async () => {
  desk = await openDesk({ approval: 'echo', answerMs: 1_000 });
});
afterAll(() => desk.close());
beforeEach(async () => {
  args = { locator: await heldBooking(desk), ...PAY };
  before = desk.acts().length;
});
afterEach(() => expect(failures).toEqual([]));

const acts = () => desk.acts().slice(before);
type How = Parameters<Desk['call']>[2];
const call = (how: How = {}, clerk = desk.clerk, more: object = {}, tool = 'pay_booking') =>
  clerk.call(tool, { ...args, ...more }, { caller: CALLER, canElicit: false, canOpenUrls: false, ...how });
const codeAt = async (...of: Parameters<typeof call>) => codeOf(await call(...of));
const decline = { action: 'decline' };
const byPage = { assurance: 'page' } as const;
const kindAt = async (id: string, yes: boolean, clerk = desk.clerk) => (await clerk.decide(id, yes, byPage)).kind;

/** A question about the payment of `args`, outside of a dialog. */
async function asked(clerk = desk.clerk) {
  const result = resultOf(await call({}, clerk));
  return { result, approval_id: handleOf(result), ...(await waiting()) };
}
async function waiting() {
  const all = await desk.clerk.waiting();
  const one = all.find(({ locator }) => locator === args.locator);
  return { id: one?.operationId ?? '', hash: one?.handleHash ?? '', askedBy: one?.askedBy };
}
/** A yes is on record, and the process died before the journal. */
const granted = (hash: string) => desk.parts.state.approvals.decide(hash, 'granted', 'page', desk.parts.clock.now());
const operationsOf = (locator: string) => desk.parts.state.operations.list({ locator });

describe('two calls', () => {
  test('pay on the second, which the third reports as already done', async () => {
    const { result, approval_id } = await asked();
    expect([codeOf(result), result.text.includes(approval_id)]).toEqual(['approval_required', true]);
    expect(await codeAt({}, desk.clerk, { approval_id })).toBe('done');
    expect(await codeAt({}, desk.clerk, { approval_id })).toBe('already_done');
    expect(acts()).toEqual(['paid']);
    expect((await operationsOf(args.locator))[0]?.assurance).toBe('caller_confirmed');
  });

  test('are not enough once the operator requires the page', async () => {
    const { approval_id } = await asked();
    const again = resultOf(
      await call({}, siblingOf(desk, { approval: 'page', canUseTerminal: true }), { approval_id }),
    );
    expect([codeOf(again), again.text.includes('fareclerk approve')]).toEqual(['approval_required', true]);
    expect(acts()).toEqual([]);
  });
});

describe('an answer outside the call', () => {
  test('carries out a yes once, and still reports it as new to the caller', async () => {
    const page = siblingOf(desk, { approval: 'page', canUseTerminal: true });
    const { approval_id, id } = await asked(page);
    expect(await kindAt(id, true, page)).toBe('done');
    expect(await codeAt({}, page, { approval_id })).toBe('done');
    expect(await codeAt({}, page, { approval_id })).toBe('already_done');
    expect([await kindAt(id, true, page), await kindAt(id, false, page)]).toEqual(['done', 'done']);
    expect(acts()).toEqual(['paid']);
  });

  test('counts neither from another caller nor for a tool that this process does not offer', async () => {
    const { id } = await asked();
    const by = { caller: { ...CALLER, id: 'bob' }, ...byPage };
    expect((await desk.clerk.decide(id, true, by)).kind).toBe('unknown');
    const reading = siblingOf(desk, { tools: desk.clerk.tools.filter((tool) => tool.effect === 'read') });
    expect(await kindAt(id, true, reading)).toBe('unknown');
    expect([(await waiting()).id, acts()]).toEqual([id, []]);
  });

  test('carries out once a yes whose process died before the journal, within ten minutes', async () => {
    const { id, hash, approval_id } = await asked();
    await granted(hash);
    expect(await kindAt(id, true)).toBe('done');
    expect(await codeAt({}, desk.clerk, { approval_id })).toBe('done');
    expect(acts()).toEqual(['paid']);
    args = { locator: await heldBooking(desk), ...PAY };
    const late = await asked();
    await granted(late.hash);
    desk.advance(10 * 60_000);
    const expired = resultOf(await call({}, desk.clerk, { approval_id: late.approval_id }));
    expect([codeOf(expired), expired.text]).toEqual([
      'E_APPROVAL_EXPIRED',
      expect.stringContaining('not carried out within ten minutes'),
    ]);
    expect(acts()).toEqual(['paid']);
  });

  test.each(['a press', 'the dialog'])(
    'sends nothing if a no by %s follows a yes that was not carried out',
    async (by) => {
      const elicit = siblingOf(desk, { approval: 'elicit' });
      const { handle, answer } = await ask(elicit, 'pay_booking', args);
      const { id, hash } = await waiting();
      await granted(hash);
      if (by === 'a press') expect(await kindAt(id, false, elicit)).toBe('failed');
      else expect(codeOf(await answer(decline))).toBe('E_APPROVAL_DECLINED');
      expect(await codeAt({}, elicit, { approval_id: handle })).toBe('E_APPROVAL_EXPIRED');
      expect(await kindAt(id, true, elicit)).toBe('failed');
      expect([await desk.parts.state.operations.get(id), acts()]).toEqual([undefined, []]);
    },
  );

  test.each(['a press', 'the dialog'])('shows the payment as pending to a no by %s after sending began', async (by) => {
    let meanwhile: (() => Promise<void>) | undefined;
    // Another process gets the no after the approval was checked again and before the send.
    const read: typeof desk.parts.airline.read = async (...of) => {
      const now = meanwhile;
      meanwhile = undefined;
      await now?.();
      return desk.parts.airline.read(...of);
    };
    const airline = { ...desk.parts.airline, read };
    const carrying = siblingOf(desk, { approval: 'elicit', open: async () => ({ ...desk.parts, airline }) });
    const { handle } = await ask(carrying, 'pay_booking', args);
    const { id } = await waiting();
    const dialog = { handle, raw: decline };
    const seen: unknown[] = [];
    meanwhile = async () => {
      seen.push(by === 'a press' ? await kindAt(id, false) : await codeAt({ canElicit: true, dialog }));
    };
    // The approval was already checked again, so the payment continues.
    expect([await kindAt(id, true, carrying), ...seen]).toEqual(['done', 'pending']);
    expect(acts()).toEqual(['paid']);
  });

  test('sends nothing after a no between the journal entry and the second check', async () => {
    const { id } = await asked();
    const { journal } = desk.parts;
    const seen: unknown[] = [];
    const run: typeof journal.run = async (...of) => {
      seen.push(await kindAt(id, false));
      return journal.run(...of);
    };
    const carrying = siblingOf(desk, { open: async () => ({ ...desk.parts, journal: { ...journal, run } }) });
    expect([await kindAt(id, true, carrying), ...seen]).toEqual(['failed', 'pending']);
    expect((await desk.parts.state.operations.get(id))?.state).toBe('not_executed');
    expect(acts()).toEqual([]);
  });

  test('sends nothing if the limit per action was lowered after the question', async () => {
    const { id } = await asked();
    const stricter = siblingOf(desk, { limits: { perAction: { minor: 100, currency: 'SAR' } } });
    const outcome = await stricter.decide(id, true, byPage);
    expect(outcome).toMatchObject({ kind: 'failed', title: 'Nothing was done' });
    expect(outcome.lines.join()).toContain('over the limit of SAR 1.00 for an action');
    expect(acts()).toEqual([]);
  });
});

describe('a question in the dialog, after the operator required the page', () => {
  const above = { pageAbove: { minor: 100, currency: 'SAR' } };
  const elicit = () => siblingOf(desk, { approval: 'elicit' });

  test.each([
    ['page', { approval: 'page', canUseTerminal: true }],
    ['amounts above a mark', { approval: 'auto', ...above, canUseTerminal: true }],
  ] as const)('is moved to the page, and takes no yes in a dialog: approval by %s', async (_, options) => {
    const strict = siblingOf(desk, options);
    const { handle, act } = await ask(elicit(), 'pay_booking', args);
    const { id } = await waiting();
    const yes = { canElicit: true, dialog: { handle, raw: { action: 'accept', content: { decision: act } } } };
    const moved = resultOf(await call(yes, strict));
    expect([codeOf(moved), moved.text.includes('fareclerk approve')]).toEqual(['approval_required', true]);
    // The old setting does not accept it either, and neither shows the dialog again.
    expect(await codeAt(yes, elicit())).toBe('approval_required');
    expect(await codeAt({ canElicit: true }, strict, { approval_id: handle })).toBe('approval_required');
    expect([(await waiting()).askedBy, acts()]).toEqual(['page', []]);
    expect(await kindAt(id, true, strict)).toBe('done');
    expect(await codeAt({ canElicit: true }, strict, { approval_id: handle })).toBe('done');
    expect((await operationsOf(args.locator))[0]).toMatchObject({ id, assurance: 'page' });
  });

  test.each([decline, { action: 'accept', content: { decision: 'no' } }])('still takes a no: %j', async (raw) => {
    const { handle } = await ask(elicit(), 'pay_booking', args);
    const strict = siblingOf(desk, { approval: 'page', canUseTerminal: true });
    expect(await codeAt({ canElicit: true, dialog: { handle, raw } }, strict)).toBe('E_APPROVAL_DECLINED');
    expect((await waiting()).id).toBe('');
  });

  test('is kept, and its yes in the dialog refused, if there is no page', async () => {
    const { handle, act, yes } = await ask(elicit(), 'pay_booking', args);
    const dialog = { handle, raw: { action: 'accept', content: { decision: act } } };
    const pageless = siblingOf(desk, { approval: 'elicit', ...above });
    expect(await codeAt({ canElicit: true, dialog }, pageless)).toBe('E_APPROVAL_UNAVAILABLE');
    expect(acts()).toEqual([]);
    expect(codeOf(await yes())).toBe('done');
  });

  test('says to call again without approval_id after a closed dialog if there is no page', async () => {
    const { answer, handle } = await ask(elicit(), 'pay_booking', args);
    const words = 'call pay_booking again without approval_id';
    expect((await answer({ action: 'cancel' })).text).toContain(words);
    expect(resultOf(await call({ canElicit: true }, elicit(), { approval_id: handle })).text).toContain(words);
    expect(codeOf(await (await ask(elicit(), 'pay_booking', args)).yes())).toBe('done');
  });
});

describe('a booking with an operation in doubt', () => {
  const lost = { message: 'OTA_AirBookModifyRQ', kind: 'commit-then-lose' } as const;
  const first = { segment_refs: ['1'] };
  const second = { segment_refs: ['2'] };

  test('refuses another operation meanwhile, and spends its yes for good', async () => {
    const dialogs = siblingOf(desk, { approval: 'auto' });
    const locator = await ticketedBooking({
      ...desk,
      say: async (tool, given) => (await ask(dialogs, tool, given)).yes(),
    });
    const other = await ask(dialogs, 'cancel_segment', { locator, ...second });
    desk.sandbox.order(lost);
    const pending = await (await ask(dialogs, 'cancel_segment', { locator, ...first })).yes();
    expect([codeOf(pending), codeOf(await other.yes())]).toEqual(['pending', 'E_BOOKING_BUSY']);
    const again = { locator, ...first, approval_id: handleOf(pending) };
    await expect.poll(async () => codeOf(await desk.call('cancel_segment', again)), { timeout: 10_000 }).toBe('done');
    expect(codeOf(await other.yes())).toBe('E_APPROVAL_EXPIRED');
    expect(acts().filter((event) => event === 'segments_cancelled')).toHaveLength(1);
  });

  test('settles the earlier operation by a reading before it asks', async () => {
    const { approval_id: paid } = await asked();
    expect(await codeAt({}, desk.clerk, { approval_id: paid })).toBe('done');
    const { locator } = args;
    const approval_id = handleOf(await desk.result('cancel_segment', { locator, ...first }));
    desk.sandbox.order(lost);
    expect(codeOf(await desk.call('cancel_segment', { locator, ...first, approval_id }))).toBe('pending');
    const { journal } = desk.parts;
    // Waits ten times as long, so that a slow machine cannot fail the test.
    const follow: typeof journal.follow = (id, waitMs, signal) => journal.follow(id, waitMs * 10, signal);
    const open = async () => ({ ...desk.parts, journal: { ...journal, follow } });
    const patient = siblingOf(desk, { waitMs: 25_000, open });
    args = { locator };
    const busy = resultOf(await call({}, patient, second, 'cancel_segment'));
    expect(busy.text).toContain(`An earlier cancel_segment of ${locator} has just been settled (succeeded).`);
    expect([codeOf(busy), await codeAt({}, patient, second, 'cancel_segment')]).toEqual([
      ...['E_BOOKING_BUSY', 'approval_required'],
    ]);
    expect(acts().filter((event) => event === 'segments_cancelled')).toHaveLength(1);
  });

  test('is warned of in the terms of the next question if it was never settled', async () => {
    const { operations } = desk.parts.state;
    const [id, now] = [crypto.randomUUID(), desk.parts.clock.now()];
    const subject = { kind: 'pay', amount: { minor: 1, currency: 'SAR' }, coupons: 2 };
    const bound = { tenant: CALLER.tenant, caller: CALLER.id, assurance: 'page', argsDigest: 'a', termsDigest: 't' };
    const operation = { id, ...bound, tool: 'pay_booking', locator: args.locator, subject } as never;
    await operations.insert(operation, { now, owner: 'gone', leaseUntil: now });
    const meta = { now, actor: 'test' };
    await operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: now }, meta);
    await operations.transition(id, ['dispatched'], 'in_doubt', {}, meta);
    await operations.transition(id, ['in_doubt'], 'needs_person', {}, meta);
    const { result, approval_id } = await asked();
    const { terms } = result.structured.approval as { terms: string[] };
    expect(terms[1]).toMatch(/^Caution: an earlier payment of this booking .* was never settled/);
    expect(await codeAt({}, desk.clerk, { approval_id })).toBe('done');
  });
});

describe('the daily limit of a caller', () => {
  /** Enough for one trip of two, but not for a second. */
  const limits = { perDay: { minor: 100_000, currency: 'SAR' } };
  let limited: Clerk;
  let caller: typeof CALLER;
  beforeEach(() => {
    limited = siblingOf(desk, { approval: 'auto', limits });
    caller = { ...CALLER, id: crypto.randomUUID() };
  });
  const pay = async (locator: string) => (await ask(limited, 'pay_booking', { locator, ...PAY }, { caller })).yes();
  const askFor = (who: typeof CALLER, locator = args.locator) =>
    call({ caller: who, canElicit: true }, limited, { locator });

  test('refuses a payment before a person is asked, and asks again a day later', async () => {
    expect(codeOf(await pay(await heldBooking(desk)))).toBe('done');
    const refused = resultOf(await askFor(caller));
    expect(refused.text).toMatch(
      /^E_LIMIT: SAR [\d.,]+ was moved in the last 24 hours; with SAR[\s\S]*Nothing was sent\./,
    );
    expect((await waiting()).id).toBe('');
    expect((await operationsOf(args.locator)).map(({ tool }) => tool)).toEqual(['create_booking']);
    // Other callers and other tenants have their own limit, and an act that moves no money does not count.
    for (const who of [
      { ...caller, id: 'bob' },
      { ...caller, tenant: 'other' },
    ])
      expect((await askFor(who)).kind).toBe('ask');
    const release = await limited.call(
      'cancel_booking',
      { locator: args.locator },
      { caller, canElicit: true, canOpenUrls: false },
    );
    expect(release.kind).toBe('ask');
    expect(acts()).toEqual(['paid']);
    desk.advance(24 * 3_600_000 + 1);
    expect((await askFor(caller, await heldBooking(desk))).kind).toBe('ask');
  });

  test('sends nothing if it was used up after the question', async () => {
    const late = await ask(limited, 'pay_booking', args, { caller });
    expect(codeOf(await pay(await heldBooking(desk)))).toBe('done');
    expect(codeOf(await late.yes())).toBe('E_LIMIT');
    expect(acts()).toEqual(['paid']);
  });

  test('leaves a booking with a pending payment busy rather than over the limit', async () => {
    desk.sandbox.order({ message: 'OTA_AirDemandTicketRQ', kind: 'lose-before' });
    expect(codeOf(await pay(args.locator))).toBe('pending');
    expect(codeOf(await askFor(caller))).toBe('E_BOOKING_BUSY');
  });
});

describe('two tenants of one server', () => {
  const ANN = { tenant: 'north', id: 'caller-4711' };
  const BOB = { tenant: 'south', id: 'caller-0815' };

  /** The same clerk with an airline that finishes a payment only when the test releases it. */
  function slowly() {
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sent: string[] = [];
    const { airline } = desk.parts;
    const slow: typeof airline = {
      ...airline,
      async pay(confirmed) {
        sent.push('pay');
        arrived.resolve();
        await released.promise;
        return airline.pay(confirmed);
      },
      async cancel(confirmed) {
        sent.push('cancel');
        return airline.cancel(confirmed);
      },
    };
    const clerk = siblingOf(desk, {
      approval: 'auto',
      answerMs: 60_000,
      open: async () => ({ ...desk.parts, airline: slow }),
    });
    return { clerk, sent, arrived: arrived.promise, release: released.resolve };
  }

  test('sends nothing for another tenant during a payment, and reveals nothing of it', async () => {
    const { clerk, sent, arrived, release } = slowly();
    const ann = await ask(clerk, 'pay_booking', args, { caller: ANN });
    const { locator } = args;
    const bob = await ask(clerk, 'cancel_booking', { locator }, { caller: BOB });
    const paying = ann.yes();
    await arrived;
    const [operation] = await operationsOf(locator);
    const amount = ((operation?.amount?.minor ?? 0) / 100).toFixed(2);
    expect(Number(amount)).toBeGreaterThan(0);
    const cancel = async (caller: typeof ANN) =>
      resultOf(await clerk.call('cancel_booking', { locator }, { caller, canElicit: true, canOpenUrls: false }));
    for (const refused of [await bob.yes(), await cancel(BOB)]) {
      expect(errorOf(refused)).toMatchObject({ code: 'E_BOOKING_BUSY', effect: 'none' });
      const text = JSON.stringify(refused);
      expect(text).toContain(`Another operation on ${locator} is under way. Nothing was sent.`);
      for (const secret of [operation?.id ?? '', ANN.id, ANN.tenant, 'pay', amount]) expect(text).not.toContain(secret);
    }
    const own = await cancel(ANN);
    expect([codeOf(own), own.text.includes('pay_booking')]).toEqual(['E_BOOKING_BUSY', true]);
    release();
    expect(codeOf(await paying)).toBe('done');
    // The other tenant's yes is spent.
    expect([codeOf(await bob.yes()), sent]).toEqual(['E_APPROVAL_EXPIRED', ['pay']]);
  });

  test('makes one payment if both pay at once', async () => {
    const { clerk, sent, release } = slowly();
    const questions = await Promise.all([ANN, BOB].map((caller) => ask(clerk, 'pay_booking', args, { caller })));
    const answers = questions.map(({ yes }) => yes().then(codeOf));
    // The second caller gets its answer at once; then the first continues.
    expect(await Promise.race(answers)).toBe('E_BOOKING_BUSY');
    release();
    expect((await Promise.all(answers)).sort()).toEqual(['E_BOOKING_BUSY', 'done']);
    expect([sent, acts()]).toEqual([['pay'], ['paid']]);
  });
});
