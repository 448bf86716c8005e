/**
 * Earlier creates of one trip, for the tests of which may be repeated.
 */
import type { expectBooking } from '../../src/tools/acts/create-booking.ts';
import { ANN, type Booking, booking, CallHarness, type Operation, SAR, type Terms } from './harness.ts';

type Offer = NonNullable<ReturnType<typeof expectBooking>['offer']>;

const OFFER: Offer = { segments: [{ ref: '1', fare: 'SAVER' }], total: SAR(17250) };
export const OTHER: Offer = { segments: [{ ref: '1', fare: 'FLEX' }], total: SAR(30000) };

export function create(offer: Offer = OFFER, over: Partial<Terms> = {}): Terms {
  return {
    sections: [{ kind: 'act', lines: ['Hold RUH-JED'] }],
    ...{
      nature: 'change',
      act: { verb: 'Hold' },
      ask: true,
      subject: { kind: 'create', offer },
      fingerprint: 'trip',
      send: {},
    },
    ...over,
  };
}

export const held = (changes: Partial<Booking> = {}): Booking =>
  booking({ orders: [{ status: 'PENDING' }], ...changes });

export const MADE = { outcome: { locator: 'MADE01' } };
export const asks = { canElicit: true };

/** A harness whose tool creates a booking. */
export async function openCreates(): Promise<CallHarness> {
  const desk = await CallHarness.open();
  desk.tool = { tool: 'create_booking', effect: 'hold', args: { offer_ids: ['o1'] } };
  desk.terms = create();
  desk.shown = held();
  return desk;
}

/** Enters an earlier create of the same trip. */
export function enterEarlier(
  desk: CallHarness,
  to: Operation['state'],
  over: Partial<Operation> = {},
  patch = {},
): Promise<Operation> {
  const bare = { locator: undefined, amount: undefined, direction: undefined } as never as Partial<Operation>;
  const made = { tool: 'create_booking', caller: ANN.id, fingerprint: 'trip', subject: create().subject };
  return desk.operation(over.id ?? 'first', to, { ...bare, ...made, ...over }, patch);
}
