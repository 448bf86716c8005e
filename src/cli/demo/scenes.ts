/** The demo as a script: what the traveller says, which tool the assistant calls, and what its answer must show. */
import { DAY_MS } from '../../core/times.ts';
import type { DemoLeg, DemoReply } from './host.ts';

/** What later steps need from earlier ones. */
export interface DemoTrip {
  out: string;
  back: string;
  offerId: string;
  total: string;
  locator: string;
  approvalId: string;
  /** The refund for the cancelled train, as estimated before the yes. */
  estimate: string;
}

export interface DemoStep {
  readonly traveller: string;
  readonly tool: string;
  with(trip: DemoTrip): Readonly<Record<string, unknown>>;
  /** How many lines of the result are shown. */
  readonly lines: number;
  /** Keeps what later steps need and returns the assistant's answer. @throws Wrong */
  answers(reply: DemoReply, trip: DemoTrip): string;
  /** What the step proves, shown once it went right. */
  readonly proves?: string;
  /** Makes the airline lose its next answer to a payment. */
  readonly losesAnswer?: true;
}

export interface Scene {
  readonly title: string;
  readonly note: string;
  /** How often money must have moved in the end, by the airline's own ledger. */
  readonly moved: { readonly paid: number; readonly refunded: number };
  readonly settings?: Readonly<Record<string, string>>;
  readonly steps: readonly DemoStep[];
}

/** A result that is not the expected one: it ends the demo with exit code 1. */
export class Wrong extends Error {}

export function must(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Wrong(problem);
}

const FROM = 'QCA';
const TO = 'XMD';

const day = (afterDays: number): string => new Date(Date.now() + afterDays * DAY_MS).toISOString().slice(0, 10);
const longDate = (date: string): string =>
  new Date(`${date}T12:00:00Z`).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

const WHICH_DAYS: DemoStep = {
  traveller:
    'Two of us would like to go from Makkah to Madinah in about three weeks, and back two days later. Which days?',
  tool: 'get_calendar_dates',
  with: () => ({ from: FROM, to: TO, start_date: day(20), end_date: day(26) }),
  lines: 6,
  answers({ data }, trip) {
    const [first] = data.dates ?? [];
    must(first !== undefined, 'no day was offered');
    const [from = '', to = from] = first.split('/');
    trip.out = from;
    trip.back = new Date(Date.parse(from) + 2 * DAY_MS).toISOString().slice(0, 10);
    return `There are trains every day until ${longDate(to)}. Shall I look at ${longDate(trip.out)}, back on ${longDate(trip.back)}?`;
  },
};

function flightsOf({ flight, segments = [] }: DemoLeg): string[] {
  return flight === undefined ? segments.map((segment) => segment.flight) : [flight];
}

const SEARCH: DemoStep = {
  traveller: 'Yes, in business class. Our plans may change: what do we get back if we cancel?',
  tool: 'search_fares',
  with: ({ out, back }) => ({
    legs: [
      { from: FROM, to: TO, date: out },
      { from: TO, to: FROM, date: back },
    ],
    passengers: { adults: 2 },
    booking_classes: ['C'],
    max_results: 3,
  }),
  lines: 7,
  answers({ data }, trip) {
    const [offer] = data.offers ?? [];
    must(offer !== undefined, 'no offer came');
    trip.offerId = offer.offer_id;
    trip.total = offer.total;
    const flights = offer.legs.flatMap(flightsOf).join(' and ');
    return `The cheapest is ${flights}: ${data.currency} ${offer.total} for both of you. The airline says what you get back once I hold it, and a hold is free. May I have your names?`;
  },
};

const PEOPLE = [
  {
    type: 'ADT',
    given_name: 'Laila',
    surname: 'Haddad',
    gender: 'Female',
    birth_date: '1991-04-17',
    document: { type: 'passport', number: 'P4402917', nationality: 'SA', expires: '2031-08-30' },
  },
  {
    type: 'ADT',
    given_name: 'Omar',
    surname: 'Haddad',
    gender: 'Male',
    birth_date: '1988-11-02',
    document: { type: 'passport', number: 'P4402918', nationality: 'SA', expires: '2030-02-11' },
  },
];

