import * as z from 'zod';
import { flightName } from '../domain/booking/flight-name.ts';
import type { FareQuery, Offer } from '../domain/pricing/fare-search.ts';
import { formatMoney, type Money, showMoney, sumMoney } from '../domain/pricing/money.ts';
import { cleanCode, plainText } from '../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { addDays } from '../domain/time-and-text/times.ts';
import { ClerkError } from '../errors.ts';
import { cheapest } from './definition/cheapest-offers.ts';
import { defineTool, once, type ToolContext } from './definition/define.ts';
import { fanOut } from './definition/fan-out.ts';
import { bookingClasses, counts, countsOf, date, station, whole } from './definition/input-fields.ts';
import { assertApart, atStations, endsOf } from './definition/resolve-stations.ts';
import { bookable, refundNoteOf } from './definition/trip-from-offers.ts';
import { assertWindow, daysWithin, firstDay } from './rules/date-range.ts';
import { assertParty } from './rules/party-size.ts';
import { table } from './views/table.ts';

/** New searches stop here, so that those under way can still answer before ANSWER_MS. */
const START_MS = 18_000;
const ANSWER_MS = 25_000;
const MOST_DAYS = 31;

const input = once(() =>
  z.strictObject({
    from: station(),
    to: station(),
    start_date: date(),
    end_date: date(),
    return_after_days: whole(0, 90).optional(),
    passengers: counts(),
    booking_classes: bookingClasses().optional(),
  }),
);

const output = once(() => {
  const day = z.object({
    date: z.string(),
    total: z.string().optional(),
    offer_id: z.string().optional(),
    flight: z.string().optional(),
    sold_out: z.boolean().optional(),
  });
  return z.object({
    currency: z.string(),
    days: z.array(day),
    cheapest: day.optional(),
    searched: z.int(),
    skipped: z.int(),
    continue_from: z.string().optional(),
    understood: z.string().optional(),
  });
});

type Args = z.output<ReturnType<typeof input>>;
type Day = z.input<ReturnType<typeof output>>['days'][number];

interface Found {
  readonly date: string;
  readonly query: FareQuery;
  /** One for the trip, or one for each leg. */
  readonly offers: readonly Offer[];
  readonly total?: Money;
}

export const findCheapestDates = defineTool({
  name: 'find_cheapest_dates',
  title: 'Find cheapest dates',
  description: 'Lowest fare of each day with service, up to 31 days. Continue with continue_from.',
  toolset: 'desk',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const started = ctx.now();
    assertAsked(args, ctx);
    const { answer: route, understood } = await atStations(endsOf(args), ctx, ([from = '', to = '']) =>
      routeToSearch(args, from, to, ctx),
    );
    const { dates } = route;
    const late = AbortSignal.timeout(ANSWER_MS);
    const signal = ctx.signal ? AbortSignal.any([ctx.signal, late]) : late;
    const results = await fanOut(
      dates,
      {
        width: 4,
        mayStart: () => !signal.aborted && ctx.now() - started < START_MS,
        done: (count) => ctx.progress?.(count, dates.length, 'days searched'),
      },
      (day) => lowest(fareQuery(args, route, day), day, ctx, signal),
    );
    const answered = results.flatMap((result) => (result?.status === 'fulfilled' ? [result.value] : []));
    const failures = results.flatMap((result) => (result?.status === 'rejected' ? [result.reason] : []));
    const mistake = failures.find((reason) => !(reason instanceof ClerkError));
    if (mistake !== undefined || (answered.length === 0 && failures.length > 0)) throw mistake ?? failures[0];
    const currency = currencyOf(answered, ctx);
    const days = await Promise.all(answered.map((found) => viewDay(found, currency, ctx)));
    const left = dates.find((_, i) => results[i]?.status !== 'fulfilled');
    const best = cheapestDay(answered, days, currency);
    return {
      currency,
      days,
      ...(best && { cheapest: best }),
      searched: answered.length,
      skipped: dates.length - answered.length,
      ...(left !== undefined && { continue_from: left }),
      ...(understood !== undefined && { understood }),
    };
  },

  text(found, args) {
    const { currency, days, cheapest: best, continue_from: next } = found;
    return [
      `${plainText(args.from, 60)}-${plainText(args.to, 60)}: ${found.searched} days searched, ${found.skipped} left; lowest total for all in ${currency}.`,
      ...(found.understood === undefined ? [] : [found.understood]),
      ...table(
        days.map((day) => [
          day.date,
          day.total ?? (day.sold_out ? 'nothing offered' : ''),
          day.flight ?? '',
          day.offer_id ?? '',
          day.date === best?.date ? 'CHEAPEST' : '',
        ]),
      ),
      ...(next === undefined ? [] : [`Not all days are searched: call again with start_date ${next}.`]),
    ].join('\n');
  },
});

