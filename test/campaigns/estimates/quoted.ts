/**
 * Compares quote_cancellation with the terms of the cancelling tools, with the airline's own arithmetic now and in every
 * later window, and with what the airline really refunds and then states; rebookings as rebooked.ts says.
 */

import { formatMoney, type Money, parseMoney } from '../../../src/core/money.ts';
import { noteRefunds } from '../../../src/domain/facts/expected-change.ts';
import { operationRefund } from '../../../src/domain/refund/airline-stated-refund.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { type Cut, joined, openWindow, START, type Window } from '../../ota/against-sandbox/window.ts';
import {
  type BookingCase,
  type Cancellation,
  mixedCharges,
  networkOf,
  ROUTES,
  type World,
} from '../../ota/against-sandbox/worlds.ts';
import { confirmed } from '../../ota/support/samples.ts';
import { type Answer, CALLER, clerkOn, runtimeOf, yesTo } from '../support/office.ts';
import { rebookWithin } from './rebooked.ts';

type Airline = Window['airline'];
type Booking = Awaited<ReturnType<Airline['read']>>;
interface QuoteView {
  readonly currency: string;
  readonly refund_now?: string;
  readonly kept_now?: string;
  readonly cancel_until?: string;
  readonly between?: { readonly at_least: string; readonly at_most: string };
  readonly later?: readonly { readonly from: string; readonly back?: string }[];
  readonly lines?: readonly { readonly back?: string }[];
}

interface Refused {
  readonly code: string;
  readonly message: string;
}

interface Estimate {
  readonly amount?: Money;
  readonly bounds?: { readonly atLeast: Money; readonly atMost: Money };
  readonly penalty?: Money;
}

/** `message`: the question, which also says what comes back by the rule that holds next. */
interface EstimateOfTerms {
  readonly estimate?: Estimate;
  readonly message?: string;
  readonly error?: Refused;
}

/** A clerk who reads one booking, by the clock of the airline. */
export async function openDesk(window: Window, dialect: World['dialect']) {
  const state = await openSqliteState(':memory:');
  const at: { booking?: Booking; requests: number } = { requests: 0 };
  const read = async (locator: string) => {
    at.requests += 1;
    return at.booking ?? window.airline.read(locator);
  };
  const searchFares: Airline['searchFares'] = async (...query) => {
    at.requests += 1;
    return window.airline.searchFares(...query);
  };
  const routes = async () => {
    at.requests += 1;
    return [];
  };
  // The airline of the window takes its own seal.
  const modify: Airline['modify'] = ({ send, dispatch }) => window.airline.modify(confirmed(send, dispatch));
  const airline = { ...window.airline, read, searchFares, modify, routes };
  // Time stands still: a sleep ends only when nobody waits for it any more.
  const sleep = (_: number, over?: AbortSignal) =>
    new Promise<void>((resolve) => over?.addEventListener('abort', () => resolve(), { once: true }));
  const clock = { now: () => window.sandbox.now(), sleep };
  const failures: unknown[] = [];
  const ending = new AbortController();
  const plans = { leases: state.leases, owner: 'desk', running: new Map(), ending: ending.signal };
  const clerk = clerkOn({ ...runtimeOf({ airline, state, clock }), state, plans }, failures, {
    settings: { dialect, assumedOperations: true },
  });
  const call = (tool: string, args: object, dialog?: { handle: string; raw: unknown }) =>
    clerk.call(tool, args, { caller: CALLER, canElicit: true, canOpenUrls: false, ...(dialog && { dialog }) });
  return {
    ...{ at, state, call },
    close: () => state.close(),
    yes: (tool: string, args: object, asked: Answer) =>
      asked.kind === 'ask' ? call(tool, args, { handle: asked.handle, raw: yesTo(asked) }) : Promise.resolve(asked),
    /** The structured result of a reading, or its error. */
    async read(tool: string, args: object) {
      const answer = await call(tool, args);
      if (answer.kind !== 'result') throw new Error(`${tool} asked`);
      return answer.structured as { readonly error?: Refused };
    },
    /** The estimate that a question is about, or why there is none; the answer is no. */
    async estimate(tool: string, args: object): Promise<EstimateOfTerms> {
      const answer = await call(tool, args);
      if (answer.kind === 'result') return answer.structured as { readonly error: Refused };
      if (answer.kind === 'ask_details') throw new Error(`${tool} asked for details`);
      const [approval] = await clerk.waiting();
      await call(tool, args, { handle: answer.handle, raw: { action: 'decline' } });
      const carried = approval?.carried as { operation: { outcome?: { estimate?: Estimate } } } | undefined;
      const estimate = carried?.operation.outcome?.estimate;
      return { ...(estimate && { estimate }), message: answer.message };
    },
  };
}

