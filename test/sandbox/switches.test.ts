/**
 * What the airline does otherwise on demand: forms of replies, behaviour, and errors that blame a system.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadNetwork } from '../../src/sandbox/network/load.ts';
import {
  adults,
  CONTACT,
  type Desk,
  good,
  type Json,
  openDesk,
  optionsOf,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  ticketsOf,
  totalOf,
  travelersOf,
} from './point-of-sale.ts';

const rowsOf = (info: Json): Json[] => info.ptcfareBreakdowns.ptcfareBreakdown;

async function within(options: Parameters<typeof openDesk>[0], work: (desk: Desk) => Promise<void>): Promise<void> {
  const desk = await openDesk(options);
  try {
    await work(desk);
  } finally {
    await desk.close();
  }
}

describe('a search', () => {
  it('has a row per traveller without segments in its old form', () =>
    within({ tolerances: ['oldPriceRows'] }, async (desk) => {
      const [found] = await desk.itineraries([TRAIN, TRAIN_BACK], { adults: 2 });
      const rows = rowsOf(found.airItineraryPricingInfo);
      expect(rows.map((it) => [it.passengerTypeQuantity.quantity, it.flightRefNumberRPHList])).toEqual([
        [1, []],
        [1, []],
      ]);
      const [first] = rows;
      expect(first.fareBasisCodes.fareBasisCode.length).toBe(2);
      expect(Math.round(first.passengerFare[0].totalFare.amount * 200)).toBe(Math.round(totalOf(found) * 100));
    }));

  it('repeats its rows for the other class that was searched for, alike but for the class', () =>
    within({ tolerances: ['otherClassRows'] }, async (desk) => {
      const [found] = await desk.itineraries([TRAIN], { classes: ['Y', 'C'] });
      const [own, foreign, ...more] = rowsOf(found.airItineraryPricingInfo);
      expect(more).toEqual([]);
      const classOf = (row: Json): string => row.fareInfo[0].fareReference[0].resBookDesigCode;
      expect([classOf(own), classOf(foreign)]).toEqual(['Y', 'C']);
      expect({ ...foreign, fareInfo: own.fareInfo }).toEqual(own);
      const [alone] = await desk.itineraries([TRAIN], { classes: ['Y'] });
      expect(rowsOf(alone.airItineraryPricingInfo).length).toBe(1);
    }));

  it('has a second total that is not the party’s, no rows, or no pointers', async () => {
    await within({ tolerances: ['secondTotal'] }, async (desk) => {
      const [found] = await desk.itineraries([TRAIN], { adults: 2 });
      const [party, one] = found.airItineraryPricingInfo.itinTotalFare;
      expect([one.usage, one.totalFare.amount * 2]).toEqual([undefined, party.totalFare.amount]);
    });
    await within({ tolerances: ['withoutPriceRows', 'searchWithoutPointers'] }, async (desk) => {
      const [found] = await desk.itineraries([TRAIN]);
      expect(found.airItineraryPricingInfo.ptcfareBreakdowns).toBeUndefined();
      expect([optionsOf(found)[0].rph, segmentsOf(found)[0].rph]).toEqual([undefined, undefined]);
    });
  });

  it.each([
    ['no_tariff', 404, 'no price tariff exists'],
    ['no_availability', 400, 'no availability found'],
  ] as const)('without result is an error in words: %s', (emptySearch, due, words) =>
    within({ behaviour: { emptySearch } }, async (desk) => {
      const { status, body } = await desk.search([TRAIN], { classes: ['Z'] });
      expect([status, body.message, body.code]).toEqual([due, words, undefined]);
    }),
  );
});

describe('tickets', () => {
  it('follow the payment late, with the order PAID before them', () =>
    within({ behaviour: { ticketDelayMs: 60_000 } }, async (desk) => {
      const locator = await desk.hold((await desk.itineraries([TRAIN]))[0], [passenger('1')]);
      expect(good(await desk.pay(locator)).ticketItemInfo).toEqual([]);
      const early = await desk.read(locator);
      expect(early.offer.priced[0].tpaExtensions.orderInfo.status).toBe('PAID');
      expect(ticketsOf(early)).toEqual([]);
      desk.sandbox.advance(60_000);
      expect(ticketsOf(await desk.read(locator)).length).toBe(1);
    }));

  it('have no coupons but links that name the segment', () =>
    within({ tolerances: ['ticketsByLink'] }, async (desk) => {
      const locator = await desk.sell((await desk.itineraries([TRAIN, TRAIN_BACK]))[0], [passenger('1')]);
      const rows = ticketsOf(await desk.read(locator));
      expect(new Set(rows.map((it) => it.ticketDocumentNbr)).size).toBe(1);
      expect(rows.map((it) => [it.tpaextensions.couponInfos, it.tpaextensions.links[0].segmentRPH])).toEqual([
        [undefined, undefined],
        [undefined, undefined],
      ]);
      const ends = rows.map((it) => new URL(it.tpaextensions.links[0].href).searchParams.get('departure'));
      expect(ends).toEqual(['QCA', 'XMD']);
    }));

  it('have provider details in another order, by segment', () =>
    within({ tolerances: ['providersByPointer'] }, async (desk) => {
      const locator = await desk.sell((await desk.itineraries([TRAIN, TRAIN_BACK]))[0], [passenger('1')]);
      const [ticket] = ticketsOf(await desk.read(locator));
      expect(ticket.tpaextensions.couponInfos.map((it: Json) => it.flightRefRPH)).toEqual(['1', '2']);
      expect(ticket.tpaextensions.couponProviderDetails.map((it: Json) => it.flightRefRPH)).toEqual(['2', '1']);
    }));
});

describe('a booking', () => {
  it('shows one segment only in the hold, and both in the reading', () =>
    within({ tolerances: ['holdShowsOneSegment'] }, async (desk) => {
      const [found] = await desk.itineraries([TRAIN, TRAIN_BACK]);
      const { airReservation } = good(await desk.book(found, [passenger('1')]));
      expect(segmentsOf(airReservation).length).toBe(1);
      expect(totalOf(airReservation)).toBeLessThan(totalOf(found));
      const reading = await desk.read(airReservation.bookingReferenceID[0].id);
      expect([segmentsOf(reading).length, totalOf(reading)]).toEqual([2, totalOf(found)]);
    }));

  it('is refused with 409 a second time, until the first is released', () =>
    within({ behaviour: { duplicates: 'refused' } }, async (desk) => {
      const [found] = await desk.itineraries([TRAIN]);
      const locator = await desk.hold(found, adults(2));
      const again = await desk.book(found, adults(2));
      expect([again.status, again.body.code]).toEqual([409, '127']);
      good(await desk.book(found, [passenger('1')]));
      good(await desk.cancelBooking(locator));
      good(await desk.book(found, adults(2)));
    }));

  it('keeps the e-mail of its contact when a change of type 3 brings another', () =>
    within({ behaviour: { contactEmail: 'kept' } }, async (desk) => {
      const locator = await desk.hold((await desk.itineraries([TRAIN]))[0], [passenger('1')]);
      const contact = { ...CONTACT, telephone: [{ phoneNumber: '55500111' }], email: [{ value: 'new@example.com' }] };
      const change = { modificationType: '3', travelerInfo: { airTraveler: [contact] } };
      good(await desk.modify(await desk.read(locator), change));
      const [after] = travelersOf(await desk.read(locator));
      expect([after.email, after.telephone]).toEqual([CONTACT.email, contact.telephone]);
      expect(desk.sandbox.ledger().map((it) => it.event)).toEqual(['created', 'contact_updated']);
    }));

  it('has limits without rules once it is paid', () =>
    within({ tolerances: ['paidWithoutRules'] }, async (desk) => {
      const [found] = await desk.itineraries([TRAIN]);
      const locator = await desk.hold(found, [passenger('1')]);
      const ruleInfo = async (): Promise<Json> => (await desk.read(locator)).priceInfo.fareInfos.fareInfo[0].ruleInfo;
      expect((await ruleInfo()).chargesRules).toBeDefined();
      good(await desk.pay(locator));
      const paid = await ruleInfo();
      expect(paid.chargesRules).toBeUndefined();
      expect(paid.tpaextensions.cancellationTimeLimit).toMatch(/Z$/);
    }));

  it('in a class of two tariffs gets the cheaper one where the class picks it', async () => {
    const network = await loadNetwork('airline');
    network.name = 'Two tariffs in a class';
    for (const fare of network.fares) fare.bookingClass = fare.cabin ?? fare.bookingClass;
    const inventoryFile = join(mkdtempSync(join(tmpdir(), 'network-')), 'network.json');
    writeFileSync(inventoryFile, JSON.stringify(network));
    await within({ dialect: 'airline', inventoryFile }, async (desk) => {
      const flex = await desk.trip([{ from: 'DXB', to: 'LHR', date: '2026-12-10' }]);
      const { airReservation } = good(await desk.book(flex, [passenger('1')]));
      expect(segmentsOf(airReservation)[0].tpaextensions.fareBasis).toBe('YLSAVE');
    });
  });
});

describe('errors', () => {
  it('in words stand in place of the codes', () =>
    within({ tolerances: ['errorWords'] }, async (desk) => {
      const { status, body } = await desk.readReply('ZZZZZZ');
      expect(status).toBe(404);
      expect(body).toEqual({
        errors: [{ type: 'business', code: 'BOOKING_NOT_FOUND', message: 'Booking not found' }],
        requestId: expect.any(String),
      });
    }));

  it('that blame a system come under any status, with the act done or not', () =>
    within({}, async (desk) => {
      const PAY = 'OTA_AirDemandTicketRQ';
      const [found] = await desk.itineraries([TRAIN]);
      const locator = await desk.hold(found, [passenger('1')]);
      const paid = () => desk.sandbox.ledger().filter((it) => it.event === 'paid').length;
      desk.sandbox.order({ message: PAY, kind: 'error-before', status: 422, code: 'TIMEOUT' });
      const before = await desk.pay(locator);
      expect([before.status, before.body.errors, paid()]).toEqual([
        422,
        [{ type: 'system', code: 'TIMEOUT', message: 'fault' }],
        0,
      ]);
      desk.sandbox.order({ message: PAY, kind: 'commit-then-error', status: 400 });
      const after = await desk.pay(locator);
      expect([after.status, after.body.errors[0].code, paid()]).toEqual([400, 'SYSTEM_ERROR', 1]);
    }));

  it('with any code can be ordered', () =>
    within({}, async (desk) => {
      desk.sandbox.order({ message: 'OTA_AirBookRQ', kind: 'error-before', status: 422, code: '883' });
      const answer = await desk.book((await desk.itineraries([TRAIN]))[0], [passenger('1')]);
      expect([answer.status, answer.body.code]).toEqual([422, '883']);
    }));
});
