/**
 * How an approval is a row:
 *
 * | fields                        | stored                                                              |
 * | ----------------------------- | ------------------------------------------------------------------- |
 * | {@link COLUMNS}               | a column each: they change by compare-and-set, or find the approval |
 * | `part` ({@link PART})         | a column each: they find the steps of a plan                        |
 * | {@link TermsField}            | JSON in `terms`: they may have names, so they are blanked together  |
 * | {@link BodyField}             | JSON in `body`: they never change                                   |
 * | `tool`, money ({@link STAKE}) | also a column each, which SQL can read                              |
 */
import type { Approval, PlanPart } from '../approvals/approval.ts';
import { readAct } from '../approvals/asked-act.ts';
import type { OpenQuestion } from '../approvals/ports.ts';
import { moneyAtStake } from '../approvals/request.ts';
import type { MoneyAtStake } from '../approvals/terms.ts';
import type { Money } from '../core/money.ts';
import { type Columns, type Row, toFields, toRow, type Value } from './database.ts';

/** The fields that never change, as JSON in `body`. */
export type BodyField = 'client' | 'tool' | 'locator' | 'argsDigest' | 'termsDigest' | 'ofWholeBooking' | 'pageOnly';

/** The fields that may have names, as JSON in `terms`, so that they can be blanked. */
type TermsField = 'sections' | 'act' | 'about' | 'nature' | 'near' | 'others' | 'after' | 'leftOut';

/** The fields that change, or by which an approval is found. */
const COLUMNS: Columns<Omit<Approval, BodyField | 'part' | TermsField>> = {
  handleHash: ['handle_hash', 'text'],
  operationId: ['operation_id', 'text'],
  tenant: ['tenant', 'text'],
  caller: ['caller', 'text'],
  decision: ['decision', 'text'],
  askedBy: ['asked_by', 'text'],
  assurance: ['assurance', 'text'],
  approver: ['approver', 'text'],
  createdAt: ['created_at', 'number'],
  expiresAt: ['expires_at', 'number'],
  decidedAt: ['decided_at', 'number'],
  toldAt: ['told_at', 'number'],
  voidWhy: ['void_why', 'text'],
  voidLines: ['void_lines', 'json'],
  carried: ['carried', 'json'],
  trace: ['trace', 'text'],
  topic: ['topic', 'text'],
  replacedBy: ['replaced_by', 'text'],
};

/** The place of an approval in a plan. */
const PART: Columns<Omit<PlanPart, 'alone'>> = {
  plan: ['plan', 'text'],
  question: ['plan_question', 'text'],
  line: ['plan_line', 'number'],
  step: ['plan_step', 'number'],
};

/** The money that the question is about. It stays when the arguments are erased. */
const STAKE: Columns<Money & Pick<MoneyAtStake, 'direction'>> = {
  minor: ['amount_minor', 'number'],
  currency: ['currency', 'text'],
  direction: ['direction', 'text'],
};

/** What is shown of an approval whose terms were blanked. */
const BLANK_TERMS: Pick<Approval, TermsField> = { sections: [], act: { verb: '' }, nature: 'change' };

/** The columns of an approval that are defined. */
export function toApprovalRow(approval: Approval): Record<string, Value> {
  const { client, tool, locator, argsDigest, termsDigest, ofWholeBooking, pageOnly, part } = approval;
  const body: Pick<Approval, BodyField> = {
    client,
    tool,
    locator,
    argsDigest,
    termsDigest,
    ofWholeBooking,
    pageOnly,
  };
  const { amount, direction } = moneyAtStake(approval) ?? {};

  return {
    ...toRow(COLUMNS, approval),
    ...(part && { ...toRow(PART, part), plan_alone: part.alone ? 1 : null }),
    tool,
    ...toRow(STAKE, { ...amount, direction }),
    terms: termsText(approval),
    body: JSON.stringify(body),
  };
}

/** The approval of a row of which every column was read. */
export function toApproval(row: Row): Approval {
  const terms = row.terms === null ? BLANK_TERMS : (JSON.parse(String(row.terms)) as Pick<Approval, TermsField>);
  const act = readAct(terms.act);
  const part = (row.plan ?? null) === null ? undefined : toPlanPart(row);
  return { ...(JSON.parse(String(row.body)) as Approval), ...terms, act, ...toFields(COLUMNS, row), part };
}

function toPlanPart(row: Row): PlanPart {
  const alone = Number(row.plan_alone) === 1 && { alone: true as const };
  return { ...(toFields(PART, row) as Omit<PlanPart, 'alone'>), ...alone };
}

export function termsText(approval: Pick<Approval, TermsField>): string {
  const { sections, act, about, nature, near, others, after, leftOut } = approval;
  return JSON.stringify({ sections, act, about, nature, near, others, after, leftOut });
}

/** A row of an open question about some bookings. Of a plan it has all its bookings, a line each. */
export type OpenRow = Row & { readonly locators?: string | null };

/** An open question of a row, with its bookings. */
export function toOpenQuestion({ locators, ...row }: OpenRow): OpenQuestion {
  const question = toApproval(row);
  const ofPlan = locators ? locators.split('\n') : [];
  return { question, locators: question.locator === undefined ? ofPlan.toSorted() : [question.locator] };
}
