/**
 * Pays a held booking in full. In this order:
 * 1. The act, and its tool.
 * 2. The terms that a person approves.
 * 3. Why a booking cannot be paid.
 *
 * What proves a payment: payment-evidence.ts. What was paid: domain/booking/paid-and-refunded.ts.
 */

import * as z from 'zod';
import type { Terms, TermsSection } from '../../approvals/terms.ts';
import { ClerkError, inputError } from '../../core/errors.ts';
import {
  formatMoney,
  type Money,
  moneyIn,
  sameMoney,
  showMoney,
  sumMoney,
  type TypedAmount,
} from '../../core/money.ts';
import { counted, present, table } from '../../core/words.ts';
import type { PaymentOrder } from '../../domain/airline.ts';
import { type Booking, segmentsOf, unnamedTravelers } from '../../domain/booking/booking.ts';
import { bookingState, payBy } from '../../domain/booking/booking-state.ts';
import { bookingDeadlines, showDeadline } from '../../domain/booking/deadlines.ts';
import type { Price } from '../../domain/booking/fare.ts';
import { isPaid, paymentsOf } from '../../domain/booking/paid-and-refunded.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { orderStatus } from '../../domain/booking/status-codes.ts';
import { withLimits } from '../../domain/facts/cancelled-parts.ts';
import { payBySaidFirst } from '../../domain/facts/compare-hold-with-offer.ts';
import type { KeptCoupon, KeptReading } from '../../domain/facts/kept-reading.ts';
import { findEarlierSegments } from '../../domain/facts/pair.ts';
import { type SaidLine, saidLimit } from '../../domain/facts/said.ts';
import { segmentAt } from '../../domain/facts/tickets-and-orders.ts';
import { orderMade, type Touch, type TouchedReadings } from '../../domain/facts/touches.ts';
import type { ActPart } from '../../journal/act.ts';
import { defineAct, type ToolContext } from '../definition/define.ts';
import { noted } from '../definition/field-notes.ts';
import {
  althoughDone,
  amount,
  approvalId,
  EXAMPLE_BOOKING,
  locator,
  type PaymentInput,
  payment,
} from '../definition/input-fields.ts';
import { withDoneAgain } from '../rules/done-again.ts';
import { refuseDone } from '../rules/done-here.ts';
import {
  notPermitted,
  type Refusal,
  refusalIfLimitPassed,
  refusalIfNotHeld,
  refuse,
  SEE_ALLOWED,
  whyNotChangeNames,
} from '../rules/why-not.ts';
import { readNow } from '../steps/record-booking.ts';
import { tripsByRef } from '../steps/ticket-documents.ts';
import { couponText } from '../views/booking-text.ts';
import { unlikeAsked } from '../views/not-as-offered.ts';
import { issuedTicketSchema, viewIssuedTickets } from '../views/passengers-and-tickets.ts';
import { allCancellable, askedRefund, firstDeparture } from '../views/refund-data.ts';
import { refundSections } from '../views/refund-text.ts';
import {
  type AccountsRead,
  chargedAccount,
  type PaymentTerms,
  paidSegments,
  paidStatusWords,
  paymentNote,
  peopleSection,
  saidLine,
  section,
  tripSection,
} from '../views/terms-text.ts';
import { expectPayment, type PayBooking, paymentDeeds, paymentEvidence } from './payment-evidence.ts';
import { chargedOtherwise, receiptDoubts } from './receipt-doubts.ts';

const ASK_PRICE = 'Ask the airline what this booking costs before anything is paid.';

// The act and its tool.

const act: ActPart<PayBooking> = {
  ...paymentEvidence,
  countedAs: 'payment',
  deed: 'payment',
  decidesBooking: true,
  ofWholeBooking: true,
  scope: 'air:pay',
  word: 'payment',
  title: (expected) => `Paid ${showMoney(expected.amount)}`,
  touches: ({ amount }) => [ticketsIssued, orderMade(amount)],
  whyNot: (booking, { now }) => whyNotPay(booking, now),
  warning: chargedOtherwise,
};

/** What was due is paid: its price and its limits are no longer news. */
const ticketsIssued: Touch = {
  leaves: 'all',
  deeds: paymentDeeds,
  explains: [withTickets],
  closes: ({ kind }) => kind === 'price_changed' || kind === 'deadline_moved',
};

