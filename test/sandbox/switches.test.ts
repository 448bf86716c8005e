/**
 * What the airline does otherwise on demand: forms of replies, behaviour, and errors that blame a system.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contactEmailKept, duplicatesRefused, emptySearch, ticketDelay } from '../support/sandbox/behaviours.ts';
import { type Deviation, deviations } from '../support/sandbox/deviations.ts';
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
  const pricesOf = (found: Json) => found.airItineraryPricingInfo;
  const typesOf = (found: Json) =>
    rowsOf(pricesOf(found)).map((it) => [it.passengerTypeQuantity.quantity, it.flightRefNumberRPHList]);
  const classesOf = (found: Json) =>
    rowsOf(pricesOf(found)).map((it) => it.fareInfo[0].fareReference[0].resBookDesigCode);

  it.each<[Deviation, (found: Json) => unknown, unknown]>([
    ['oldPriceRows', typesOf, [1, 1].map((count) => [count, []])],
    ['otherClassRows', (it) => classesOf(it).sort(), ['C', 'C', 'Y', 'Y']],
    ['secondTotal', (it) => pricesOf(it).itinTotalFare[1].totalFare.amount * 2 === totalOf(it), true],
    ['withoutPriceRows', (it) => pricesOf(it).ptcfareBreakdowns, undefined],
    ['searchWithoutPointers', (it) => [optionsOf(it)[0].rph, segmentsOf(it)[0].rph], [undefined, undefined]],
  ])('deviates: %s', (deviation, look, due) =>
    within({ rewrite: deviations(deviation) }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN, TRAIN_BACK], { adults: 2, classes: ['Y', 'C'] });
      expect(look(found)).toEqual(due);
    }),
  );

  it.each([
    ['no_tariff', 404, 'no price tariff exists'],
    ['no_availability', 400, 'no availability found'],
  ] as const)('without result is an error in words: %s', (form, due, words) =>
    within({ rewrite: emptySearch(form) }, async (agent) => {
      const { status, body } = await agent.search([TRAIN], { classes: ['Z'] });
      expect([status, body.message, body.code]).toEqual([due, words, undefined]);
    }),
  );
});

describe('tickets', () => {
  it('issues tickets late, after the order is PAID', () =>
    within({ rewrite: ticketDelay(60_000) }, async (agent) => {
      const locator = await agent.hold((await agent.itineraries([TRAIN]))[0], [passenger('1')]);
      expect(good(await agent.pay(locator)).ticketItemInfo).toEqual([]);
      const early = await agent.read(locator);
      expect(early.offer.priced[0].tpaExtensions.orderInfo.status).toBe('PAID');
      expect(ticketsOf(early)).toEqual([]);
      agent.sandbox.advance(60_000);
      expect(ticketsOf(await agent.read(locator)).length).toBe(1);
    }));
});

describe('a booking', () => {
  it('shows one segment in the reply to a booking, and both in the reading', () =>
    within({ rewrite: deviations('holdShowsOneSegment') }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN, TRAIN_BACK]);
      const { airReservation } = good(await agent.book(found, [passenger('1')]));
      expect(segmentsOf(airReservation).length).toBe(1);
      expect(totalOf(airReservation)).toBeLessThan(totalOf(found));
      const reading = await agent.read(airReservation.bookingReferenceID[0].id);
      expect([segmentsOf(reading).length, totalOf(reading)]).toEqual([2, totalOf(found)]);
    }));

  it('refuses a duplicate booking with 409 until the first one is released', () =>
    within({ rewrite: duplicatesRefused }, async (agent) => {
      const [found] = await agent.itineraries([TRAIN]);
      const locator = await agent.hold(found, adults(2));
      const again = await agent.book(found, adults(2));
      expect([again.status, again.body.code]).toEqual([409, '127']);
      good(await agent.book(found, [passenger('1')]));
      good(await agent.cancelBooking(locator));
      good(await agent.book(found, adults(2)));
    }));

  it('keeps the e-mail of its contact when a change of type 3 brings another', () =>
    within({ rewrite: contactEmailKept }, async (agent) => {
      const locator = await agent.hold((await agent.itineraries([TRAIN]))[0], [passenger('1')]);
      const contact = { ...CONTACT, telephone: [{ phoneNumber: '55500111' }], email: [{ value: 'new@example.com' }] };
      const change = { modificationType: '3', travelerInfo: { airTraveler: [contact] } };
      good(await agent.modify(await agent.read(locator), change));
      const [after] = travelersOf(await agent.read(locator));
      expect([after.email, after.telephone]).toEqual([CONTACT.email, contact.telephone]);
      expect(agent.sandbox.ledger().map((it) => it.event)).toEqual(['created', 'contact_updated']);
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
