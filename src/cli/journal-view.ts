/**
 * Operations for reading: rows for people, records for programs.
 */
import { formatMoney, showMoney } from '../domain/money.ts';
import { present } from '../domain/present.ts';
import type { Operation } from '../journal/operation.ts';
import type { OperationEvent } from '../journal/ports.ts';
import { table } from './table.ts';

const SHORT_ID = 8;

const instant = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();
/** `2026-11-20 07:40` UTC. */
const minute = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

export const ROW_TITLES = ['when (UTC)', 'tool', 'booking', 'state', 'amount', 'id'] as const;
/** When, booking, amount and id are never cut. */
export const ROW_WHOLE = [0, 2, 4, 5];

export function operationRow(operation: Operation): readonly string[] {
  return [
    minute(operation.createdAt),
    operation.tool,
    operation.locator ?? '-',
    operation.state,
    operation.amount === undefined ? '-' : showMoney(operation.amount),
    operation.id.slice(0, SHORT_ID),
  ];
}

export function operationRecord(operation: Operation) {
  const { amount, outcome } = operation;
  return present({
    operation_id: operation.id,
    tool: operation.tool,
    locator: operation.locator,
    state: operation.state,
    assurance: operation.assurance,
    approved_by: operation.approvedBy,
    amount: amount && formatMoney(amount),
    currency: amount?.currency,
    direction: operation.direction,
    caller: operation.caller,
    created_at: instant(operation.createdAt),
    dispatched_at: instant(operation.dispatchedAt),
    updated_at: instant(operation.updatedAt),
    basis: outcome?.basis,
    tickets: outcome?.tickets?.map(({ number }) => number),
    refund: outcome?.refund && formatMoney(outcome.refund.amount),
    error: outcome?.error && { code: outcome.error.code, message: outcome.error.message, next: outcome.error.next },
    check: outcome?.check,
    supersedes: operation.supersedes,
  });
}

export function eventRecord({ seq, at, from, to, actor, hash }: OperationEvent) {
  return { seq, at: instant(at), from, to, actor, hash };
}

/** How the yes was given, in words. */
const ASSURANCE: Readonly<Record<Operation['assurance'], string>> = {
  none: 'no question was due',
  caller_confirmed: "the model's word, no person was asked",
  person: "a person, in the host's dialog",
  page: 'a person, on our page or in the terminal',
};

export function describeOperation(operation: Operation, events: readonly OperationEvent[]): string {
  const { outcome } = operation;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['operation', operation.id],
    ['tool', operation.tool],
    ['booking', operation.locator],
    ['state', operation.state],
    ['known by', outcome?.basis === 'read' ? 'reading the booking back' : outcome?.basis],
    ['approved by', ASSURANCE[operation.assurance]],
    ['signed in as', operation.approvedBy],
    ['amount', operation.amount && `${showMoney(operation.amount)} (${operation.direction ?? 'payment'})`],
    ['tickets', outcome?.tickets?.map(({ number }) => number).join(', ')],
    ['refund', outcome?.refund && `${showMoney(outcome.refund.amount)}, stated by the airline`],
    ['error', outcome?.error && `${outcome.error.code}: ${outcome.error.message}`],
    ['to check', outcome?.check],
  ];
  const rows = facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const steps = events.map((event) => [
    `${instant(event.at)}`,
    `${event.from || 'new'} → ${event.to}`,
    event.hash.slice(0, 12),
  ]);
  return `${table(rows)}\n${table([['at', 'step', 'hash'], ...steps])}`;
}