/**
 * Puts the tickets into the reading before:
 *
 *   the earlier reading has coupons                nothing: it was ticketed already
 *   the later one shows no coupon or no segment    not shown yet
 *   any other                                      the booking is ticketed: each coupon of the later one is issued, and open
 *
 * The payment issues one ticket for each passenger and segment. A second one is left out: the airline added it.
 */
function withTickets({ before, reading }: TouchedReadings): KeptReading | undefined {
  if (before.coupons.length > 0) return before;
  if (reading.coupons.length === 0 || reading.segments.length === 0) return undefined;

  const earlierSegments = findEarlierSegments(before.segments, reading.segments);
  const coupons = reading.coupons.map((coupon): KeptCoupon => {
    // An index counts the segments of its own reading.
    const earlier = segmentAt(earlierSegments, coupon);
    return { ...coupon, status: 'O', segment: earlier && before.segments.indexOf(earlier) };
  });

  const isSecond = ({ who, segment, ticket }: KeptCoupon, i: number) =>
    who !== undefined &&
    coupons.slice(0, i).some((other) => other.who === who && other.segment === segment && other.ticket !== ticket);

  const issued = coupons.filter((coupon, i) => !isSecond(coupon, i));
  return withLimits({ ...before, coupons: issued, state: 'ticketed' }, reading);
}

const input = () => ({
  locator: locator(),
  payment: payment(),
  expected_total: noted(
    'The total that the person agreed to. If the price is now another, nothing is paid.',
    amount().optional(),
    'not compared',
  ),
  although_done: althoughDone(),
  approval_id: approvalId(),
});

interface PaymentSend {
  readonly order: PaymentOrder;
}

export const payBooking = defineAct({
  act,
  requests: ['pay'],
  name: 'pay_booking',
  title: 'Pay booking',
  description: 'Pay a held booking in full and issue its tickets, after a person approves. Never give a card number.',
  toolset: 'core',
  example: { ...EXAMPLE_BOOKING, payment: { type: 'invoice' } },
  effect: 'commit',
  input,

  output: () => ({
    trips: z.record(z.string(), z.string()).optional(),
    tickets: z.array(issuedTicketSchema()),
  }),

  async preview(args, ctx): Promise<Terms<PaymentSend>> {
    const pendingAccounts = accountsFor(args.payment, ctx);
    const known = await readNow(args.locator, ctx);
    const asked = { now: ctx.now(), althoughDone: args.although_done };
    const { booking, again } = refuseDone(known, act, asked);
    refuse(booking, whyNotPay(booking, ctx.now()));

    const total = agreedTotal(booking, args.expected_total);
    const [unlike, accounts] = await Promise.all([unlikeAsked(booking, ctx), pendingAccounts]);
    const differing = present([unlike, ...unclearOrderLines(booking)]);
    const limit = await payByLine(booking, ctx);
    const paymentTerms = { payment: args.payment, total, accounts };

    const order = {
      locator: booking.locator,
      paymentType: args.payment.type,
      amount: total,
      holderName: args.payment.holder_name,
      company: systemCode(booking),
    };

    const terms: Terms<PaymentSend> = {
      locator: booking.locator,
      booking,
      sold: { ...soldFacts(booking), paymentType: args.payment.type },
      // A yes from before the hold cannot have meant an order that may be paid already.
      differs: differing.length > 0 ? differing.join(' ') : undefined,
      sections: paymentSections(booking, { ...paymentTerms, differing, limit }, ctx),
      act: { verb: 'Pay', sum: { moves: 'paid', exactly: total } },
      nature: 'payment',
      ask: true,
      money: { direction: 'payment', amount: total },
      account: chargedAccount(paymentTerms, ctx),
      subject: expectPayment(booking, total),
      send: { order },
    };
    return withDoneAgain(terms, booking, 'pay_booking', again);
  },

  async commit(confirmed, ctx) {
    return { receipt: await ctx.airline.pay(confirmed) };
  },

  report(done, { airline }) {
    const { operation, booking, evidence } = done;
    const tickets = viewIssuedTickets(done);
    const items = evidence?.receipt?.items;
    const doubts = items && booking ? receiptDoubts(items, booking, operation.amount) : [];
    const issued = `${counted(new Set(tickets.map(({ number }) => number)).size, 'ticket')} issued`;
    const sum = operation.amount === undefined ? '' : ` ${showMoney(operation.amount)}`;
    const refs = tickets.flatMap(({ coupons = [] }) => coupons.map(({ segment_ref: ref }) => ref));

    return {
      summary: `Paid${sum} for booking ${booking?.locator ?? operation.locator}; ${issued}.`,
      next: tickets.length > 0 ? 'get_tickets gives the PDFs.' : undefined,
      warnings: present([chargedOtherwise(operation), ...doubts]),
      added: { trips: tripsByRef(booking === undefined ? [] : segmentsOf(booking), refs, airline.placeName), tickets },
    };
  },

  text({ tickets = [], trips = {} }) {
    return [
      ...table(Object.entries(trips)),
      ...table(
        tickets.map(({ number, conjunctive = [], passenger_name: name, total, coupons = [] }) => [
          [number, ...conjunctive].join(' with '),
          name,
          total,
          coupons.map(couponText).join('; '),
        ]),
      ),
    ];
  },
});

