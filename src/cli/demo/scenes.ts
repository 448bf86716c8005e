/** The demo as a script: what the traveller says, which tool the assistant calls, and what its answer must show. */

import { showAmount } from '../../core/money.ts';
import { DAY_MS, showDay, utcDay } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import type { EnteredDetails } from '../../domain/people/traveler.ts';
import type { DemoLeg, DemoReply } from './host.ts';

/** What later steps need from earlier ones. Each field is empty until it is known. */
export interface DemoTrip {
  offerId: string;
  total: string;
  locator: string;
  approvalId: string;
  /** Of the details page, which commands/demo.ts fills in: it then makes the same call again with this id. */
  detailsId: string;
  /** The refund for the cancelled train, as estimated before the yes. */
  estimate: string;
}

/** One sentence of the traveller, and the call that answers it. */
export interface DemoStep {
  readonly traveller: string;
  readonly tool: string;
  /** The arguments of the call. */
  with(trip: DemoTrip): Readonly<Record<string, unknown>>;
  /** Keeps what later steps need and returns the assistant's answer. @throws StoryFailure */
  answers(reply: DemoReply, trip: DemoTrip): string;
  /** Returns the lines of the result that matter to the story. */
  sees?(text: string): readonly string[];
  /** What the step proves, shown once it went right. */
  readonly proves?: string;
  /** Makes the airline lose its next answer to a payment. */
  readonly losesAnswer?: true;
}

/** One of the trips that the demo plays. */
export interface Scene {
  readonly title: string;
  /** What is real in it, or what happens: shown below the title. */
  readonly note: string;
  /** How often money must have moved in the end, by the airline's own ledger. */
  readonly moved: { readonly paid: number; readonly refunded: number };
  /** Seconds until a lost answer is settled; default: those of a real server. */
  readonly rehearsal?: number;
  /** The travellers enter names and passports on the details page. */
  readonly asksDetails?: true;
  readonly steps: readonly DemoStep[];
}

/** A result that is not the expected one: it ends the demo with exit code 1. */
export class StoryFailure extends Error {}

/** @throws StoryFailure unless the condition holds */
export function must(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new StoryFailure(problem);
}

/** Makkah and Madinah. */
const FROM = 'QCA';
const TO = 'XMD';
const dayFromToday = (days: number): string => utcDay(Date.now() + days * DAY_MS);
const OUTWARD_DAY = dayFromToday(20);
const RETURN_DAY = dayFromToday(22);

/** Local time of departure, such as `08:30`. */
function departureTime(leg: DemoLeg | undefined): string {
  const { departs = leg?.segments?.[0]?.departs } = leg ?? {};
  must(departs !== undefined, 'an offer has no time of departure');
  return departs.slice(11, 16);
}

/** @param question with which the assistant ends its answer */
const searchStep = (question: string): DemoStep => ({
  traveller: `Two of us would like to go from Makkah to Madinah on ${showDay(OUTWARD_DAY)} and back on ${showDay(RETURN_DAY)}, in business class. Our plans may change.`,
  tool: 'search_fares',
  with: () => ({
    legs: [
      { from: FROM, to: TO, date: OUTWARD_DAY },
      { from: TO, to: FROM, date: RETURN_DAY },
    ],
    passengers: { adults: 2 },
    booking_classes: ['C'],
    max_results: 3,
  }),
  answers({ data: { offers: [offer] = [], currency = '' } }, trip) {
    must(offer !== undefined, 'no offer came');
    trip.offerId = offer.offer_id;
    trip.total = offer.total;
    const [outwardLeg, returnLeg] = offer.legs;
    return `The cheapest leaves at ${departureTime(outwardLeg)}, and the train back at ${departureTime(returnLeg)}: ${showAmount(offer.total, currency)} for both of you. A hold is free. ${question}`;
  },
});

const SEARCH = searchStep('May I have your names?');

