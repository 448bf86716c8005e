/**
 * The same trip for the same people is held once, unless a person approved another, whatever happened to other tries.
 */

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Result } from '../../../src/approvals/answer.ts';
import { ClerkError } from '../../../src/errors.ts';
import { type Clerk, createClerk } from '../../../src/server/clerk.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { refundableTrip } from './bookings.ts';
import { accept, CALLER, type Desk, failures, openDesk } from './desk.ts';

let desk: Desk;
let clerk: Clerk;
/** How many creates were sent to the airline, and whether it refuses the next. */
let sent: number;
let refuses: boolean;

const how = { caller: CALLER, canElicit: true, canOpenUrls: false };

beforeEach(async () => {
  desk = await openDesk({ approval: 'elicit' });
  [sent, refuses] = [0, false];
  const { airline } = desk.parts;
  const counting: typeof airline = {
    ...airline,
    async create(booking, dispatch) {
      sent += 1;
      if (!refuses) return airline.create(booking, dispatch);
      dispatch.mayStart();
      throw new ClerkError('E_SOLD_OUT', 'Sold out.', { next: 'Call search_fares.', airline: { status: 409 } });
    },
  };
  clerk = createClerk({ ...desk.clerk.options, open: async () => ({ ...desk.parts, airline: counting }) });
});

afterEach(async () => {
  await clerk.idle();
  await desk.close();
  expect(failures).toEqual([]);
});

async function trip() {
  const { offer_id } = await refundableTrip(desk, 1);
  return { offer_ids: [offer_id], contact: CONTACT, passengers: [passenger('P7000001', {}, desk.sandbox.now())] };
}

const create = async (args: object) => (await clerk.call('create_booking', args, how)) as Result;

function told({ structured }: Result) {
  const { status, operation_id: id, error } = structured as Record<string, unknown>;
  return { code: (error as { code: string } | undefined)?.code ?? status, id };
}

async function another(args: object, after: unknown): Promise<Result> {
  const again = { ...args, again_after: after };
  const asked = await clerk.call('create_booking', again, how);
  if (asked.kind !== 'ask') throw new Error('no question');
  const raw = accept(asked.form.properties.decision.enum[1] ?? '');
  const dialog = { handle: asked.handle, raw };
  return (await clerk.call('create_booking', again, { ...how, dialog })) as Result;
}

test('shows the held booking even after the airline refused a newer try', async () => {
  const args = await trip();
  const { id } = told(await create(args));
  refuses = true;
  expect(told(await another(args, id)).code).toBe('E_SOLD_OUT');
  refuses = false;
  expect(told(await create(args))).toEqual({ code: 'already_done', id });
  expect(sent).toBe(2);
  expect(told(await another(args, id)).code).not.toBe('already_done');
  expect(sent).toBe(3);
});

test('shows the held booking to a caller who books again under the corrected name', async () => {
  const args = await trip();
  const [person] = args.passengers;
  const made = await create({ ...args, passengers: [{ ...person, given_name: 'Rana' }] });
  const { locator } = made.structured.booking as { locator: string };
  const rania = { ...args, passengers: [{ ...person, given_name: 'Rania' }] };
  const before = await create(rania);
  expect(told(before)).toEqual({ code: 'already_done', id: told(made).id });
  const note =
    'The same documents are booked under another name than “Rania Haddad”. To correct the name: change_names.';
  expect(before.text).toContain(note);
  const changes = [{ passenger_ref: '1', given_name: 'Rania' }];
  expect(told((await clerk.call('change_names', { locator, changes }, how)) as Result).code).toBe('done');
  const again = await create(rania);
  expect(told(again)).toEqual({ code: 'already_done', id: told(made).id });
  expect(again.text).not.toContain('another name');
  expect(sent).toBe(1);
});

