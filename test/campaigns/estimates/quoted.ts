/**
 * Compares quote_cancellation with the terms of the cancelling tools, with the airline's own arithmetic now and in every
 * later window, and with what the airline really refunds.
 */
import type { Terms } from '../../../src/approvals/terms.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { formatMoney, type Money, parseMoney } from '../../../src/domain/pricing/money.ts';
import { ClerkError } from '../../../src/errors.ts';
import { cancelBooking } from '../../../src/tools/cancel-booking.ts';
import { cancelPassenger } from '../../../src/tools/cancel-passenger.ts';
import { cancelSegment } from '../../../src/tools/cancel-segment.ts';
import { quoteCancellation } from '../../../src/tools/quote-cancellation.ts';
import { readBooking } from '../../../src/tools/read-booking.ts';
import type { QuoteView } from '../../../src/tools/views/quote.ts';
import { type Cut, openWindow, START, type Window } from '../../ota/against-sandbox/window.ts';
import { type BookingCase, networkOf, type World } from '../../ota/against-sandbox/worlds.ts';
import { openDesk, parsed } from '../../tools/support/tool-context.ts';
import { cancelled, goingOf, soldIn } from './judged.ts';

export interface QuoteTally {
  bookings: number;
  quotes: number;
  /** Quotes that name one amount. */
  exact: number;
  /** Quotes that a cancelling tool would refuse, and that are refused in the same words. */
  refused: number;
  /** Later windows whose sum was compared with the airline's at that moment. */
  windows: number;
  /** Cancelled for good, and compared with the airline's ledger. */
  cancelled: number;
  /** Lines of parts that add up to the sum. */
  split: number;
  readonly differences: string[];
}

export function emptyQuoteTally(): QuoteTally {
  const counts = { bookings: 0, quotes: 0, exact: 0, refused: 0, windows: 0, cancelled: 0, split: 0 };
  return { ...counts, differences: [] };
}

const HOUR = 3_600_000;

export async function quoteWorld(tally: QuoteTally, world: World): Promise<void> {
  const window = await openWindow(world.dialect, networkOf(world), world.forms);
  try {
    for (const one of world.bookings) {
      window.setClock(START);
      await quoteBooking(tally, window, world.dialect, one);
    }
  } finally {
    await window.close();
  }
}

async function quoteBooking(tally: QuoteTally, window: Window, dialect: World['dialect'], one: BookingCase) {
  const sold = await soldIn(window, dialect, one);
  if (sold === undefined) return;
  const { locator, departs } = sold;
  tally.bookings += 1;
  for (const hours of one.hours) {
    window.setClock(departs - hours * HOUR);
    const booking = await window.airline.read(locator);
    const all = { passengers: booking.travelers.map(({ ref }) => ref) };
    await compare({ tally, window, dialect, booking }, all, {});
    for (const cut of one.cuts) {
      const going = goingOf(booking, cut);
      if (going) await compare({ tally, window, dialect, booking }, going.cut, argsOf(going.cut));
      // Any passengers: also an adult without the infant on the lap, which is refused.
      const passengers = all.passengers.filter((_, i) => (cut.bits >> i) % 2 === 1);
      if (passengers.length === 0 || passengers.length === all.passengers.length) continue;
      await compare({ tally, window, dialect, booking }, { passengers }, { passenger_refs: passengers });
    }
  }
  for (const act of one.acts) {
    const booking = await window.airline.read(locator);
    const going = goingOf(booking, act);
    if (going === undefined) continue;
    const quote = await compare({ tally, window, dialect, booking }, going.cut, argsOf(going.cut));
    if (quote === undefined) continue;
    const { made } = await cancelled(window, booking, going);
    const refunded = made[0]?.amount?.minor ?? 0;
    tally.cancelled += 1;
    if (!says(quote, quote.refund_now, refunded)) {
      tally.differences.push(`${locator}: ${JSON.stringify(going.cut)} refunded ${refunded}: ${JSON.stringify(quote)}`);
    }
  }
}

const argsOf = (cut: Cut) => ('segments' in cut ? { segment_refs: cut.segments } : { passenger_refs: cut.passengers });

interface At {
  readonly tally: QuoteTally;
  readonly window: Window;
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
  if (asked !== 'read') differ('asked the airline', asked);
  tally.quotes += 1;
  if (quote === undefined || terms instanceof ClerkError) {
    const late = terms instanceof ClerkError && terms.code === 'E_TOO_LATE' && Number(quote?.refund_now) === 0;
    if (!late && refusal !== (terms instanceof ClerkError ? terms.message : 'none')) {
      differ('refused otherwise', [refusal, terms]);
    }
    tally.refused += 1;
    return undefined;
  }
  for (const what of differsFromTerms(quote, terms)) differ(what, [quote, terms.estimate]);
  const { refund, pooled } = window.judge(locator, cut);
  const agrees = says(quote, quote.refund_now, refund);
  if (!agrees && !says(quote, quote.refund_now, pooled)) differ(`the airline refunds ${refund}`, quote);
  if (quote.refund_now !== undefined) tally.exact += 1;
  await compareLater(at, cut, part, quote, differ);
  compareLines(tally, quote, differ);
  if (Object.keys(part).length === 0) await compareReading(at, quote, differ);
  return agrees ? quote : undefined;
}

