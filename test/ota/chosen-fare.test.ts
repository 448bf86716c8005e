/**
 * The fare of the offer that a person chose goes with every segment of the booking request (docs/wire/notes.md, fares and
 * prices). The airline here is written by hand: two offers of the same trains that differ in nothing but the fare.
 */
import { describe, expect, it } from 'vitest';
import type { Offer } from '../../src/domain/pricing/fare-search.ts';
import { at, failureOf, serve } from './support/harness.ts';
import { fareQuery, LOCATOR, newBooking, readReply, watchedDispatch } from './support/samples.ts';
import { between, fare, flight, itinerary, option, searchOf, type Wire } from './support/wire.ts';
import { reply } from './support/wire-server.ts';

interface Leg {
  readonly from: string;
  readonly to: string;
  readonly day: string;
}

const OUT: Leg = { from: 'AAA', to: 'BBB', day: '2026-12-01' };
const BACK: Leg = { from: 'BBB', to: 'AAA', day: '2026-12-03' };
const AGAIN: Leg = { from: 'AAA', to: 'BBB', day: '2026-12-05' };

/** A segment of a search reply: it names no fare. */
const segmentOf = ({ from, to, day }: Leg, rph: string | undefined) =>
  flight({
    ...between(from, to),
    departureDateTime: `${day}T08:10:00.000+03:00`,
    arrivalDateTime: `${day}T09:02:00.000+03:00`,
    ...(rph !== undefined && { rph }),
  });

/** Rows of one offer, one for each segment. */
type Rows = (legs: readonly Leg[], name: string, amount: number) => Wire;

function row(place: number, amount: number, over: Wire): Wire {
  return {
    passengerTypeQuantity: { code: 'ADT', quantity: 1 },
    passengerFare: [fare(amount)],
    flightRefNumberRPHList: [String(place + 1)],
    fareInfo: [{ fareReference: [{ resBookDesigCode: 'Y' }] }],
    ...over,
  };
}

const breakdown = (rows: readonly Wire[]) => ({ ptcfareBreakdowns: { ptcfareBreakdown: rows } });

/** Each segment has a code of its own, so that one on the wrong segment shows. */
const code = (name: string, place: number) => `${name}${place + 1}`;

const ROWS: Readonly<Record<string, Rows>> = {
  'in the rows, with the segment beside it': (legs, name, amount) =>
    breakdown(
      legs.map((_, i) =>
        row(i, amount, { fareBasisCodes: { fareBasisCode: [{ value: code(name, i), flightSegmentRPH: `${i + 1}` }] } }),
      ),
    ),
  'in the rows, of the segments of the row': (legs, name, amount) =>
    breakdown(legs.map((_, i) => row(i, amount, { fareBasisCodes: { fareBasisCode: [{ value: code(name, i) }] } }))),
  'in the rows, of the segment of the ticket': (legs, name, amount) =>
    breakdown(
      legs.map((_, i) =>
        row(i, amount, {
          flightRefNumberRPHList: [],
          ticketDesignators: { ticketDesignator: [{ flightRefRPH: `${i + 1}` }] },
          fareBasisCodes: { fareBasisCode: [{ value: code(name, i) }] },
        }),
      ),
    ),
  'only in fareInfos': (legs, name) => ({
    fareInfos: {
      fareInfo: [
        { fareReference: [{ value: 'SURPLUS', resBookDesigCode: 'Y' }] },
        ...legs.map((leg, i) => ({
          fareReference: [{ value: code(name, i), resBookDesigCode: 'Y' }],
          ...between(leg.from, leg.to),
        })),
      ],
    },
  }),
};

interface Search {
  readonly legs: readonly Leg[];
  readonly rows: Rows;
  readonly dialect: 'rail' | 'airline';
  readonly pointers?: boolean;
}

/** Two offers: the same trains, class and amount, and another fare. */
function searchReply({ legs, rows, dialect, pointers = true }: Search) {
  const options = legs.map((leg, i) => {
    const rph = pointers ? String(i + 1) : undefined;
    return option(dialect === 'rail' ? rph : undefined, segmentOf(leg, rph));
  });
  const offered = (code: string) =>
    [itinerary(...options), { itinTotalFare: [fare(100 * legs.length)], ...rows(legs, code, 100) }] as const;
  return searchOf(offered('LOW'), offered('FLEX'));
}

const groupReply = {
  bookingReferenceID: { type: '14', id: LOCATOR },
  pricedItineraries: { pricedItinerary: [] },
};

const REPLIES: Wire = { OTA_AirBookRQ: readReply(), OTA_AirPriceRQ: groupReply };

async function airlineOf(search: Search, options = {}) {
  const server = await serve((request, socket) => {
    const message = request.headers['local-name'] ?? '';
    const search0 = message === 'OTA_AirLowFareSearchRQ';
    socket.write(reply(200, search0 ? searchReply(search) : (REPLIES[message] as object)));
  });
  return { server, airline: at(server.origin, { dialect: search.dialect, ...options }) };
}

type Server = Awaited<ReturnType<typeof airlineOf>>;

/** Books one offer by names and by counts, and gives the segments of both requests. */
async function segmentsSent({ airline, server }: Server, offer: Offer, legs: readonly Leg[]) {
  const refs = offer.options.flatMap((option) => option.segments.map(({ ref }) => ref));
  const travelers = newBooking.travelers.map((traveler) => ({ ...traveler, segmentRefs: refs }));
  const { contact } = newBooking;
  await airline.create({ options: offer.options, contact, travelers }, watchedDispatch());
  const passengers = { adults: legs.length, children: 0, infants: 0 };
  await airline.createFromCounts({ options: offer.options, contact, passengers }, watchedDispatch());
  return server.received.slice(-2).map(({ body }) => sentSegments(body));
}

