/**
 * The adapter's working parts, each loaded with its first call: messages and undici cost more than a start may, and a call
 * needs those of its own messages only.
 */
import type { Adapter } from './adapter.ts';
import type { OtaOptions } from './options.ts';
import type { Transport } from './transport/http.ts';

async function openAdapter(options: OtaOptions, transport: Transport): Promise<Adapter> {
  const { createExchange } = await import('./transport/exchange.ts');
  return { options, exchange: createExchange(options, transport) };
}

export function loadCapabilities(options: OtaOptions, transport: Transport) {
  let adapter: Promise<Adapter> | undefined;
  const onceLoaded = <T>(load: (adapter: Adapter) => Promise<T>): (() => Promise<T>) => {
    let loaded: Promise<T> | undefined;
    return () => {
      adapter ??= openAdapter(options, transport);
      loaded ??= adapter.then(load);
      return loaded;
    };
  };
  return {
    fares: onceLoaded(async (adapter) => (await import('./fares.ts')).createFares(adapter)),
    bookings: onceLoaded(async (adapter) => (await import('./bookings.ts')).createBookings(adapter)),
    bookingReads: onceLoaded(async (adapter) => (await import('./booking-reads.ts')).createBookingReads(adapter)),
    changes: onceLoaded(async (adapter) => (await import('./changes.ts')).createChanges(adapter)),
    mails: onceLoaded(async (adapter) => (await import('./mails.ts')).createMails(adapter)),
    seats: onceLoaded(async (adapter) => (await import('./seats.ts')).createSeats(adapter)),
    schedules: onceLoaded(async (adapter) => (await import('./schedules.ts')).createSchedules(adapter)),
  };
}