test('shows the held booking after a create at the same time was stopped', async () => {
  const args = await trip();
  const { journal, ...parts } = desk.parts;
  // Both calls find nothing held; the second enters the journal after the first is done.
  let first: Result | undefined;
  const late = {
    ...journal,
    async open(...of: Parameters<typeof journal.open>) {
      first ??= await create(args);
      return journal.open(...of);
    },
  };
  const slow = createClerk({
    ...clerk.options,
    open: async () => ({ ...(await clerk.parts()), ...parts, journal: late }),
  });
  expect(told((await slow.call('create_booking', args, how)) as Result).code).toBe('E_ALREADY_DONE');
  const { id } = told(first as Result);
  expect(told(await create(args))).toEqual({ code: 'already_done', id });
  expect(sent).toBe(1);
});

test('counts a booking as held if it cannot be accessed or a proxy answers 404', async () => {
  const args = await trip();
  const { id } = told(await create(args));
  const { airline, ...parts } = await clerk.parts();
  const unknown = async () => {
    throw new ClerkError('E_NOT_FOUND', 'There is no such booking.', { next: 'x', airline: { status: 404 } });
  };
  const bare = { ...parts.journal, bookingOf: unknown };
  for (const changes of [{ airline: { ...airline, read: unknown } }, { airline, journal: bare }]) {
    const mine = createClerk({ ...clerk.options, open: async () => ({ ...parts, ...changes }) });
    expect(told((await mine.call('create_booking', args, how)) as Result)).toEqual({ code: 'already_done', id });
  }
  expect(sent).toBe(1);
});

test('books again if the airline no longer has the booking', async () => {
  const args = await trip();
  await create(args);
  const { journal, ...parts } = await clerk.parts();
  const gone = async () => {
    throw new ClerkError('E_NOT_FOUND', 'There is no such booking.', { next: 'x', noSuchBooking: true });
  };
  const emptied = { ...journal, bookingOf: gone };
  const mine = createClerk({ ...clerk.options, open: async () => ({ ...parts, journal: emptied }) });
  expect(told((await mine.call('create_booking', args, how)) as Result).code).toBe('done');
  expect(sent).toBe(2);
});

test('books again after the hold was released here, if the airline shows it empty', async () => {
  const args = await trip();
  const made = await create(args);
  const { locator } = made.structured.booking as { locator: string };
  const { journal, ...parts } = await clerk.parts();
  const { references } = await parts.airline.read(locator);
  const nothing = { options: [], travelers: [], tickets: [], orders: [], services: [], emds: [] };
  const bare = { locator, references, ...nothing };
  const emptied = { ...journal, bookingOf: async () => bare };
  const mine = createClerk({ ...clerk.options, open: async () => ({ ...parts, journal: emptied }) });
  const again = async () => told((await mine.call('create_booking', args, how)) as Result).code;
  expect(await again()).toBe('already_done');
  const asked = await clerk.call('cancel_booking', { locator }, how);
  if (asked.kind !== 'ask') throw new Error('no question');
  const dialog = { handle: asked.handle, raw: accept(asked.form.properties.decision.enum[1] ?? '') };
  expect(told((await clerk.call('cancel_booking', { locator }, { ...how, dialog })) as Result).code).toBe('done');
  expect(await again()).toBe('done');
  expect(sent).toBe(2);
});

test('reveals to a colleague only that the trip is booked, and lets them book it days later', async () => {
  const args = await trip();
  const made = await create(args);
  const locator = (made.structured.booking as { locator: string }).locator;
  const other = { ...how, caller: { ...CALLER, id: 'colleague' } };
  // The colleague cannot access it, as over HTTP.
  const { airline, ...parts } = await clerk.parts();
  const outOfReach = async () => {
    throw new ClerkError('E_NOT_FOUND', 'There is no such booking.', { next: 'Check the locator.' });
  };
  const theirs = createClerk({
    ...clerk.options,
    open: async () => ({ ...parts, airline: { ...airline, read: outOfReach } }),
  });
  const refused = (await theirs.call('create_booking', args, other)) as Result;
  expect(told(refused).code).toBe('E_ALREADY_DONE');
  expect(JSON.stringify(refused)).not.toMatch(new RegExp(`${locator}|${told(made).id}`));
  expect(sent).toBe(1);
  desk.advance(3 * 24 * 3_600_000);
  const later = (await theirs.call('create_booking', args, other)) as Result;
  expect(told(later).code).not.toBe('E_ALREADY_DONE');
});
