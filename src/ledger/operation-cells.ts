/** The row of the view `operation`: each cell is worked out where a statement reads it, because a year has a million of them. */
import { cleanCode, plainText } from '../core/clean-text.ts';
import type { Money } from '../core/money.ts';
import { own } from '../core/own.ts';
import { MINUTE_MS } from '../core/times.ts';
import { amountKept } from '../domain/refund/airline-stated-refund.ts';
import { isOpen, locatorOf, type Operation } from '../journal/operation.ts';
import { type MovedMoney, movedMoney } from '../journal/outcome.ts';
import {
  amountNumber,
  atDesk,
  atStation,
  CHANNELS,
  dayAtDesk,
  dayAtStation,
  inCurrency,
  type ViewContext,
} from './cells.ts';
import type { KeptQuestion, LedgerOperation, OperationField } from './ports.ts';
import { MOST_REASON } from './reason.ts';
import type { Cell } from './sql-tables.ts';

/** The column `outcome` of an operation. */
export const OUTCOMES: Readonly<Record<Operation['state'], string>> = {
  intent: 'waiting',
  dispatched: 'sent',
  in_doubt: 'in_doubt',
  succeeded: 'done',
  refused: 'refused',
  not_executed: 'not_done',
  needs_person: 'needs_person',
  resolved: 'closed_by_person',
};

/** What belongs to an operation. */
export interface OperationBeside {
  /** The question that it was asked with. */
  readonly question?: KeptQuestion | undefined;
  /** The payment of the trip that it refunds or changes. */
  readonly sale?: LedgerOperation | undefined;
}

/** An operation with what several of its cells need. */
class OperationFacts {
  readonly operation: LedgerOperation;
  readonly question: KeptQuestion | undefined;
  readonly sale: LedgerOperation | undefined;
  readonly ctx: ViewContext;
  #moved: MovedMoney | undefined;

  constructor(operation: LedgerOperation, { question, sale }: OperationBeside, ctx: ViewContext) {
    this.operation = operation;
    this.question = question;
    this.sale = sale;
    this.ctx = ctx;
  }

  get facts(): NonNullable<Operation['facts']> {
    return this.operation.facts ?? {};
  }

  get moved(): MovedMoney {
    this.#moved ??= movedMoney(this.operation);
    return this.#moved;
  }

  get kept(): Money | undefined {
    const { state, outcome } = this.operation;
    return state === 'succeeded' && outcome?.refund ? amountKept(outcome.refund) : undefined;
  }

  get currency(): string | undefined {
    const { paid, refunded } = this.moved;
    return (paid ?? refunded ?? this.kept ?? this.operation.amount)?.currency;
  }

  inCurrency(money: Money | undefined): Money | undefined {
    return inCurrency(this.currency, money);
  }

  get keptVat(): Money | undefined {
    return this.kept && this.operation.outcome?.refund?.vat;
  }
}

type OperationCell = (row: OperationFacts) => Cell | undefined;

/** The column of an amount, in the currency of the row. */
function amountCell(money: (row: OperationFacts) => Money | undefined): OperationCell {
  return (row) => amountNumber(row.inCurrency(money(row)));
}

