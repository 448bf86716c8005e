/** Writes what happened to bookings as sentences: asked, approved, sent, settled, changed by the airline. */
import { showMoney } from '../core/money.ts';
import type { Finding } from '../domain/booking/finding.ts';
import { callerName } from '../domain/people/caller-names.ts';
import { type Acts, actWord } from '../journal/act.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import { movedMoney } from '../journal/outcome.ts';
import type { KeptQuestion, LedgerOperation, LedgerRows } from './ports.ts';
import { reasonGiven } from './reason.ts';

export interface HistoryEntry {
  readonly locator: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: string;
}

/** What the sentences are written with. */
interface HistoryContext {
  readonly acts: Acts;
  readonly now: number;
  changeWords(finding: Finding): string;
  /** Why customers had operations done, by their ids, where the operations themselves do not have it. */
  readonly reasons?: ReadonlyMap<string, string>;
}

/**
 * The history of all bookings in these rows, oldest first. Leaves out what has no known time yet: the end of a question
 * that is still open.
 * @param each the kind of rows that it is about, where it is about one: other rows only complete it
 */
export function bookingHistory(
  { operations, questions, findings }: Pick<LedgerRows, 'operations' | 'questions' | 'findings'>,
  ctx: HistoryContext,
  each?: keyof LedgerRows,
): readonly HistoryEntry[] {
  const asked = new Set(questions.map(({ operationId }) => operationId));
  const entries = [
    ...(each === 'operations' ? [] : questions.flatMap((question) => questionEntries(question, ctx))),
    ...operations.flatMap((operation) => operationEntries(operation, asked.has(operation.id), ctx)),
    ...findings.flatMap((finding) => findingEntries(finding, ctx)),
  ];
  return entries.sort((a, b) => a.at - b.at);
}

/** How a yes or a no was given, as the end of a sentence. */
export const ASSURANCE_WORDS = {
  none: '',
  caller_confirmed: ' through the assistant',
  person: ' in the dialog',
  page: ' on the page',
} as const;

/** Whether somebody was asked. A hold needs no yes, so its question is granted without an answer. */
export function wasAsked({ assurance }: Pick<KeptQuestion, 'assurance'>): boolean {
  return assurance !== 'none';
}

export type QuestionOutcome = 'yes' | 'no' | 'lapsed' | 'waiting' | 'withdrawn';

/** The outcome of a question. `lapsed`, without an answer, differs from a no. */
export function questionOutcome({ decision, assurance, expiresAt }: KeptQuestion, now: number): QuestionOutcome {
  const isSpentYes = decision === 'void' && assurance !== undefined;
  if (decision === 'granted' || isSpentYes) return 'yes';
  if (decision === 'declined') return 'no';
  if (decision === 'pending') return expiresAt <= now ? 'lapsed' : 'waiting';
  return 'withdrawn';
}

function questionEntries(question: KeptQuestion, { acts, now }: HistoryContext): HistoryEntry[] {
  const { locator, tool, caller, askedAt, decidedAt, expiresAt, assurance = 'none', approver = caller } = question;
  if (locator === undefined || !wasAsked(question)) return [];

  const word = actWord(acts, tool);
  const by = callerName(approver);
  const where = ASSURANCE_WORDS[assurance];

  const endings: Readonly<Record<QuestionOutcome, { readonly at: number | undefined; readonly what: string }>> = {
    yes: { at: decidedAt, what: `${by} approved the ${word}${where}` },
    no: { at: decidedAt, what: `${by} declined the ${word}${where}` },
    lapsed: { at: expiresAt, what: `Nobody answered the question about the ${word}` },
    waiting: { at: undefined, what: '' },
    withdrawn: { at: decidedAt, what: `The question about the ${word} was withdrawn` },
  };
  const { at, what } = endings[questionOutcome(question, now)];
  const asked = { locator, at: askedAt, what: `Approval of the ${word} requested for ${callerName(caller)}` };
  return at === undefined ? [asked] : [asked, { locator, at, what }];
}

/** The state of an operation in words. */
export const STATE_WORDS: Readonly<Record<Operation['state'], string>> = {
  intent: 'not sent yet',
  dispatched: 'sent, no answer yet',
  in_doubt: 'sent; the outcome is not known',
  succeeded: 'done',
  refused: 'refused by the airline',
  not_executed: 'not carried out',
  needs_person: 'needs a person',
  resolved: 'closed by a person',
};

/** Writes when an operation was sent, and what became of it: `The payment: done, as a reading shows; charged SAR 90.00`. @param isAsked whether its question and the answer are in the history */
function operationEntries(
  operation: LedgerOperation,
  isAsked: boolean,
  { acts, reasons }: HistoryContext,
): HistoryEntry[] {
  const { tool, caller, state, createdAt, dispatchedAt, updatedAt, outcome, id } = operation;
  const locator = locatorOf(operation);
  if (locator === undefined) return [];

  const word = actWord(acts, tool);
  const { assurance, approvedBy = caller } = operation;

  const resolver = outcome?.resolved === undefined ? '' : ` (${callerName(outcome.resolved.by)})`;
  const basis = outcome?.basis === 'read' ? ', as a reading shows' : '';
  const given = operation.reason ?? reasons?.get(id);
  const reason = given === undefined ? '' : `; ${reasonGiven(given)}`;

  // It last changed when it was settled.
  const endedAt = outcome?.resolved?.at ?? Math.max(updatedAt, dispatchedAt ?? createdAt);
  const ended = {
    locator,
    at: endedAt,
    what: `The ${word}: ${STATE_WORDS[state]}${resolver}${basis}${moneyText(operation)}`,
  };
  if (dispatchedAt === undefined) return [{ ...ended, what: `${ended.what}${reason}` }];

  const yes =
    isAsked || assurance === 'none' ? '' : `, with the yes of ${callerName(approvedBy)}${ASSURANCE_WORDS[assurance]}`;
  const sent = {
    locator,
    at: dispatchedAt,
    what: `The ${word} of ${callerName(caller)} was sent${yes} (operation ${id})${reason}`,
  };
  return [sent, ended];
}

/** `; charged SAR 90.00, refunded SAR 40.00`; empty if no money moved. */
function moneyText(operation: LedgerOperation): string {
  const { paid, refunded } = movedMoney(operation);
  const texts = [paid && `charged ${showMoney(paid)}`, refunded && `refunded ${showMoney(refunded)}`].filter(Boolean);
  return texts.length === 0 ? '' : `; ${texts.join(', ')}`;
}

function findingEntries(finding: Finding, { changeWords }: HistoryContext): HistoryEntry[] {
  const { locator, seenAt, closedAt, closedBy } = finding;
  const seen = { locator, at: seenAt, what: `A reading showed: ${changeWords(finding)}` };
  if (closedAt === undefined) return [seen];
  return [seen, { locator, at: closedAt, what: `Closed by ${closerName(closedBy)}: ${changeWords(finding)}` }];
}

/** Who closed a finding: a person, an operation of ours, or news of the airline. */
function closerName(closedBy: string | undefined): string {
  if (closedBy === undefined) return 'nobody known';
  return /^operation [\w-]+$/.test(closedBy) ? closedBy : callerName(closedBy);
}
