/**
 * The truth that a test compares with: everything the airline really did, in order. It is written in the transaction
 * that did it.
 */
import type { Money } from '../domain/pricing/money.ts';
import type { CarrierState } from './state.ts';

export const LEDGER_EVENTS = [
  'created',
  'paid',
  'cancelled',
  'segments_cancelled',
  'passengers_cancelled',
  'refunded',
  'renamed',
  'seats_changed',
  'passenger_updated',
  'contact_updated',
  'rebooked',
  'split',
  'services_added',
] as const;

export type LedgerEvent = (typeof LEDGER_EVENTS)[number];

export interface LedgerEntry {
  readonly seq: number;
  /** UTC, by the airline's clock. */
  readonly at: string;
  readonly event: LedgerEvent;
  readonly locator: string;
  /** Money that moved: to the airline (`paid`) or back (`refunded`). */
  readonly amount?: Money;
  /** Pointers of what it concerned. */
  readonly about: readonly string[];
}

export function enter(
  state: CarrierState,
  at: number,
  event: LedgerEvent,
  locator: string,
  detail: { amount?: Money; about?: readonly string[] } = {},
): void {
  const { amount, about = [] } = detail;
  const money = [amount?.minor ?? null, amount?.currency ?? null] as const;
  state.run(
    'INSERT INTO ledger (at, event, locator, minor, currency, about) VALUES (?, ?, ?, ?, ?, ?)',
    at,
    event,
    locator,
    ...money,
    JSON.stringify(about),
  );
}

function entryOf(row: Record<string, unknown>): LedgerEntry {
  const event = LEDGER_EVENTS.find((name) => name === row.event);
  if (event === undefined) throw new Error(`unknown ledger event ${String(row.event)}`);
  return {
    seq: Number(row.seq),
    at: new Date(Number(row.at)).toISOString(),
    event,
    locator: String(row.locator),
    ...(row.minor === null ? {} : { amount: { minor: Number(row.minor), currency: String(row.currency) } }),
    about: JSON.parse(String(row.about)) as string[],
  };
}

export function readLedger(state: CarrierState): LedgerEntry[] {
  return state.rows('SELECT * FROM ledger ORDER BY seq').map(entryOf);
}
