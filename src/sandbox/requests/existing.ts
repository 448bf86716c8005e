/**
 * Requests about a booking that exists: OTA_ReadRQ, OTA_CancelRQ, OTA_AirDemandTicketRQ, OTA_AirSeatMapRQ
 * (docs/wire/interface.md, OTA messages; docs/wire/notes.md, Shapes sent).
 */
import * as z from 'zod';
import type { Dialect } from '../dialects.ts';
import type { AskedSegment } from '../model.ts';
import { given } from '../wire.ts';
import { copiedPeople } from './person.ts';
import { askedSegment, copiedSegment, pointer } from './segment.ts';

const uniqueID = z.object({ id: z.string().min(1), type: z.literal('14') });

export const readRequest = z.object({
  readRequests: z.object({ readRequest: z.tuple([z.object({ uniqueID })]) }),
});

/** Most published requests say Commit, one says Cancel (docs/wire/notes.md, Contradictions). */
export const cancelRequest = z.object({
  cancelType: z.enum(['Commit', 'Cancel']),
  uniqueID: z.tuple([uniqueID]),
});

const companyName = z.object({ code: z.string().min(1), companyShortName: z.string().optional() });
const holder = z.tuple([z.object({ cardHolderName: z.string().min(1) })]);
const stated = { currencyCode: z.string().length(3), amount: z.number().positive() };
const maybeStated = { currencyCode: stated.currencyCode.optional(), amount: stated.amount.optional() };

const account = z.object({ paymentType: z.literal('4'), creditCardInfo: holder, ...maybeStated });
const byCode = z.object({
  paymentType: z.enum(['32', '40']),
  creditCardInfo: holder.optional(),
  ...maybeStated,
});

const PAYMENTS = {
  rail: z.discriminatedUnion('paymentType', [
    account,
    byCode,
    z.object({ paymentType: z.enum(['1', '5']), creditCardInfo: holder.optional(), ...maybeStated }),
  ]),
  airline: z.discriminatedUnion('paymentType', [
    account,
    byCode,
    z.object({ paymentType: z.literal('5'), creditCardInfo: holder, ...stated }),
    z.object({ paymentType: z.literal('1'), ...stated }),
  ]),
} as const;

const detail = <T extends z.ZodType>(payment: T) =>
  z.object({
    demandTicketDetail: z.object({
      messageFunction: z.tuple([z.object({ function: z.literal('ET') })]),
      bookingReferenceID: uniqueID.extend({ companyName: companyName.optional() }),
      paymentInfo: z.tuple([payment]),
    }),
  });

const paymentRequests = { rail: detail(PAYMENTS.rail), airline: detail(PAYMENTS.airline) } as const;

export const paymentRequest = (dialect: Dialect) => paymentRequests[dialect];

export interface Payment {
  readonly locator: string;
  readonly type: string;
  readonly company?: { readonly code: string; readonly companyShortName?: string };
  readonly holder?: string;
  readonly currency?: string;
  readonly amount?: number;
}

export function paymentOf(sent: z.output<(typeof paymentRequests)[Dialect]>): Payment {
  const { bookingReferenceID, paymentInfo } = sent.demandTicketDetail;
  const [payment] = paymentInfo;
  return given({
    locator: bookingReferenceID.id,
    type: payment.paymentType,
    company: bookingReferenceID.companyName === undefined ? undefined : given(bookingReferenceID.companyName),
    holder: 'creditCardInfo' in payment ? payment.creditCardInfo?.[0].cardHolderName : undefined,
    currency: payment.currencyCode,
    amount: payment.amount,
  });
}

export const seatMapRequest = z
  .object({
    seatMapRequests: z.object({
      seatMapRequest: z
        .array(z.object({ flightSegmentInfo: copiedSegment, travelerRefNumberRPHs: z.array(pointer).min(1) }))
        .min(1),
    }),
    airTravelers: z.object({ airTraveler: copiedPeople }),
    bookingReferenceID: z.array(z.looseObject({ id: z.string().min(1), type: z.literal('14') })).min(1),
  })
  .refine(({ seatMapRequests, airTravelers }) => {
    const known = new Set(airTravelers.airTraveler.map((it) => it.travelerRefNumber?.rph));
    return seatMapRequests.seatMapRequest.every((it) => it.travelerRefNumberRPHs.every((rph) => known.has(rph)));
  }, 'a traveller pointer is not among airTravelers');

export interface SeatMapQuery {
  readonly locator: string;
  readonly requests: readonly { readonly segment: AskedSegment; readonly travelerRefs: readonly string[] }[];
}

export function seatMapQueryOf(sent: z.output<typeof seatMapRequest>): SeatMapQuery {
  return {
    locator: sent.bookingReferenceID[0]?.id ?? '',
    requests: sent.seatMapRequests.seatMapRequest.map((it, i) => ({
      segment: askedSegment(it.flightSegmentInfo, i + 1),
      travelerRefs: it.travelerRefNumberRPHs,
    })),
  };
}
