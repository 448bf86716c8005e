/**
 * A booking: where, its state, time limits, people and money. Shows only; it changes nothing.
 * The types have what it reads of the results of read_booking and create_booking.
 */
import { showDay } from '../../../core/local-times.ts';
import { start } from '../shared/bridge.ts';
import { type DecidedResult, decision } from '../shared/decision.ts';
import { type Child, el, fold, head, join, list, para, soft } from '../shared/dom.ts';
import { plain } from '../shared/outcome.ts';
import {
  cabin,
  count,
  grouped,
  kind,
  lasts,
  limit,
  money,
  named,
  person,
  place,
  route,
  span,
  upper,
} from '../shared/words.ts';

interface BookedSegment {
  readonly ref: string;
  readonly flight: string;
  readonly operated_by?: string;
  readonly class: string;
  readonly status: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly arrives: string;
}

interface CouponItem {
  readonly segment_ref?: string;
  readonly status: string;
  readonly coach?: string;
  readonly seat?: string;
}

interface BookedPassenger {
  readonly ref: string;
  readonly name: string;
  readonly unnamed?: boolean;
  readonly type: string;
  readonly tickets: readonly { readonly number: string; readonly coupons: readonly CouponItem[] }[];
}

type ShownPermission = { readonly ok: boolean; readonly why?: string };
type Allowed = { readonly pay: ShownPermission } & Readonly<Record<string, ShownPermission>>;

/** Time limits by name: `pay_by`, `names_until`, `cancel_until`. */
type TimeLimits = { readonly next?: { readonly at: string; readonly in_minutes: number } } & Readonly<
  Record<'pay_by' | 'names_until' | 'cancel_until', string>
>;

interface ShownBooking {
  readonly locator: string;
  readonly state: string;
  readonly group_name?: string;
  readonly currency: string;
  readonly total?: string;
  readonly paid?: string;
  readonly price?: { readonly base: string; readonly taxes: string; readonly fees: string };
  readonly baggage?: readonly string[];
  readonly deadlines: TimeLimits;
  readonly segments: readonly BookedSegment[];
  readonly passengers: readonly BookedPassenger[];
  readonly allowed: Allowed;
  readonly pending_operation?: object;
}

interface BookingData extends Omit<DecidedResult, 'booking' | 'refund'> {
  readonly booking: ShownBooking;
  readonly refund?: { readonly text: string };
  readonly price_changed?: { readonly was: string; readonly now: string };
}

const STATES: Readonly<Record<string, readonly [words: string, look: string]>> = {
  held: ['Held, not paid yet', 'mind'],
  ticketed: ['Paid, tickets issued', 'good'],
  partly_cancelled: ['Partly cancelled', 'mind'],
  cancelled: ['Cancelled', 'soft'],
  expired: ['Expired: not paid in time', 'soft'],
};

/** Why a hold cannot be paid: its payment is refused, or not known yet. */
const unpayable = ({ state, allowed: { pay } }: ShownBooking) => state === 'held' && pay.why;

/** All deadlines as one line, the nearest first: `Pay by …`, `names until …`. */
function limits({ next, ...all }: TimeLimits, near: string | undefined): Child {
  const known = Object.entries(all)
    .sort(([, a], [, b]) => Date.parse(a) - Date.parse(b))
    .map(([what, at]) => {
      const minutes = next?.at === at ? next.in_minutes : 0;
      const left = minutes > 2880 ? count(Math.floor(minutes / 1440), 'day') : lasts(minutes);
      return `${what.replace('_', ' ')} ${limit(at, near)}${left && ` (in ${left})`}`;
    });
  return soft(upper(known.join(' · ')));
}

function titleOf({ segments }: ShownBooking): string {
  const active = segments.filter(({ status }) => status !== 'cancelled');
  const all = active.length > 0 ? active : segments;
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) return 'Booking';
  if (all.length > 1 && last.to === first.from) {
    return `${route(first.from, all[Math.ceil(all.length / 2) - 1]?.to ?? first.to)} and back`;
  }
  return route(first.from, last.to);
}

