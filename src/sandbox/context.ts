/** The airline as the addresses see it: its state, clock, network and behaviour. */
import type { Behaviour, Carrier } from './carrier.ts';
import type { Clock } from './clock.ts';
import type { Dialect, Tolerance } from './dialects.ts';
import type { Credentials } from './identity.ts';
import type { CarrierState } from './state.ts';
import type { Timetable } from './timetable.ts';

export interface SandboxContext {
  readonly state: CarrierState;
  readonly clock: Clock;
  readonly timetable: Timetable;
  readonly credentials: Credentials;
  /** Which credentials a call must carry. */
  readonly accepts: 'both' | 'key' | 'token';
  readonly dialect: Dialect;
  readonly behaviour: Behaviour;
  /** Deviations of the replies. */
  readonly tolerances: readonly Tolerance[];
  readonly searchForm: 'itineraries' | 'availability' | undefined;
  /** Origin of the sandbox's own address, known once it listens. */
  origin(): string;
}

export function carrierOf(context: SandboxContext): Carrier {
  const { state, timetable, clock, tolerances, dialect, behaviour, credentials } = context;
  return {
    state,
    timetable,
    network: timetable.network,
    now: clock.now(),
    restUrl: context.origin(),
    tenant: credentials.tenant,
    dialect,
    behaviour,
    tolerances,
    has: (tolerance) => tolerances.includes(tolerance),
  };
}
