/**
 * What the airline does otherwise on demand: forms of replies, behaviour, and errors that blame a system.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  adults,
  CONTACT,
  good,
  type Json,
  openTravelAgent,
  optionsOf,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  type TravelAgent,
  ticketsOf,
  totalOf,
  travelersOf,
} from './point-of-sale.ts';

const rowsOf = (info: Json): Json[] => info.ptcfareBreakdowns.ptcfareBreakdown;

async function within(
  options: Parameters<typeof openTravelAgent>[0],
  work: (agent: TravelAgent) => Promise<void>,
): Promise<void> {
  const agent = await openTravelAgent(options);
  try {
    await work(agent);
  } finally {
    await agent.close();
  }
}

describe('a search', () => {
  it('returns one price row per traveller, without segments, in the old form', () =>
    within({ tolerances: ['oldPriceRows'] }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN, TRAIN_BACK], { adults: 2 });
      const rows = rowsOf(found.airItineraryPricingInfo);
      expect(rows.map((it) => [it.passengerTypeQuantity.quantity, it.flightRefNumberRPHList])).toEqual([
        [1, []],
        [1, []],
      ]);
      const [first] = rows;
      expect(first.fareBasisCodes.fareBasisCode.length).toBe(2);
      expect(Math.round(first.passengerFare[0].totalFare.amount * 200)).toBe(Math.round(totalOf(found) * 100));
    }));

  it('repeats price rows for the other class of a search', () =>
    within({ tolerances: ['otherClassRows'] }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN], { classes: ['Y', 'C'] });
      const [own, foreign, ...more] = rowsOf(found.airItineraryPricingInfo);
      expect(more).toEqual([]);
      const classOf = (row: Json): string => row.fareInfo[0].fareReference[0].resBookDesigCode;
      expect([classOf(own), classOf(foreign)]).toEqual(['Y', 'C']);
      expect({ ...foreign, fareInfo: own.fareInfo }).toEqual(own);
      const [alone] = await agent.itineraries([TRAIN], { classes: ['Y'] });
      expect(rowsOf(alone.airItineraryPricingInfo).length).toBe(1);
    }));

  it('returns a second, wrong total, no rows, or no pointers in a search', async () => {
    await within({ tolerances: ['secondTotal'] }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN], { adults: 2 });
      const [party, one] = found.airItineraryPricingInfo.itinTotalFare;
      expect([one.usage, one.totalFare.amount * 2]).toEqual([undefined, party.totalFare.amount]);
    });
    await within({ tolerances: ['withoutPriceRows', 'searchWithoutPointers'] }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN]);
      expect(found.airItineraryPricingInfo.ptcfareBreakdowns).toBeUndefined();
      expect([optionsOf(found)[0].rph, segmentsOf(found)[0].rph]).toEqual([undefined, undefined]);
    });
  });

  it.each([
    ['no_tariff', 404, 'no price tariff exists'],
    ['no_availability', 400, 'no availability found'],
  ] as const)('without result is an error in words: %s', (emptySearch, due, words) =>
    within({ behaviour: { emptySearch } }, async (agent) => {
      const { status, body } = await agent.search([TRAIN], { classes: ['Z'] });
      expect([status, body.message, body.code]).toEqual([due, words, undefined]);
    }),
  );
});

describe('tickets', () => {
  it('issues tickets late, after the order is PAID', () =>
    within({ behaviour: { ticketDelayMs: 60_000 } }, async (agent) => {
      const locator = await agent.hold((await agent.itineraries([TRAIN]))[0], [passenger('1')]);
      expect(good(await agent.pay(locator)).ticketItemInfo).toEqual([]);
      const early = await agent.read(locator);
      expect(early.offer.priced[0].tpaExtensions.orderInfo.status).toBe('PAID');
      expect(ticketsOf(early)).toEqual([]);
      agent.sandbox.advance(60_000);
      expect(ticketsOf(await agent.read(locator)).length).toBe(1);
    }));

  it('issues tickets without coupons, with links that name the segment', () =>
    within({ tolerances: ['ticketsByLink'] }, async (agent) => {
      const locator = await agent.sell((await agent.itineraries([TRAIN, TRAIN_BACK]))[0], [passenger('1')]);
      const rows = ticketsOf(await agent.read(locator));
      expect(new Set(rows.map((it) => it.ticketDocumentNbr)).size).toBe(1);
      expect(rows.map((it) => [it.tpaextensions.couponInfos, it.tpaextensions.links[0].segmentRPH])).toEqual([
        [undefined, undefined],
        [undefined, undefined],
      ]);
      const ends = rows.map((it) => new URL(it.tpaextensions.links[0].href).searchParams.get('departure'));
      expect(ends).toEqual(['QCA', 'XMD']);
    }));

  it('lists provider details of tickets in another order, by segment', () =>
    within({ tolerances: ['providersByPointer'] }, async (agent) => {
      const locator = await agent.sell((await agent.itineraries([TRAIN, TRAIN_BACK]))[0], [passenger('1')]);
      const [ticket] = ticketsOf(await agent.read(locator));
      expect(ticket.tpaextensions.couponInfos.map((it: Json) => it.flightRefRPH)).toEqual(['1', '2']);
      expect(ticket.tpaextensions.couponProviderDetails.map((it: Json) => it.flightRefRPH)).toEqual(['2', '1']);
    }));
});

describe('a booking', () => {
  it('shows one segment in the reply to a booking, and both in the reading', () =>
    within({ tolerances: ['holdShowsOneSegment'] }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN, TRAIN_BACK]);
      const { airReservation } = good(await agent.book(found, [passenger('1')]));
      expect(segmentsOf(airReservation).length).toBe(1);
      expect(totalOf(airReservation)).toBeLessThan(totalOf(found));
      const reading = await agent.read(airReservation.bookingReferenceID[0].id);
      expect([segmentsOf(reading).length, totalOf(reading)]).toEqual([2, totalOf(found)]);
    }));

  it('refuses a duplicate booking with 409 until the first one is released', () =>
    within({ behaviour: { duplicates: 'refused' } }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN]);
      const locator = await agent.hold(found, adults(2));
      const again = await agent.book(found, adults(2));
      expect([again.status, again.body.code]).toEqual([409, '127']);
      good(await agent.book(found, [passenger('1')]));
      good(await agent.cancelBooking(locator));
      good(await agent.book(found, adults(2)));
    }));

  it('keeps the e-mail of its contact when a change of type 3 brings another', () =>
    within({ behaviour: { contactEmail: 'kept' } }, async (agent) => {
      const locator = await agent.hold((await agent.itineraries([TRAIN]))[0], [passenger('1')]);
      const contact = { ...CONTACT, telephone: [{ phoneNumber: '55500111' }], email: [{ value: 'new@example.com' }] };
      const change = { modificationType: '3', travelerInfo: { airTraveler: [contact] } };
      good(await agent.modify(await agent.read(locator), change));
      const [after] = travelersOf(await agent.read(locator));
      expect([after.email, after.telephone]).toEqual([CONTACT.email, contact.telephone]);
      expect(agent.sandbox.ledger().map((it) => it.event)).toEqual(['created', 'contact_updated']);
    }));

  it('returns time limits without rules for a paid booking', () =>
    within({ tolerances: ['paidWithoutRules'] }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN]);
      const locator = await agent.hold(found, [passenger('1')]);
      const ruleInfo = async (): Promise<Json> => (await agent.read(locator)).priceInfo.fareInfos.fareInfo[0].ruleInfo;
      expect((await ruleInfo()).chargesRules).toBeDefined();
      good(await agent.pay(locator));
      const paid = await ruleInfo();
      expect(paid.chargesRules).toBeUndefined();
      expect(paid.tpaextensions.cancellationTimeLimit).toMatch(/Z$/);
    }));

  it('books the cheaper of two fares in a class if the class chooses the fare', async () => {
    const file = new URL('../../src/sandbox/network/airline-network.json', import.meta.url);
    const network = JSON.parse(readFileSync(file, 'utf8'));
    network.name = 'Two tariffs in a class';
    for (const fare of network.fares) fare.bookingClass = fare.cabin ?? fare.bookingClass;
    const inventoryFile = join(mkdtempSync(join(tmpdir(), 'network-')), 'network.json');
    writeFileSync(inventoryFile, JSON.stringify(network));
    await within({ dialect: 'airline', inventoryFile }, async (agent) => {
      const flex = await agent.trip([{ from: 'DXB', to: 'LHR', date: '2026-12-10' }]);
      const { airReservation } = good(await agent.book(flex, [passenger('1')]));
      expect(segmentsOf(airReservation)[0].tpaextensions.fareBasis).toBe('YLSAVE');
    });
  });
});

describe('errors', () => {
  it('writes errors in words instead of codes', () =>
    within({ tolerances: ['errorWords'] }, async (agent) => {
      const { status, body } = await agent.readReply('ZZZZZZ');
      expect(status).toBe(404);
      expect(body).toEqual({
        errors: [{ type: 'business', code: 'BOOKING_NOT_FOUND', message: 'Booking not found' }],
        requestId: expect.any(String),
      });
    }));

  it('returns system errors under any status, with or without having acted', () =>
    within({}, async (agent) => {
      const PAY = 'OTA_AirDemandTicketRQ';
      const [found] = await agent.itineraries([TRAIN]);
      const locator = await agent.hold(found, [passenger('1')]);
      const paid = () => agent.sandbox.ledger().filter((it) => it.event === 'paid').length;
      agent.sandbox.order({ message: PAY, kind: 'error-before', status: 422, code: 'TIMEOUT' });
      const before = await agent.pay(locator);
      expect([before.status, before.body.errors, paid()]).toEqual([
        422,
        [{ type: 'system', code: 'TIMEOUT', message: 'fault' }],
        0,
      ]);
      agent.sandbox.order({ message: PAY, kind: 'commit-then-error', status: 400 });
      const after = await agent.pay(locator);
      expect([after.status, after.body.errors[0].code, paid()]).toEqual([400, 'SYSTEM_ERROR', 1]);
    }));
});
