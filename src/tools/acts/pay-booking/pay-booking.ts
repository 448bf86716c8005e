import * as z from 'zod';
import type { Terms, TermsSection } from '../../../approvals/terms.ts';
import { quoted } from '../../../core/clean-text.ts';
import { ClerkError, inputError } from '../../../core/errors.ts';
import { formatMoney, type Money, parseMoney, sameMoney, showMoney } from '../../../core/money.ts';
import { own } from '../../../core/own.ts';
import { showDeadline } from '../../../core/times.ts';
import { counted, table } from '../../../core/words.ts';
import type { PaymentOrder, PaymentType } from '../../../domain/airline.ts';
import { type Booking, unnamedTravelers } from '../../../domain/booking/booking.ts';
import { bookingDeadlines } from '../../../domain/booking/booking-state.ts';
import type { KeptCoupon } from '../../../domain/booking/kept-reading.ts';
import { type OperationEffect, withLimits } from '../../../domain/booking/operation-effects.ts';
import { paymentsOf } from '../../../domain/booking/paid-and-refunded.ts';
import { pairSegments } from '../../../domain/booking/pair-readings.ts';
import { namedPlaces, showRoute } from '../../../domain/booking/stations.ts';
import { orderStatus } from '../../../domain/booking/status-codes.ts';
import type { ActPart } from '../../../journal/act.ts';
import { type ArgsOf, defineAct, type ToolContext } from '../../definition/define.ts';
import { OF } from '../../definition/example-inputs.ts';
import { noted, strings, usual } from '../../definition/field-notes.ts';
import { amount, approvalId, locator, payment } from '../../definition/input-fields.ts';
import { refuseCardNumbers } from '../../rules/card-numbers.ts';
import { whyNotChangeNames } from '../../rules/permissions.ts';
import { refuse } from '../../rules/refusal.ts';
import { readNow } from '../../steps/record-booking.ts';
import { couponText } from '../../views/booking-text.ts';
import { issuedTicket, issuedTickets, ticketedSegments } from '../../views/passengers-and-tickets.ts';
import { placesSchema } from '../../views/places.ts';
import { allCancellable, firstDeparture, refundIfCancelled } from '../../views/refund-estimate.ts';
import { boxLines, peopleSection, ruleLines, section, tripTerms } from '../../views/terms-lines.ts';
import { expectPayment, type PayBooking, paymentEvidence } from './evidence.ts';
import { whyNotPay } from './why-not.ts';

/** Every coupon is issued open. */
const paid: OperationEffect = ({ before, reading }) => {
  if (before.coupons.length > 0) return before;
  if (reading.coupons.length === 0 || reading.segments.length === 0) return undefined;
  const pairs = pairSegments(before.segments, reading.segments).before;
  const coupons = reading.coupons.map(({ segment = -1, ...one }): KeptCoupon => {
    const was = pairs[segment];
    return { ...one, status: 'O', ...(was && { segment: before.segments.indexOf(was) }) };
  });
  return withLimits({ ...before, coupons, state: 'ticketed' }, reading);
};

const REFUSED = { why: 'the airline refused it as expired' };

const act: ActPart<PayBooking> = {
  ...paymentEvidence,
  countedAs: 'payment',
  ofWholeBooking: true,
  scope: 'air:pay',
  word: 'payment',
  title: ({ amount: total }) => `Paid ${showMoney(total)}`,
  effects: () => [paid],
  closes: (_, { kind }) => kind === 'price_changed' || kind === 'deadline_moved',
  whyNot: (booking, { now, refusedAt }) => whyNotPay(booking, now) ?? (refusedAt === undefined ? undefined : REFUSED),
  whileOpen: 'whether it is paid is not known yet',
};

const input = () => ({
  locator: locator(),
  payment: payment(),
  expected_total: noted(
    'The total that the person agreed to. If the price is now another, nothing is paid.',
    amount().optional(),
    'not compared',
  ),
  approval_id: approvalId(),
});

type PayArgs = ArgsOf<typeof input>;

interface PaymentSend {
  readonly order: PaymentOrder;
}

