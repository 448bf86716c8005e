/** A caller has one question open for a booking and an act: it is found again, replaced, or ended when the act is done. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  ANN,
  type Answer,
  CallHarness,
  idOf,
  page,
  payTerms,
  refusal,
  replacing,
  statusOf,
  textOf,
} from './harness.ts';

const BOB = { caller: { tenant: 't', id: 'bob' } };
const OTHER = { args: { locator: 'ABC123', payment: { holder_name: 'ANN' } } };

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
  desk.set({ approval: 'page', page: page(), waitMs: 0 });
});

const open = async () => (await desk.state.approvals.waiting(desk.clock.now())).map(({ operationId }) => operationId);
const operationOf = (answer: Answer) => (answer.kind === 'result' ? String(answer.structured.operation_id) : '');
const kept = (id: string) => desk.state.approvals.byOperation(id);

describe('the same call again', () => {
  test('finds the question that is open, with the approval_id that its caller had', async () => {
    const first = await desk.result();
    const again = await desk.result();
    expect([idOf(again), operationOf(again)]).toEqual([idOf(first), operationOf(first)]);
    expect(textOf(again)).not.toContain('replaces');
    expect(await open()).toHaveLength(1);
    expect(await refusal(desk.call(BOB, idOf(again)))).toMatchObject({ code: 'E_APPROVAL_INVALID' });
    expect(await refusal(desk.call({}, idOf(again), OTHER))).toMatchObject({ code: 'E_APPROVAL_INVALID' });
    expect((await desk.decide(true)).kind).toBe('done');
    expect(statusOf(await desk.result({}, idOf(again)))).toBe('done');
    expect(desk.sends).toBe(1);
  });

  test('shows the dialog again, and a yes to either showing is one payment', async () => {
    const { page: _, ...settings } = desk.settings;
    desk.settings = { ...settings, approval: 'auto' };
    const first = await desk.ask();
    const again = await desk.ask();
    expect(again).toEqual(first);
    const answers = await Promise.all([desk.answer(first.handle), desk.answer(again.handle)]);
    expect(answers.map(statusOf)).toContain('done');
    expect(desk.sends).toBe(1);
  });

  test('is shown again where its dialog was closed and there is no page', async () => {
    const { page: _, ...settings } = desk.settings;
    desk.settings = { ...settings, approval: 'auto', environment: 'sandbox' };
    const { handle } = await desk.ask();
    expect(textOf(await desk.answer(handle, { action: 'cancel' }))).toContain('which asks again');
    // The model's word does not count for what a person was asked, from whatever client.
    for (const again of [await desk.result(), await desk.result({}, handle)])
      expect(textOf(again)).toContain('to show the dialog again, or tell the person to use a client with dialogs');
    expect((await desk.ask()).handle).toBe(handle);
    expect(statusOf(await desk.answer(handle))).toBe('done');
    expect([desk.sends, (await desk.newest())?.assurance]).toEqual([1, 'person']);
  });

  test("is not the model's word", async () => {
    desk.set({ approval: 'echo', environment: 'sandbox' });
    const first = await desk.result();
    for (let i = 0; i < 3; i++) expect(idOf(await desk.result())).toBe(idOf(first));
    expect([desk.sends, (await open()).length]).toEqual([0, 1]);
    // Not where the settings became stricter, either.
    desk.set({ approval: 'page' });
    expect(textOf(await desk.result())).toContain('page');
    expect(statusOf(await desk.result({}, idOf(first)))).toBe('approval_required');
    expect(desk.sends).toBe(0);
  });

  test('asks with new terms where they changed, because a yes to the old ones cannot be carried out', async () => {
    const first = await desk.result();
    desk.terms = payTerms({ act: { verb: 'Pay SAR 180.00' } });
    const fresh = await desk.result();
    expect(textOf(fresh)).toContain(`(Pay SAR 172.50, operation ${operationOf(first)})`);
    expect(await open()).toEqual([operationOf(fresh)]);
  });

  test('carries out a yes that came while it was on its way', async () => {
    desk.set({ waitMs: 5_000 });
    await desk.result();
    const again = desk.result();
    await desk.clock.pass(300);
    await desk.decide(true);
    expect(statusOf(await desk.during(500, again))).toBe('done');
    expect(desk.sends).toBe(1);
  });
});

describe('a call that asks otherwise', () => {
  test('replaces the question, says which, and nothing answers that one any more', async () => {
    const first = await desk.result();
    const second = await desk.result({}, undefined, OTHER);
    expect(second.structured.summary).toBe(
      `APPROVAL REQUIRED. Nothing was sent. This question replaces an earlier one (Pay SAR 172.50, operation ${operationOf(first)}), so approving that one does nothing.`,
    );
    const operationId = operationOf(first);
    for (const yes of [true, false])
      expect(await desk.decide(yes, { operationId })).toEqual({
        kind: 'unknown',
        title: 'A newer question replaced this one',
        lines: [
          'The assistant asked again about the same booking. Nothing was sent for this question, and nothing will be.',
        ],
      });
    const told = await refusal(desk.call({}, idOf(first)));
    expect(told).toMatchObject({ code: 'E_APPROVAL_EXPIRED', effect: 'none' });
    expect(told.message).toContain(`(operation ${operationOf(second)})`);
    expect(told.next).toContain('without approval_id gives it again');
    expect([await open(), desk.sends]).toEqual([[operationOf(second)], 0]);
    expect(await kept(operationId)).toMatchObject({ decision: 'replaced', replacedBy: operationOf(second) });
    expect((await desk.decide(true, { actOf: () => desk.bound(OTHER) })).kind).toBe('done');
    expect(desk.sends).toBe(1);
  });

  test('replaces a question in a dialog: its answer does nothing, and the new dialog says so', async () => {
    desk.set({ approval: 'auto' });
    const first = await desk.ask();
    const second = await desk.call({ canElicit: true }, undefined, OTHER);
    expect(second.kind === 'ask' && second.message.split('\n').at(-1)).toMatch(
      /^This question replaces an earlier one/,
    );
    expect(await refusal(desk.answer(first.handle))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    expect(desk.sends).toBe(0);
  });

  test('tells the client that opens the page itself, and the caller who shows the terms', async () => {
    desk.set({ page: page({ url: 'http://127.0.0.1/1' }, false) });
    await desk.call({ canOpenUrls: true });
    expect(await desk.call({ canOpenUrls: true }, undefined, OTHER)).toMatchObject({
      kind: 'ask_url',
      message: expect.stringContaining('replaces an earlier one'),
    });
    desk.set({ approval: 'echo', environment: 'sandbox' });
    expect(textOf(await desk.result())).toContain('replaces an earlier one');
  });

  test('ends a call that waits for the question before', async () => {
    desk.set({ waitMs: 5_000 });
    const waiting = desk.result({}, idOf(await desk.result()));
    await desk.clock.pass(300);
    await desk.result({}, undefined, OTHER);
    expect(await refusal(desk.during(500, waiting))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  });

  test('does nothing to a yes that came first, and a yes on its way does nothing after it', async () => {
    const first = operationOf(await desk.result());
    // The page has shown the question and taken the form: the answer is on its way.
    const seen = await kept(first);
    replacing(desk.state.approvals, 'byOperation').mockResolvedValueOnce(seen);
    const second = operationOf(await desk.result({}, undefined, OTHER));
    expect(await desk.decide(true, { operationId: first })).toMatchObject({ kind: 'unknown' });
    expect([desk.sends, await open()]).toEqual([0, [second]]);
    // The other way round.
    await desk.granted();
    const third = await desk.result();
    expect(textOf(third)).not.toContain('replaces');
    expect(await kept(second)).toMatchObject({ decision: 'granted' });
  });

  test('about seats, services, contact or names, about another booking or by another caller replaces nothing', async () => {
    await desk.result();
    await desk.result({}, undefined, { tool: 'assign_seats' });
    desk.terms = payTerms({ locator: 'XYZ789' });
    await desk.result();
    desk.terms = payTerms();
    await desk.result(BOB);
    expect(await open()).toHaveLength(4);
  });

  test('about a trip that is not booked yet goes by the trip and its travellers', async () => {
    const { locator: _, ...create } = payTerms({ fingerprint: 'f1' });
    desk.terms = create;
    const first = operationOf(await desk.result());
    expect(textOf(await desk.result({}, undefined, OTHER))).toContain(`operation ${first}`);
    desk.terms = { ...create, fingerprint: 'f2' };
    expect(textOf(await desk.result())).not.toContain('replaces');
    const { fingerprint: __, ...unknown } = create;
    desk.terms = unknown;
    for (let i = 0; i < 2; i++) expect(textOf(await desk.result())).not.toContain('replaces');
  });
});

describe('a no to a question that was replaced', () => {
  test('leaves the later one to the person who is asked it, and tells the model not to go on', async () => {
    desk.set({ approval: 'auto' });
    const { handle } = await desk.ask();
    const later = await desk.call({ canElicit: true }, undefined, OTHER);
    const told = await refusal(desk.answer(handle, { action: 'decline' }));
    expect(told).toMatchObject({ code: 'E_APPROVAL_DECLINED', effect: 'none' });
    expect(told.next).toContain('Ask the person before you go on with the later call');
    expect(statusOf(await desk.answer(idOf(later), undefined, { canElicit: true }).catch(({ code }) => code))).not.toBe(
      'done',
    );
    expect(await open()).toHaveLength(1);
  });

  test('that comes while it is being replaced sends nothing either', async () => {
    desk.set({ approval: 'auto' });
    const { handle } = await desk.ask();
    const seen = await desk.waiting();
    await desk.call({ canElicit: true }, undefined, OTHER);
    replacing(desk.state.approvals, 'get').mockResolvedValueOnce(seen);
    expect(await refusal(desk.answer(handle, { action: 'decline' }))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(desk.sends).toBe(0);
  });
});

describe('a repeat from a client', () => {
  test('without dialogs leaves the dialog of another one open, whose yes counts', async () => {
    const { page: _, ...settings } = desk.settings;
    desk.settings = { ...settings, approval: 'echo' };
    const { handle } = await desk.ask();
    for (const again of [await desk.result(), await desk.result({}, handle)]) {
      expect(textOf(again)).toContain('A dialog with this question is open elsewhere');
      expect(idOf(again)).toBe(handle);
    }
    expect(await desk.waiting()).toMatchObject({ askedBy: 'elicit' });
    expect(statusOf(await desk.answer(handle))).toBe('done');
    expect((await desk.newest())?.assurance).toBe('person');
  });

  test('that opens pages itself gets the address again, until the page was visited', async () => {
    const url = 'http://127.0.0.1/1';
    const OPENS = { canOpenUrls: true };
    desk.set({ dialogFloorMs: 1_500, page: page({ url, opened: false }, false) });
    const first = await desk.call(OPENS);
    desk.clock.jump(41_000);
    const again = await desk.call(OPENS);
    expect(again).toMatchObject({ kind: 'ask_url', url, handle: idOf(first) });
    // A page that can open here is open by now.
    desk.set({ page: page({ url }) });
    expect(textOf(await desk.call(OPENS))).toContain('A page is open');
    desk.set({ page: page({}, false) });
    expect(statusOf(await desk.call(OPENS))).toBe('approval_required');
    desk.set({ page: page({ url }, false) });
    expect((await desk.call(OPENS)).kind).toBe('ask_url');
    desk.clock.jump(600_000);
  });
});

test('one question of three hundred stays open, each with another holder of the card, and nobody else is kept from asking', async () => {
  for (let i = 0; i < 300; i++) {
    desk.clock.jump(30);
    const asked = await desk.result({}, undefined, { args: { locator: 'ABC123', i } });
    expect(statusOf(asked)).toBe('approval_required');
  }
  expect(await open()).toHaveLength(1);
  expect(statusOf(await desk.result(BOB))).toBe('approval_required');
});

test('a person has a hundred questions open at most, whatever application asks', async () => {
  for (let i = 0; i < 100; i++) {
    desk.terms = payTerms({ locator: `B${i}` });
    await desk.result({ caller: { tenant: 't', id: i % 2 ? 'oauth:kim:web' : 'oauth:kim:phone' } });
  }
  desk.terms = payTerms({ locator: 'B100' });
  const full = desk.call({ caller: { tenant: 't', id: 'oauth:kim:web' } });
  expect(await refusal(full)).toMatchObject({ code: 'E_LIMIT', retry: 'after_s:600' });
  expect(statusOf(await desk.result())).toBe('approval_required');
});

describe('an act that is done', () => {
  test('ends the other questions about it, whoever asked', async () => {
    const mine = await desk.result();
    const bobs = await desk.result(BOB);
    const operationId = operationOf(mine);
    expect((await desk.decide(true, { operationId })).kind).toBe('done');
    expect(await open()).toEqual([]);
    for (const yes of [true, false])
      expect(await desk.decide(yes, { operationId: operationOf(bobs) })).toEqual({
        kind: 'unknown',
        title: 'This was done under another question',
        lines: ['Nothing was sent for this question, and nothing will be.'],
      });
    const told = await refusal(desk.call(BOB, idOf(bobs)));
    expect(told).toMatchObject({ code: 'E_ALREADY_DONE', effect: 'none' });
    // Another caller's operation is not named.
    expect(told.message).toBe('The same was done under another question, so this one ended. Nothing was sent now.');
    expect(told.next).toContain('read_booking');
    expect(desk.sends).toBe(1);
    // The caller whose question was carried out hears of it as ever.
    expect(statusOf(await desk.result({ caller: ANN }, idOf(mine)))).toBe('done');
  });

  test.each([
    ['to its own caller, who learns the operation', ANN, true],
    ['to another caller, who does not', BOB.caller, false],
    ['to another tenant, who does not', { tenant: 'other', id: 'ann' }, false],
  ])('of the same kind but with other arguments is not said to be the same: %s', async (_, caller, isOwn) => {
    const over = (segment_ref: string) => ({
      tool: 'cancel_segment',
      args: { locator: 'ABC123', segment_ref },
    });
    // A question that is granted is not replaced by the same caller's next one.
    await desk.result({}, undefined, over('1'));
    const operationId = await desk.granted();
    // A payment is the same whatever its arguments say.
    desk.terms = payTerms({ subject: { kind: 'cancel_booking' } });
    const theirs = await desk.result({ caller }, undefined, over('2'));
    desk.terms = payTerms();
    expect((await desk.decide(true, { operationId, actOf: () => desk.bound(over('1')) })).kind).toBe('done');
    const told = await refusal(desk.call({ caller }, idOf(theirs), over('2')));
    expect(told).toMatchObject({ code: 'E_APPROVAL_STALE', effect: 'none' });
    const named = isOwn ? ` (operation ${operationId})` : '';
    expect(told.message).toBe(
      `Another operation${named} changed the booking, so these terms no longer apply. What this call asked for was not done, and nothing was sent for it.`,
    );
    expect(told.next).toContain('call cancel_segment again without approval_id');
    const page = await desk.decide(true, { operationId: operationOf(theirs), actOf: () => desk.bound(over('2')) });
    expect([page.kind, page.title]).toEqual(['unknown', 'The booking has changed']);
    expect([desk.sends, await open()]).toEqual([1, []]);
  });

  test('is named to the caller who asked for the same twice, with another holder of the card', async () => {
    const operationId = operationOf(await desk.result());
    await desk.granted();
    const again = await desk.result({}, undefined, OTHER);
    await desk.decide(true, { operationId });
    expect((await refusal(desk.call({}, idOf(again), OTHER))).message).toContain(
      `another question (operation ${operationId})`,
    );
  });
});