/** Who travels, in every scene. */
export const PEOPLE = [
  {
    type: 'ADT',
    given_name: 'Layla',
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
] satisfies readonly (EnteredDetails & { readonly type: 'ADT' })[];

const CONTACT = { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' };

const BOOK: DemoStep = {
  traveller: 'Layla and Omar Haddad. Here are our passports.',
  tool: 'create_booking',
  with: ({ offerId }) => ({ offer_ids: [offerId], contact: CONTACT, passengers: PEOPLE }),
  answers({ data: { status, booking, refund } }, trip) {
    must(status === 'done' && booking !== undefined, `the booking is ${status}`);
    must(booking.state === 'held' && booking.segments.length >= 2, 'the hold is not what was asked for');
    must(booking.total === trip.total, `the price became ${booking.total}`);
    const amount = refund?.refund_now ?? '0';
    must(Number(amount) > 0, 'the fare of the hold refunds nothing');
    trip.locator = booking.locator;
    const { locator, currency } = booking;
    return `Held as ${locator}, not paid. If you pay and then cancel both trains, about ${showAmount(amount, currency)} comes back. Shall I pay?`;
  },
};

const PAY: DemoStep = {
  traveller: 'Pay it, on invoice.',
  tool: 'pay_booking',
  with: ({ locator, total }) => ({ locator, payment: { type: 'invoice' }, expected_total: total }),
  answers({ data: { status, tickets = [] } }) {
    must(status === 'done', `the payment is ${status}`);
    must(tickets.length >= 2, 'there is no ticket for each of you');
    return `Paid. Your tickets: ${listed(tickets.map(({ number }) => number))}.`;
  },
  proves: 'Paid once, after you approved these exact terms.',
};

const SEATS: DemoStep = {
  traveller: 'Where do we sit on the way there?',
  tool: 'get_seat_map',
  with: ({ locator }) => ({ locator, segment_refs: ['1'] }),
  answers({ data: { segments = [] } }) {
    const seats = segments.flatMap(({ cabins }) => cabins.flatMap((cabin) => cabin.yours ?? []));
    must(seats.length === 2, 'your two seats are not on the map');
    return `In ${listed(seats.map(({ seat, coach }) => (coach ? `coach ${coach} seat ${seat}` : `seat ${seat}`)))}.`;
  },
};

const CANCEL: DemoStep = {
  traveller: 'Plans have changed: we stay in Madinah. Please cancel the way back.',
  tool: 'cancel_segment',
  with: ({ locator }) => ({ locator, segment_refs: ['2'] }),
  answers({ data: { status, refund } }, trip) {
    must(status === 'done', `the cancellation is ${status}`);
    const estimate = refund?.estimate?.back;
    const stated = refund?.stated?.back;
    must(estimate !== undefined, 'no refund was estimated');
    must(stated !== undefined, 'the airline stated no refund');
    must(stated === estimate, `the refund is ${stated}, and the estimate was ${estimate}`);
    trip.estimate = estimate;
    return `Cancelled. ${showAmount(stated, refund?.currency ?? '')} comes back, as estimated. The way there is still booked. Have a good journey!`;
  },
};

export const TRIP: Scene = {
  title: 'A trip',
  note: 'Client and server are real. The airline is a sandbox, so no real money moves.',
  moved: { paid: 1, refunded: 1 },
  steps: [SEARCH, BOOK, PAY, SEATS, CANCEL],
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
  answers({ data: { booking } }, trip) {
    const { state, orders = [], currency = '' } = booking ?? {};
    const paid = orders.filter(({ direction }) => direction === 'payment').map(({ amount }) => amount);
    must(state === 'ticketed', `the booking is ${state}`);
    must(paid.length === 1 && paid[0] === trip.total, `the airline holds ${paid.length} payments`);
    return `Yes: the airline holds one payment of ${showAmount(trip.total, currency)}.`;
  },
  proves: 'One approval, one payment.',
};

export const LOST_ANSWER: Scene = {
  title: 'The same trip, and the airline loses an answer',
  note: 'The airline takes the payment, and the connection breaks before its answer arrives.',
  rehearsal: 5,
  moved: { paid: 1, refunded: 0 },
  steps: [SEARCH, BOOK, PAY_LOST, FOLLOW, READ_ONCE],
};

/** The lines about passengers, in the text of a booking. */
const passengerLines = (text: string) => text.split('\n').filter((line) => /^ {2}\d {2}adult /.test(line));

/**
 * Called twice by commands/demo.ts: the first call is answered with the page, the second, once that is filled in, with the
 * hold. Only the second has the answers of BOOK.
 */
const BOOK_ON_PAGE: DemoStep = {
  ...BOOK,
  traveller: 'Hold it, please, and write to layla@haddad.example.',
  with: ({ offerId, detailsId }) => ({
    offer_ids: [offerId],
    contact: CONTACT,
    passenger_counts: { adults: 2 },
    details: detailsId || 'page',
  }),
  sees: (text) => [text.split('\n')[0] ?? '', ...passengerLines(text)],
};

const READ_DOCUMENTS: DemoStep = {
  traveller: 'What do you know about our passports?',
  tool: 'read_booking',
  with: ({ locator }) => ({ locator, detail: 'full', reveal_personal: true }),
  sees: passengerLines,
  answers({ data: { booking: { passengers = [] } = {} } }) {
    const numbers = passengers.map(({ document }) => document?.number_masked);
    must(numbers.length === 2 && numbers.every((number) => number?.startsWith('•')), 'the documents are not masked');
    const isHidden = passengers.every(({ birth_date, document }) => (birth_date ?? document?.expires) === undefined);
    must(isHidden, 'it shows a birth date or an expiry date');
    return 'Only that they are Saudi passports. Their numbers, birth dates and expiry dates went to the airline, not to me.';
  },
};

export const DOCUMENTS: Scene = {
  title: 'Passports, without the assistant',
  note: 'Client, server and page are real. The airline is a sandbox.',
  moved: { paid: 0, refunded: 0 },
  asksDetails: true,
  steps: [searchStep('You enter names and passports on a page that I do not see.'), BOOK_ON_PAGE, READ_DOCUMENTS],
};
