/** Payment and ticket issue: OTA_AirDemandTicketRQ (docs/wire/interface.md, Payment, Payment reply record). */
import * as z from 'zod';
import type { Money } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { PaymentOrder, PaymentType } from '../../domain/airline.ts';
import type { PaymentReceipt, ReceiptItem } from '../../domain/booking/booking.ts';
import type { OtaOptions } from '../options.ts';
import {
  decimal,
  extensions,
  flag,
  only,
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
import { locatorOf, RESERVATION, readLinks, readReferences } from './reservation.ts';
import { readName } from './traveler.ts';

export const TICKET = 'OTA_AirDemandTicketRQ';

/** The payment as sent: the amount may be left out. */
interface TicketOrder extends Omit<PaymentOrder, 'amount' | 'company'> {
  readonly amount?: Money;
  readonly companyName?: { readonly code?: string; readonly shortName?: string };
}

/** Types that send the amount in the airline dialect. */
const WITH_AMOUNT: ReadonlySet<PaymentType> = new Set(['cash', 'credit_card']);

/** Completes an order by dialect and settings (docs/wire/notes.md, Money and rules, Payment message). */
export function ticketOrder(
  { locator, paymentType, amount, holderName, company }: PaymentOrder,
  { dialect, payment }: Pick<OtaOptions, 'dialect' | 'payment'>,
): TicketOrder {
  const airline = dialect === 'airline';
  const rule = payment?.amount ?? 'dialect';
  const withAmount = rule === 'always' || (rule === 'dialect' && airline && WITH_AMOUNT.has(paymentType));
  const account = paymentType === 'debit_credit_account' ? payment?.account : undefined;
  return omitUndefined({
    locator,
    paymentType,
    holderName: account ?? (airline && paymentType === 'cash' ? undefined : holderName),
    amount: withAmount ? amount : undefined,
    companyName: company === undefined ? undefined : { code: company },
  });
}

/** OpenTravel payment types (docs/wire/interface.md, Code lists). */
const PAYMENT_CODE = {
  external: '32',
  credit_card: '5',
  cash: '1',
  debit_credit_account: '4',
  invoice: '40',
} as const satisfies Record<PaymentType, string>;

const payment = z.strictObject({
  paymentType: z.enum(['32', '5', '1', '4', '40']),
  creditCardInfo: z.tuple([z.strictObject({ cardHolderName: z.string().min(1) })]).optional(),
  currencyCode: z.string().length(3).optional(),
  amount: z.number().nonnegative().optional(),
});

const request = z.strictObject({
  demandTicketDetail: z.strictObject({
    messageFunction: z.tuple([z.strictObject({ function: z.literal('ET') })]),
    bookingReferenceID: z.strictObject({
      id: z.string().min(1),
      type: z.literal(RESERVATION),
      companyName: z.strictObject({ code: z.string().optional(), companyShortName: z.string().optional() }).optional(),
    }),
    paymentInfo: z.tuple([payment]),
  }),
});

function writePayment(order: TicketOrder): z.input<typeof payment> {
  const { holderName, amount } = order;
  const creditCardInfo = holderName === undefined ? undefined : only({ cardHolderName: holderName });
  return omitUndefined({
    paymentType: PAYMENT_CODE[order.paymentType],
    creditCardInfo,
    ...(amount && writeAmount(amount)),
  });
}

export function encodeTicketRequest(order: TicketOrder): Wire {
  const company = order.companyName;
  const companyName = company && omitUndefined({ code: company.code, companyShortName: company.shortName });
  return request.parse({
    demandTicketDetail: {
      messageFunction: [{ function: 'ET' }],
      bookingReferenceID: omitUndefined({ id: order.locator, type: RESERVATION, companyName }),
      paymentInfo: [writePayment(order)],
    },
  });
}

function readItem(wire: Wire): ReceiptItem {
  const passenger = record(wire.passengerName);
  return omitUndefined({
    ticketNumber: readPointer(wire.ticketNumber) ?? '',
    ticketType: text(wire.type),
    itemNumber: text(wire.itemNumber),
    name: readName(passenger),
    passengerType: text(passenger.passengerTypeCode),
    total: decimal(wire.totalAmount),
    net: decimal(wire.netAmount),
    paymentType: text(wire.paymentType),
    conjunctive: texts(wire.conjunctiveTicket),
    links: readLinks(extensions(passenger)),
  });
}

export function decodeTicketReply(wire: unknown): PaymentReceipt {
  const body = replyBody(wire);
  const references = readReferences(body.bookingReferenceID);
  const locator = locatorOf(references);
  if (locator === undefined) throw replyError('the booking reference');
  return omitUndefined({
    locator,
    references,
    items: records(body.ticketItemInfo).map(readItem),
    retransmission: flag(body.retransmissionIndicator),
    answeredAt: readTime(body.timeStamp),
  });
}
