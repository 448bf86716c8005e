/** Shows operations: as rows for people, and as records. */

import type { Config } from '../../config/load.ts';
import { formatMoney, showMoney } from '../../core/money.ts';
import { utcMinute } from '../../core/times.ts';
import { joined } from '../../core/words.ts';
import { dayText } from '../../domain/booking/flight-name.ts';
import { isOpen, locatorOf, type Operation } from '../../journal/operation.ts';
import { movedMoney } from '../../journal/outcome.ts';
import type { OperationEvent } from '../../journal/ports.ts';
import type { ListedOperation } from '../../store/journal/operations.ts';
import type { State } from '../../store/state.ts';
import { ACTS } from '../../tools/index.ts';
import type { Arguments } from '../terminal/arguments.ts';
import { table } from '../terminal/table.ts';
import type { OutputOptions } from '../terminal/window.ts';

const ROW_TITLES = ['when (UTC)', 'tool', 'booking', 'state', 'amount', 'id'] as const;

/** Characters of an id in a list: enough to tell operations apart. */
const SHOWN_ID_LENGTH = 8;

/** `2026-11-20T07:40:00.000Z`. @param ms since 1970 */
export const instant = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

/** One call of `fareclerk journal`. */
export interface JournalRun extends OutputOptions {
  readonly config: Config;
  readonly flags: Arguments['flags'];
  /** The id that was typed, or its beginning; else empty. */
  readonly id: string;
  /** The most rows of a list. */
  readonly limit: number;
}

// Rows of lists.

export const operationTable = (operations: readonly Operation[]): string =>
  table([ROW_TITLES, ...operations.map(operationRow)]);

function operationRow(operation: Operation): readonly string[] {
  const { id, createdAt, tool, locator = '-', state } = operation;
  return [utcMinute(createdAt), tool, locator, state, amountText(operation), id.slice(0, SHOWN_ID_LENGTH)];
}

/** The money that moved; for an open operation also the money that may move, as limits count it. */
function amountText(operation: Operation): string {
  const { paid, refunded, unstated } = movedMoney(operation);
  const { state, amount } = operation;
  const amountOpen = isOpen(state) ? amount : undefined;

  const amounts = [
    paid && `${showMoney(paid)} paid`,
    refunded && `${showMoney(refunded)} back`,
    unstated && 'not stated',
    amountOpen && `${showMoney(amountOpen)} open`,
  ];
  return joined(amounts) || '-';
}

// Records for programs.

export function operationRecord(operation: Operation) {
  const { outcome } = operation;
  const { noteSalt: _, ...resolved } = outcome?.resolved ?? {};

  return {
    operation_id: operation.id,
    tool: operation.tool,
    locator: operation.locator,
    state: operation.state,
    assurance: operation.assurance,
    approved_by: operation.approvedBy,
    direction: operation.direction,
    ...moneyRecord(operation),
    caller: operation.caller,
    created_at: instant(operation.createdAt),
    dispatched_at: instant(operation.dispatchedAt),
    updated_at: instant(operation.updatedAt),
    basis: outcome?.basis,
    tickets: outcome?.tickets?.map(({ number }) => number),
    error: outcome?.error && { code: outcome.error.code, message: outcome.error.message, next: outcome.error.next },
    check: outcome?.check,
    resolved: outcome?.resolved && { ...resolved, at: instant(outcome.resolved.at) },
    supersedes: operation.supersedes,
    // By which a person finds the operation in traces and logs.
    trace_id: operation.trace?.split('-')[1],
  };
}

/** `charged` and `refund` are what moved; `at_stake` is what limits count, which may be the whole price. */
function moneyRecord(operation: Operation) {
  const { paid, refunded, unstated } = movedMoney(operation);
  const { amount } = operation;

  return {
    charged: paid && formatMoney(paid),
    charged_currency: paid?.currency,
    refund: refunded && formatMoney(refunded),
    refund_currency: refunded?.currency,
    not_stated: unstated,
    at_stake: amount && formatMoney(amount),
    currency: amount?.currency,
  };
}

/** Adds the number and the hash of the operation's last event. */
export function exportRecord({ operation, last: { n, hash } }: ListedOperation) {
  return { ...operationRecord(operation), number: n, hash };
}

export function eventRecord({ seq, at, from, to, actor, hash }: OperationEvent) {
  return { seq, at: instant(at), from, to, actor, hash };
}

/** Trains and days of the operation's booking: as a creation asked for them, else as they were last read. */
export async function tripText({ ledger }: State, operation: Operation): Promise<string | undefined> {
  const { subject, tenant } = operation;
  const askedTrip = ACTS.of(subject).trip?.(subject);
  if (askedTrip !== undefined) return askedTrip.join('; ');

  const locator = locatorOf(operation);
  if (locator === undefined) return undefined;

  const [entry] = (await ledger.findOfTenant(tenant, { locators: [locator], limit: 1 })).entries;
  if (entry?.route === undefined) return undefined;

  return entry.departs === undefined ? entry.route : `${entry.route}, ${dayText(entry.departs)}`;
}
