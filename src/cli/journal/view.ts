/** Shows operations: as rows and facts for people, as records for programs. */

import type { Config } from '../../config/load.ts';
import { formatMoney, type Money, showMoney } from '../../core/money.ts';
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

/** Characters of an id and of a hash that are shown to people: enough to tell operations apart. */
const SHOWN_ID_LENGTH = 8;
const SHOWN_HASH_LENGTH = 12;

/** How the yes was given, in words. */
const ASSURANCE_WORDS: Readonly<Record<Operation['assurance'], string>> = {
  none: 'no question was due',
  caller_confirmed: "the model's word, no person was asked",
  person: "a person, in the host's dialog",
  page: 'a person, on our page or in the terminal',
};

const NOT_STATED = 'not stated by the airline';

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
    trace_id: traceId(operation),
  };
}

/** `charged` and `refund` are what moved; `at_stake` is what limits count, which may be the whole price. */
function moneyRecord(operation: Operation) {
  const { paid, refunded } = movedMoney(operation);
  const { amount } = operation;
  return {
    charged: paid && formatMoney(paid),
    charged_currency: paid?.currency,
    refund: refunded && formatMoney(refunded),
    refund_currency: refunded?.currency,
    at_stake: amount && formatMoney(amount),
    currency: amount?.currency,
  };
}

/** Adds the number and the hash of the operation's last event. */
export function exportRecord({ operation, last: { n, hash } }: ListedOperation) {
  return { ...operationRecord(operation), number: n, hash };
}

/** The id by which a person finds the operation in traces and logs. */
function traceId({ trace }: Operation): string | undefined {
  return trace?.split('-')[1];
}

export function eventRecord({ seq, at, from, to, actor, hash }: OperationEvent) {
  return { seq, at: instant(at), from, to, actor, hash };
}

// One operation for people.

export function describeOperation(operation: Operation, events: readonly OperationEvent[], trip?: string): string {
  const { outcome, amount } = operation;
  const { paid, refunded, unstated } = movedMoney(operation);
  const charged = outcome?.charge ? statedText(paid) : paid && showMoney(paid);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['operation', operation.id],
    ['tool', operation.tool],
    ['booking', operation.locator],
    ['trip', trip],
    ['state', operation.state],
    ['known by', outcome?.basis === 'read' ? 'reading the booking back' : outcome?.basis],
    ['approved by', approvedBy(operation)],
    ['signed in as', operation.approvedBy],
    ['charged', unstated === 'charge' ? NOT_STATED : charged],
    ['refund', unstated === 'refund' ? NOT_STATED : statedText(refunded)],
    ['at stake', amount && `${showMoney(amount)} (${operation.direction ?? 'payment'}), as limits count it`],
    ['tickets', outcome?.tickets?.map(({ number }) => number).join(', ')],
    ['error', outcome?.error && `${outcome.error.code}: ${outcome.error.message}`],
    ['to check', operation.state === 'resolved' ? undefined : outcome?.check],
    ['trace', traceId(operation)],
    ['closed by', outcome?.resolved && `${outcome.resolved.by}: ${outcome.resolved.note ?? '(note erased)'}`],
  ];
  const rows = facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const steps = events.map(({ at, from, to, hash }) => {
    return [new Date(at).toISOString(), `${from || 'new'} → ${to}`, hash.slice(0, SHOWN_HASH_LENGTH)];
  });
  return `${table(rows)}\n${table([['at', 'step', 'hash'], ...steps])}`;
}

/** In the sandbox a second call, or `--yes`, counts as the yes where no person can be asked. */
function approvedBy({ assurance, tenant }: Operation): string {
  return assurance === 'caller_confirmed' && tenant === 'sandbox' ? 'nobody: sandbox' : ASSURANCE_WORDS[assurance];
}

const statedText = (money: Money | undefined): string | undefined =>
  money && `${showMoney(money)}, stated by the airline`;

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
