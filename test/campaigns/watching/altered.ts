/** What an airline shows of a booking otherwise from one reading on, beside what its own mishaps do: of people, tickets, fares and rules. */
import type { OtaAirline } from '../support/airline.ts';

type Booking = Awaited<ReturnType<OtaAirline['read']>>['reading'];
type Traveler = Booking['travelers'][number];
type Segment = Booking['options'][number]['segments'][number];
type Ticket = Booking['tickets'][number];

const withLast = ({ travelers, ...booking }: Booking, change: (last: Traveler) => Traveler): Booking | undefined => {
  const last = travelers.at(-1);
  return last && { ...booking, travelers: [...travelers.slice(0, -1), change(last)] };
};

const withFirst = (booking: Booking, change: (first: Segment) => Segment): Booking => ({
  ...booking,
  options: booking.options.map((option, i) => ({
    ...option,
    segments: option.segments.map((one, j) => (i + j === 0 ? change(one) : one)),
  })),
});

const withTickets = (booking: Booking, change: (tickets: readonly Ticket[]) => readonly Ticket[]) =>
  booking.tickets.length < 2 ? undefined : { ...booking, tickets: change(booking.tickets) };

type Total = NonNullable<NonNullable<Booking['pricing']>['total']>;
const withTotal = (booking: Booking, change: (total: Total['total']) => Total['total']) => {
  const { pricing } = booking;
  const total = pricing?.total;
  return pricing && total && { ...booking, pricing: { ...pricing, total: { ...total, total: change(total.total) } } };
};

const another = (text = '') => `${text.startsWith('Z') ? 'Y' : 'Z'}${text.slice(1)}`;

/** Undefined: the booking has nothing to be altered so. */
export const ALTERATIONS = {
  renamed: (booking: Booking) =>
    withLast(booking, (last) => ({
      ...last,
      name: { prefix: [], middle: [], suffix: [], title: [], given: ['Zaid'], surname: 'Qahtani' },
    })),
  'other-type': (booking: Booking) =>
    withLast(booking, (last) => ({ ...last, type: last.type === 'CHD' ? 'ADT' : 'CHD' })),
  'other-document': (booking: Booking) =>
    booking.travelers.at(-1)?.document?.number === undefined
      ? undefined
      : withLast(booking, (last) => ({ ...last, document: { ...last.document, number: 'X7654321' } })),
  'other-contact': (booking: Booking) => {
    const { contact, travelers } = booking;
    const emails = ['eve@example.com'];
    if (contact !== undefined && contact.emails.length > 0) return { ...booking, contact: { ...contact, emails } };
    if (!travelers.some((one) => one.emails.length > 0)) return undefined;
    return { ...booking, travelers: travelers.map((one) => (one.emails.length > 0 ? { ...one, emails } : one)) };
  },
  'passenger-added': (booking: Booking) => {
    const [first] = booking.travelers;
    if (first?.name === undefined) return undefined;
    const { document: _, ...more } = first;
    const name = { ...first.name, given: ['Zaid'], surname: 'Qahtani' };
    return { ...booking, travelers: [...booking.travelers, { ...more, ref: '77', name }] };
  },
  'off-flight': (booking: Booking) => {
    const [gone, kept] = booking.options.flatMap(({ segments }) => segments);
    const refs = booking.travelers.at(-1)?.segmentRefs ?? [];
    if (gone === undefined || kept === undefined || ![gone, kept].every(({ ref }) => refs.includes(ref)))
      return undefined;
    return withLast(booking, (last) => ({ ...last, segmentRefs: refs.filter((ref) => ref !== gone.ref) }));
  },
  'other-carrier': (booking: Booking) =>
    withFirst(booking, (first) => ({
      ...first,
      operating: { carrier: 'ZZ', number: first.operating?.number ?? first.flightNumber },
    })),
  'other-fare': (booking: Booking) =>
    withFirst(booking, (first) => ({ ...first, fareBasis: another(first.fareBasis) })),
  'ticket-gone': (booking: Booking) =>
    withTickets(booking, (tickets) => {
      // A row can have only a time limit.
      const last = tickets.findLast(({ coupons }) => coupons.length > 0);
      return tickets.filter((ticket) => ticket !== last);
    }),
  'ticket-twice': (booking: Booking) =>
    withTickets(booking, ([first, ...others]) => [
      ...(first === undefined ? [] : [first, { ...first, number: `${first.number}9` }]),
      ...others,
    ]),
  'ticket-of-other': (booking: Booking) => {
    const [one, two] = booking.travelers.map(({ ref }) => ref);
    const isOther = (refs: readonly string[]) =>
      refs.map(
        (ref) =>
          new Map([
            [one, two],
            [two, one],
          ]).get(ref) ?? ref,
      );
    return withTickets(booking, (tickets) =>
      tickets.map((ticket) => ({ ...ticket, travelerRefs: isOther(ticket.travelerRefs) })),
    );
  },
  'flown-early': (booking: Booking) => {
    const first = booking.options[0]?.segments[0]?.ref;
    return withTickets(booking, (tickets) =>
      tickets.map((ticket) => ({
        ...ticket,
        coupons: ticket.coupons.map((coupon) =>
          coupon.segmentRef === first && coupon.statusCode === 'O' ? { ...coupon, statusCode: 'F' } : coupon,
        ),
      })),
    );
  },
  'other-rule': (booking: Booking) => {
    const { pricing } = booking;
    const texts = booking.options.some(({ segments }) => segments.some(({ fareRules = [] }) => fareRules.length > 0));
    // Airlines send their rules as texts.
    if (texts) return withFirst(booking, (first) => ({ ...first, fareRules: [{ text: 'NON REFUNDABLE' }] }));
    if (pricing === undefined || !pricing.fares.some(({ refundRules }) => refundRules.length > 0)) return undefined;
    const fares = pricing.fares.map((fare) => ({
      ...fare,
      refundRules: fare.refundRules.map((rule) => ({ ...rule, refundable: rule.refundable !== true })),
    }));
    return { ...booking, pricing: { ...pricing, fares: fares as typeof pricing.fares } };
  },
  'other-currency': (booking: Booking) => withTotal(booking, (total) => ({ ...total, currency: 'GBP' })),
  'other-order': (booking: Booking) => {
    const [order] = booking.orders;
    if (order?.amount === undefined) return undefined;
    return { ...booking, orders: [{ ...order, amount: { ...order.amount, minor: order.amount.minor + 1 } }] };
  },
} satisfies Readonly<Record<string, (booking: Booking) => Booking | undefined>>;

export type Alteration = keyof typeof ALTERATIONS;
export const ALTERATION_KINDS = Object.keys(ALTERATIONS) as readonly Alteration[];

/** Those of an unpaid hold. */
export const OF_HOLDS: ReadonlySet<Alteration> = new Set(['other-order', 'other-currency', 'other-rule']);

export function altered(booking: Booking, kinds: readonly Alteration[] = []): Booking {
  return kinds.reduce((shown, kind) => ALTERATIONS[kind](shown) ?? shown, booking);
}
