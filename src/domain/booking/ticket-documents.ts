/** Documents of tickets: queries for them, their names, and the keys of one-time addresses. One PDF for each coupon. */
import type { Caller } from '../people/caller.ts';

/** Asks for one document. Only `ota/` turns it into an address. */
export interface TicketDocumentQuery {
  readonly locator: string;
  /** All references of the booking: links of the airline may name any of them. */
  readonly references: readonly string[];
  readonly number: string;
  /** Absent if the airline sent no coupons: then one of `links` is needed. */
  readonly coupon?: string;
  /** The airline's own links for this coupon, as sent. */
  readonly links: readonly string[];
}

/** Names a document in addresses of our own: `fareclerk://tickets/{locator}/{number}/{coupon}`. */
export interface TicketName {
  readonly locator: string;
  readonly number: string;
  readonly coupon: string;
}

/** The document that a one-time address opens, and the caller it was made for. */
export interface TicketGrant extends TicketName {
  readonly caller: Caller;
}

/**
 * Keys of one-time addresses, shared by all instances. Only hashes of the keys are stored. Times: milliseconds since
 * 1970.
 */
export interface TicketKeys {
  put(hash: string, grant: TicketGrant, now: number, expiresAt: number): Promise<void>;
  find(hash: string, now: number): Promise<TicketGrant | undefined>;
  /** Ends the key. False if it had ended already: of two calls at once, only one gets true. */
  spend(hash: string): Promise<boolean>;
}

export function ticketUri({ locator, number, coupon }: TicketName): string {
  return `fareclerk://tickets/${[locator, number, coupon].map(encodeURIComponent).join('/')}`;
}