/** A route, and its days with service. */
interface Searched {
  readonly from: string;
  readonly to: string;
  readonly dates: readonly string[];
}

/** All that can be told without the airline. */
function assertAsked(args: Args, ctx: ToolContext): void {
  assertApart(args.from, args.to, 'to');
  assertWindow(args.start_date, args.end_date, MOST_DAYS, ctx.now());
  assertParty(countsOf(args.passengers), ctx.settings.maxTravelers, 'passengers');
}

async function routeToSearch(args: Args, from: string, to: string, ctx: ToolContext): Promise<Searched> {
  assertApart(from, to, 'to');
  const calendar = await ctx.airline.calendar(
    { from, to, startDate: args.start_date, endDate: args.end_date, direct: false },
    ctx.signal ? { signal: ctx.signal } : {},
  );
  const dates = daysWithin(calendar.dates, firstDay(args.start_date, ctx.now()), args.end_date);
  if (dates.length > 0) return { from, to, dates };
  throw new ClerkError(
    'E_NO_AVAILABILITY',
    `There is no service ${cleanCode(from, 8)}-${cleanCode(to, 8)} on these days.`,
    {
      next: 'Call get_calendar_dates with a wider window, or list_routes for other airports.',
    },
  );
}

function fareQuery(args: Args, { from, to }: Searched, day: string): FareQuery {
  const leg = (start: string, end: string, on: string) => ({
    from: start,
    to: end,
    date: on,
    daysBefore: 0,
    daysAfter: 0,
  });
  const back = args.return_after_days;
  return {
    legs: [leg(from, to, day), ...(back === undefined ? [] : [leg(to, from, addDays(day, back))])],
    passengers: countsOf(args.passengers),
    bookingClasses: [...new Set(args.booking_classes ?? [])],
    includeSoldOut: false,
    most: 1,
  };
}

/** The cheapest way to make the whole trip on a day; no total where nothing is offered. */
async function lowest(query: FareQuery, day: string, ctx: ToolContext, signal: AbortSignal): Promise<Found> {
  const offers = await offersOf(query, ctx, signal);
  const priced = cheapest(offers, 1, ctx.settings.currency).offers;
  const whole = priced.find((offer) => offer.leg === undefined || query.legs.length === 1);
  if (whole?.pricing.total) return { date: day, query, offers: [whole], total: whole.pricing.total.total };
  const perLeg = query.legs.flatMap((_, i) => priced.find((offer) => offer.leg === i) ?? []);
  const totals = perLeg.flatMap((offer) => offer.pricing.total?.total ?? []);
  const total = totals.length === query.legs.length ? sumMoney(totals) : undefined;
  return total === undefined ? { date: day, query, offers: [] } : { date: day, query, offers: perLeg, total };
}

async function offersOf(query: FareQuery, ctx: ToolContext, signal: AbortSignal): Promise<readonly Offer[]> {
  try {
    return (await ctx.airline.searchFares(query, { signal })).offers;
  } catch (error) {
    // A day without an offer is an answer here, not the end of the search.
    if (error instanceof ClerkError && error.code === 'E_NO_AVAILABILITY') return [];
    throw error;
  }
}

function currencyOf(found: readonly Found[], ctx: ToolContext): string {
  const currencies = found.flatMap(({ total }) => total?.currency ?? []);
  const { currency = '' } = ctx.settings;
  return currencies.includes(currency) ? currency : (currencies[0] ?? currency);
}

async function viewDay(found: Found, currency: string, ctx: ToolContext): Promise<Day> {
  const { total, offers, query } = found;
  if (total === undefined) return { date: found.date, sold_out: true };
  const segments = offers.flatMap((offer) => offer.options.flatMap((option) => option.segments));
  const shelved = offers.map((offer) => ({
    offer: bookable(offer),
    passengers: query.passengers,
    shownAt: ctx.now(),
    ...refundNoteOf(offer, ctx),
    legs: query.legs.map(({ from, to, date: on }) => ({ from, to, date: on })),
  }));
  const [id] = shelved.length === 1 ? await ctx.state.offers.put(ctx.caller, shelved) : [];
  return omitUndefined({
    date: found.date,
    total: total.currency === currency ? formatMoney(total) : showMoney(total),
    offer_id: id,
    flight: segments.map((segment) => flightName(segment, ctx.settings.carrier)).join('+'),
  });
}

function cheapestDay(found: readonly Found[], days: readonly Day[], currency: string): Day | undefined {
  let best: { minor: number; day: Day } | undefined;
  for (const [i, { total }] of found.entries()) {
    const day = days[i];
    if (total?.currency !== currency || day === undefined) continue;
    if (best === undefined || total.minor < best.minor) best = { minor: total.minor, day };
  }
  return best?.day;
}
