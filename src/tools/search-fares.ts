import * as z from 'zod';
import type { FareLeg, FareQuery, Offer, PassengerCounts } from '../domain/pricing/fare-search.ts';
import type { ShelvedOffer } from '../domain/pricing/offer-store.ts';
import { cleanCode } from '../domain/time-and-text/clean-text.ts';
import { addDays, earliestToday, utcText, utcToday } from '../domain/time-and-text/times.ts';
import { ClerkError, inputError } from '../errors.ts';
import { cheapest } from './definition/cheapest-offers.ts';
import { type CheckedOffer, checkedOffers, unchecked } from './definition/check-prices.ts';
import { defineTool, once, type ToolContext } from './definition/define.ts';
import { bookingClasses, counts, countsOf, date, detail, listOf, station, whole } from './definition/input-fields.ts';
import { assertApart, atStations } from './definition/resolve-stations.ts';
import { bookable, refundNoteOf } from './definition/trip-from-offers.ts';
import { assertParty, partyText } from './rules/party-size.ts';
import { offerSchema, offersText, soldOutSchema, viewOffer, viewSoldOut } from './views/offers.ts';
import { table } from './views/table.ts';
import { showSpan } from './views/times.ts';

/** Sold-out departures shown at most. */
const MOST_SOLD_OUT = 50;

const input = once(() =>
  z.strictObject({
    legs: listOf(
      z.strictObject({
        from: station(),
        to: station(),
        date: date(),
        days_before: whole(0, 7).optional(),
        days_after: whole(0, 7).optional(),
      }),
      1,
      6,
    ),
    passengers: counts(),
    booking_classes: bookingClasses().optional().describe('Y economy, C business'),
    include_sold_out: z.boolean().optional(),
    max_results: whole(1, 50).optional(),
    detail: detail().optional(),
  }),
);

const output = once(() =>
  z.object({
    currency: z.string(),
    searched_at: z.string(),
    total_found: z.int(),
    offers: z.array(offerSchema()),
    sold_out: z.array(soldOutSchema()),
    valid_until: z.string().optional(),
    understood: z.string().optional(),
    unintended_hold: z.string().optional(),
  }),
);

type Args = z.output<ReturnType<typeof input>>;

export const searchFares = defineTool({
  name: 'search_fares',
  title: 'Search fares',
  description:
    'Search flights or trains with prices, cheapest first. One leg per direction, or a search for each where the airline refuses that; codes or cities, local dates. Book with create_booking.',
  toolset: 'core',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    assertTrip(args, ctx);
    const places = args.legs.flatMap((leg, i) => [
      { field: `legs[${i}].from`, text: leg.from },
      { field: `legs[${i}].to`, text: leg.to },
    ]);
    const { answer, understood } = await atStations(places, ctx, async (codes) => {
      const query = fareQuery(args, codes);
      const found = await ctx.airline.searchFares(query, ctx.signal ? { signal: ctx.signal } : {});
      const best = cheapest(found.offers, mostOf(args), ctx.settings.currency);
      if (best.offers.length === 0 && found.soldOut.length === 0) throw nothingFound(query);
      return { query, found, ...best };
    });
    const { query, found, offers, currency } = answer;
    const best = offers.slice(0, mostOf(args));
    const full = args.detail === 'full';
    const checks = full ? await checkedOffers(best, query.passengers, ctx) : unchecked(best);
    const shown = checks.offers.map(({ offer }) => offer);
    const ids = await ctx.state.offers.put(
      ctx.caller,
      shown.map((offer) => shelved(offer, query, found, ctx)),
    );
    const { adults: ADT, children: CHD, infants: INF } = query.passengers;
    const facts = { now: ctx.now(), carrier: ctx.settings.carrier, party: { ADT, CHD, INF } };
    const viewOf = ({ offer, checked, notes }: CheckedOffer, i: number) =>
      viewOffer(ids[i] ?? '', offer, { ...facts, full, checked, notes }) ?? [];
    return {
      currency: currency ?? ctx.settings.currency ?? '',
      searched_at: utcText(ctx.now()),
      total_found: offers.length + (found.unread ?? 0),
      offers: checks.offers.flatMap(viewOf),
      sold_out: found.soldOut.slice(0, MOST_SOLD_OUT).map((flight) => viewSoldOut(flight, ctx.settings.carrier)),
      ...(found.validUntil !== undefined && { valid_until: found.validUntil }),
      ...(understood !== undefined && { understood }),
      ...(checks.unintendedHold !== undefined && { unintended_hold: checks.unintendedHold }),
    };
  },

  text(output, args) {
    const people = partyText(countsOf(args.passengers));
    return [
      `${output.offers.length} of ${output.total_found} offers, cheapest first, for ${people}; total for all in ${output.currency}.`,
      ...(output.understood === undefined ? [] : [output.understood]),
      ...(output.unintended_hold === undefined ? [] : [holdText(output.unintended_hold)]),
      ...offersText(output.offers),
      ...(output.sold_out.length > 0 ? ['Sold out:'] : []),
      ...table(
        output.sold_out.map((flight) => [
          flight.flight,
          `${flight.from}-${flight.to}`,
          showSpan(flight.departs, flight.arrives),
          `class ${flight.class}`,
        ]),
      ),
      ...(output.valid_until === undefined ? [] : [`Offers hold until ${output.valid_until}.`]),
      ...(output.offers.some((offer) => offer.leg !== undefined && args.legs.length > 1)
        ? ['Each offer is for one leg: give create_booking one offer_id per leg.']
        : []),
    ].join('\n');
  },
});

