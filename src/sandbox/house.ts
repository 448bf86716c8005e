/**
 * The airline as the addresses see it: its state, clock, network and manners.
 */
import type { Carrier } from './carrier.ts';
import type { Clock } from './clock.ts';
import { OPERATIONS, type Tolerance } from './dialects.ts';
import type { Credentials } from './identity.ts';
import type { CarrierState } from './state.ts';
import type { Timetable } from './timetable.ts';

export interface House {
  readonly state: CarrierState;
  readonly clock: Clock;
  readonly timetable: Timetable;
  readonly credentials: Credentials;
  /** Which credentials a call must carry. */
  readonly accepts: 'both' | 'key' | 'token';
  /** Deviations of the replies from interface.md. */
  readonly tolerances: readonly Tolerance[];
  readonly searchForm: 'itineraries' | 'availability' | undefined;
  /** Origin of the sandbox's own address, known once it listens. */
  origin(): string;
}

export function carrierOf(house: House): Carrier {
  const { state, timetable, clock, tolerances } = house;
  return {
    state,
    timetable,
    network: timetable.network,
    now: clock.now(),
    restUrl: house.origin(),
    showsOperations: tolerances.includes(OPERATIONS),
  };
}
