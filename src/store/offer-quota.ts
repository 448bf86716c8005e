/** Limits the offers that one caller can have stored, so that nobody fills the disk for all. Each process counts its own. */

import { ClerkError } from '../core/errors.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import { OFFER_LIFE_MS } from './offer-handle.ts';

/** About 150 MB. A person reads a few thousand offers in an hour. */
const MOST_OFFERS = 200_000;

interface OfferCount {
  readonly until: number;
  offers: number;
}

export class OfferQuota {
  readonly #counted = new Map<string, OfferCount>();

  /** Counts new offers. @throws ClerkError E_LIMIT if the caller has too many. */
  take(caller: Caller, offers: number, now: number): void {
    // Of a person: each application that they register would bring a quota of its own.
    const { tenant, id } = withoutApplication(caller);
    const key = JSON.stringify([tenant, id]);
    const known = this.#counted.get(key);
    const mine = known !== undefined && now < known.until ? known : { until: now + OFFER_LIFE_MS, offers: 0 };
    if (mine.offers + offers > MOST_OFFERS) throw tooMany(Math.ceil((mine.until - now) / 1000));
    mine.offers += offers;
    if (mine === known) return;
    for (const [each, { until }] of this.#counted) if (until <= now) this.#counted.delete(each);
    this.#counted.set(key, mine);
  }
}

function tooMany(seconds: number): ClerkError {
  return new ClerkError(
    'E_LIMIT',
    'This caller has found too many offers within the hour. Nothing was sent or booked.',
    {
      next: 'Book one of the offers already shown, or wait and then call search_fares for fewer trips.',
      retry: `after_s:${seconds}`,
    },
  );
}