type Differ = (what: string, told: unknown) => void;

async function quoted(at: At, part: object) {
  const desk = deskAt(at);
  const args = parsed(quoteCancellation, { locator: at.booking.locator, ...part });
  const result = await quoteCancellation.run(args, desk.ctx).catch((error: ClerkError) => error);
  const asked = desk.asked.map(([method]) => method).join();
  if (result instanceof Error) return { asked, refusal: result.message };
  const quote = quoteCancellation.output().parse(result);
  quoteCancellation.text(quote, args);
  return { asked, quote, refusal: 'none' };
}

async function termsFor(at: At, cut: Cut, part: object): Promise<Terms | ClerkError> {
  const { ctx } = deskAt(at);
  const { locator } = at.booking;
  const whole = Object.keys(part).length === 0;
  const terms = whole
    ? cancelBooking.preview(parsed(cancelBooking, { locator }), ctx)
    : 'segments' in cut
      ? cancelSegment.preview(parsed(cancelSegment, { locator, segment_refs: cut.segments }), ctx)
      : cancelPassenger.preview(parsed(cancelPassenger, { locator, passenger_refs: cut.passengers }), ctx);
  return terms.catch((error: ClerkError) => error);
}

function deskAt({ window, dialect, booking }: At) {
  return openDesk({ bookings: [booking], settings: { dialect }, now: window.sandbox.now() });
}

function differsFromTerms(quote: QuoteView, { estimate }: Terms): readonly string[] {
  const text = (amount: Money | undefined) => amount && formatMoney(amount);
  const pairs = {
    refund_now: [quote.refund_now, text(estimate?.amount)],
    at_least: [quote.bounds?.at_least, text(estimate?.bounds?.atLeast)],
    at_most: [quote.bounds?.at_most, text(estimate?.bounds?.atMost)],
    ...(estimate && { kept_now: [quote.kept_now, text(estimate.penalty)] }),
  };
  return Object.entries(pairs).flatMap(([name, [ours, terms]]) =>
    ours === terms ? [] : [`${name} is not the terms'`],
  );
}

/** Whether this amount, or the bounds of the quote, say what the airline refunds. */
function says({ currency, bounds }: QuoteView, amount: string | undefined, refund: number): boolean {
  const minor = (text: string) => parseMoney(text, currency)?.minor ?? Number.NaN;
  if (amount !== undefined) return minor(amount) === refund;
  return bounds === undefined || (minor(bounds.at_least) <= refund && refund <= minor(bounds.at_most));
}

/** At the first moment of each later window the airline refunds the sum that the quote names for it. */
async function compareLater(at: At, cut: Cut, part: object, quote: QuoteView, differ: Differ) {
  const { tally, window, booking } = at;
  const now = window.sandbox.now();
  for (const [i, { from, until, refund }] of quote.later.entries()) {
    if (until !== quote.later[i + 1]?.from) differ('the windows do not follow each other', quote.later);
    if (refund === undefined) continue;
    window.setClock(Date.parse(from));
    const then = window.judge(booking.locator, cut);
    const again = (await quoted(at, part)).quote;
    window.setClock(now);
    tally.windows += 1;
    if (again?.refund_now !== refund) differ(`the quote from ${from} on is another`, [refund, again]);
    // After the time limit the airline cancels nothing.
    if (again?.lines.length === 0) continue;
    const amounts = [then.refund, then.pooled].map((minor) => formatMoney({ minor, currency: quote.currency }));
    if (!amounts.includes(refund)) differ(`from ${from} the airline refunds ${amounts}`, refund);
  }
  if (quote.valid_until !== quote.later[0]?.from) differ('the first window begins elsewhere', quote);
}

/** The parts add up to the sum. */
function compareLines(tally: QuoteTally, { lines, refund_now: sum, currency }: QuoteView, differ: Differ) {
  const minor = (text = '') => parseMoney(text, currency)?.minor ?? Number.NaN;
  if (sum === undefined || lines.length === 0 || lines.some(({ refund }) => refund === undefined)) return;
  tally.split += 1;
  const whole = lines.reduce((all, { refund }) => all + minor(refund), 0);
  if (whole !== minor(sum)) differ('the lines do not add up', lines);
}

/** read_booking names the same sum. */
async function compareReading(at: At, quote: QuoteView, differ: Differ) {
  const { ctx } = deskAt(at);
  const { refund } = await readBooking.run(parsed(readBooking, { locator: at.booking.locator }), ctx);
  if (refund?.amount !== quote.refund_now) differ('read_booking says otherwise', [refund, quote]);
}
