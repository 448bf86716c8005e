import { afterAll, describe, expect, it } from 'vitest';
import { adults, good, type Json, openTravelAgent, segmentsOf, TRAIN, ticketsOf, totalOf } from './point-of-sale.ts';

const FLIGHT = { ...TRAIN, from: 'DXB', to: 'LHR' };
const AIRLINES = {
  rail: { agent: await openTravelAgent(), leg: TRAIN },
  airline: { agent: await openTravelAgent({ dialect: 'airline' }), leg: FLIGHT },
} as const;
const DIALECTS = ['rail', 'airline'] as const;
afterAll(() => Promise.all(Object.values(AIRLINES).map(({ agent }) => agent.close())));

const numberOf = (reservation: Json): string => segmentsOf(reservation)[0].flightNumber;
const statusesOf = (reservation: Json): string[] => segmentsOf(reservation).map((segment) => segment.status);
const timesOf = (reservation: Json): number[] =>
  ['departureDateTime', 'arrivalDateTime'].map((it) => Date.parse(segmentsOf(reservation)[0][it]));
const couponsOf = (reservation: Json): Json[] =>
  ticketsOf(reservation).flatMap((ticket: Json) => ticket.tpaextensions.couponInfos);
const refundsOf = (reservation: Json): Json[] =>
  reservation.offer.priced
    .map((it: Json) => it.tpaExtensions.orderInfo)
    .filter((it: Json) => it.direction === 'REFUND')
    .map(({ status, totalAmount }: Json) => [status, totalAmount]);

describe.each(DIALECTS)('a departure of the %s airline', (dialect) => {
  const { agent, leg } = AIRLINES[dialect];
  const sell = async (count = 1) => agent.sell(await agent.trip([leg]), adults(count));

  it('is delayed in every booking on it, and stays confirmed', async () => {
    const [first, second] = [await sell(), await sell()];
    const before = await agent.read(first);
    const { touched } = agent.sandbox.disturb({ kind: 'delay', locator: first, minutes: 25 });
    expect(touched).toEqual(expect.arrayContaining([first, second]));
    const after = await agent.read(second);
    expect(timesOf(after)).toEqual(timesOf(before).map((at) => at + 25 * 60_000));
    expect(statusesOf(after)).toEqual(['30']);
    // Today's search sells it at its new time, for the same price.
    const sold = (await agent.itineraries([leg])).find((itinerary) => numberOf(itinerary) === numberOf(after));
    expect(timesOf(sold)).toEqual(timesOf(after));
    expect(totalOf(after)).toBe(totalOf(before));
  });

  it('is cancelled: no longer sold, not payable, and refunded without penalty', async () => {
    const [paid, held] = [await sell(2), await agent.hold(await agent.trip([leg]), adults(1))];
    const before = await agent.read(paid);
    expect(numberOf(await agent.read(held))).toBe(numberOf(before));
    const { touched } = agent.sandbox.disturb({ kind: 'cancel', locator: paid });
    expect(touched).toEqual(expect.arrayContaining([paid, held]));
    const after = await agent.read(paid);
    expect(statusesOf(after)).toEqual([dialect === 'rail' ? '31' : 'UN']);
    expect(couponsOf(after).map((it) => it.status)).toEqual(['O', 'O']);
    expect(JSON.stringify(after)).not.toMatch(/penaltyRules|fareRule/);
    expect((await agent.itineraries([leg])).map(numberOf)).not.toContain(numberOf(before));
    const code = dialect === 'rail' ? '3509' : '16';
    expect((await agent.pay(held)).body).toMatchObject({ status: 422, code });
    expect((await agent.book(await agent.trip([leg]), adults(1))).status).toBe(200);
    good(await agent.cancelOptions(paid, ['1']));
    const refunded = await agent.read(paid);
    const amount = totalOf(before).toFixed(2);
    expect(refundsOf(refunded)).toEqual([[dialect === 'rail' ? 'PAID' : 'PENDING', amount]]);
    good(await agent.cancelBooking(held));
  });

  it('refuses a booking that does not exist', () => {
    expect(() => agent.sandbox.disturb({ kind: 'cancel', locator: 'ZZ9ZZ9' })).toThrow('no booking ZZ9ZZ9');
  });
});

it('misses a connection after a retiming: the first flight arrives after the next one leaves', async () => {
  const { agent } = AIRLINES.airline;
  const locator = await agent.sell(await agent.trip([{ ...FLIGHT, from: 'BOM', to: 'CDG' }]), adults(1));
  agent.sandbox.disturb({ kind: 'retime', locator, segment: '1' });
  const [first, second] = segmentsOf(await agent.read(locator));
  expect(Date.parse(first.arrivalDateTime)).toBeGreaterThan(Date.parse(second.departureDateTime));
  expect([first.status, second.status]).toEqual(['51', '30']);
});