function sentSegments(body: Wire): Wire[] {
  const { originDestinationOptions } = body.airItinerary as Wire;
  const options = (originDestinationOptions as Wire).originDestinationOption as { flightSegment: Wire[] }[];
  return options.flatMap(({ flightSegment: segments }) => segments);
}

describe.each(['rail', 'airline'] as const)('the fare of the chosen offer, %s dialect', (dialect) => {
  it.each(Object.keys(ROWS))('sends the chosen fare with every segment if the reply gives it %s', async (where) => {
    const legs = [OUT, BACK, AGAIN];
    const opened = await airlineOf({ legs, rows: ROWS[where] as Rows, dialect });
    const { offers } = await opened.airline.searchFares(fareQuery);
    const [low, flex] = offers as [Offer, Offer];
    for (const [offer, name] of [
      [low, 'LOW'],
      [flex, 'FLEX'],
    ] as const) {
      for (const sent of await segmentsSent(opened, offer, legs)) {
        expect(sent.map((each) => each.fareBasisCode)).toEqual([`${name}1`, `${name}2`, `${name}3`]);
        expect(sent.map((each) => each.resBookDesigCode)).toEqual(['Y', 'Y', 'Y']);
      }
    }
  });

  it.each(Object.keys(ROWS))('finds the chosen fare by counting if nothing has a pointer: %s', async (where) => {
    const legs = [OUT, BACK, AGAIN];
    const opened = await airlineOf({ legs, rows: ROWS[where] as Rows, dialect, pointers: false });
    const { offers } = await opened.airline.searchFares(fareQuery);
    const [sent] = await segmentsSent(opened, offers[1] as Offer, legs);
    expect(sent?.map((each) => each.fareBasisCode)).toEqual(['FLEX1', 'FLEX2', 'FLEX3']);
  });

  it("uses the row's fare for all segments if the row names none", async () => {
    const rows: Rows = (_, name, amount) =>
      breakdown([row(0, amount, { flightRefNumberRPHList: [], fareBasisCodes: { fareBasisCode: [{ value: name }] } })]);
    const opened = await airlineOf({ legs: [OUT, BACK], rows, dialect });
    const { offers } = await opened.airline.searchFares(fareQuery);
    const [sent] = await segmentsSent(opened, offers[1] as Offer, [OUT, BACK]);
    expect(sent?.map((each) => each.fareBasisCode)).toEqual(['FLEX', 'FLEX']);
  });

  it("sends the adult's fare if a child has another", async () => {
    const rows: Rows = (_, name, amount) =>
      breakdown([
        row(0, amount / 2, {
          passengerTypeQuantity: { code: 'CHD', quantity: 1 },
          fareBasisCodes: { fareBasisCode: [{ value: `${name}CH` }] },
        }),
        row(0, amount / 2, { fareBasisCodes: { fareBasisCode: [{ value: name }] } }),
      ]);
    const opened = await airlineOf({ legs: [OUT], rows, dialect });
    const { offers } = await opened.airline.searchFares(fareQuery);
    const [sent] = await segmentsSent(opened, offers[0] as Offer, [OUT]);
    expect(sent?.[0]?.fareBasisCode).toBe('LOW');
  });
});

describe('a fare that the reply does not name', () => {
  const unsaid: Rows = () => ({});
  const misplaced: Rows = (legs, name) => ({
    fareInfos: {
      fareInfo: legs.toReversed().map((leg, i) => ({
        fareReference: [{ value: code(name, i) }],
        ...between(leg.from, leg.to),
      })),
    },
  });
  const twice: Rows = (_, name, amount) =>
    breakdown([
      row(0, amount, { fareBasisCodes: { fareBasisCode: [{ value: `${name}A` }] } }),
      row(0, amount, { fareBasisCodes: { fareBasisCode: [{ value: `${name}B` }] } }),
    ]);

  it.each([
    ['is named nowhere', unsaid, [OUT]],
    ['is of other airports', misplaced, [OUT, BACK]],
    ['is one of two', twice, [OUT]],
  ] as const)('sends nothing in the rail dialect if the fare %s', async (_, rows, legs) => {
    const { airline, server } = await airlineOf({ legs, rows, dialect: 'rail' });
    const { offers } = await airline.searchFares(fareQuery);
    const { options } = offers[0] as Offer;
    const named = { options, contact: newBooking.contact, travelers: newBooking.travelers };
    const counts = { options, contact: newBooking.contact, passengers: fareQuery.passengers };
    for (const sending of [
      airline.create(named, watchedDispatch()),
      airline.createFromCounts(counts, watchedDispatch()),
    ]) {
      const error = await failureOf(sending);
      expect(error).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'none' });
      expect(error.message).toContain('fare');
      expect(error.next).toContain('search_fares');
    }
    expect(server.received).toHaveLength(1);
  });

  it('sends no fare in the airline dialect if the reply names none', async () => {
    const { airline, server } = await airlineOf({ legs: [OUT], rows: unsaid, dialect: 'airline' });
    const { offers } = await airline.searchFares(fareQuery);
    await segmentsSent({ airline, server }, offers[0] as Offer, [OUT]);
    expect(sentSegments(server.received.at(-1)?.body ?? {})[0]).not.toHaveProperty('fareBasisCode');
  });
});
