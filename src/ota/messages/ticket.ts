/** Pays a booking and issues its tickets: OTA_AirDemandTicketRQ (docs/wire/interface.md, Payment, Payment reply record). */
import type { Money } from '../../core/money.ts';
import type { PaymentOrder, PaymentType } from '../../domain/airline.ts';
import type { PaymentReceipt, ReceiptItem } from '../../domain/booking/booking.ts';
import type { OtaOptions } from '../options.ts';
import {
  extensions,
  readDecimal,
  readFlag,
  readPointer,
  readTime,
  record,
  records,
  replyBody,
  replyError,
  text,
  texts,
  type Wire,
  writeAmount,
} from './reader.ts';
import { type CheckedRequest, checkRequest, REQUESTS, RESERVATION } from './request.ts';
import { chooseLocator, readLinks, readReferences } from './reservation.ts';
import { readName } from './traveler.ts';

export const TICKET = 'OTA_AirDemandTicketRQ';

/** OpenTravel payment types (docs/wire/interface.md, Code lists). */
const PAYMENT_CODE = {
  external: '32',
  credit_card: '5',
  cash: '1',
  debit_credit_account: '4',
  invoice: '40',
} as const satisfies Record<PaymentType, string>;

/** A payment as it is sent: its amount may be left out. */
interface TicketOrder extends Omit<PaymentOrder, 'amount' | 'company'> {
  readonly amount?: Money;
  readonly companyName?: { readonly code?: string; readonly shortName?: string };
}

/** Payment types that send the amount in the airline dialect. */
const WITH_AMOUNT: ReadonlySet<PaymentType> = new Set(['cash', 'credit_card']);

/** Completes an order by dialect and settings (docs/wire/notes.md, Money and rules, Payment message). */
export function ticketOrder(
  { locator, paymentType, amount, holderName, company }: PaymentOrder,
  { dialect, payment }: Pick<OtaOptions, 'dialect' | 'payment'>,
): TicketOrder {
  const isAirlineDialect = dialect === 'airline';
  const rule = payment?.amount ?? 'dialect';
  const sendsAmount = rule === 'always' || (rule === 'dialect' && isAirlineDialect && WITH_AMOUNT.has(paymentType));
  const account = paymentType === 'debit_credit_account' ? payment?.account : undefined;
  return {
    locator,
    paymentType,
    holderName: account ?? (isAirlineDialect && paymentType === 'cash' ? undefined : holderName),
    amount: sendsAmount ? amount : undefined,
    companyName: company === undefined ? undefined : { code: company },
  };
}

function writePayment(order: TicketOrder): Wire {
  const { holderName, amount } = order;
  return {
    paymentType: PAYMENT_CODE[order.paymentType],
    creditCardInfo: holderName === undefined ? undefined : [{ cardHolderName: holderName }],
    ...(amount && writeAmount(amount)),
  };
}

export function encodeTicketRequest(order: TicketOrder): CheckedRequest {
  const company = order.companyName;
  const companyName = company && { code: company.code, companyShortName: company.shortName };
  return checkRequest(REQUESTS.ticket, {
    demandTicketDetail: {
      messageFunction: [{ function: 'ET' }],
      bookingReferenceID: { id: order.locator, type: RESERVATION, companyName },
      paymentInfo: [writePayment(order)],
    },
  });
}

function readItem(wire: Wire): ReceiptItem {
  const passenger = record(wire.passengerName);
  return {
    ticketNumber: readPointer(wire.ticketNumber) ?? '',
    ticketType: text(wire.type),
    itemNumber: text(wire.itemNumber),
    name: readName(passenger),
    passengerType: text(passenger.passengerTypeCode),
    total: readDecimal(wire.totalAmount),
    net: readDecimal(wire.netAmount),
    paymentType: text(wire.paymentType),
    conjunctive: texts(wire.conjunctiveTicket),
    links: readLinks(extensions(passenger)),
  };
}

export function decodeTicketReply(wire: unknown): PaymentReceipt {
  const body = replyBody(wire);
  const references = readReferences(body.bookingReferenceID);
  const locator = chooseLocator(references);
  if (locator === undefined) throw replyError('the booking reference');
  return {
    locator,
    references,
    items: records(body.ticketItemInfo).map(readItem),
    retransmission: readFlag(body.retransmissionIndicator),
    answeredAt: readTime(body.timeStamp),
  };
}
