/**
 * An approval as a row of the table `approval`, and back: what is decided is in columns, what never changes is JSON in
 * `body`, what names people is JSON in columns of its own, so that it can be blanked.
 */
import type { Approval, AskedBy, Decision } from '../approvals/ports.ts';
import type { Assurance } from '../journal/operation.ts';

/** Names and documents of an approval are kept this long after it lapsed, milliseconds. */
export const KEEP_NAMES_MS = 60 * 60_000;

export function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Fields with a column of their own; `JSON.stringify` leaves out what is undefined. */
const APART: Partial<Record<keyof Approval, undefined>> = {
  decidedAt: undefined,
  toldAt: undefined,
  staleLines: undefined,
  carried: undefined,
  lines: undefined,
  act: undefined,
};

export function bodyOf(approval: Approval): string {
  return JSON.stringify({ ...approval, ...APART });
}

export function toApproval(row: Record<string, unknown>): Approval {
  return {
    ...(JSON.parse(String(row.body)) as Approval),
    ...(row.terms === null
      ? { lines: [], act: '' }
      : (JSON.parse(String(row.terms)) as Pick<Approval, 'lines' | 'act'>)),
    decision: row.decision as Decision,
    askedBy: row.asked_by as AskedBy,
    ...(row.assurance !== null && { assurance: row.assurance as Assurance }),
    ...(row.approver !== null && { approver: String(row.approver) }),
    ...(row.decided_at !== null && { decidedAt: Number(row.decided_at) }),
    ...(row.told_at !== null && { toldAt: Number(row.told_at) }),
    ...(row.stale_lines !== null && { staleLines: JSON.parse(String(row.stale_lines)) as string[] }),
    ...(row.carried !== null && { carried: JSON.parse(String(row.carried)) as unknown }),
  };
}
