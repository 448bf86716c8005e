/**
 * Whose bookings these are: the airline and the agency that sells.
 */
import type { AirlineConfig } from '../../config/load.ts';

/** One airline's bookings apart from another's, should two share a state folder. */
export function tenantOf(airline: AirlineConfig | undefined): string {
  return airline === undefined ? 'sandbox' : `${new URL(airline.baseUrl).host}/${airline.agencyId}`;
}
