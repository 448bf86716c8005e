/**
 * The tenant: the airline and the agency that sells.
 */
import type { AirlineConfig } from '../../config/load.ts';

/** Keeps the bookings of two airlines apart in one state folder. */
export function tenantOf(airline: AirlineConfig | undefined): string {
  return airline === undefined ? 'sandbox' : `${new URL(airline.baseUrl).host}/${airline.agencyId}`;
}