// The terms.

/**
 * Gives the total of the booking, which must be the expected one: some payment messages name no amount. Throws
 * E_PRICE_CHANGED, E_INPUT.
 */
function agreedTotal(booking: Booking, expectedTotal: TypedAmount | undefined): Money {
  const total = booking.pricing?.total?.total;
  if (total === undefined) throw new RangeError('a payable booking has a price');
  if (expectedTotal === undefined) return total;

  const expected = moneyIn(expectedTotal, total.currency);
  if (expected === undefined) {
    throw inputError('expected_total', `expected an amount in ${total.currency}, such as "${formatMoney(total)}".`);
  }
  if (sameMoney(expected, total)) return total;

  const what = `Booking ${booking.locator} costs ${showMoney(total)} now, not ${showMoney(expected)}. Nothing was paid.`;
  throw new ClerkError('E_PRICE_CHANGED', what, {
    next: `Tell the person the new price; if they agree, call pay_booking with expected_total "${formatMoney(total)}".`,
  });
}

/** Reads the accounts of the agency if the payment charges one: the airline does not say which one an invoice is for. Never rejects. */
export async function accountsFor({ type }: PaymentInput, ctx: ToolContext): Promise<AccountsRead> {
  if (type !== 'debit_credit_account') return 'not_concerned';
  try {
    return await ctx.airline.accounts();
  } catch {
    return 'unknown';
  }
}

/** Gives the code of the reservation system that made the locator. */
function systemCode({ locator, references }: Booking): string | undefined {
  return (references.find(({ id }) => id === locator) ?? references[0])?.system;
}

function paymentSections(
  booking: Booking,
  {
    differing,
    limit,
    ...paymentTerms
  }: PaymentTerms & { readonly differing: readonly string[]; readonly limit: SaidLine | undefined },
  ctx: ToolContext,
): readonly TermsSection[] {
  const status = paidStatusWords(booking, ctx);
  const forWhat = `for booking ${booking.locator} and issue its tickets${status.act}`;
  const doubts = [...status.caution, ...differing, ...namelessLines(booking, ctx.now())];
  const caution = section('caution', ...doubts);

  return [
    { ...section('act', `Pay ${showMoney(paymentTerms.total)} ${forWhat}`), below: [forWhat] },
    caution,
    tripSection(paidSegments(booking), ctx, { showsStatus: true }),
    peopleSection(booking),
    // What the airline rounds, it may round otherwise each time: the total is what is paid.
    paymentNote(paymentTerms, ctx, limit, saidLine(roundingLine(booking))),
    ...refundAfterPayment(booking, ctx),
  ];
}

/** Until when it can be paid. A reading may leave out what the hold said. */
async function payByLine(booking: Booking, ctx: ToolContext): Promise<SaidLine | undefined> {
  const { payBy: deadline } = bookingDeadlines(booking);
  const limit = deadline ?? payBySaidFirst(await ctx.state.askedFor(booking));
  if (limit === undefined) return undefined;

  const shown = `Pay by ${showDeadline(limit, firstDeparture(booking))}`;
  const line = deadline === undefined ? `${shown}, as the hold said; the airline names no limit now.` : `${shown}.`;
  return saidLine(line, saidLimit('until when it can be paid', limit));
}

