/**
 * A person who signs in at a browser with the provider whose tokens callers bring.
 */
import type { Caller } from './caller.ts';

/** Who signed in, named as callers are: tenant, subject, and the application of the page. */
export interface Person extends Caller {
  /** Has the role that decides for others. */
  readonly approver: boolean;
  /** How they are called, for their own page; cut and without control characters. */
  readonly name: string;
}

/** Where the browser goes, and what it brings back in a cookie. */
export interface LoginStart {
  readonly address: string;
  /** Opaque, sealed. */
  readonly ticket: string;
}

export type LoginEnd =
  /** `session`: opaque, sealed; good for `place` alone. */
  | { readonly kind: 'signed_in'; readonly session: string; readonly place: string }
  /** The person or the provider said no. */
  | { readonly kind: 'denied'; readonly place: string }
  /** Nothing that this browser began, or a provider's answer that does not hold. */
  | { readonly kind: 'unfit' }
  /** The provider cannot be asked just now. */
  | { readonly kind: 'unavailable' };

/** OpenID Connect's authorization code flow; auth/callers/login.ts is one. */
export interface BrowserLogin {
  /** Seconds that a ticket, and a session, are good for. */
  readonly ticketSeconds: number;
  readonly sessionSeconds: number;
  /** `anew`: asks for a name even where the provider knows the browser. Undefined: the provider is not to be had. */
  begin(place: string, anew: boolean): Promise<LoginStart | undefined>;
  /** `answer`: what the provider sent the browser back with; `tickets`: whatever cookies it has. */
  end(answer: URLSearchParams, tickets: readonly string[]): Promise<LoginEnd>;
  /** Who a session of this place belongs to; undefined where it is not ours, not of this place, or over. */
  person(session: string, place: string): Promise<Person | undefined>;
  /** Whether a caller is this person, whatever application they call with. */
  isSame(caller: Caller, person: Caller): boolean;
}
