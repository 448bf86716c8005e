/** What an operation keeps of what it is about: as it was then, and nobody's name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTACT } from '../../support/people.ts';
import { heldBooking, refundableTrip, ticketedBooking } from './bookings.ts';
import { accept, type Desk, openDesk } from './desk.ts';

interface Leg {
  readonly flight: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly class: string;
  readonly fare?: string;
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const operations = (locator: string) => desk.parts.state.operations.list({ locator });
const newest = async (locator: string) => (await operations(locator))[0];

/** As the airline shows the booking now. */
async function legs(locator: string): Promise<readonly Leg[]> {
  const { structured } = await desk.result('read_booking', { locator });
  return (structured.booking as { segments: readonly Leg[] }).segments;
}

/** Facts have times as the airline sent them. */
const minute = (leg: Leg | undefined) => expect.stringContaining(leg?.departs.slice(0, 16) ?? 'no departure');
const places = ([first, ...rest]: readonly Leg[]) => [first?.from, first?.to, ...rest.map(({ to }) => to)].join('-');

describe('an operation keeps', () => {
  test('the whole trip and party of a booking that is made and paid, also when it is another one later', async () => {
    const locator = await heldBooking(desk);
    const sold = await legs(locator);
    await desk.say('pay_booking', { locator, payment: { type: 'invoice' } }, accept);
    const trip = { route: places(sold), trains: sold.map(({ flight }) => flight), departs: minute(sold[0]) };
    const whole = { ...trip, adults: 2, children: 0, infants: 0 };
    const [paid, made] = await operations(locator);
    expect(sold).toHaveLength(2);
    expect(made).toMatchObject({ tool: 'create_booking', facts: { ...whole, classes: ['C'] } });
    expect(made?.facts).not.toHaveProperty('paymentType');
    expect(paid).toMatchObject({ tool: 'pay_booking', facts: { ...whole, paymentType: 'invoice' } });
    // Fares are named only once they are held.
    expect(paid?.facts?.fares?.length).toBeGreaterThan(0);

    await desk.say('cancel_segment', { locator, segment_refs: ['1'] }, accept);
    const [way] = sold;
    expect(await newest(locator)).toMatchObject({
      tool: 'cancel_segment',
      facts: { route: `${way?.from}-${way?.to}`, trains: [way?.flight], departs: minute(way), adults: 2 },
    });
    expect((await operations(locator)).find(({ tool }) => tool === 'pay_booking')?.facts).toEqual(paid?.facts);
    const left = await legs(locator);
    await desk.say('update_contact', { locator, email: 'another@example.com' }, accept);
    const back = left.find(({ flight }) => flight !== way?.flight);
    expect(await newest(locator)).toMatchObject({ facts: { route: `${back?.from}-${back?.to}` } });
  });

  test('the passengers alone that an act is about', async () => {
    const locator = await ticketedBooking(desk);
    await desk.say('change_names', { locator, changes: [{ passenger_ref: '2', given_name: 'AMINA' }] }, accept);
    expect(await newest(locator)).toMatchObject({ tool: 'change_names', facts: { adults: 1 } });
    await desk.say('cancel_passenger', { locator, passenger_refs: ['1'] }, accept);
    const sold = await legs(locator);
    expect(await newest(locator)).toMatchObject({
      tool: 'cancel_passenger',
      facts: { route: places(sold), adults: 1, children: 0, infants: 0 },
    });
  });

  test('how many of a group have no name yet', async () => {
    const { offer_id } = await refundableTrip(desk, 3);
    const made = await desk.result('create_booking', {
      offer_ids: [offer_id],
      contact: CONTACT,
      passenger_counts: { adults: 3 },
    });
    const { locator } = made.structured.booking as { locator: string };
    expect(await newest(locator)).toMatchObject({ facts: { adults: 3, unnamed: 3 } });
    await desk.say('pay_booking', { locator, payment: { type: 'cash' } }, accept);
    expect(await newest(locator)).toMatchObject({ facts: { unnamed: 3, paymentType: 'cash' } });
  });

  test('no name, document, address or booking', async () => {
    const kept = await desk.parts.state.operations.list({ limit: 100 });
    expect(kept.length).toBeGreaterThanOrEqual(8);
    const facts = JSON.stringify(kept.map((operation) => operation.facts)).toLowerCase();
    const personal = [...Object.values(CONTACT), ...kept.flatMap(({ locator, caller }) => [locator, caller])];
    for (const word of ['haddad', 'amal', 'noor', 'amina', 'example.com', ...personal])
      expect(facts).not.toContain(String(word).toLowerCase());
  });
});