function segment(each: BookedSegment): Child {
  const gone = each.status === 'cancelled';
  const about = [
    route(each.from, each.to),
    upper(named(each.flight)),
    cabin(each.class),
    each.operated_by && `operated by ${each.operated_by}`,
    each.status === 'other' && 'not confirmed',
    gone && 'cancelled',
  ];
  return [
    el('b', { class: gone && 'gone' }, `${showDay(each.departs)} ${span(each.departs, each.arrives)}`),
    soft(join(about, ' · ')),
  ];
}

function passenger({ segments }: ShownBooking, each: BookedPassenger): Child {
  const where = (ref: string | undefined) => {
    const to = segments.length > 1 && segments.find((segment) => segment.ref === ref)?.to;
    return to && `to ${place(to)}`;
  };
  const coupons = each.tickets.flatMap((ticket) => [
    `ticket ${ticket.number}`,
    ...ticket.coupons.map(({ segment_ref: ref, status, coach, seat }) => {
      const sits = join([coach && kind() !== 'flight' && `coach ${coach}`, seat && `seat ${seat}`], ' ');
      return join([where(ref), sits, status !== 'open' && status], ' ') || 'valid';
    }),
  ]);
  return [
    el('p', {}, el('b', {}, each.unnamed ? 'Not named yet' : each.name), ` ${person(each.type)}`),
    soft(upper(coupons.join(' · '))),
  ];
}

/** What is possible, and why the rest is not. */
function allowed(acts: Allowed): Child {
  const words = Object.entries(acts).map(([name, { ok, why }]) => {
    const act = upper(name.replace('_', ' ').replace('segment', kind()));
    return ok ? act : `${act}: not possible${why ? `, ${plain(why)}` : ''}`;
  });
  return list('rows', words);
}

function changes({ price_changed: price, warnings = [], booking }: BookingData): string[] {
  const { currency, pending_operation: open } = booking;
  const why = open ? 'An operation is open, its outcome unknown.' : unpayable(booking);
  const sum = (amount: string) => money(currency, amount);
  return [
    ...(price ? [`The price changed: it was ${sum(price.was)}, it is now ${sum(price.now)}.`] : []),
    ...(why ? [upper(plain(why))] : []),
    ...warnings.map(plain),
  ];
}

function priceOf({ currency, total, paid, price, baggage, allowed }: ShownBooking): Child[] {
  const parts = price && grouped(`Fare ${price.base}, taxes ${price.taxes}, fees ${price.fees}`);
  return [
    para(total ? `${money(currency, total)} ${allowed.pay.ok ? 'to pay' : 'in total'}` : 'Not known', 'sum'),
    soft(join([parts, paid && `paid ${money(currency, paid)}`, baggage && `baggage ${baggage.join(', ')}`], ' · ')),
  ];
}

start<BookingData>((data, _input, result) => {
  const { booking, refund } = data;
  if (!booking?.segments) return decision(data as never, result);
  const { segments, passengers, state, locator, group_name: group } = booking;
  const near = segments[0]?.departs;
  const shown = unpayable(booking) ? 'listed as a hold' : state;
  const [words, look] = STATES[shown] ?? [upper(shown.replaceAll('_', ' ')), ''];
  return [
    head(titleOf(booking), data, join([`Booking ${locator}`, group, 'times local'], ' · ')),
    el('p', { class: `state ${look}` }, words),
    list('warn', changes(data)),
    limits(booking.deadlines, near),
    list('rows', segments.map(segment)),
    el('h2', {}, 'Passengers'),
    list(
      'rows',
      passengers.map((each) => passenger(booking, each)),
    ),
    el('h2', {}, 'Price'),
    priceOf(booking),
    refund
      ? [el('h2', {}, state === 'held' ? 'If you pay and cancel' : 'If you cancel'), para(plain(refund.text))]
      : '',
    fold('What can be done now', allowed(booking.allowed)),
  ];
});
