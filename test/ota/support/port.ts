/** The adapter's port, and what its parts take and give. */
import type { createOtaAirline } from '../../../src/ota/airline.ts';

export type OtaOptions = Parameters<typeof createOtaAirline>[0];
export type Operation = keyof NonNullable<OtaOptions['deadlines']>;
export type CallLogEntry = Parameters<NonNullable<OtaOptions['log']>['call']>[0];
export type OtaAirline = ReturnType<typeof createOtaAirline>;
type Call<K extends keyof OtaAirline> = NonNullable<OtaAirline[K]>;
type Given<K extends keyof OtaAirline> = Parameters<Call<K>>[0];
type Result<K extends keyof OtaAirline> = Awaited<ReturnType<Call<K>>>;

export type Booking = Result<'read'>;
export type Reading = Booking['reading'];
export type SegmentOption = Booking['options'][number];
export type Segment = SegmentOption['segments'][number];
export type Traveler = Booking['travelers'][number];
export type PersonName = NonNullable<Traveler['name']>;
export type Contact = NonNullable<Booking['contact']>;
export type Coupon = Booking['tickets'][number]['coupons'][number];
export type Pricing = NonNullable<Booking['pricing']>;
export type PenaltyRule = Pricing['fares'][number]['refundRules'][number];
export type Price = NonNullable<Pricing['total']>;
export type Money = Price['total'];

export type FareQuery = Given<'searchFares'>;
export type PassengerCounts = FareQuery['passengers'];
export type FareSearchResult = Result<'searchFares'>;
export type Offer = FareSearchResult['offers'][number];
export type NewBooking = Given<'create'>;
export type NewGroupBooking = Given<'createFromCounts'>;
export type Dispatch = Parameters<OtaAirline['create']>[1];
/** A yes of a person to something else than a payment. */
export type Confirmed<T> = Omit<Given<'pay'>, 'send'> & { readonly send: T };
export type PaymentOrder = Given<'pay'>['send']['order'];
export type PaymentType = PaymentOrder['paymentType'];
export type Modification = Given<'modify'>['send']['modification'];
export type BookingMail = Given<'sendMail'>;
export type SeatMapQuery = Given<'seatMap'>;
export type SegmentSeatMap = Result<'seatMap'>[number];
export type CalendarQuery = Given<'calendar'>;
export type TicketDocumentQuery = Given<'ticketDocument'>;
