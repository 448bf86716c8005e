/** The ledger of truth for tests: every act of the airline, in order, written in the same transaction. */
import type { Money } from '../core/money.ts';
import type { CarrierState } from './state.ts';

const LEDGER_EVENTS = [
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

type LedgerEvent = (typeof LEDGER_EVENTS)[number];

export interface LedgerEntry {
  readonly seq: number;
  /** UTC, by the airline's clock. */
  readonly at: string;
  readonly event: LedgerEvent;
  readonly locator: string;
  /** The amount that the airline took (`paid`) or returned (`refunded`). */
  readonly amount?: Money;
  /** Pointers of the travellers and segments concerned. */
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
