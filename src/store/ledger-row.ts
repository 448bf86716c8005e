/**
 * A ledger entry as columns that can be searched.
 */
import type { LedgerEntry } from '../domain/booking/booking-ledger.ts';

/** Lower case without diacritics, so that `Köln` is found by `koln`. */
export function searchable(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The text that a query looks in. */
export function searchText({ locator, contactName, route }: LedgerEntry): string {
  return searchable([locator, contactName ?? '', route ?? ''].join('\n'));
}

/** Milliseconds since 1970; null where there is none, or it cannot be read. */
export function deadlineAt({ nextDeadline }: LedgerEntry): number | null {
  const at = Date.parse(nextDeadline?.at ?? '');
  return Number.isNaN(at) ? null : at;
}