export type QuoteTally = ReturnType<typeof emptyQuoteTally>;

export function emptyQuoteTally() {
  return {
    bookings: 0,
    quotes: 0,
    /** Quotes that name one amount. */
    exact: 0,
    /** Quotes that a cancelling tool would refuse, and that are refused in the same words. */
    refused: 0,
    /** Amounts that a penalty above the price of its part makes too low, where the reply does not show that price. */
    pooled: 0,
    /** Later windows whose sum was compared with the airline's at that moment. */
    windows: 0,
    /** Sums of the next rule in a question, compared with the quote's. */
    next: 0,
    /** Cancelled for good, and compared with the airline's ledger; of them those of which something was cancelled before. */
    cancelled: 0,
    second: 0,
    /** Lines of parts that add up to the sum. */
    split: 0,
    ...{ rebooked: 0, rebookRefused: 0, unbounded: 0, charged: 0, told: 0, anew: 0, cheaper: 0, already: 0 },
    bounds: [] as number[],
    differences: [] as string[],
  };
}

export const HOUR = 3_600_000;

export async function quoteWorld(tally: QuoteTally, world: World): Promise<void> {
  const window = await openWindow(world.dialect, networkOf(world), world.forms, rebooksInto(world));
  try {
    const desk = await openDesk(window, world.dialect);
    for (const [i, one] of world.bookings.entries()) {
      window.setClock(START);
      await quoteBooking(tally, { window, desk, dialect: world.dialect }, one);
      if (i % 4 === 0) await rebook(tally, { window, desk, dialect: world.dialect }, one);
    }
    await desk.close();
  } finally {
    await window.close();
  }
}

/** Every booking of an airline is rebooked, and nothing quoted besides. @param toOwnFlight to what it has already */
export async function rebookWorld(tally: QuoteTally, world: World, toOwnFlight = false): Promise<void> {
  const { network, ...charges } = mixedCharges(world);
  const allCharges = { ...charges, ...rebooksInto(world) };
  const window = await openWindow(world.dialect, networkOf(world, network), world.forms, allCharges);
  try {
    const desk = await openDesk(window, world.dialect);
    for (const one of world.bookings) await rebook(tally, { window, desk, dialect: world.dialect }, one, toOwnFlight);
    await desk.close();
  } finally {
    await window.close();
  }
}

/** Some airlines take the dearest fare of the class. */
export const rebooksInto = ({ bookings: [first] }: World) => ({ intoDearest: (first?.day ?? 0) % 2 === 1 });

async function quoteBooking(tally: QuoteTally, place: Omit<At, 'tally' | 'booking'>, one: BookingCase) {
  const { window, dialect } = place;
  const sold = await soldIn(window, dialect, one);
  if (sold === undefined) return;
  const { locator, departs } = sold;
  tally.bookings += 1;
  const now = async (): Promise<At> => ({ tally, ...place, booking: await window.airline.read(locator) });
  for (const hours of one.hours) {
    window.setClock(departs - hours * HOUR);
    const at = await now();
    const all = at.booking.travelers.map(({ ref }) => ref);
    await compare(at, { passengers: all }, {});
    for (const cut of one.cuts) {
      const going = goingOf(at.booking, cut);
      if (going) await compare(at, going, argsOf(going));
      // Any passengers: also an adult without the infant on the lap, which is refused.
      const passengers = all.filter((_, i) => (cut.bits >> i) % 2 === 1);
      if (passengers.length > 0 && passengers.length < all.length)
        await compare(at, { passengers }, { passenger_refs: passengers });
    }
  }
  for (const act of one.acts) {
    const at = await now();
    const going = goingOf(at.booking, act);
    const quote = going && (await compare(at, going, argsOf(going)));
    if (quote) await cancel(at, going, quote);
  }
}

