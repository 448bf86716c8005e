/**
 * Two people of one name on one train are two people, alone and in a plan; the same document is the same person. Nobody learns more of
 * another caller's booking than that it exists.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { CONTACT, inLetters, passenger } from '../../support/people.ts';
import { refundableTrip } from './bookings.ts';
import { accept, CALLER, type Desk, errorOf, failures, openDesk, type Result, resultOf, siblingOf } from './desk.ts';

const NO_BROWSER = { canOpen: () => true, open: async () => ({ opened: true }) };
const HOW = { canElicit: true, canOpenUrls: false };
const BIRTH = '1980-01-01';

let desk: Desk;
let names = 0;

/** A man of a name that nobody else has, with the documents that he is booked with. */
async function man() {
  names += 1;
  const given = `Mohamed ${inLetters(names)}`;
  const [own, other] = [`P44001${1000 + names}01`, `P99001${1000 + names}02`];
  // A day with seats for all who are booked.
  await refundableTrip(desk, 4);
  const { offer_id } = await refundableTrip(desk, 1);

  const args = (number: string, birth_date: string, over: object = {}) => ({
    offer_ids: [offer_id],
    contact: CONTACT,
    passengers: [passenger(number, { given_name: given, surname: 'Ali', birth_date, ...over }, desk.sandbox.now())],
  });
  const first = await desk.result('create_booking', args(own, BIRTH));
  return { given, own, other, args, first, locator: locatorOf(first) };
}

const create = (args: object) => desk.result('create_booking', args);
const locatorOf = ({ structured }: Result) => (structured.booking as { locator: string }).locator;
const held = () => desk.sandbox.ledger().filter(({ event }) => event === 'created').length;

/** The refusal, after which nothing was sent. */
async function refused(args: object) {
  const before = held();
  const error = errorOf(await create(args));
  expect([error.code, held()]).toEqual(['E_ALREADY_DONE', before]);
  return error;
}

