/** What was entered on the details page stays while its call is pending, however long that takes: nobody enters it twice. */
import { afterEach, describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { offices } from '../../store/support/offices.ts';
import { detailsPage, enterDetails, newTraveller } from '../../support/details.ts';
import { CONTACT } from '../../support/people.ts';
import { refundableTrip, ticketedBooking } from './bookings.ts';
import { accept, codeOf, type Desk, type DeskOptions, failures, handleOf, openDesk, type Result } from './desk.ts';

const MINUTE = 60_000;
const { both } = offices(() => Date.now());
const opened: Desk[] = [];
afterEach(async () => {
  for (const desk of opened.splice(0)) await desk.close();
  expect(failures).toEqual([]);
});

describe.each(both)('on $name', ({ office }) => {
  /** While true, no booking can be read: nothing settles. */
  let isDown = false;
  async function open(settleMinutes: number): Promise<Desk> {
    isDown = false;
    // The office closes it.
    const state = { ...(await office().open()), close: async () => undefined };
    const openState = async () => state as never;
    const before: DeskOptions['before'] = (adapter) => ({
      ...adapter,
      read: async (...of: Parameters<typeof adapter.read>) => {
        if (isDown) throw new ClerkError('E_AIRLINE_TIMEOUT', 'No answer.', { next: 'Wait.', retry: 'same_call' });
        return adapter.read(...of);
      },
    });
    const desk = await openDesk({
      approval: 'elicit',
      detailsPage,
      answerMs: 3_000,
      settleMs: settleMinutes * MINUTE,
      openState,
      before,
    });
    opened.push(desk);
    return desk;
  }

  /** A name of a ticketed booking, entered on the page after so many minutes; the answer to the call that sends it is lost. */
  async function pendingName(kind: 'commit-then-lose' | 'lose-before', settleMinutes: number, typing: number) {
    const desk = await open(settleMinutes);
    const locator = await ticketedBooking(desk);
    const args = { locator, changes: [{ passenger_ref: '1' }] };
    const asked = await desk.result('change_names', { ...args, details: 'page' });
    const { id } = asked.structured.details as { id: string };
    desk.advance(typing * MINUTE);
    await enterDetails(desk.parts.state, id, [{ given_name: 'Leila' }], desk.parts.clock.now());
    desk.sandbox.order({ message: 'OTA_AirBookModifyRQ', kind });
    const call = (more: object = {}) => desk.result('change_names', { ...args, details: id, ...more });
    const approved = async () => {
      const asked = await desk.call('change_names', { ...args, details: id }, { canElicit: true });
      if (asked.kind !== 'ask') throw new Error(`did not ask: ${JSON.stringify(asked)}`);
      const dialog = { handle: asked.handle, raw: accept(asked.form.properties.decision.enum[1] ?? '') };
      return desk.result('change_names', { ...args, details: id }, { canElicit: true, dialog });
    };
    const lost = await approved();
    expect(lost.structured.status, lost.text).toBe('pending');
    isDown = true;
    const givenName = async () => (await desk.parts.airline.read(locator)).travelers[0]?.name?.given;
    return { desk, id, args, call, approved, lost, givenName };
  }

  async function settled(desk: Desk, lost: Result): Promise<void> {
    isDown = false;
    const of = String(lost.structured.operation_id);
    await expect
      .poll(async () => {
        desk.advance(MINUTE / 2);
        await desk.parts.journal.reconcile();
        return (await desk.parts.state.operations.get(of))?.state;
      })
      .toBe('succeeded');
  }

  test('over the half hour, what succeeded is presented, and not asked again', async () => {
    const { desk, id, call, lost, givenName } = await pendingName('commit-then-lose', 240, 25);
    const handle = handleOf(lost);
    // Each call keeps the form for half an hour more. Whose answer was lost has no approval_id.
    for (const more of [{ approval_id: handle }, {}, { details: 'page' }]) {
      desk.advance(25 * MINUTE);
      const { structured, text } = await call(more);
      expect([structured.status, structured.operation_id], text).toEqual(['pending', lost.structured.operation_id]);
    }
    // Nobody called for so long that the form is over. What was sent is known all the same.
    desk.advance(31 * MINUTE);
    await desk.parts.state.clean();
    for (const repeat of [call({ approval_id: handle }), call(), call({ details: 'page' })]) {
      const { structured, text } = await repeat;
      expect(structured.status, text).toBe('pending');
    }
    await settled(desk, lost);
    const done = await call({ approval_id: handle });
    expect([done.structured.status, done.text]).toEqual(['done', expect.not.stringContaining(id)]);
    expect(await givenName()).toEqual(['Leila']);
    expect((await call({ approval_id: handle })).structured.status).toBe('already_done');
  });

  test('what was not carried out goes on by the same call, with what was entered', async () => {
    const { desk, call, approved, lost, givenName } = await pendingName('lose-before', 40, 25);
    desk.advance(25 * MINUTE);
    expect((await call({ approval_id: handleOf(lost) })).structured.status).toBe('pending');
    isDown = false;
    // As the answer says: once in a while, with the approval_id, until it is known.
    await expect
      .poll(async () => {
        desk.advance(2 * MINUTE);
        await desk.parts.journal.reconcile();
        return codeOf(await call({ approval_id: handleOf(lost) }));
      })
      .toBe('E_AIRLINE_TIMEOUT');
    expect(await givenName()).not.toEqual(['Leila']);
    const done = await approved();
    expect(done.structured.status, done.text).toBe('done');
    expect(await givenName()).toEqual(['Leila']);
  });

  test.each([
    ['pending', 240],
    ['needs_person', 20],
  ] as const)(
    'a create whose answer is lost is %s once its form is over, and nothing is made or asked again',
    async (status, settleMinutes) => {
      const desk = await open(settleMinutes);
      const { offer_id } = await refundableTrip(desk, 1);
      const args = { offer_ids: [offer_id], contact: CONTACT, passenger_counts: { adults: 1 } };
      const create = (details: string) => desk.result('create_booking', { ...args, details });
      const { id } = (await create('page')).structured.details as { id: string };
      await enterDetails(desk.parts.state, id, [newTraveller()], desk.parts.clock.now());
      const made = () => desk.sandbox.ledger().filter(({ event }) => event === 'created').length;
      desk.sandbox.order({ message: 'OTA_AirBookRQ', kind: 'commit-then-lose' });
      isDown = true;
      const lost = await create(id);
      expect([lost.structured.status, made()], lost.text).toEqual(['pending', 1]);
      const { operation_id } = lost.structured;
      // The client never got that answer: while the form lives, the same call shows it.
      expect((await create(id)).structured).toMatchObject({ status: 'pending', operation_id });
      desk.advance(31 * MINUTE);
      await desk.parts.state.clean();
      await desk.parts.journal.reconcile();
      for (const details of [id, 'page', id]) {
        const { structured, text } = await create(details);
        expect(structured, text).toMatchObject({ status, operation_id });
        expect(structured.details).toBeUndefined();
      }
      expect(made()).toBe(1);
    },
    60_000,
  );

  test('two calls for the page at once open one', async () => {
    const desk = await open(1);
    const { offer_id } = await refundableTrip(desk, 1);
    const args = { offer_ids: [offer_id], contact: CONTACT, passenger_counts: { adults: 1 }, details: 'page' };
    const pages = await Promise.all([1, 2, 3].map(() => desk.result('create_booking', args)));
    const ids = pages.map(({ structured }) => (structured.details as { id: string }).id);
    expect(new Set(ids).size).toBe(1);
    await enterDetails(desk.parts.state, ids[0] ?? '', [newTraveller()], desk.parts.clock.now());
    expect((await desk.result('create_booking', args)).structured.status).toBe('done');
  });
});