/** Another booking of the case is rebooked, from one day to a week before it leaves. */
async function rebook(
  tally: QuoteTally,
  { window, desk, dialect }: Omit<At, 'tally' | 'booking'>,
  one: BookingCase,
  toOwnFlight = false,
) {
  window.setClock(START);
  const sold = await soldIn(window, dialect, one);
  if (sold === undefined) return;
  window.setClock(sold.departs - Math.max(25, ...one.hours) * HOUR);
  delete desk.at.booking;
  const bits = one.cuts[0]?.bits ?? 0;
  await rebookWithin(tally, window, desk, { locator: sold.locator, passengers: one.passengers, bits, toOwnFlight });
}

/** A booking of the case, and its first departure, ms epoch; undefined for a day without seats. */
export async function soldIn(window: Window, dialect: World['dialect'], one: BookingCase) {
  const [from, to] = ROUTES[dialect][one.route % ROUTES[dialect].length] ?? ['', ''];
  const legs = [
    { from, to, day: one.day },
    { from: to, to: from, day: one.day + 3 },
  ].slice(0, one.offers.length);
  const found = await Promise.all(legs.map((leg) => window.offers(leg, one.passengers)));
  const chosen = found.flatMap((offers, i) => offers[(one.offers[i] ?? 0) % offers.length] ?? []);
  if (chosen.length < legs.length) return undefined;
  const locator = await window.sell(joined(chosen), one.passengers);
  const options = chosen.flatMap((offer) => offer.options);
  return { locator, departs: Math.min(...options.map((it) => Date.parse(it.segments[0]?.departs ?? ''))) };
}

function someOf<T>(all: readonly T[], bits: number): readonly T[] {
  const chosen = all.filter((_, i) => (bits >> i) % 2 === 1);
  return chosen.length > 0 ? chosen : all;
}

/** Confirmed, or with a changed schedule: numbers of OpenTravel's status list, and IATA's letters. */
const ACTIVE = ['30', 'HK', '51'];

/** What goes; undefined where the airline would not take it: the last passengers, or an infant without its adult. */
function goingOf({ options, travelers }: Booking, { of, bits }: Cancellation): Cut | undefined {
  const active = options.filter(({ segments }) => segments.some(({ statusCode }) => ACTIVE.includes(statusCode ?? '')));
  if (active.length === 0) return undefined;
  if (of === 'segments')
    return { segments: someOf(active, bits).flatMap(({ segments }) => segments.map(({ ref }) => ref)) };
  const named = someOf(travelers, bits);
  const going = travelers.filter((it) => named.includes(it) || named.some(({ ref }) => ref === it.attendantRef));
  if (!travelers.some((it) => !going.includes(it) && it.type === 'ADT')) return undefined;
  return { passengers: going.map(({ ref }) => ref) };
}

/** Cancels through the adapter: what moved in the airline's ledger, and what it then states, is what we said. */
async function cancel({ tally, window, booking }: At, cut: Cut, quote: QuoteView): Promise<void> {
  const { locator, options, travelers } = booking;
  const refunds = () => window.sandbox.ledger().filter((one) => one.event === 'refunded' && one.locator === locator);
  const before = refunds().length;
  const isGoing = ({ ref }: { ref: string }) => ('segments' in cut ? cut.segments : cut.passengers).includes(ref);
  await window.modify(
    'segments' in cut
      ? {
          kind: 'cancel_segments',
          booking: booking.reading,
          options: options.filter(({ segments }) => segments.some(isGoing)),
        }
      : { kind: 'cancel_passengers', booking: booking.reading, travelers: travelers.filter(isGoing) },
  );
  const made = refunds().slice(before);
  const refunded = made[0]?.amount?.minor ?? 0;
  const stated = operationRefund(await window.airline.read(locator), noteRefunds(booking))?.amount.minor;
  tally.cancelled += 1;
  if (before > 0) tally.second += 1;
  if (made.length > 1 || (made.length === 1 && stated !== refunded) || !says(quote, quote.refund_now, refunded))
    tally.differences.push(`${locator}: ${JSON.stringify([cut, made, stated])}: ${JSON.stringify(quote)}`);
}