describe.each(['rail', 'airline'] as const)('in the %s dialect', (dialect) => {
  beforeAll(async () => {
    desk = await openDesk({ page: NO_BROWSER, sandbox: { dialect } });
  });
  afterEach(() => expect(failures).toEqual([]));
  afterAll(() => desk.close());

  test('another birth date is another person, who is booked, and each result names the other booking', async () => {
    const { given, other, args, locator, first } = await man();
    const second = await create(args(other, '1991-02-02'));
    expect(second.structured.status).toBe('done');
    expect(locatorOf(second)).not.toBe(locator);
    const told = `Booking ${locator} of this trip is for another`;
    expect(second.text.toUpperCase()).toContain(`${told} “${given} Ali”: tell the two apart`.toUpperCase());
    expect(first.text).not.toContain('of this trip is for another');
    const again = await create(args(other, '1991-02-02'));
    expect([again.structured.status, locatorOf(again)]).toEqual(['already_done', locatorOf(second)]);
    expect((await create(args(`${other}9`, '1991-02-03'))).structured.warnings).toHaveLength(2);
  });

  test('the same document under another name is the same person: nothing is sent, and both names are told', async () => {
    const { given, own, args, locator } = await man();
    const error = await refused(args(own, BIRTH, { surname: 'Aly' }));
    expect(error.message.toUpperCase()).toBe(
      `This trip is booked in ${locator} with the same document, but under another name (there “${given} Ali”, here “${given} Aly”). Nothing was sent.`.toUpperCase(),
    );
    expect(error.next).toMatch(/change_names for a name, update_passenger for a birth date\..* pass again_after: "/);
  });

  test('the same document with another birth date is the same person: nothing is sent, and both dates are told', async () => {
    const { own, args, locator } = await man();
    const error = await refused(args(own, '1991-02-02'));
    expect(error.message).toContain(
      `in ${locator} with the same document, but with another birth date (there ${BIRTH}, here 1991-02-02).`,
    );
  });

  test('the same name and birth date with another document is sent to nobody, and both ends are told', async () => {
    const { own, other, args, locator } = await man();
    const error = await refused(args(other, BIRTH));
    const ends = `(there …${own.slice(-4)}, here …${other.slice(-4)})`;
    expect(error.message).toBe(
      `This trip is booked in ${locator} for a traveller of the same name with another document ${ends}. Nothing was sent.`,
    );
    const short = await refused(args('K1234', BIRTH));
    expect(short.message).toContain(', here …34)');
    const [, id] = /again_after: "(.+)"/.exec(error.next) ?? [];
    const another = await desk.say('create_booking', { ...args(other, BIRTH), again_after: id }, accept);
    expect(another.structured.status).toBe('done');
  });

  test('whoever is booked already is in no other party either: nothing is sent, and the person is named', async () => {
    const { own, other, args, locator } = await man();
    const { offer_id } = await refundableTrip(desk, 2);
    const [known] = args(own, BIRTH).passengers;
    const friend = passenger(other, { given_name: 'Boris', surname: 'Berg', birth_date: BIRTH }, desk.sandbox.now());
    const party = { offer_ids: [offer_id], contact: CONTACT, passengers: [friend, known] };
    const error = await refused(party);
    expect(error.message).toMatch(
      new RegExp(
        `^This trip is booked in ${locator} for “[^”]+ Ali”, with the same document, in another party\\.`,
        'i',
      ),
    );
    expect(error.next).toMatch(/^Ask the person\. Leave out who is booked already .* pass again_after: "/);

    const alone = { ...party, offer_ids: args(own, BIRTH).offer_ids, passengers: [friend] };
    expect((await create(alone)).structured.status).toBe('done');
  });

  test('an e-mail address parts nobody', async () => {
    const { own, args, locator } = await man();
    const again = await create({
      ...args(own, BIRTH, { email: 'x@two.example' }),
      contact: { ...CONTACT, email: 'y@two.example' },
    });
    expect([again.structured.status, locatorOf(again)]).toEqual(['already_done', locator]);
  });

  test('a caller without access to the booking learns only that one exists', async () => {
    const { own, other, args, locator } = await man();
    const read = async () => {
      throw new ClerkError('E_NOT_FOUND', 'There is no such booking.', { next: 'Check the locator.' });
    };
    const elsewhere = siblingOf(desk, {
      open: async () => ({ ...desk.parts, airline: { ...desk.parts.airline, read } }),
    });
    const how = { ...HOW, caller: { ...CALLER, id: 'colleague' } };
    const asked = async (of: object) => resultOf(await elsewhere.call('create_booking', of, how));

    const unsure = errorOf(await asked(args(other, BIRTH)));
    expect(unsure.message).toBe(
      'These flights are booked, or being booked, for a traveller of the same name by another user of this desk. Nothing was sent.',
    );
    const renamed = errorOf(await asked(args(own, BIRTH, { surname: 'Aly' })));
    expect(renamed.message).toContain('for the same travellers by another user of this desk.');
    const withAccess = resultOf(await siblingOf(desk).call('create_booking', args(other, BIRTH), how));
    expect(errorOf(withAccess).message).toContain(
      `in ${locator} for a traveller of the same name with another document (there …`,
    );

    const second = await asked(args(other, '1991-02-02'));
    expect(second.text).toContain(
      'Another traveller of the same name is booked on this trip by another user of this desk.',
    );
    expect(JSON.stringify([unsure, renamed, second.text])).not.toMatch(new RegExp(`${locator}|${own.slice(-4)}`));
  });

  test('a plan moves two people of one name to one train, and names them both', async () => {
    const { other, args, locator } = await man();
    const second = locatorOf(await create(args(other, '1991-02-02')));
    for (const one of [locator, second])
      await desk.say('pay_booking', { locator: one, payment: { type: 'invoice' } }, accept);

    const offer = await laterTrip();
    const move = { offer_ids: [offer], payment: { type: 'invoice' } };
    const steps = [locator, second].map((one) => ({ tool: 'move_party', arguments: { ...move, locator: one } }));
    const plan = await desk.result('propose_plan', { steps });
    const run = { plan_id: plan.structured.plan_id as string };
    await desk.result('run_plan', run);
    const [question] = await desk.clerk.waiting();
    await desk.clerk.decide(question?.operationId ?? '', true, { assurance: 'page' }, [1, 2]);
    while ((await desk.clerk.plan(run.plan_id))?.state !== 'over')
      await new Promise((resolve) => setTimeout(resolve, 50));

    const over = await desk.result('run_plan', run);
    const { lines } = over.structured.plan as { lines: readonly { state: string; new_locator: string }[] };
    expect(lines.map(({ state }) => state)).toEqual(['done', 'done']);
    const warnings = over.structured.warnings as readonly string[];
    expect(warnings.map((text) => text.slice(0, 14))).toEqual(
      lines.map((line) => `Booking ${line.new_locator}`).toReversed(),
    );
  });
});

/** Offers of the same stations on another day. */
async function laterTrip(): Promise<string> {
  const { offer_id } = await refundableTrip(desk, 1);
  const offer = await desk.parts.state.offers.get(CALLER, offer_id);
  const legs = (offer?.offer.options ?? []).map(({ segments }) => ({
    from: segments[0]?.from,
    to: segments.at(-1)?.to,
    date: new Date(Date.parse(segments[0]?.departs ?? '') + 86_400_000).toISOString().slice(0, 10),
  }));
  const found = await desk.result('search_fares', { legs, passengers: { adults: 1 }, booking_classes: ['C'] });
  return (found.structured.offers as readonly { offer_id: string }[])[0]?.offer_id ?? '';
}