/** The check is meant to book nothing, but the airline named a booking. */
function holdText(locator: string): string {
  return `CAUTION: a price check may have made an unintended hold, ${cleanCode(locator)}. It is unpaid and lapses by itself; cancel_booking releases it now. No more prices were checked.`;
}

/** All that can be told without the airline. */
function assertTrip(args: Args, ctx: ToolContext): void {
  assertParty(countsOf(args.passengers), ctx.settings.maxTravelers, 'passengers');
  const [earliest, today] = [earliestToday(ctx.now()), utcToday(ctx.now())];
  for (const [i, leg] of args.legs.entries()) {
    assertApart(leg.from, leg.to, `legs[${i}].to`);
    if (leg.date < earliest) throw inputError(`legs[${i}].date`, `expected a date not past; nearest valid: ${today}.`);
    const before = args.legs[i - 1]?.date;
    // East over the date line one arrives the day before one left.
    if (before !== undefined && leg.date < addDays(before, -1)) {
      throw inputError(`legs[${i}].date`, `expected a date not before the leg before it; nearest valid: ${before}.`);
    }
  }
}

const mostOf = ({ max_results: most = 10 }: Args): number => most;

/** `codes`: from and to of each leg, in order. */
function fareQuery(args: Args, codes: readonly string[]): FareQuery {
  const legs = args.legs.map((leg, i) => {
    const [from = '', to = ''] = codes.slice(2 * i);
    assertApart(from, to, `legs[${i}].to`);
    return { from, to, date: leg.date, daysBefore: leg.days_before ?? 0, daysAfter: leg.days_after ?? 0 };
  });
  return {
    legs,
    passengers: countsOf(args.passengers),
    bookingClasses: [...new Set(args.booking_classes ?? [])],
    includeSoldOut: args.include_sold_out ?? false,
    most: mostOf(args),
  };
}

function shelved(
  offer: Offer,
  query: { legs: readonly FareLeg[]; passengers: PassengerCounts },
  found: { validUntil?: string },
  ctx: ToolContext,
): ShelvedOffer {
  return {
    offer: bookable(offer),
    passengers: query.passengers,
    shownAt: ctx.now(),
    ...refundNoteOf(offer, ctx),
    ...(found.validUntil !== undefined && { validUntil: found.validUntil }),
    legs: query.legs.map(({ from, to, date }) => ({ from, to, date })),
  };
}

/** What was asked for besides the route may be the reason: then the route itself may well be served. */
function nothingFound({ legs, bookingClasses, includeSoldOut }: FareQuery): ClerkError {
  const trip = legs.map((leg) => `${cleanCode(leg.from)}-${cleanCode(leg.to)} on ${leg.date}`).join(', ');
  const inClass = bookingClasses.length > 0 ? ` in class ${bookingClasses.join(', ')}` : '';
  const narrowed = [
    ...(bookingClasses.length > 0 ? ['without booking_classes'] : []),
    ...(includeSoldOut ? ['without include_sold_out, which lists direct departures alone'] : []),
  ];
  const wider = narrowed.length > 0 ? `Call search_fares ${narrowed.join(' or ')}; else call` : 'Call';
  return new ClerkError('E_NO_AVAILABILITY', `The airline offers nothing for ${trip}${inClass}.`, {
    next: `${wider} get_calendar_dates for the dates with service on this route.`,
  });
}
