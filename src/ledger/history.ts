/** What happened to each booking, in order, a sentence each: held, asked, approved, sent, settled, changed by the airline. */
import { showMoney } from '../core/money.ts';
import type { Finding } from '../domain/booking/finding.ts';
import type { Acts } from '../journal/act.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import { movedMoney } from '../journal/outcome.ts';
import type { KeptQuestion, LedgerRows } from './ports.ts';

export interface HistoryEntry {
  readonly locator: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: string;
}

interface HistoryContext {
  readonly acts: Acts;
  readonly now: number;
  changeWords(finding: Finding): string;
}

/** Oldest first. An entry without a known time is left out: of a question whose answer an earlier version did not keep. */
export function bookingHistory(
  { operations, questions, findings }: Pick<LedgerRows, 'operations' | 'questions' | 'findings'>,
  ctx: HistoryContext,
): readonly HistoryEntry[] {
  const asked = new Set(questions.map(({ operationId }) => operationId));
  const entries = [
    ...questions.flatMap((question) => questionEntries(question, ctx)),
    ...operations.flatMap((operation) => operationEntries(operation, asked.has(operation.id), ctx)),
    ...findings.flatMap((finding) => findingEntries(finding, ctx)),
  ];
  return entries.sort((a, b) => a.at - b.at);
}

const HOW = {
  none: '',
  caller_confirmed: ' through the assistant',
  person: ' in the dialog',
  page: ' on the page',
} as const;

function questionEntries(question: KeptQuestion, { acts, now }: HistoryContext): HistoryEntry[] {
  const {
    locator,
    tool,
    caller,
    askedAt,
    decidedAt,
    decision,
    assurance = 'none',
    approver = caller,
    expiresAt,
  } = question;
  if (locator === undefined || (assurance === 'none' && decision === 'granted')) return [];
  const word = acts.named(tool)?.word ?? tool;
  const asked = { locator, at: askedAt, what: `${caller} asked for a yes to the ${word}` };
  const by = `${approver}${HOW[assurance]}`;
  if (decision === 'pending') {
    if (expiresAt > now) return [asked];
    return [asked, { locator, at: expiresAt, what: `Nobody answered the question about the ${word}` }];
  }
  if (decidedAt === undefined) return [asked];
  if (decision === 'granted' || decision === 'void')
    return [asked, { locator, at: decidedAt, what: `${by} said yes to the ${word}` }];
  if (decision === 'declined') return [asked, { locator, at: decidedAt, what: `${by} said no to the ${word}` }];
  return [asked, { locator, at: decidedAt, what: `The question about the ${word} was withdrawn` }];
}

const ENDS: Readonly<Record<Operation['state'], string>> = {
  intent: 'not sent yet',
  dispatched: 'sent, no answer yet',
  in_doubt: 'sent; the outcome is not known',
  succeeded: 'done',
  refused: 'refused by the airline',
  not_executed: 'not carried out',
  needs_person: 'needs a person',
  resolved: 'closed by a person',
};

/** @param isAsked its question is in the history, and the answer to it */
function operationEntries(operation: Operation, isAsked: boolean, { acts }: HistoryContext): HistoryEntry[] {
  const { tool, caller, state, createdAt, dispatchedAt, updatedAt, outcome, id } = operation;
  const locator = locatorOf(operation);
  if (locator === undefined) return [];
  const word = acts.named(tool)?.word ?? tool;
  const { assurance, approvedBy = caller } = operation;
  const yes = isAsked || assurance === 'none' ? '' : `, with the yes of ${approvedBy}${HOW[assurance]}`;
  const sent =
    dispatchedAt === undefined
      ? []
      : [{ locator, at: dispatchedAt, what: `The ${word} of ${caller} was sent${yes} (operation ${id})` }];
  const { paid, refunded } = movedMoney(operation);
  const money = [paid && `charged ${showMoney(paid)}`, refunded && `refunded ${showMoney(refunded)}`].filter(Boolean);
  const how = outcome?.basis === 'read' ? ', as a reading shows' : '';
  const by = outcome?.resolved === undefined ? '' : ` (${outcome.resolved.by})`;
  const what = `The ${word}: ${ENDS[state]}${by}${how}${money.length === 0 ? '' : `; ${money.join(', ')}`}`;
  // Kept when it changed last, which is when it was settled.
  return [...sent, { locator, at: outcome?.resolved?.at ?? Math.max(updatedAt, dispatchedAt ?? createdAt), what }];
}

function findingEntries(finding: Finding, { changeWords }: HistoryContext): HistoryEntry[] {
  const { locator, seenAt, closedAt, closedBy } = finding;
  const seen = { locator, at: seenAt, what: `A reading showed: ${changeWords(finding)}` };
  if (closedAt === undefined) return [seen];
  return [seen, { locator, at: closedAt, what: `Closed by ${closedBy ?? 'nobody known'}: ${changeWords(finding)}` }];
}