const argsOf = (cut: Cut) => ('segments' in cut ? { segment_refs: cut.segments } : { passenger_refs: cut.passengers });

interface At {
  readonly tally: QuoteTally;
  readonly window: Window;
  readonly desk: Awaited<ReturnType<typeof openDesk>>;
  readonly dialect: World['dialect'];
  readonly booking: Booking;
}

async function compare(at: At, cut: Cut, part: object): Promise<QuoteView | undefined> {
  const { tally, window, booking } = at;
  const { locator } = booking;
  const differ = (what: string, told: unknown) =>
    tally.differences.push(`${locator} ${JSON.stringify(part)}: ${what}: ${JSON.stringify(told)}`);
  const { quote, refusal, asked } = await quoted(at, part);
  const terms = await termsFor(at, cut, part);
  if (asked !== 1) differ('asked the airline', asked);
  tally.quotes += 1;
  if (quote === undefined || terms.error) {
    const late = terms.error?.code === 'E_TOO_LATE' && Number(quote?.refund_now) === 0;
    if (!late && refusal !== (terms.error?.message ?? 'none')) {
      differ('refused otherwise', [refusal, terms]);
    }
    tally.refused += 1;
    return undefined;
  }
  for (const what of differsFromTerms(quote, terms)) differ(what, [quote, terms.estimate]);
  if (differsNext(tally, quote, terms))
    differ('the question names another sum of the next rule', [quote, terms.message]);
  const { refund, pooled } = window.judge(locator, cut);
  const agrees = says(quote, quote.refund_now, refund);
  if (!agrees) {
    tally.pooled += 1;
    // Only where the price of each part is not known: elsewhere a penalty above it shows.
    if (isSplit(booking) || !says(quote, quote.refund_now, pooled)) differ(`the airline refunds ${refund}`, quote);
  }
  if (quote.refund_now !== undefined) tally.exact += 1;
  await compareLater(at, cut, part, quote, differ);
  compareLines(tally, quote, differ);
  if (Object.keys(part).length === 0) await compareReading(at, quote, differ);
  return agrees ? quote : undefined;
}

function isSplit({ pricing }: Booking): boolean {
  const rows = pricing?.perType ?? [];
  return rows.length > 0 && rows.every(({ segmentRefs }) => segmentRefs.length === 1);
}

type Differ = (what: string, told: unknown) => void;

async function quoted({ desk, booking }: At, part: object) {
  Object.assign(desk.at, { booking, requests: 0 });
  const { error, ...quote } = await desk.read('quote_cancellation', { locator: booking.locator, ...part });
  const asked = desk.at.requests;
  if (error) return { asked, refusal: error.message };
  return { asked, quote: quote as QuoteView, refusal: 'none' };
}

function termsFor({ desk, booking: { locator } }: At, cut: Cut, part: object) {
  if (Object.keys(part).length === 0) return desk.estimate('cancel_booking', { locator });
  return 'segments' in cut
    ? desk.estimate('cancel_segment', { locator, segment_refs: cut.segments })
    : desk.estimate('cancel_passenger', { locator, passenger_refs: cut.passengers });
}

function differsFromTerms(quote: QuoteView, { estimate }: { readonly estimate?: Estimate }): readonly string[] {
  const text = (amount: Money | undefined) => amount && formatMoney(amount);
  const pairs = {
    refund_now: [quote.refund_now, text(estimate?.amount)],
    at_least: [quote.between?.at_least, text(estimate?.bounds?.atLeast)],
    at_most: [quote.between?.at_most, text(estimate?.bounds?.atMost)],
    ...(estimate && { kept_now: [quote.kept_now, text(estimate.penalty)] }),
  };
  const different = Object.entries(pairs).filter(([, [ours, terms]]) => ours !== terms);
  return different.map(([name]) => `${name} is not the terms'`);
}

