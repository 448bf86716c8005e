/**
 * What is really so at the simulated airline: one record per booking, replaced at every change.
 */

import { shownBooking } from '../../../src/domain/booking/blanked-booking.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { bareTraveler, personName } from '../../support/people.ts';

export interface Truth {
  readonly locator: string;
  /** In the order of their pointers: the nth has ref n, or its first ref where the airline does not renumber. */
  readonly people: readonly {
    /** Who it really is; never shown to the clerk. */
    readonly who: number;
    readonly ref: string;
    readonly given: string;
    readonly named: boolean;
    readonly type: 'ADT' | 'CHD';
  }[];
  readonly segments: readonly { readonly ref: string; readonly active: boolean }[];
  readonly total: number;
  readonly paid: readonly number[];
  readonly ticketed: boolean;
  readonly refunds: readonly number[];
  readonly cancelled: boolean;
}

export type Kind = 'pay' | 'cancel_segments' | 'cancel_passengers' | 'change_names' | 'cancel_booking' | 'create';

export interface Message {
  readonly kind: Kind;
  readonly locator: string;
  readonly refs: readonly string[];
  readonly given?: string;
}

/** A booking of two segments for SAR 600. */
export function sold(locator: string, people: Truth['people'], paid: boolean): Truth {
  const segments = ['1', '2'].map((ref) => ({ ref, active: true }));
  const money = { total: 60_000, paid: paid ? [60_000] : [], ticketed: paid };
  return { locator, people, segments, ...money, refunds: [], cancelled: false };
}

export const sar = (minor: number) => ({ minor, currency: 'SAR' });

/** States of an operation that nothing has settled. */
export const ACTIVE = ['intent', 'dispatched', 'in_doubt'] as const;
export const isActive = (state: string): boolean => ACTIVE.some((one) => one === state);

/** Carries out a message with no regard to whether it was sent before: this airline knows no idempotency. */
export function apply(truth: Truth, { kind, refs, given }: Message, airline: { renumbers: boolean }): Truth {
  switch (kind) {
    case 'pay':
      return { ...truth, paid: [...truth.paid, truth.total], ticketed: true };
    case 'cancel_segments': {
      const segments = truth.segments.map((one) => (refs.includes(one.ref) ? { ...one, active: false } : one));
      return { ...truth, segments, refunds: [...truth.refunds, 1000 * refs.length] };
    }
    case 'cancel_passengers': {
      const stay = truth.people.filter((person) => !refs.includes(person.ref));
      const people = airline.renumbers ? stay.map((person, i) => ({ ...person, ref: String(i + 1) })) : stay;
      return { ...truth, people, refunds: [...truth.refunds, 500 * refs.length] };
    }
    case 'change_names': {
      const people = truth.people.map((one) =>
        refs.includes(one.ref) ? { ...one, given: given ?? one.given, named: true } : one,
      );
      return { ...truth, people };
    }
    case 'cancel_booking':
      return { ...truth, cancelled: true, segments: truth.segments.map((one) => ({ ...one, active: false })) };
    case 'create':
      return truth;
  }
}

/** The same commit told by what it does, to know afterwards whether an outcome was true. */
export function aimOf(truth: Truth, { kind, refs, given }: Message) {
  const of = (isNamed: boolean) =>
    truth.people.filter(({ ref }) => refs.includes(ref) === isNamed).map(({ who }) => who);
  return { kind, refs, who: of(true), kept: of(false), given };
}

export type Aim = ReturnType<typeof aimOf>;

/** Whether what was aimed at is so. */
export function isReached(truth: Truth, aim: Aim): boolean {
  const has = (who: number) => truth.people.some((person) => person.who === who);
  switch (aim.kind) {
    case 'pay':
      return truth.paid.length > 0;
    case 'cancel_segments':
      return truth.segments.every((one) => !aim.refs.includes(one.ref) || !one.active);
    case 'cancel_passengers':
      return !aim.who.some(has) && aim.kept.every(has);
    case 'change_names':
      return truth.people.every((person) => !aim.who.includes(person.who) || person.given === aim.given);
    case 'cancel_booking':
      return truth.cancelled || truth.segments.every((one) => !one.active);
    case 'create':
      return true;
  }
}

/** The booking as a read shows it. */
export function bookingOf(truth: Truth): Booking {
  return shownBooking({
    locator: truth.locator,
    references: [{ id: truth.locator, type: '14', segmentRefs: [] }],
    options: truth.segments.map(({ ref, active }) => ({
      ref,
      segments: [
        {
          ...{ ref, optionRef: ref, flightNumber: `10${ref}`, from: 'RUH', to: 'JED' },
          ...{ departs: '2026-12-01T08:00:00.000+03:00', arrives: '2026-12-01T10:00:00.000+03:00' },
          statusCode: active ? '30' : '16',
        },
      ],
    })),
    travelers: truth.people.map(({ ref, named, given, type }) =>
      bareTraveler(ref, { type, ...(named && { name: personName(given, 'DOE') }) }),
    ),
    ...(truth.refunds.length > 0 && {
      pricing: { refunds: truth.refunds.map((minor) => ({ amount: sar(minor) })), fares: [], perType: [] },
    }),
    tickets: truth.ticketed ? ticketsOf(truth) : [],
    orders: ordersOf(truth),
    services: [],
    emds: [],
    ...(truth.cancelled && { cancelled: true }),
  });
}

function ticketsOf({ people, segments }: Truth): Booking['tickets'] {
  return people.map(({ who, ref }) => ({
    number: `900000000${who}`,
    travelerRefs: [ref],
    segmentRefs: segments.map((one) => one.ref),
    coupons: segments.map((one) => ({ segmentRef: one.ref, statusCode: one.active ? 'O' : 'R' })),
    links: [],
  }));
}

function ordersOf({ paid, total, refunds }: Truth): Booking['orders'] {
  const [first] = paid;
  const payment = {
    direction: 'PAYMENT',
    status: first === undefined ? 'PENDING' : 'PAID',
    amount: sar(first ?? total),
  };
  return [payment, ...refunds.map((minor) => ({ direction: 'REFUND', status: 'PAID', amount: sar(minor) }))];
}