/** Each column, and how it is worked out. */
const CELLS = new Map(
  Object.entries<OperationCell>({
    id: ({ operation }) => operation.id,
    act: ({ operation: { direction, tool }, ctx }) =>
      direction === 'refund' ? 'refund' : ctx.acts.named(tool)?.countedAs,
    tool: ({ operation }) => operation.tool,
    locator: ({ operation }) => locatorOf(operation),
    route: ({ sale, facts }) => sale?.facts?.route ?? facts.route,
    train: ({ facts }) => facts.trains?.join(', '),
    departs_at: ({ facts }) => atStation(facts.departs),
    departs_on: ({ facts }) => dayAtStation(facts.departs),
    class: ({ facts }) => facts.classes?.join(', '),
    fare: ({ facts }) => facts.fares?.join(', '),
    passengers({ facts: { adults, children, infants } }) {
      const headCounts = [adults, children, infants].filter((number) => number !== undefined);
      return headCounts.length === 0 ? undefined : headCounts.reduce((sum, number) => sum + number, 0);
    },
    adults: ({ facts }) => facts.adults,
    children: ({ facts }) => facts.children,
    infants: ({ facts }) => facts.infants,
    unnamed: ({ facts }) => facts.unnamed,
    asked_by: ({ operation }) => operation.caller,
    at: ({ operation, ctx }) => atDesk(operation.createdAt, ctx),
    on_day: ({ operation, ctx }) => dayAtDesk(operation.createdAt, ctx),
    outcome: ({ operation }) => OUTCOMES[operation.state],
    paid: amountCell(({ moved }) => moved.paid),
    refunded: amountCell(({ moved }) => moved.refunded),
    kept: amountCell(({ kept }) => kept),
    kept_vat: amountCell(({ keptVat }) => keptVat),
    currency: ({ currency }) => currency,
    tickets({ operation: { outcome } }) {
      const tickets = [...new Set(outcome?.tickets?.map(({ number }) => cleanCode(number)))];
      return tickets.length === 0 ? undefined : tickets.join(', ');
    },
    approved_amount: amountCell(({ operation }) => operation.amount),
    payment_type: ({ facts }) => facts.paymentType,
    approved_by: ({ operation: { assurance, approvedBy, caller } }) =>
      assurance === 'none' ? undefined : (approvedBy ?? caller),
    channel: ({ operation }) => CHANNELS[operation.assurance],
    asked_at: ({ question, ctx }) => atDesk(question?.askedAt, ctx),
    answered_at: ({ question, ctx }) => atDesk(question?.decidedAt, ctx),
    settled_by: ({ operation }) => settledBy(operation),
    open_minutes: ({ operation: { state, createdAt }, ctx }) =>
      isOpen(state) ? Math.floor((ctx.now - createdAt) / MINUTE_MS) : undefined,
    error: ({ operation }) => operation.outcome?.error?.code,
    reason: ({ operation: { reason } }) => reason && plainText(reason, MOST_REASON),
  }),
);

const MOVED: readonly OperationField[] = ['state', 'direction', 'amount', 'outcome', 'subject'];

/** The fields of an operation that each column needs. A column that is not here needs its facts alone. */
const FIELDS: Readonly<Record<string, readonly OperationField[]>> = {
  id: ['id'],
  act: ['direction', 'tool'],
  tool: ['tool'],
  locator: ['outcome', 'locator'],
  asked_by: ['caller'],
  at: ['createdAt'],
  on_day: ['createdAt'],
  outcome: ['state'],
  route: ['facts', 'direction', 'locator', 'outcome'],
  currency: MOVED,
  paid: MOVED,
  refunded: MOVED,
  kept: MOVED,
  kept_vat: MOVED,
  tickets: ['outcome'],
  approved_amount: MOVED,
  approved_by: ['assurance', 'approvedBy', 'caller'],
  channel: ['assurance'],
  asked_at: ['id'],
  answered_at: ['id'],
  settled_by: ['state', 'outcome', 'lastReadAt'],
  open_minutes: ['state', 'createdAt'],
  error: ['outcome'],
  reason: ['reason'],
};

/** The fields of an operation that these columns need. */
export function operationFields(columns: readonly string[]): readonly OperationField[] {
  return columns.flatMap((column) => own(FIELDS, column) ?? ['facts']);
}

/** The cells of an operation by their columns. */
export function operationCells(
  operation: LedgerOperation,
  beside: OperationBeside,
  ctx: ViewContext,
): (name: string) => Cell | undefined {
  const row = new OperationFacts(operation, beside, ctx);
  return (name) => CELLS.get(name)?.(row);
}

/** What settled an operation: `reply`, `reading` or `person`. Undefined while it is open, or if nothing was sent. */
function settledBy({ state, outcome, lastReadAt }: LedgerOperation): string | undefined {
  if (outcome?.resolved !== undefined) return 'person';
  if (state === 'refused') return outcome?.basis === 'read' ? 'reading' : 'reply';
  // Without a reading, nothing was sent.
  if (state === 'not_executed') return lastReadAt === undefined ? undefined : 'reading';
  return outcome?.basis === 'read' ? 'reading' : outcome?.basis;
}
