/** The airline as the addresses see it: its state, clock and network, and the form of its replies. */
import type { Carrier } from './carrier.ts';
import type { Clock } from './clock.ts';
import type { Dialect } from './dialects.ts';
import type { Credentials } from './identity.ts';
import type { CarrierState } from './state.ts';
import type { Timetable } from './timetable.ts';
import type { Wire } from './wire.ts';

/** What a reply answers. */
export interface Answered {
  /** The message, or the name of another address, as faults name it. */
  readonly name: string;
  /** The message without its envelope; empty for other addresses. */
  readonly request: Wire;
  readonly carrier: Carrier;
}

/**
 * The last word on a reply or refusal: its form. It runs within the transaction of a message, so that a Refusal thrown
 * here undoes what the message did.
 */
type Rewrite = (reply: Wire, answered: Answered) => Wire;

export interface SandboxContext {
  readonly state: CarrierState;
  readonly clock: Clock;
  readonly timetable: Timetable;
  readonly credentials: Credentials;
  /** Which credentials a call must carry. */
  readonly accepts: 'both' | 'key' | 'token';
  readonly dialect: Dialect;
  readonly rebooksInto?: Carrier['rebooksInto'];
  readonly rewrite: Rewrite;
  /** Origin of the sandbox's own address, known once it listens. */
  origin(): string;
}

export function carrierOf(context: SandboxContext): Carrier {
  const { state, timetable, clock, dialect, credentials, rebooksInto } = context;
  return {
    state,
    timetable,
    network: timetable.network,
    now: clock.now(),
    restUrl: context.origin(),
    tenant: credentials.tenant,
    dialect,
    ...(rebooksInto && { rebooksInto }),
  };
}