const BOOK: DemoStep = {
  traveller: 'Laila and Omar Haddad. Here are our passports. Write to layla@haddad.example.',
  tool: 'create_booking',
  with: ({ offerId }) => ({
    offer_ids: [offerId],
    contact: { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' },
    passengers: PEOPLE,
  }),
  lines: 10,
  answers({ data: { status, booking, refund } }, trip) {
    must(status === 'done' && booking !== undefined, `the booking is ${status}`);
    must(booking.state === 'held' && booking.segments.length >= 2, 'the hold is not what was asked for');
    must(booking.total === trip.total, `the price became ${booking.total}`);
    const amount = refund?.refund_now ?? '0';
    must(Number(amount) > 0, 'the fare of the hold refunds nothing');
    trip.locator = booking.locator;
    return `Held as ${booking.locator}, nothing is paid yet. If you pay and then cancel both trains in time, about ${booking.currency} ${amount} comes back. Shall I pay ${booking.currency} ${booking.total}?`;
  },
};

const PAY: DemoStep = {
  traveller: 'Pay it, on invoice.',
  tool: 'pay_booking',
  with: ({ locator, total }) => ({ locator, payment: { type: 'invoice' }, expected_total: total }),
  lines: 3,
  answers({ data: { status, tickets = [] } }) {
    must(status === 'done', `the payment is ${status}`);
    must(tickets.length >= 2, 'there is no ticket for each of you');
    return `Paid. Your tickets: ${tickets.map(({ number }) => number).join(', ')}.`;
  },
  proves: 'Paid once, after a yes to these very terms, and the tickets are the proof.',
};

const SEATS: DemoStep = {
  traveller: 'Where do we sit on the way there?',
  tool: 'get_seat_map',
  with: ({ locator }) => ({ locator, segment_refs: ['1'] }),
  lines: 8,
  answers({ data: { segments = [] } }) {
    const yours = segments.flatMap(({ cabins }) => cabins.flatMap((cabin) => cabin.yours ?? []));
    must(yours.length === 2, 'your two seats are not on the map');
    return `You have ${yours.map(({ seat, coach }) => (coach ? `${seat} in coach ${coach}` : seat)).join(' and ')}.`;
  },
};

const RENAME: DemoStep = {
  traveller: 'I see my name is spelt wrong: it is Layla, with a y.',
  tool: 'change_names',
  with: ({ locator }) => ({ locator, changes: [{ passenger_ref: '1', given_name: 'Layla' }] }),
  lines: 8,
  answers({ data: { status, changes: [change] = [] } }) {
    must(status === 'done', `the correction is ${status}`);
    must(/layla/i.test(change?.now ?? ''), 'the name is not corrected');
    return `Done: the ticket is for ${change?.now}.`;
  },
};

const CANCEL: DemoStep = {
  traveller: 'Plans have changed: we stay in Madinah. Please cancel the way back.',
  tool: 'cancel_segment',
  with: ({ locator }) => ({ locator, segment_refs: ['2'] }),
  lines: 12,
  answers({ data: { status, refund } }, trip) {
    must(status === 'done', `the cancellation is ${status}`);
    const [estimate, stated] = [refund?.estimate?.back, refund?.stated?.back];
    must(estimate !== undefined, 'no refund was estimated');
    must(stated !== undefined, 'the airline stated no refund');
    must(stated === estimate, `the refund is ${stated}, and the estimate was ${estimate}`);
    trip.estimate = estimate;
    return `Cancelled. The airline refunds ${refund?.currency} ${stated}, as estimated; the way there is still booked.`;
  },
  proves: 'One of two was cancelled, the other was left alone, and the refund is the one that was estimated.',
};

const READ: DemoStep = {
  traveller: 'Let me see what we have now.',
  tool: 'read_booking',
  with: ({ locator }) => ({ locator, detail: 'full' }),
  lines: 9,
  answers({ data: { booking } }, trip) {
    must(booking !== undefined, 'the booking cannot be read');
    const { segments, passengers, state, orders = [] } = booking;
    const statuses = segments.map(({ status }) => status);
    must(state === 'partly_cancelled', `the booking is ${state}`);
    must(statuses.filter((status) => status === undefined).length === 1, 'not exactly one train is left');
    must(
      passengers.some(({ name }) => /layla/i.test(name)),
      'the corrected name is not there',
    );
    const refunded = orders.filter(({ direction }) => direction === 'refund').map(({ amount }) => amount);
    must(refunded.length === 1 && refunded[0] === trip.estimate, 'the booking does not show the refund');
    return `One train there for both of you, and ${trip.estimate} on its way back to you. Have a good journey!`;
  },
  proves: 'The airline was asked again: what the assistant said is what the airline holds.',
};

export const TRIP: Scene = {
  title: 'A trip',
  note: 'A real MCP client speaks to a real fareclerk, which speaks to the sandbox airline over HTTP. Nothing is real money.',
  moved: { paid: 1, refunded: 1 },
  steps: [WHICH_DAYS, SEARCH, BOOK, PAY, SEATS, RENAME, CANCEL, READ],
};

const PAY_LOST: DemoStep = {
  ...PAY,
  losesAnswer: true,
  answers({ data: { status, approval }, text }, trip) {
    must(status === 'pending', `it says ${status} of a payment whose outcome nobody knows`);
    must(approval?.id !== undefined, 'there is no way to follow it');
    must(!/\btry again\b/i.test(text), 'it asks for another payment');
    trip.approvalId = approval.id;
    return 'The payment was sent and the answer was lost. I do not know yet whether you paid, and I will not pay again.';
  },
  proves: 'Neither a failure nor a success was made up.',
};

const FOLLOW: DemoStep = {
  traveller: 'Then try again!',
  tool: 'pay_booking',
  with: (trip) => ({ ...PAY.with(trip), approval_id: trip.approvalId }),
  lines: 3,
  answers({ data: { status } }) {
    must(status === 'done' || status === 'already_done', `the payment is ${status}`);
    return 'I looked instead: the first payment went through. Here are your tickets; nothing was paid twice.';
  },
  proves: 'Called again with the same approval, it read the booking and did not send.',
};

const READ_ONCE: DemoStep = {
  traveller: 'Are you sure it was only once?',
  tool: 'read_booking',
  with: ({ locator }) => ({ locator, detail: 'full' }),
  lines: 7,
  answers({ data: { booking } }, trip) {
    const { state, orders = [] } = booking ?? {};
    const paid = orders.filter(({ direction }) => direction === 'payment').map(({ amount }) => amount);
    must(state === 'ticketed', `the booking is ${state}`);
    must(paid.length === 1 && paid[0] === trip.total, `the airline holds ${paid.length} payments`);
    return `The airline holds one payment of ${trip.total}.`;
  },
  proves: 'One yes, one payment.',
};

export const LOST_ANSWER: Scene = {
  title: 'The same, and the airline loses its answer',
  note: 'The airline takes the payment, and the connection breaks before its answer arrives.',
  settings: { FARECLERK_ANSWER_SECONDS: '2', FARECLERK_SETTLE_SECONDS: '6' },
  moved: { paid: 1, refunded: 0 },
  steps: [WHICH_DAYS, SEARCH, BOOK, PAY_LOST, FOLLOW, READ_ONCE],
};
