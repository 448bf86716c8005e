/**
 * The adapter's working part: loaded with the first call, because the codecs and undici cost more than a start may.
 */
import type { Airline } from '../domain/airline.ts';
import { createBookings } from './bookings.ts';
import { createChanges } from './changes.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { createFares } from './fares.ts';
import type { Transport } from './http.ts';
import { createMails } from './mails.ts';
import type { OtaOptions } from './options.ts';
import { createSchedules } from './schedules.ts';
import { createSeats } from './seats.ts';

/** What each capability is made from. */
export interface Adapter {
  readonly options: OtaOptions;
  readonly exchange: Exchange;
}

export function createCapabilities(options: OtaOptions, transport: Transport): Airline {
  const adapter: Adapter = { options, exchange: createExchange(options, transport) };
  return {
    ...createFares(adapter),
    ...createBookings(adapter),
    ...createChanges(adapter),
    ...createMails(adapter),
    ...createSeats(adapter),
    ...createSchedules(adapter),
  };
}
