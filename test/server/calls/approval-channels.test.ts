/**
 * Channels of approval, mixed, repeated and interrupted: one yes carries out one act at most, and never a later one.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Result } from '../../../src/approvals/answer.ts';
import { CONTACT } from '../../support/people.ts';
import { heldBooking, ticketedBooking } from './bookings.ts';
import { accept, CALLER, codeOf, type Desk, dialogHow, failures, handleOf, openDesk, siblingOf } from './desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ approval: 'echo' });
});
afterEach(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

const PAY = { payment: { type: 'invoice' } };
const PAGE = { assurance: 'page' } as const;

const plainly = { caller: CALLER, canElicit: false, canOpenUrls: false };

describe('two calls', () => {
  test('pays on the second call, and reports it as already done on the third', async () => {
    const locator = await heldBooking(desk);
    const first = await desk.result('pay_booking', { locator, ...PAY });
    expect(codeOf(first)).toBe('approval_required');
    expect(first.text).toContain(handleOf(first));
    const args = { locator, ...PAY, approval_id: handleOf(first) };
    expect(codeOf(await desk.result('pay_booking', args))).toBe('done');
    expect(codeOf(await desk.result('pay_booking', args))).toBe('already_done');
    expect(desk.acts()).toEqual(['paid']);
    const [operation] = await desk.parts.state.operations.list({ locator });
    expect(operation?.assurance).toBe('caller_confirmed');
  });

  test('does not accept the second call once the operator requires the page', async () => {
    const locator = await heldBooking(desk);
    const first = await desk.result('pay_booking', { locator, ...PAY });
    const strict = siblingOf(desk, { approval: 'page', canUseTerminal: true });
    const again = (await strict.call(
      'pay_booking',
      { locator, ...PAY, approval_id: handleOf(first) },
      plainly,
    )) as Result;
    expect(codeOf(again)).toBe('approval_required');
    expect(again.text).toContain('fareclerk approve');
    expect(desk.acts()).toEqual([]);
  });
});

describe('an answer outside the call', () => {
  test('carries out a yes on the page once, and still reports it as new to the caller', async () => {
    const locator = await heldBooking(desk);
    const asking = siblingOf(desk, { approval: 'page', canUseTerminal: true });
    const args = { locator, ...PAY };
    const first = (await asking.call('pay_booking', args, plainly)) as Result;
    const [waiting] = await asking.waiting();
    expect(waiting?.locator).toBe(locator);
    const pressed = await asking.decide(waiting?.operationId ?? '', true, PAGE);
    expect(pressed.kind).toBe('done');
    const again = { ...args, approval_id: handleOf(first) };
    expect(codeOf((await asking.call('pay_booking', again, plainly)) as Result)).toBe('done');
    expect(codeOf((await asking.call('pay_booking', again, plainly)) as Result)).toBe('already_done');
    expect((await asking.decide(waiting?.operationId ?? '', true, PAGE)).kind).toBe('done');
    expect((await asking.decide(waiting?.operationId ?? '', false, PAGE)).kind).toBe('done');
    expect(desk.acts()).toEqual(['paid']);
  });

  test('does not let another caller answer the question', async () => {
    const locator = await heldBooking(desk);
    await desk.result('pay_booking', { locator, ...PAY });
    const [waiting] = await desk.clerk.waiting();
    const by = { caller: { ...CALLER, id: 'bob' }, assurance: 'page' } as const;
    expect((await desk.clerk.decide(waiting?.operationId ?? '', true, by)).kind).toBe('unknown');
    expect(desk.acts()).toEqual([]);
  });

  test('decides nothing for a tool that this process does not offer', async () => {
    const locator = await heldBooking(desk);
    await desk.result('pay_booking', { locator, ...PAY });
    const [waiting] = await desk.clerk.waiting();
    const reading = siblingOf(desk, { tools: desk.clerk.tools.filter((tool) => tool.effect === 'read') });
    expect((await reading.decide(waiting?.operationId ?? '', true, PAGE)).kind).toBe('unknown');
    expect(await desk.clerk.waiting()).toHaveLength(1);
  });

  test('carries out once a yes whose process died before the journal', async () => {
    const locator = await heldBooking(desk);
    const first = await desk.result('pay_booking', { locator, ...PAY });
    const [waiting] = await desk.clerk.waiting();
    const { approvals } = desk.parts.state;
    await approvals.decide(waiting?.handleHash ?? '', 'granted', 'page', desk.parts.clock.now());
    expect((await desk.clerk.decide(waiting?.operationId ?? '', true, PAGE)).kind).toBe('done');
    expect(codeOf(await desk.result('pay_booking', { locator, ...PAY, approval_id: handleOf(first) }))).toBe('done');
    expect(desk.acts()).toEqual(['paid']);
  });

  test.each(['a press', 'the dialog'])(
    'sends nothing if a no by %s follows a yes that was not carried out',
    async (by) => {
      const locator = await heldBooking(desk);
      const asking = siblingOf(desk, { approval: 'elicit' });
      const how = { ...plainly, canElicit: true };
      const args = { locator, ...PAY };
      const asked = await asking.call('pay_booking', args, how);
      const handle = asked.kind === 'ask' ? asked.handle : '';
      const [waiting] = await asking.waiting();
      const { approvals, operations } = desk.parts.state;
      await approvals.decide(waiting?.handleHash ?? '', 'granted', 'page', desk.parts.clock.now());
      if (by === 'a press') expect((await asking.decide(waiting?.operationId ?? '', false, PAGE)).kind).toBe('failed');
      else {
        const dialog = { handle, raw: { action: 'decline' } };
        expect(codeOf((await asking.call('pay_booking', args, { ...how, dialog })) as Result)).toBe(
          'E_APPROVAL_DECLINED',
        );
      }
      const again = { ...args, approval_id: handle };
      expect(codeOf((await asking.call('pay_booking', again, plainly)) as Result)).toBe('E_APPROVAL_EXPIRED');
      expect((await asking.decide(waiting?.operationId ?? '', true, PAGE)).kind).toBe('failed');
      expect(await operations.get(waiting?.operationId ?? '')).toBeUndefined();
      expect(desk.acts()).toEqual([]);
    },
  );

  test.each(['a press', 'the dialog'])('shows the payment as pending to a no by %s after sending began', async (by) => {
    const locator = await heldBooking(desk);
    const args = { locator, ...PAY };
    let meanwhile = async (): Promise<unknown> => undefined;
    // Another process gets the no after the approval was checked again and before the send.
    const airline = {
      ...desk.parts.airline,
      async read(...of: Parameters<typeof desk.parts.airline.read>) {
        await meanwhile();
        return desk.parts.airline.read(...of);
      },
    };
    const carrying = siblingOf(desk, { approval: 'elicit', open: async () => ({ ...desk.parts, airline }) });
    const how = { ...plainly, canElicit: true };
    const asked = await carrying.call('pay_booking', args, how);
    const dialog = { handle: asked.kind === 'ask' ? asked.handle : '', raw: { action: 'decline' } };
    const [waiting] = await desk.clerk.waiting();
    const id = waiting?.operationId ?? '';
    const saysNo = async () =>
      by === 'a press'
        ? (await desk.clerk.decide(id, false, PAGE)).kind
        : codeOf((await desk.clerk.call('pay_booking', args, { ...how, dialog })) as Result);
    const told: unknown[] = [];
    meanwhile = async () => {
      meanwhile = async () => undefined;
      told.push(await saysNo());
    };
    const outcome = await carrying.decide(id, true, PAGE);
    // The approval was already checked again, so the payment continues.
    expect([outcome.kind, ...told]).toEqual(['done', 'pending']);
    expect(desk.acts()).toEqual(['paid']);
  });

  test('sends nothing after a no between the journal entry and the second check', async () => {
    const locator = await heldBooking(desk);
    await desk.result('pay_booking', { locator, ...PAY });
    const [waiting] = await desk.clerk.waiting();
    const id = waiting?.operationId ?? '';
    const { journal, ...parts } = desk.parts;
    const told: unknown[] = [];
    const slow = {
      ...journal,
      async run(...of: Parameters<typeof journal.run>) {
        told.push((await desk.clerk.decide(id, false, PAGE)).kind);
        return journal.run(...of);
      },
    };
    const carrying = siblingOf(desk, { open: async () => ({ ...parts, journal: slow }) });
    expect((await carrying.decide(id, true, PAGE)).kind).toBe('failed');
    expect(told).toEqual(['pending']);
    expect((await parts.state.operations.get(id))?.state).toBe('not_executed');
    expect(desk.acts()).toEqual([]);
  });

  test('sends nothing if the limit per action was lowered after the question', async () => {
    const locator = await heldBooking(desk);
    await desk.result('pay_booking', { locator, ...PAY });
    const [waiting] = await desk.clerk.waiting();
    const stricter = siblingOf(desk, { limits: { perAction: { minor: 100, currency: 'SAR' } } });
    const outcome = await stricter.decide(waiting?.operationId ?? '', true, PAGE);
    expect(outcome).toMatchObject({ kind: 'failed', title: 'Nothing was done' });
    expect(outcome.lines.join()).toContain('over the limit of SAR 1.00 for an action');
    expect(desk.acts()).toEqual([]);
  });

  test('expires a yes that was not carried out within ten minutes', async () => {
    const locator = await heldBooking(desk);
    const first = await desk.result('pay_booking', { locator, ...PAY });
    const [waiting] = await desk.clerk.waiting();
    await desk.parts.state.approvals.decide(waiting?.handleHash ?? '', 'granted', 'page', desk.parts.clock.now());
    desk.advance(10 * 60_000);
    const again = await desk.result('pay_booking', { locator, ...PAY, approval_id: handleOf(first) });
    expect(codeOf(again)).toBe('E_APPROVAL_EXPIRED');
    expect(again.text).toContain('not carried out within ten minutes');
    expect(desk.acts()).toEqual([]);
  });
});

describe('a booking with an operation in doubt', () => {
  test('refuses another operation meanwhile, and spends its yes for good', async () => {
    await desk.close();
    desk = await openDesk({ answerMs: 1_000 });
    const locator = await ticketedBooking(desk);
    const other = await desk.call('cancel_segment', { locator, segment_refs: ['2'] }, dialogHow);
    if (other.kind !== 'ask') throw new Error('did not ask');
    desk.sandbox.order({ message: 'OTA_AirBookModifyRQ', kind: 'commit-then-lose' });
    const lost = await desk.say('cancel_segment', { locator, segment_refs: ['1'] }, accept);
    expect(codeOf(lost)).toBe('pending');
    const act = other.form.properties.decision.enum[1] ?? '';
    const yes = { ...dialogHow, dialog: { handle: other.handle, raw: accept(act) } };
    const busy = await desk.result('cancel_segment', { locator, segment_refs: ['2'] }, yes);
    expect(codeOf(busy)).toBe('E_BOOKING_BUSY');
    const again = { locator, segment_refs: ['1'], approval_id: handleOf(lost) };
    const following = async () => codeOf(await desk.result('cancel_segment', again));
    await expect.poll(following, { timeout: 10_000 }).toBe('done');
    const late = await desk.result('cancel_segment', { locator, segment_refs: ['2'] }, yes);
    expect(codeOf(late)).toBe('E_APPROVAL_EXPIRED');
    expect(desk.acts().filter((event) => event === 'segments_cancelled')).toHaveLength(1);
  });

  test('settles the earlier operation by a reading before it asks', async () => {
    const locator = await ticketedBooking(desk);
    const asked = await desk.result('cancel_segment', { locator, segment_refs: ['1'] });
    desk.sandbox.order({ message: 'OTA_AirBookModifyRQ', kind: 'commit-then-lose' });
    const args = { locator, segment_refs: ['1'], approval_id: handleOf(asked) };
    expect(codeOf(await desk.result('cancel_segment', args))).toBe('pending');
    const { journal, ...parts } = desk.parts;
    // Waits ten times as long, so that a slow machine cannot fail the test.
    const follow: typeof journal.follow = (id, waitMs, signal) => journal.follow(id, waitMs * 10, signal);
    const patient = siblingOf(desk, {
      waitMs: 25_000,
      open: async () => ({ ...parts, journal: { ...journal, follow } }),
    });
    const next = { locator, segment_refs: ['2'] };
    const busy = (await patient.call('cancel_segment', next, plainly)) as Result;
    expect(codeOf(busy)).toBe('E_BOOKING_BUSY');
    expect(busy.text).toContain(`An earlier cancel_segment of ${locator} has just been settled (succeeded).`);
    expect(codeOf((await patient.call('cancel_segment', next, plainly)) as Result)).toBe('approval_required');
    expect(desk.acts().filter((event) => event === 'segments_cancelled')).toHaveLength(1);
  });
});

describe('one create, called many times at once', () => {
  test('makes one booking for eight equal calls at once, and for their repetitions', async () => {
    const seed = await heldBooking(desk);
    const { travelers } = await desk.parts.airline.read(seed);
    expect(travelers).toHaveLength(2);
    const routes = await desk.parts.airline.routes();
    const [from, to] = [routes[0]?.from.code, routes[0]?.to[0]?.code];
    const date = new Date(desk.sandbox.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const search = await desk.result('search_fares', { legs: [{ from, to, date }], passengers: { adults: 1 } });
    const [offer] = search.structured.offers as { offer_id: string }[];
    const args = {
      offer_ids: [offer?.offer_id],
      contact: CONTACT,
      passenger_counts: { adults: 1 },
      group_name: 'CHOIR',
    };
    const created = () => desk.sandbox.ledger().filter((entry) => entry.event === 'created').length;
    const before = created();
    const results = await Promise.all(Array.from({ length: 8 }, () => desk.result('create_booking', args)));
    expect(created()).toBe(before + 1);
    const ids = new Set(results.map((result) => result.structured.operation_id));
    expect(ids.size, results.map((r) => r.text).join('\n')).toBe(1);
    for (const result of results) {
      const id = (result.structured.approval as { id: string } | undefined)?.id;
      const again = await desk.result('create_booking', id === undefined ? args : { ...args, approval_id: id });
      expect(codeOf(again)).toBe('already_done');
    }
    expect(created()).toBe(before + 1);
  });
});

describe('an operation that was never settled', () => {
  test('warns of an unsettled operation in the terms of the next question', async () => {
    const locator = await heldBooking(desk);
    const id = crypto.randomUUID();
    const { operations } = desk.parts.state;
    const now = desk.parts.clock.now();
    const paying = {
      tool: 'pay_booking',
      locator,
      subject: { kind: 'pay', amount: { minor: 1, currency: 'SAR' }, coupons: 2 },
    };
    const bound = {
      tenant: CALLER.tenant,
      caller: CALLER.id,
      assurance: 'page',
      argsDigest: 'a',
      termsDigest: 't',
    } as const;
    await operations.insert({ id, ...bound, ...paying } as never, { now, owner: 'gone', leaseUntil: now });
    await operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: now }, { now, actor: 'test' });
    await operations.transition(id, ['dispatched'], 'in_doubt', {}, { now, actor: 'test' });
    await operations.transition(id, ['in_doubt'], 'needs_person', {}, { now, actor: 'test' });
    const asked = await desk.result('pay_booking', { locator, ...PAY });
    const { terms } = asked.structured.approval as { terms: string[] };
    expect(terms[1]).toMatch(/^Caution: an earlier payment of this booking .* was never settled/);
    const args = { locator, ...PAY, approval_id: handleOf(asked) };
    expect(codeOf(await desk.result('pay_booking', args))).toBe('done');
  });
});

describe('a closed dialog without a page', () => {
  test('says to call again without approval_id after a closed dialog if there is no page', async () => {
    const dialogs = await openDesk({ approval: 'elicit' });
    const locator = await heldBooking(dialogs);
    const closed = await dialogs.say('pay_booking', { locator, ...PAY }, { action: 'cancel' });
    expect(closed.text).toContain('call pay_booking again without approval_id');
    const args = { locator, ...PAY, approval_id: handleOf(closed) };
    const again = await dialogs.result('pay_booking', args, { canElicit: true });
    expect(again.text).toContain('call pay_booking again without approval_id');
    expect(codeOf(await dialogs.say('pay_booking', { locator, ...PAY }, accept))).toBe('done');
    await dialogs.close();
  });
});
