/**
 * The fare of the offer that a person chose goes with every segment of the booking request (docs/wire/notes.md, fares and
 * prices): two offers of the same trains that differ in nothing but the fare, each form of the rows that name it.
 */
import { describe, expect, it } from 'vitest';
import { bodyOf, hearing, searched } from './support/asked.ts';
import type { Offer } from './support/port.ts';
import { newBooking, watchedDispatch } from './support/samples.ts';
import { between, fare, flight, itinerary, option, searchOf, type Wire } from './support/wire.ts';

type Leg = readonly [from: string, to: string];
const OUT: Leg = ['AAA', 'BBB'];
const BACK: Leg = ['BBB', 'AAA'];
const THREE = [OUT, BACK, OUT];

/** Prices of one offer. Each segment has a fare of its own, so that one on the wrong segment shows. */
type Rows = (legs: readonly Leg[], name: string) => Wire;

const row = (place: number, over: Wire): Wire => ({
  passengerTypeQuantity: { code: 'ADT', quantity: 1 },
  passengerFare: [fare(100)],
  flightRefNumberRPHList: [String(place + 1)],
  fareInfo: [{ fareReference: [{ resBookDesigCode: 'Y' }] }],
  ...over,
});
const breakdown = (rows: readonly Wire[]) => ({ ptcfareBreakdowns: { ptcfareBreakdown: rows } });
const basis = (value: string, over: Wire = {}) => ({ fareBasisCodes: { fareBasisCode: [{ value, ...over }] } });
const eachLeg =
  (of: (code: string, rph: string) => Wire): Rows =>
  (legs, name) =>
    breakdown(legs.map((_, i) => row(i, of(`${name}${i + 1}`, `${i + 1}`))));
const infos = (legs: readonly Leg[], name: string) =>
  legs.map((leg, i) => ({
    fareReference: [{ value: `${name}${i + 1}`, resBookDesigCode: 'Y' }],
    ...between(...leg),
  }));

const ROWS: Readonly<Record<string, Rows>> = {
  'in the rows, with the segment beside it': eachLeg((code, flightSegmentRPH) => basis(code, { flightSegmentRPH })),
  'in the rows, of the segments of the row': eachLeg((code) => basis(code)),
  'in the rows, of the segment of the ticket': eachLeg((code, flightRefRPH) => ({
    flightRefNumberRPHList: [],
    ticketDesignators: { ticketDesignator: [{ flightRefRPH }] },
    ...basis(code),
  })),
  'only in fareInfos': (legs, name) => ({
    fareInfos: {
      fareInfo: [{ fareReference: [{ value: 'SURPLUS', resBookDesigCode: 'Y' }] }, ...infos(legs, name)],
    },
  }),
};

/** The offers LOW and FLEX of a search whose segments name no fare. */
async function offersOf(legs: readonly Leg[], rows: Rows): Promise<readonly Offer[]> {
  const options = legs.map((leg, i) => option(`${i + 1}`, flight({ ...between(...leg), rph: `${i + 1}` })));
  const offered = (name: string) =>
    [itinerary(...options), { itinTotalFare: [fare(100 * legs.length)], ...rows(legs, name) }] as const;
  return (await searched(searchOf(offered('LOW'), offered('FLEX')))).offers;
}

function bookingOf({ options }: Offer) {
  const segmentRefs = options.flatMap(({ segments }) => segments.map(({ ref }) => ref));
  return { ...newBooking, options, travelers: newBooking.travelers.map((one) => ({ ...one, segmentRefs })) };
}

/** The fares that go with the segments of a booking by names. */
async function faresSent(offer: Offer | undefined, dialect: 'rail' | 'airline'): Promise<unknown[]> {
  if (offer === undefined) throw new Error('no offer');
  const body = await bodyOf((airline) => airline.create(bookingOf(offer), watchedDispatch()), { dialect });
  const { originDestinationOptions } = body.airItinerary as { originDestinationOptions: Wire };
  const options = originDestinationOptions.originDestinationOption as { flightSegment: Wire[] }[];
  return options.flatMap(({ flightSegment }) => flightSegment.map(({ fareBasisCode }) => fareBasisCode));
}

describe.each(['rail', 'airline'] as const)('the fare of the chosen offer, %s dialect', (dialect) => {
  it.each(Object.entries(ROWS))('is sent with every segment if the reply gives it %s', async (_, rows) => {
    const [low, flex] = await offersOf(THREE, rows);
    expect(await faresSent(low, dialect)).toEqual(['LOW1', 'LOW2', 'LOW3']);
    expect(await faresSent(flex, dialect)).toEqual(['FLEX1', 'FLEX2', 'FLEX3']);
  });

  it('is that of the row for all segments if the row names none', async () => {
    const [, flex] = await offersOf([OUT, BACK], (_, name) =>
      breakdown([row(0, { passengerFare: [fare(200)], flightRefNumberRPHList: [], ...basis(name) })]),
    );
    expect(await faresSent(flex, dialect)).toEqual(['FLEX', 'FLEX']);
  });

  it("is the adult's if a child has another", async () => {
    const child = { passengerTypeQuantity: { code: 'CHD', quantity: 1 } };
    const half = { passengerFare: [fare(50)] };
    const [low] = await offersOf([OUT], (_, name) =>
      breakdown([row(0, { ...child, ...half, ...basis(`${name}CH`) }), row(0, { ...half, ...basis(name) })]),
    );
    expect(await faresSent(low, dialect)).toEqual(['LOW']);
  });
});

it.each<[string, readonly Leg[], Rows]>([
  ['is named nowhere', [OUT], () => ({})],
  ['is of other airports', [OUT, BACK], (legs, name) => ({ fareInfos: { fareInfo: infos(legs.toReversed(), name) } })],
  ['begins elsewhere', [OUT], (_, name) => ({ fareInfos: { fareInfo: infos([['CCC', 'BBB']], name) } })],
  ['is one of two', [OUT], (_, name) => breakdown([row(0, basis(`${name}A`)), row(0, basis(`${name}B`))])],
])('nothing is sent in the rail dialect if the fare %s', async (_, legs, rows) => {
  const [offer] = await offersOf(legs, rows);
  const chosen = bookingOf(offer as Offer);
  const passengers = { adults: 1, children: 0, infants: 0 };
  for (const outcome of [
    await hearing((airline) => airline.create(chosen, watchedDispatch()), []),
    await hearing((airline) => airline.createFromCounts({ ...chosen, passengers }, watchedDispatch()), []),
  ]) {
    expect(outcome).toMatchObject({
      sent: [],
      error: {
        ...{ code: 'E_AIRLINE_REPLY', effect: 'none' },
        message: expect.stringContaining('fare'),
        next: expect.stringContaining('search_fares'),
      },
    });
  }
});

it('no fare is sent in the airline dialect if the reply names none', async () => {
  const [offer] = await offersOf([OUT], () => ({}));
  expect(await faresSent(offer, 'airline')).toEqual([undefined]);
});
