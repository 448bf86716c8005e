/**
 * A create that the airline refused as a duplicate is never sent again without a person's yes: after a create, 409 means
 * that the booking may be there (docs/wire/notes.md, errors).
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Result } from '../../../src/approvals/answer.ts';
import { mintConfirmed } from '../../../src/approvals/confirmed.ts';
import type { Dispatch } from '../../../src/domain/airline.ts';
import { type Clerk, createClerk } from '../../../src/server/clerk.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { dayFrom, refundableTrip } from './bookings.ts';
import { accept, CALLER, type Desk, failures, openDesk } from './desk.ts';

let desk: Desk;
let clerk: Clerk;
/** How many creates were sent to the airline. */
let sent: number;
/** Another channel books the same first; this desk's journal knows nothing of it. */
let isBookedElsewhere: boolean;
let elsewhere: string;

const OPEN: Dispatch = { mayStart: () => true, keep: async () => undefined };
const how = { caller: CALLER, canElicit: true, canOpenUrls: false };
const COLLEAGUE = { ...how, caller: { ...CALLER, id: 'colleague' } };

beforeEach(async () => {
  desk = await openDesk({ approval: 'elicit', sandbox: { behaviour: { duplicates: 'refused' } } });
  sent = 0;
  isBookedElsewhere = false;
  const { airline } = desk.parts;
  const counting: typeof airline = {
    ...airline,
    async create(booking, dispatch) {
      sent += 1;
      if (isBookedElsewhere && sent === 1) elsewhere = (await airline.create(booking, OPEN)).locator;
      return airline.create(booking, dispatch);
    },
  };
  clerk = createClerk({ ...desk.clerk.options, open: async () => ({ ...desk.parts, airline: counting }) });
});

afterEach(async () => {
  await clerk.idle();
  await desk.close();
  expect(failures).toEqual([]);
});

async function argsOf(offerId: string) {
  return { offer_ids: [offerId], contact: CONTACT, passengers: [passenger('P7000021', {}, desk.sandbox.now())] };
}

const trip = async () => argsOf((await refundableTrip(desk, 1)).offer_id);
const create = async (args: object, by = how) => (await clerk.call('create_booking', args, by)) as Result;

async function another(args: object, after: string): Promise<Result> {
  const again = { ...args, again_after: after };
  const asked = await clerk.call('create_booking', again, how);
  if (asked.kind !== 'ask') throw new Error('no question');
  const dialog = { handle: asked.handle, raw: accept(asked.form.properties.decision.enum[1] ?? '') };
  return (await clerk.call('create_booking', again, { ...how, dialog })) as Result;
}

interface Told {
  readonly code: string;
  readonly effect: string;
  readonly message: string;
  readonly next: string;
  readonly airline?: { readonly code?: string; readonly correlation_id?: string };
}

const errorOf = ({ structured }: Result) => structured.error as Told;
const idIn = ({ next }: Told) => /again_after: "([^"]+)"/.exec(next)?.[1] ?? '';

function expectHeldByAirline(told: Told): void {
  expect(told).toMatchObject({ code: 'E_ALREADY_DONE', effect: 'none' });
  expect(told.message).toContain('it says that it holds such a booking already. Nothing was sent.');
  expect(told.next).toContain('list_bookings');
  expect(told.next).toContain('ask the airline');
}

test('does not send a refused duplicate again until a person approves another', async () => {
  const args = await trip();
  isBookedElsewhere = true;
  expect(errorOf(await create(args))).toMatchObject({ code: 'E_ALREADY_DONE', airline: { code: '127' } });
  expect(sent).toBe(1);

  const told = errorOf(await create(args));
  expectHeldByAirline(told);
  expect(told.airline).toMatchObject({ code: '127' });
  expect(sent).toBe(1);

  const cancellation = { locator: elsewhere };
  await desk.parts.airline.cancel(mintConfirmed({ cancellation }, 'elsewhere', OPEN));
  expectHeldByAirline(errorOf(await create(args)));
  expect(sent).toBe(1);

  const made = await another(args, idIn(told));
  expect(made.structured.status).toBe('done');
  expect(sent).toBe(2);
  expect((await create(args)).structured).toMatchObject({ status: 'already_done' });
  expect(sent).toBe(2);
});

test('asks for a new yes after each duplicate, because a yes permits one try only', async () => {
  const args = await trip();
  isBookedElsewhere = true;
  await create(args);
  const first = idIn(errorOf(await create(args)));
  expect(errorOf(await another(args, first)).code).toBe('E_ALREADY_DONE');
  expect(sent).toBe(2);
  const again = (await clerk.call('create_booking', { ...args, again_after: first }, how)) as Result;
  expectHeldByAirline(errorOf(again));
  expect(idIn(errorOf(again))).not.toBe(first);
  expect(sent).toBe(2);
});

test('refuses a known duplicate at another fare and for a colleague too', async () => {
  const [one, other] = await twoFares();
  isBookedElsewhere = true;
  await create(one);
  expectHeldByAirline(errorOf(await create(other)));
  expect(errorOf(await create(one, COLLEAGUE))).toMatchObject({ code: 'E_ALREADY_DONE', effect: 'none' });
  expect(sent).toBe(1);
});

test('shows the booking of this journal after a newer try was refused as a duplicate', async () => {
  const args = await trip();
  const made = await create(args);
  const { operation_id: id } = made.structured as { operation_id: string };
  expect(errorOf(await another(args, id)).code).toBe('E_ALREADY_DONE');
  expect((await create(args)).structured).toMatchObject({ status: 'already_done', operation_id: id });
  expect(sent).toBe(2);
});

describe('every form of a duplicate refusal', () => {
  test.each([
    ['96', 422],
    ['127', 409],
    ['4711', 409],
    ['97', 409],
  ])('counts code %s with HTTP %i as a duplicate', async (code, status) => {
    const args = await trip();
    desk.sandbox.order({ message: 'OTA_AirBookRQ', kind: 'error-before', code, status });
    expect(errorOf(await create(args)).code).toBe('E_ALREADY_DONE');
    expectHeldByAirline(errorOf(await create(args)));
    expect(sent).toBe(1);
  });
});

test('lets a sold-out flight be tried again, although its refusal has status 409 too', async () => {
  const args = await trip();
  desk.sandbox.order({ message: 'OTA_AirBookRQ', kind: 'error-before', code: '499', status: 409 });
  expect(errorOf(await create(args)).code).toBe('E_SOLD_OUT');
  expect((await create(args)).structured.status).toBe('done');
  expect(sent).toBe(2);
});

/** One train and class in two fares. */
async function twoFares() {
  for (const route of await desk.parts.airline.routes()) {
    for (const to of route.to) {
      const legs = [{ from: route.from.code, to: to.code, date: dayFrom(desk, 20) }];
      const found = await desk.result('search_fares', { legs, passengers: { adults: 1 }, max_results: 50 });
      const offers = (found.structured.offers ?? []) as {
        offer_id: string;
        legs: { departs: string; segments: [] }[];
      }[];
      const key = ({ legs: [leg] }: (typeof offers)[number]) => JSON.stringify([leg?.departs, leg?.segments]);
      const same = [...Map.groupBy(offers, key).values()].find(({ length }) => length > 1);
      if (same?.[0] && same[1]) return [await argsOf(same[0].offer_id), await argsOf(same[1].offer_id)] as const;
    }
  }
  throw new Error('no train is sold in two fares');
}