/** A sum that comes back from a time on, not bounds of one: `From Sun 30 Mar 12:26 (UTC+3): KWD 2.545 comes back, …` */
const NEXT_SUM =
  /^From \w+ (\d+) \w+ (?:\d{4} )?(\d\d:\d\d)(?: \([^)]+\))?: (?:[A-Z]{3} ([\d,.]+)|nothing) comes back/m;

/** Whether the question says otherwise than the quote what comes back by the next rule. */
function differsNext(
  tally: QuoteTally,
  { later = [], currency }: QuoteView,
  { message = '' }: EstimateOfTerms,
): boolean {
  const [said, day = '', time = '', sum = '0'] = NEXT_SUM.exec(message) ?? [];
  const next = later.find(({ from }) => from.includes(`-${day.padStart(2, '0')}T${time}`))?.back;
  if (said === undefined || next === undefined) return false;
  tally.next += 1;
  return parseMoney(sum.replaceAll(',', ''), currency)?.minor !== parseMoney(next, currency)?.minor;
}

/** Whether this amount, or the bounds of the quote, say what the airline refunds. */
function says({ currency, between: bounds }: QuoteView, amount: string | undefined, refund: number): boolean {
  const minor = (text: string) => parseMoney(text, currency)?.minor ?? Number.NaN;
  if (amount !== undefined) return minor(amount) === refund;
  return bounds === undefined || (minor(bounds.at_least) <= refund && refund <= minor(bounds.at_most));
}

/** From each later moment on the airline refunds the sum that the quote names for it, and after the last one nothing. */
async function compareLater(at: At, cut: Cut, part: object, quote: QuoteView, differ: Differ) {
  const { tally, window, booking } = at;
  const now = window.sandbox.now();
  const { later = [], cancel_until: ends } = quote;
  const steps = [
    ...later,
    ...(ends === undefined ? [] : [{ from: ends, back: formatMoney({ minor: 0, currency: quote.currency }) }]),
  ];
  for (const [i, { from, back }] of steps.entries()) {
    const before = steps[i - 1]?.from;
    if (before !== undefined && Date.parse(before) >= Date.parse(from))
      differ('a step begins before the one before', quote);
    if (back === undefined) continue;
    // A quote names the minute in which a rule begins.
    window.setClock(Date.parse(from) + MINUTE - 1);
    const then = window.judge(booking.locator, cut);
    const again = (await quoted(at, part)).quote;
    window.setClock(now);
    tally.windows += 1;
    if (again?.refund_now !== back) differ(`the quote from ${from} on is another`, [back, again]);
    // After the time limit the airline cancels nothing.
    if (again?.lines === undefined) continue;
    const amounts = [then.refund, then.pooled].map((minor) => formatMoney({ minor, currency: quote.currency }));
    if (!amounts.includes(back)) differ(`from ${from} the airline refunds ${amounts}`, back);
  }
}

const MINUTE = 60_000;

function compareLines(tally: QuoteTally, { lines = [], refund_now: sum, currency }: QuoteView, differ: Differ) {
  const minor = (text = '') => parseMoney(text, currency)?.minor ?? Number.NaN;
  if (sum === undefined || lines.length === 0 || lines.some(({ back }) => back === undefined)) return;
  tally.split += 1;
  const whole = lines.reduce((all, { back }) => all + minor(back), 0);
  if (whole !== minor(sum)) differ('the lines do not add up', lines);
}

async function compareReading(at: At, quote: QuoteView, differ: Differ) {
  const read = await at.desk.read('read_booking', { locator: at.booking.locator });
  const { refund } = read as { readonly refund?: { readonly refund_now?: string } };
  if (refund?.refund_now !== quote.refund_now) differ('read_booking says otherwise', [refund, quote]);
}