export const payBooking = defineAct({
  act,
  name: 'pay_booking',
  title: 'Pay booking',
  description: 'Pay a held booking in full and issue its tickets, after a person approves. Never give a card number.',
  toolset: 'core',
  example: `${OF} payment.type=invoice`,
  effect: 'commit',
  screen: refuseCardNumbers,
  input,
  output: () => ({
    places: placesSchema(),
    segments: noted(
      'one entry for each flight or train of the tickets',
      z.array(z.object(strings(usual('ref', 'flight', 'from', 'to')))),
    ),
    tickets: noted('one entry for each ticket', z.array(issuedTicket())),
  }),

  async preview(args, ctx): Promise<Terms<PaymentSend>> {
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotPay(booking, ctx.now()));
    const total = expected(booking, args.expected_total);
    const order = {
      locator: booking.locator,
      paymentType: args.payment.type,
      amount: total,
      holderName: args.payment.holder_name,
      company: companyOf(booking),
    };
    return {
      locator: booking.locator,
      booking,
      sections: sections(booking, total, args, ctx),
      act: `Pay ${showMoney(total)}`,
      nature: 'payment',
      ask: true,
      money: { direction: 'payment', amount: total },
      subject: expectPayment(booking, total),
      send: { order },
    };
  },

  async commit(confirmed, ctx) {
    return { receipt: await ctx.airline.pay(confirmed) };
  },

  report(done, { airline }) {
    const { operation, booking, args } = done;
    const tickets = issuedTickets(done, args.payment.type);
    const issued = `${counted(tickets.length, 'ticket')} issued`;
    const sum = operation.amount === undefined ? '' : ` ${showMoney(operation.amount)}`;
    const segments = ticketedSegments(tickets, booking);
    return {
      summary: `Paid${sum} for booking ${booking?.locator ?? operation.locator}; ${issued}.`,
      ...(tickets.length > 0 && { next: 'get_tickets gives the PDFs.' }),
      added: {
        places: namedPlaces(
          segments.flatMap(({ from, to }) => [from, to]),
          airline.placeName,
        ),
        segments,
        tickets,
      },
      changed: [`paid, ${issued}`],
    };
  },

  text({ tickets = [], segments = [], places = {} }) {
    return [
      ...table(
        segments.map((segment) => [segment.ref, segment.flight, showRoute(segment, (code) => own(places, code))]),
      ),
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

/** Compares the total with the expected one, because some payment messages name no amount. */
function expected(booking: Booking, wanted: string | undefined): Money {
  const total = booking.pricing?.total?.total;
  if (total === undefined) throw new RangeError('a payable booking has a price');
  if (wanted === undefined) return total;
  const given = parseMoney(wanted, total.currency);
  if (given === undefined || Number(wanted) !== Number(formatMoney(given))) {
    throw inputError('expected_total', `expected an amount in ${total.currency}, such as "${formatMoney(total)}".`);
  }
  if (sameMoney(given, total)) return total;
  const what = `Booking ${booking.locator} costs ${showMoney(total)} now, not ${showMoney(given)}. Nothing was paid.`;
  throw new ClerkError('E_PRICE_CHANGED', what, {
    next: `Tell the person the new price; if they agree, call pay_booking with expected_total "${formatMoney(total)}".`,
  });
}

function companyOf({ locator, references }: Booking): string | undefined {
  return (references.find(({ id }) => id === locator) ?? references[0])?.system;
}

/** How it is paid and who pays: the configured account for debit_credit_account, or the given holder. */
export function paymentText({ type, holder_name: holder }: PayArgs['payment'], account: string | undefined): string {
  return `Payment: ${PAID_HOW[type]}${payerText(type, holder, account)}.`;
}

function payerText(type: PaymentType, holder: string | undefined, account: string | undefined): string {
  if (type === 'debit_credit_account' && account !== undefined) return `, account ${quoted(account, 60)}`;
  return holder === undefined ? '' : `, holder ${quoted(holder, 60)}`;
}

function sections(booking: Booking, total: Money, args: PayArgs, ctx: ToolContext): readonly TermsSection[] {
  const { payBy } = bookingDeadlines(booking);
  const limit = payBy && `Pay by ${showDeadline(payBy, firstDeparture(booking))}.`;
  return [
    section('act', `Pay ${showMoney(total)} for booking ${booking.locator} and issue its tickets.`),
    section('caution', ...unclearLines(booking), ...namelessLines(booking, ctx.now())),
    tripTerms(booking, ctx),
    peopleSection(booking.travelers),
    section('note', paymentText(args.payment, ctx.settings.account), limit),
    ...refundLines(booking, ctx),
  ];
}

/** Who is charged, in words (docs/wire/interface.md, Code lists). */
const PAID_HOW: Readonly<Record<PayArgs['payment']['type'], string>> = {
  external: 'collected by the agency; the airline is only informed (external)',
  credit_card: 'by a card arranged with the airline; no card number is sent (credit_card)',
  cash: 'in cash (cash)',
  debit_credit_account: "from the agency's account with the airline (debit_credit_account)",
  invoice: 'by invoice to the agency (invoice)',
};

/** An order with an unknown status may be paid: the airline could charge a second time. */
function unclearLines(booking: Booking): readonly string[] {
  const words = new Set(paymentsOf(booking).map(({ status = 'PENDING' }) => status));
  words.delete('PENDING');
  return [...words].map(
    (word) => `WARNING: its order is ${orderStatus(word)}. It may be paid already: ask the airline first.`,
  );
}

/** Airlines may refuse tickets without names (docs/wire/notes.md, Money and rules). */
function namelessLines(booking: Booking, now: number): readonly string[] {
  const count = unnamedTravelers(booking).length;
  if (count === 0) return [];
  const who = count === 1 ? '1 passenger has' : `${count} passengers have`;
  const refusal = whyNotChangeNames(booking, now);
  if (refusal === undefined)
    return [`${who} no name yet. The airline may refuse payment without names: give the names first.`];
  return [`${who} no name, and none can be given now: ${refusal.why}. Ask the airline before paying.`];
}

/** The refund of cancelling everything right after payment, and the later rules. */
function refundLines(held: Booking, ctx: ToolContext): readonly TermsSection[] {
  const now = ctx.now();
  const estimate = refundIfCancelled(held, now);
  const near = firstDeparture(held);
  const { booking, given, price: paid } = allCancellable(held);
  const terms = { booking, given, estimate, now, near, paid };
  return [
    section('refund', ...boxLines(estimate, near, 'If it is cancelled after payment: ')),
    section('computed', ...ruleLines('Refund rule after payment', terms)),
  ];
}
