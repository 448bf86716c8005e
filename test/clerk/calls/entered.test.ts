/** What results, errors and readings say of what travellers entered on the details page: to whoever asks, then and later. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { detailsPage, type Entered, enterDetails, newTraveller } from '../../support/details.ts';
import { CONTACT, dateIn } from '../../support/people.ts';
import { refundableTrip } from './bookings.ts';
import { accept, CALLER, type Desk, failures, openDesk, resultOf, siblingOf } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ approval: 'elicit', detailsPage });
});
afterAll(() => desk.close());
afterEach(() => expect(failures).toEqual([]));

/** A call with the details id, once these are entered. */
async function entering(...entered: readonly Entered[]) {
  const { offer_id } = await refundableTrip(desk, entered.length);
  const args = { offer_ids: [offer_id], contact: CONTACT, passenger_counts: { adults: entered.length } };
  const asked = await desk.result('create_booking', { ...args, details: 'page' });
  const { id } = asked.structured.details as { id: string };
  await enterDetails(desk.parts.state, id, entered, desk.parts.clock.now());
  return { ...args, details: id };
}

it('an age is not said where it was entered, nor the day on which a document ends', async () => {
  const child = newTraveller({ birth_date: dateIn(Date.now(), -3_000) });
  const refused = await desk.result('create_booking', await entering(child));
  expect(refused.text).toMatch(/this passenger is of type CHD on \w{3} \d+ \w{3}, the departure of segment 1, not ADT/);
  expect(refused.text).not.toMatch(/\d years? old/);

  const soon = newTraveller();
  const expires = dateIn(Date.now(), 120);
  const document = { ...soon.document, expires } as NonNullable<Entered['document']>;
  const made = await desk.result('create_booking', await entering({ ...soon, document }));
  expect(made.structured.warnings).toContainEqual(expect.stringMatching(/ expires less than 6 months after the last/));
  expect(made.text).not.toContain('expires on');
});

it('the words of a refusal repeat nothing that was entered, to the caller and in the journal', async () => {
  const secret = newTraveller({ birth_date: '1977-03-09' });
  const { number = '' } = secret.document ?? {};
  const title = `Traveller ${number.toLowerCase()}, born 09MAR77, is on a list`;
  const airline = { status: 422, code: number, title, correlationId: `c-${number}` };
  const create = async () => {
    throw new ClerkError('E_NOT_PERMITTED', 'The airline refused it.', { next: 'Ask the airline.', airline });
  };
  const refusing = siblingOf(desk, {
    open: async () => ({ ...desk.parts, airline: { ...desk.parts.airline, create } }),
  });
  const args = await entering(secret);
  const refused = resultOf(await refusing.call('create_booking', args, { caller: CALLER }));
  const words = { code: '•••', title: 'Traveller •••, born •••, is on a list', correlation_id: 'c-•••' };
  expect(refused.structured.error).toMatchObject({ airline: words });
  const [operation] = await desk.parts.state.operations.list({ states: ['refused'], limit: 1 });
  expect(operation).toMatchObject({ facts: { details: 'page' }, outcome: { error: { airline: { code: '•••' } } } });
  expect(`${refused.text}${JSON.stringify(operation)}`).not.toContain(number);
});

it('a colleague is shown as little as the caller, and acts on the booking later are marked too', async () => {
  const secret = newTraveller();
  const made = await desk.result('create_booking', await entering(secret));
  const { locator } = made.structured.booking as { locator: string };
  const how = { caller: { ...CALLER, id: 'colleague' } };
  const args = { locator, detail: 'full', reveal_personal: true };
  const { structured, text } = await desk.result('read_booking', args, how);
  const [{ document, birth_date }] = (structured.booking as { passengers: [Record<string, unknown>] }).passengers;
  expect([birth_date, document]).toEqual([undefined, { type: 'passport', number_masked: '•••', nationality: 'SA' }]);
  expect(text).not.toContain(secret.document?.number);
  await desk.say('cancel_booking', { locator }, accept);
  const marked = await desk.parts.state.operations.list({ tenant: CALLER.tenant, locator });
  expect(marked.map(({ tool, facts }) => [tool, facts?.details])).toEqual([
    ['cancel_booking', 'page'],
    ['create_booking', 'page'],
  ]);
});

it('a call that repeats a booking with a guess of what was entered is answered as with any other guess', async () => {
  const secret = newTraveller();
  const entered = await entering(secret);
  const made = await desk.result('create_booking', entered);
  const { given_name, surname, gender, birth_date, document } = secret;
  const asked: string[] = [];
  const airline = { ...desk.parts.airline };
  for (const [name, method] of Object.entries(desk.parts.airline))
    if (typeof method === 'function')
      Object.assign(airline, {
        [name]: (...args: never[]) => {
          asked.push(name);
          return (method as (...all: never[]) => unknown)(...args);
        },
      });
  const counting = siblingOf(desk, { open: async () => ({ ...desk.parts, airline }) });
  const again = async (guess: object) => {
    asked.length = 0;
    const passengers = [{ type: 'ADT', given_name, surname, gender, birth_date, document, ...guess }];
    const args = { offer_ids: entered.offer_ids, contact: CONTACT, passengers };
    const { structured, text } = resultOf(await counting.call('create_booking', args, { caller: CALLER }));
    return { text, status: structured.status, asked: asked.filter((name) => name !== 'placeName') };
  };
  const right = await again({});
  expect(right.status).toBe('already_done');
  expect(right.text).toContain((made.structured.booking as { locator: string }).locator);
  const other = { ...document, number: 'Z9998887' };
  expect(await again({ birth_date: '1984-01-05', document: other })).toEqual(right);
});

it('two people of one name who enter other birth dates are two people, and one who enters the same again is one', async () => {
  const first = newTraveller({ birth_date: '1980-01-01' });
  const { given_name, surname } = first;
  const again = await entering(first);
  const made = await desk.result('create_booking', again);
  const second = newTraveller({ given_name, surname, birth_date: '1991-02-02' });
  const other = await desk.result('create_booking', await entering(second));
  const { locator } = made.structured.booking as { locator: string };
  expect(other.structured.status).toBe('done');
  expect(other.structured.warnings).toContainEqual(
    expect.stringContaining(`Booking ${locator} of this trip is for another`),
  );
  const same = await desk.result('create_booking', await entering(second));
  const { locator: secondLocator } = other.structured.booking as { locator: string };
  expect(same.structured).toMatchObject({ status: 'already_done', booking: { locator: secondLocator } });
  // Nothing of a document that was entered is told.
  const unsure = await desk.result('create_booking', await entering({ ...second, document: newTraveller().document }));
  expect((unsure.structured.error as { message: string }).message).toMatch(
    /of the same name with another document\. Nothing was sent\.$/,
  );
});