/** Warns about orders with an unknown status: they may be paid, and the airline could charge a second time. */
function unclearOrderLines(booking: Booking): readonly string[] {
  const statuses = new Set(paymentsOf(booking).map(({ status = 'PENDING' }) => status));
  statuses.delete('PENDING');
  return [...statuses].map(
    (status) => `WARNING: its order is ${orderStatus(status)}. It may be paid already: ask the airline first.`,
  );
}

/** Warns about travellers without a name: airlines may refuse their tickets (docs/wire/notes.md, Money and rules). */
function namelessLines(booking: Booking, now: number): readonly string[] {
  const count = unnamedTravelers(booking).length;
  if (count === 0) return [];

  const who = count === 1 ? '1 passenger has' : `${count} passengers have`;
  const refusal = whyNotChangeNames(booking, now);
  if (refusal === undefined) {
    return [`${who} no name yet. The airline may refuse payment without names: give the names first.`];
  }

  return [`${who} no name, and none can be given now: ${refusal.why}. Ask the airline before paying.`];
}

/** Writes what cancelling everything right after payment refunds, and what follows. */
function refundAfterPayment(held: Booking, ctx: ToolContext): readonly TermsSection[] {
  const { booking, cancelled, price: paid } = allCancellable(held);
  const asked = askedRefund({ booking, cancelled, now: ctx.now(), paid }, ctx);
  return refundSections(asked, { before: 'If it is cancelled after payment: ' });
}

// The refusals.

/** Why the booking cannot be paid now; undefined if it can. */
function whyNotPay(booking: Booking, now: number): Refusal | undefined {
  const { state } = bookingState(booking, now);
  if (state === 'cancelled') return notPermitted('it is cancelled');
  if (isPaid(booking)) return { code: 'E_ALREADY_DONE', why: 'it is paid already', next: SEE_ALLOWED };

  const late = refusalIfLimitPassed(booking, payBy(booking), now, 'payment');
  if (late !== undefined) return late;
  if (booking.pricing?.total !== undefined) return whyNotPrice(booking.pricing.total) ?? refusalIfNotHeld(booking);
  if (booking.pricing?.hasUnreadableTotal === true)
    return { code: 'E_AIRLINE_REPLY', why: 'the airline sent a total that is not an amount', next: ASK_PRICE };

  return { code: 'E_AIRLINE_REPLY', why: 'the airline gave no price for it', next: 'Call read_booking in a while.' };
}

/** Refuses a total that contradicts its parts: the airline may charge more than was approved. */
function whyNotPrice(price: Price): Refusal | undefined {
  const { base, taxes, fees, total } = price;
  const parts = sumMoney([base, taxes, fees]);
  if (agrees(price, parts) || isRounded(price, parts)) return undefined;

  const partsText = parts?.currency === total.currency ? `come to ${showMoney(parts)}` : 'are in another currency';
  return {
    code: 'E_AIRLINE_REPLY',
    why: `its total is ${showMoney(total)}, and base fare, taxes and fees ${partsText}`,
    next: ASK_PRICE,
  };
}

/** Says what the parts of a total come to where the airline rounds them. */
function roundingLine({ pricing }: Booking): string | undefined {
  const price = pricing?.total;
  const parts = price && sumMoney([price.base, price.taxes, price.fees]);
  if (price === undefined || parts === undefined || agrees(price, parts)) return undefined;
  return `Base fare, taxes and fees come to ${showMoney(parts)}: the airline rounds them.`;
}

/** Whether the total differs from its parts by no more than a minor unit of each. */
function isRounded({ lines, total }: Price, parts: Money | undefined): boolean {
  if (total.minor <= 0 || lines.length === 0 || parts?.currency !== total.currency) return false;
  return Math.abs(parts.minor - total.minor) <= lines.length + 1;
}

/** Whether the total agrees with the sum of its parts. If no taxes or fees are listed, the total may include some. */
function agrees({ taxes, fees, total }: Price, parts: Money | undefined): boolean {
  if (total.minor <= 0 || parts?.currency !== total.currency) return false;
  const listsTaxes = taxes.minor !== 0 || fees.minor !== 0;
  return listsTaxes ? parts.minor === total.minor : parts.minor <= total.minor;
}
