/** Signing in with a browser, at the provider that issues the callers' tokens. */
import type { Caller } from './caller.ts';

/** Who signed in, identified like a caller; the application is the page's. */
export interface SignedInPerson extends Caller {
  readonly approver: boolean;
  /** May see the questions of others of the tenant, and decides nothing by that. */
  readonly supervisor: boolean;
  /** Display name for their own page; shortened, without control characters. */
  readonly name: string;
}

/** The address for the browser, and the cookie that it returns. */
interface LoginStart {
  readonly address: string;
  /** Opaque, sealed. */
  readonly ticket: string;
}

export type LoginEnd =
  /** `session`: opaque, sealed, valid only for `place`. */
  | { readonly kind: 'signed_in'; readonly session: string; readonly place: string }
  /** The person or the provider refused. */
  | { readonly kind: 'denied'; readonly place: string }
  /** This browser did not start the login, or the provider's answer is invalid. */
  | { readonly kind: 'unfit' }
  /** The provider cannot be reached now. */
  | { readonly kind: 'unavailable' };

/** Login by OpenID Connect's authorization code flow; auth/callers/login.ts is one. */
export interface BrowserLogin {
  /** How long tickets and sessions are valid, seconds. */
  readonly ticketSeconds: number;
  readonly sessionSeconds: number;
  /** `anew`: asks for credentials even if the provider knows the browser. Undefined: the provider cannot be reached. */
  begin(place: string, anew: boolean): Promise<LoginStart | undefined>;
  /** `answer`: the query of the provider's redirect; `tickets`: the browser's cookies. */
  end(answer: URLSearchParams, tickets: readonly string[]): Promise<LoginEnd>;
  /** The person of a session; undefined if it is not ours, not for this place or expired. */
  person(session: string, place: string): Promise<SignedInPerson | undefined>;
  /** Whether a caller is this person, in any application. */
  isSame(caller: Caller, person: Caller): boolean;
}
