/** What the airline records for tests, in order: its acts. */
import type { Money } from '../core/money.ts';
import type { AirlineNow } from './carrier.ts';
import { Refusal } from './refusal.ts';
import type { CarrierState, Clock } from './state.ts';

type LedgerEvent =
  | 'created'
  | 'paid'
  | 'cancelled'
  | 'segments_cancelled'
  | 'passengers_cancelled'
  | 'refunded'
  | 'renamed'
  | 'seats_changed'
  | 'passenger_updated'
  | 'contact_updated'
  | 'rebooked'
  | 'split'
  | 'services_added'
  | 'refused_repeat';

export interface LedgerEntry {
  readonly seq: number;
  /** UTC, by the airline's clock. */
  readonly at: string;
  readonly event: LedgerEvent;
  readonly locator: string;
  /** The amount that the airline took (`paid`) or returned (`refunded`). */
  readonly amount?: Money;
  /** Pointers of the travellers and segments concerned. Of a refused repeat: the events that its message caused the first time. */
  readonly about: readonly string[];
}

export function recordEvent(
  { state, now }: AirlineNow,
  event: LedgerEvent,
  locator: string,
  { amount, about = [] }: { readonly amount?: Money; readonly about?: readonly string[] } = {},
): void {
  const sql = 'INSERT INTO ledger (at, event, locator, minor, currency, about) VALUES (?, ?, ?, ?, ?, ?)';
  state.run(sql, now, event, locator, amount?.minor ?? null, amount?.currency ?? null, JSON.stringify(about));
}

/**
 * Runs a message in a write transaction. If the airline refuses it and has carried out the same message before, enters that refusal:
 * by its bookings alone, an act that was sent twice looks like one that was sent once.
 * @param digest of the whole message
 */
export function changeOnRecord<T>(state: CarrierState, clock: Clock, digest: string, work: () => T): T {
  try {
    return state.change(() => {
      const before = Number(state.row('SELECT max(seq) AS seq FROM ledger')?.seq ?? 0);
      const result = work();
      state.run('UPDATE ledger SET message = ? WHERE seq > ?', digest, before);
      return result;
    });
  } catch (error) {
    if (error instanceof Refusal) state.change(() => recordRefusedRepeat(state, clock, digest));
    throw error;
  }
}

function recordRefusedRepeat(state: CarrierState, clock: Clock, digest: string): void {
  const sql = `INSERT INTO ledger (at, event, locator, about)
    SELECT ?, 'refused_repeat', min(locator), json_group_array(event) FROM ledger WHERE message = ? HAVING count(*) > 0`;
  state.run(sql, clock.now(), digest);
}

function readEntry(row: Record<string, unknown>): LedgerEntry {
  return {
    seq: Number(row.seq),
    at: new Date(Number(row.at)).toISOString(),
    event: String(row.event) as LedgerEvent,
    locator: String(row.locator),
    amount: row.minor === null ? undefined : { minor: Number(row.minor), currency: String(row.currency) },
    about: JSON.parse(String(row.about)) as string[],
  };
}

export function readLedger(state: CarrierState): LedgerEntry[] {
  return state.rows('SELECT * FROM ledger ORDER BY seq').map(readEntry);
}
