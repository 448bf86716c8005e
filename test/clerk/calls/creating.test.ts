/**
 * The same trip for the same people is held once, unless a person approved another, whatever happened to other tries: a
 * create that the airline refused as a duplicate is never sent again without a person's yes, because after a create 409
 * means that the booking may be there (docs/wire/notes.md, errors).
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { CONTACT, newPassenger } from '../../support/people.ts';
import { duplicatesRefused } from '../../support/sandbox/behaviours.ts';
import { refundableTrip } from './bookings.ts';
import {
  ask,
  CALLER,
  type Clerk,
  codeOf,
  type Desk,
  failures,
  openDesk,
  type Result,
  resultOf,
  siblingOf,
} from './desk.ts';

let desk: Desk;
let plain: Desk;
/** Its airline refuses duplicates. */
let refusing: Desk;
let clerk: Clerk;
/** How many creates were sent to the airline. */
let sent: number;
/** Another channel books the same first; this desk's journal knows nothing of it. */
let isBookedElsewhere: boolean;
let elsewhere: string;

type Airline = Desk['parts']['airline'];
const OPEN = { mayStart: () => true, keep: async () => undefined };
const how = { caller: CALLER, canElicit: true, canOpenUrls: false };
const COLLEAGUE = { ...how, caller: { ...CALLER, id: 'colleague' } };

function use(one: Desk): void {
  desk = one;
  const { airline } = desk.parts;
  const create: Airline['create'] = async (booking, dispatch) => {
    sent += 1;
    if (isBookedElsewhere && sent === 1) elsewhere = (await airline.create(booking, OPEN)).locator;
    return airline.create(booking, dispatch);
  };
  clerk = withParts({ ...airline, create });
}
/** Another server process with an airline that differs. */
const withParts = (airline: Airline) => siblingOf(desk, { open: async () => ({ ...desk.parts, airline }) });

beforeAll(async () => {
  plain = await openDesk({ approval: 'elicit' });
  refusing = await openDesk({ approval: 'elicit', sandbox: { rewrite: duplicatesRefused } });
});
afterAll(async () => {
  await plain.close();
  await refusing.close();
});
beforeEach(() => {
  [sent, isBookedElsewhere] = [0, false];
  use(plain);
});
afterEach(() => expect(failures).toEqual([]));

const argsOf = (offerId: string) => ({
  ...{ offer_ids: [offerId], contact: CONTACT, passengers: [newPassenger({}, desk.sandbox.now())] },
});
const trip = async () => argsOf((await refundableTrip(desk, 1)).offer_id);
const create = async (args: object, by = how, at = clerk) => resultOf(await at.call('create_booking', args, by));
/** Books another after a yes. */
const another = async (args: object, after: unknown) =>
  (await ask(clerk, 'create_booking', { ...args, again_after: after })).yes();
const idOf = ({ structured, meta }: Result) => (structured.operation_id ?? meta?.operation_id) as string;
const locatorOf = ({ structured }: Result) => (structured.booking as { locator: string }).locator;
const seen = (result: Result) => [codeOf(result), idOf(result)];

test('makes one booking for eight equal calls at once, and for their repetitions', async () => {
  const { passengers: _, ...group } = { ...(await trip()), passenger_counts: { adults: 1 }, group_name: 'CHOIR' };
  const created = () => desk.sandbox.ledger().filter(({ event }) => event === 'created').length;
  const before = created();
  const results = await Promise.all(Array.from({ length: 8 }, () => create(group)));
  expect([created() - before, new Set(results.map(idOf)).size]).toEqual([1, 1]);
  for (const { structured } of results) {
    const { id } = (structured.approval ?? {}) as { id?: string };
    expect(codeOf(await create(id === undefined ? group : { ...group, approval_id: id }))).toBe('already_done');
  }
  expect(created() - before).toBe(1);
});

describe('a trip that is held', () => {
  test('is shown to a caller who books again under the same names, or under those that were corrected', async () => {
    const args = await trip();
    const named = (given_name: string) => ({ ...args, passengers: [{ ...args.passengers[0], given_name }] });
    const made = await create(named('Rana'));
    expect(seen(await create(named('RANA')))).toEqual(['already_done', idOf(made)]);
    const changes = [{ passenger_ref: '1', given_name: 'Rania' }];
    expect(codeOf(await clerk.call('change_names', { locator: locatorOf(made), changes }, how))).toBe('done');
    expect([seen(await create(named('Rana'))), sent]).toEqual([['already_done', idOf(made)], 1]);
    expect([seen(await create(named('Rania'))), sent]).toEqual([['already_done', idOf(made)], 1]);
  });

  test('is revealed to a colleague only as booked, who can book it days later', async () => {
    const args = await trip();
    const made = await create(args);
    const { airline } = (await clerk.runtime()) as Desk['parts'];
    // The colleague cannot access it, as over HTTP.
    const read = async () => {
      throw new ClerkError('E_NOT_FOUND', 'There is no such booking.', { next: 'Check the locator.' });
    };
    const theirs = withParts({ ...airline, read });
    const refused = await create(args, COLLEAGUE, theirs);
    expect(codeOf(refused)).toBe('E_ALREADY_DONE');
    expect(JSON.stringify(refused)).not.toMatch(new RegExp(`${locatorOf(made)}|${idOf(made)}`));
    expect(sent).toBe(1);
    desk.advance(3 * 24 * 3_600_000);
    expect(codeOf(await create(args, COLLEAGUE, theirs))).not.toBe('E_ALREADY_DONE');
  });
});

describe('a duplicate that the airline refuses', () => {
  beforeEach(() => use(refusing));
  test('is not sent again until a person approves another', async () => {
    const args = await trip();
    isBookedElsewhere = true;
    const told = await create(args);
    expect(codeOf(told)).toBe('needs_person');
    expect(told.text).toContain('The airline already holds this booking.');
    expect(codeOf(await create(args))).toBe('needs_person');
    expect(sent).toBe(1);
    expect(codeOf(await (await ask(clerk, 'cancel_booking', { locator: elsewhere })).yes())).toBe('done');
    expect(codeOf(await create(args))).toBe('needs_person');
    expect(sent).toBe(1);
    expect([codeOf(await another(args, idOf(told))), sent]).toEqual(['done', 2]);
    expect([codeOf(await create(args)), sent]).toEqual(['already_done', 2]);
  });
});
