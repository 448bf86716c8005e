/**
 * Money, tickets and seats agree after any sequence of changes, and a reading changes nothing.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  good,
  inFare,
  infant,
  type Json,
  networkOf,
  openTravelAgent,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  ticketsOf,
  totalOf,
  travelersOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
const found = await agent.itineraries([TRAIN, TRAIN_BACK], { adults: 3, infants: 1 });
afterAll(() => agent.close());

/** Minor units. */
const minorOf = (amount: string | number, digits = 2): number => Math.round(Number(amount) * 10 ** digits);

type Step = { readonly kind: 'pay' | 'release' | 'options' | 'passengers'; readonly refs: readonly string[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ kind: 'pay', refs: [] }),
  fc.constant<Step>({ kind: 'release', refs: [] }),
  fc.record({ kind: fc.constant('options' as const), refs: fc.subarray(['1', '2'], { minLength: 1 }) }),
  fc.record({ kind: fc.constant('passengers' as const), refs: fc.subarray(['1', '2', '3', '4'], { minLength: 1 }) }),
);

async function take(locator: string, { kind, refs }: Step): Promise<number> {
  if (kind === 'pay') return (await agent.pay(locator)).status;
  if (kind === 'release') return (await agent.cancelBooking(locator)).status;
  if (kind === 'options') return (await agent.cancelOptions(locator, refs)).status;
  return (await agent.cancelPassengers(locator, refs)).status;
}

function checkMoney(locator: string, reservation: Json): void {
  const ledger = agent.sandbox.ledger().filter((it) => it.locator === locator);
  const of = (event: string): number[] => ledger.filter((it) => it.event === event).map((it) => it.amount?.minor ?? 0);
  const sum = (amounts: number[]): number => amounts.reduce((all, amount) => all + amount, 0);
  expect(sum(of('refunded'))).toBeLessThanOrEqual(sum(of('paid')));
  expect(of('paid').length).toBeLessThanOrEqual(1);
  const orders: Json[] = reservation.offer.priced.map((it: Json) => it.tpaExtensions.orderInfo);
  const stated = (direction: string): number[] =>
    orders
      .filter((order) => order.direction === direction && order.status === 'PAID')
      .map((order) => minorOf(order.totalAmount));
  expect(stated('PAYMENT')).toEqual(of('paid'));
  expect(stated('REFUND')).toEqual(of('refunded'));
  const refunds: Json[] = reservation.priceInfo.itinTotalFare.filter((it: Json) => it.usage === 'refund');
  expect(refunds.map((it) => minorOf(it.totalFare.amount))).toEqual(of('refunded'));
}

function checkTickets(reservation: Json): void {
  const active = new Set(
    segmentsOf(reservation)
      .filter((segment) => segment.status === '30')
      .map((it) => it.rph),
  );
  const people = travelersOf(reservation)
    .slice(1)
    .map((traveler) => traveler.travelerRefNumber.rph);
  const tickets = ticketsOf(reservation);
  if (tickets.length === 0) return;
  expect(tickets.map((ticket) => ticket.travelerRefNumber[0])).toEqual(people);
  for (const { tpaextensions } of tickets) {
    for (const coupon of tpaextensions.couponInfos)
      expect(coupon.status).toBe(active.has(coupon.flightRefRPH) ? 'O' : 'R');
  }
}

describe('whatever is done to a booking', () => {
  it('money, tickets and seats agree after any sequence of changes', async () => {
    const fares = ['YSAVE', 'YFLEX', 'CSAVE', 'CFLEX'];
    const scenario = fc.record({
      fare: fc.constantFrom(...fares),
      steps: fc.array(step, { minLength: 1, maxLength: 5 }),
    });
    const property = fc.asyncProperty(scenario, async ({ fare, steps }) => {
      const locator = await agent.hold(inFare(found, fare), [...adults(3), infant('4', '3')]);
      for (const step of steps) {
        const before = await agent.read(locator);
        const status = await take(locator, step);
        const after = await agent.read(locator);
        if (status !== 200) expect(after).toEqual(before);
        checkMoney(locator, after);
        checkTickets(after);
      }
      // What is left is given up, so that the next run finds the train as empty.
      await agent.cancelBooking(locator);
      await agent.cancelOptions(locator, ['1', '2']);
      await agent.cancelOptions(locator, ['1']);
      await agent.cancelOptions(locator, ['2']);
    });
    await fc.assert(property, { numRuns: 40, seed: 20261120 });
    // Every seat that was claimed has come back.
    expect(await agent.itineraries([TRAIN, TRAIN_BACK], { adults: 3, infants: 1 })).toEqual(found);
  });
});

describe('a currency', () => {
  it.each([
    ['JPY', 0, '100'],
    ['KWD', 3, '0.125'],
  ])('%s keeps its %d digits through price, penalty and refund', async (currency, digits, each) => {
    const network = networkOf('rail', (it) => {
      Object.assign(it, { name: `Rail in ${currency}`, currency });
      for (const fare of it.fares) fare.refund = [{ untilHours: 0, allowed: true, amount: each }];
      for (const fee of it.fees) fee.amount = each;
      it.price.step = digits === 0 ? '10' : '0.005';
    });
    const own = await openTravelAgent({ network });
    const locator = await own.sell((await own.itineraries([TRAIN]))[0], adults(1));
    const after = good(await own.cancelOptions(locator, ['1'])).airReservation;
    const [refund] = after.priceInfo.itinTotalFare.filter((it: Json) => it.usage === 'refund');
    const minor = (amount: number): number => minorOf(amount, digits);
    const [penalty, vat] = refund.fees.fee.map((it: Json) => minor(it.amount));
    expect(penalty).toBe(minor(Number(each)));
    expect(vat).toBe(Math.round(penalty * 0.15));
    expect(minor(refund.totalFare.amount)).toBe(minor(totalOf(after)) - penalty - vat);
    expect(after.offer.priced[1].tpaExtensions.orderInfo.totalAmount.split('.')[1]?.length ?? 0).toBe(digits);
    await own.close();
  });
});
