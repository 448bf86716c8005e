/** The acts of the simulation as approvals know them: each bound to its message, at the airline as one process reaches it. */
import type { BoundAct } from '../../../src/approvals/bound-act.ts';
import type { Terms } from '../../../src/approvals/terms.ts';
import { ClerkError } from '../../../src/core/errors.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { ExpectedChange } from '../../../src/domain/facts/expected-change.ts';
import { expectCancelledPassengers, expectCancelledSegments } from '../../../src/tools/acts/cancellation-evidence.ts';
import { expectBooking } from '../../../src/tools/acts/create-booking.ts';
import { expectPayment } from '../../../src/tools/acts/payment-evidence.ts';
import { expectChangedNames } from '../../../src/tools/acts/people-evidence.ts';
import { personName } from '../../support/people.ts';
import type { SimAirline } from './airline.ts';
import type { Incarnation } from './process.ts';
import { type Message, sar } from './truth.ts';

const READ_MS = 15_000;
/** What a cancellation refunds, as its terms say it, minor units. */
const REFUND = 1000;

export const plainDigest = (text: string): string => text;

/** Everything that a person says yes to. */
export function termsOf(booking: Booking): string {
  const paid = booking.orders.map((order) => `${order.status}${order.amount?.minor}`);
  const segments = booking.options.flatMap((option) => option.segments.map((one) => one.ref + one.statusCode));
  const people = booking.travelers.map((one) => one.ref + one.type + (one.name?.given.join(' ') ?? ''));
  return [...paid, ...segments, ...people, booking.cancelled].join('|');
}

export class SimActs {
  readonly #inc: Incarnation;
  readonly #airline: SimAirline;

  constructor(inc: Incarnation, airline: SimAirline) {
    this.#inc = inc;
    this.#airline = airline;
  }

  /** As the real adapter reads: with an end. */
  async read(locator: string): Promise<Booking> {
    const read = this.#airline.read(this.#inc, locator, false);
    const booking = await Promise.race([read, this.#inc.clock.sleep(READ_MS).then(() => undefined)]);
    if (booking?.locator === locator) return booking;
    throw new ClerkError('E_AIRLINE_DOWN', 'No answer.', { next: 'Try again.' });
  }

  of(message: Message): BoundAct {
    const { kind, ...args } = message;
    const preview = () => this.#terms(message);
    return {
      ...{ tool: kind, effect: kind === 'create' ? 'hold' : 'commit', args },
      ...{ preview, previewAgain: preview },
      sendContext: undefined,
      commit: ({ operationId, dispatch }) => this.#airline.send(this.#inc, operationId, message, dispatch),
      show: async () => ({ text: '', fields: {} }),
      remember: async () => undefined,
      // The reply judges what an act did, so nobody reads the booking afterwards.
      read: () => Promise.reject(new Error('not read')),
      pausedMs: async () => 0,
      ...{ isBound: () => true, readers: { vehicle: 'train' as const } },
    };
  }

  async #terms(message: Message): Promise<Terms> {
    if (message.kind === 'create') return termsOfHold(message);
    const booking = await this.read(message.locator);
    if (!isAllowed(booking, message))
      throw new ClerkError('E_NOT_PERMITTED', 'Not as it is now.', { next: 'Read it.' });
    return termsOn(booking, message);
  }
}

function termsOfHold(message: Message): Terms {
  const sections = [{ kind: 'act' as const, lines: ['hold'] }];
  const subject = expectBooking([], plainDigest);
  return { act: { verb: 'hold' }, nature: 'change', ask: true, sections, subject, send: message };
}

export function termsOn(booking: Booking, message: Message): Terms {
  const { kind, locator } = message;
  const paid = booking.orders[0]?.amount?.minor ?? 0;
  const refunds = kind.startsWith('cancel_') && kind !== 'cancel_booking';
  const refund: Terms['money'] = refunds ? { direction: 'refund', amount: sar(REFUND) } : undefined;
  const money: Terms['money'] = kind === 'pay' ? { direction: 'payment', amount: sar(paid) } : refund;
  return {
    ...{ locator, booking, act: { verb: kind }, ask: true, send: message, facts: termsOf(booking) },
    nature: kind === 'pay' ? 'payment' : kind.startsWith('cancel') ? 'cancellation' : 'change',
    sections: [{ kind: 'act', lines: [termsOf(booking)] }],
    subject: subjectOf(booking, message, paid),
    ...(money && { money }),
  };
}

function isAllowed(booking: Booking, { kind, refs, given }: Message): boolean {
  const paid = booking.orders.some((order) => order.status === 'PAID' && order.direction === 'PAYMENT');
  const active = booking.options.flatMap((option) => option.segments).filter((one) => one.statusCode === '30');
  if (kind === 'pay') return !paid && active.length > 0;
  if (kind === 'cancel_booking') return !paid && booking.cancelled !== true && active.length > 0;
  if (kind === 'cancel_segments') return paid && refs.every((ref) => active.some((one) => one.ref === ref));
  const people = booking.travelers.filter((one) => refs.includes(one.ref));
  // As the product has it: a name that is there already is not changed.
  const isOpen = kind !== 'change_names' || people.some((one) => one.name?.given.join(' ') !== given);
  return paid && people.length === refs.length && isOpen;
}

function subjectOf(booking: Booking, { kind, refs, given }: Message, amount: number): ExpectedChange {
  switch (kind) {
    case 'pay':
      return expectPayment(booking, sar(amount));
    case 'cancel_segments':
      return expectCancelledSegments(booking, refs);
    case 'cancel_passengers':
      return expectCancelledPassengers(booking, refs, plainDigest);
    case 'change_names': {
      const name = personName(given ?? '', 'DOE');
      const wanted = booking.travelers.filter((one) => refs.includes(one.ref)).map((one) => ({ ...one, name }));
      return expectChangedNames(booking, wanted, plainDigest);
    }
    case 'cancel_booking':
      return { kind: 'cancel_booking' };
    case 'create':
      return expectBooking([], plainDigest);
  }
}
