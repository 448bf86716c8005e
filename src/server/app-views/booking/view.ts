/** A booking: time limits, flights, people and rules. Shows only; it changes nothing. */
import { start } from '../shared/bridge.ts';
import { type Child, el, facts, head, join, lasts, list, span, when } from '../shared/dom.ts';
import type { Data } from '../shared/result.ts';

interface Deadlines extends Readonly<Record<LimitName, string | undefined>> {
  readonly next?: { readonly at: string; readonly in_minutes: number };
}

interface Segment {
  readonly ref: string;
  readonly flight: string;
  readonly operated_by?: string;
  readonly class: string;
  readonly fare_basis?: string;
  readonly status: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly arrives: string;
}

interface Coupon {
  readonly segment_ref?: string;
  readonly status: string;
  readonly coach?: string;
  readonly seat?: string;
}

interface Passenger {
  readonly ref: string;
  readonly name: string;
  readonly unnamed?: boolean;
  readonly type: string;
  readonly with_adult_ref?: string;
  readonly tickets: readonly { readonly number: string; readonly coupons: readonly Coupon[] }[];
}

interface Rule {
  readonly kind: 'refund' | 'change';
  readonly passenger_type: string;
  readonly segment_refs?: readonly string[];
  readonly refundable: boolean;
  readonly currency: string;
  readonly total: string;
  readonly from?: string;
  readonly until?: string;
  readonly text?: string;
}

type Allowed = Readonly<Record<string, { readonly ok: boolean; readonly why?: string }>>;

interface Contact {
  readonly name?: string;
  readonly email?: string;
  readonly email_masked?: string;
  readonly phone?: string;
  readonly phone_masked?: string;
}

interface Booking {
  readonly locator: string;
  readonly state: string;
  readonly group_name?: string;
  readonly currency: string;
  readonly total?: string;
  readonly paid?: string;
  readonly price?: { readonly base: string; readonly taxes: string; readonly fees: string };
  readonly contact?: Contact;
  readonly baggage?: readonly string[];
  readonly deadlines: Deadlines;
  readonly segments: readonly Segment[];
  readonly passengers: readonly Passenger[];
  readonly rules?: readonly Rule[];
  readonly allowed: Allowed;
  readonly pending_operation?: { readonly tool: string };
}

interface BookingData extends Data {
  readonly booking: Booking;
  readonly price_changed?: { readonly was: string; readonly now: string };
  readonly warnings?: readonly string[];
}

type LimitName = keyof typeof LIMITS;
const LIMITS = { pay_by: 'Pay by', names_until: 'Names until', cancel_until: 'Cancel until' } as const;

const part = (title: string, items: readonly Child[]): Child =>
  items.length === 0 ? [] : [el('h2', {}, title), list('rows', items)];

function deadlines({ next, ...limits }: Deadlines): Child[] {
  return (Object.keys(LIMITS) as LimitName[]).flatMap((key) => {
    if (limits[key] === undefined) return [];
    const first = next?.at === limits[key];
    const left = next && first ? `, in ${lasts(next.in_minutes)}` : '';
    return [el('span', first ? { class: 'next' } : {}, `${LIMITS[key]} ${when(limits[key])}${left}`)];
  });
}

function segment(each: Segment): Child {
  const state = each.status === 'active' ? '' : el('span', { class: 'badge' }, each.status);
  const about = [
    each.flight,
    each.operated_by && `operated by ${each.operated_by}`,
    `class ${each.class}`,
    each.fare_basis,
  ];
  return el(
    'div',
    { class: each.status === 'cancelled' ? 'gone' : '' },
    el(
      'p',
      {},
      el('strong', {}, `${each.from} – ${each.to}`),
      ` ${each.departs.slice(0, 10)} `,
      el('b', {}, span(each.departs, each.arrives)),
      ' ',
      state,
    ),
    el('p', { class: 'soft' }, `Segment ${each.ref} · ${join(about, ' · ')}`),
  );
}

function passenger(each: Passenger): Child {
  const coupons = each.tickets.flatMap((ticket) => [
    `ticket ${ticket.number}`,
    ...ticket.coupons.map(({ segment_ref: ref, status, coach, seat }) =>
      join([`segment ${ref ?? '?'}: ${status}`, coach && `coach ${coach}`, seat && `seat ${seat}`], ', '),
    ),
  ]);
  const name = each.unnamed ? 'Not named yet' : each.name;
  return el(
    'div',
    {},
    el(
      'p',
      {},
      el('strong', {}, name),
      ` ${each.type}${each.with_adult_ref ? ` with passenger ${each.with_adult_ref}` : ''}`,
    ),
    el('p', { class: 'soft' }, [`Passenger ${each.ref}`, ...coupons].join(' · ')),
  );
}

function rule(each: Rule): Child {
  const where = each.segment_refs ? `, segment ${each.segment_refs.join(', ')}` : '';
  const act = each.kind === 'refund' ? 'Refund' : 'Change';
  const cost = each.refundable
    ? `${each.kind === 'refund' ? 'keeps' : 'costs'} ${each.currency} ${each.total}, tax included`
    : `no ${each.kind}`;
  const time = `${when(each.from) ?? 'From the start'} to ${when(each.until) ?? 'the end'}`;
  return el(
    'div',
    {},
    el('p', {}, `${act} ${each.passenger_type}${where}: ${cost}`),
    el('p', { class: 'soft' }, join([time, each.text], ' · ')),
  );
}

function allowed(acts: Allowed): Child {
  const named = Object.entries(acts).map(([name, { ok, why }]) => ({ ok, why, name: name.replaceAll('_', ' ') }));
  const may = named.filter(({ ok }) => ok).map(({ name }) => name);
  const not = named.filter(({ ok }) => !ok).map(({ name, why }) => (why ? `${name}: ${why}` : name));
  return facts([
    ['Possible', may.join(', ') || 'nothing'],
    ['Not', not.length > 0 ? list('', not) : ''],
  ]);
}

function notices({ price_changed: price, warnings = [], booking: { pending_operation: open } }: BookingData): string[] {
  return [
    ...(price ? [`The price changed: it was ${price.was}, it is now ${price.now}.`] : []),
    ...(open ? [`${open.tool} is still open: its outcome is not known yet.`] : []),
    ...warnings,
  ];
}

start<BookingData>('booking', (data) => {
  const { booking } = data;
  if (!booking?.segments) return undefined;
  const { currency, total, paid, price, contact, baggage } = booking;
  const money = (value?: string) => value && `${currency} ${value}`;
  return [
    head(`Booking ${booking.locator}`, data, join([booking.state.replaceAll('_', ' '), booking.group_name], ' · ')),
    list('warn', notices(data)),
    part('Deadlines', deadlines(booking.deadlines)),
    part('Itinerary', booking.segments.map(segment)),
    part('Passengers', booking.passengers.map(passenger)),
    el('h2', {}, 'Price'),
    facts([
      ['Total', money(total) ?? 'not sent'],
      ['Of it', price && `fare ${price.base}, taxes ${price.taxes}, fees ${price.fees}`],
      ['Paid', money(paid)],
      ['Baggage', baggage?.join(', ')],
      [
        'Contact',
        contact &&
          join([contact.name, contact.email_masked ?? contact.email, contact.phone_masked ?? contact.phone], ', '),
      ],
    ]),
    part('Rules', (booking.rules ?? []).map(rule)),
    el('h2', {}, 'What can be done now'),
    allowed(booking.allowed),
  ];
});
