/** The row of the view `operation`: each cell is worked out where a statement reads it, because a year has a million of them. */
import { cleanCode, plainText } from '../core/clean-text.ts';
import type { Money } from '../core/money.ts';
import { own } from '../core/own.ts';
import { MINUTE_MS } from '../core/times.ts';
import { amountKept } from '../domain/refund/airline-stated-refund.ts';
import { isOpen, locatorOf, type Operation } from '../journal/operation.ts';
import { type MovedMoney, movedMoney } from '../journal/outcome.ts';
import { amountNumber, atDesk, atStation, dayAtDesk, inCurrency, type ViewContext } from './cells.ts';
import { legsOf } from './operation-legs.ts';
import type { LedgerOperation, OperationField } from './ports.ts';
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

/** An operation with what several of its cells need. */
class OperationFacts {
  readonly operation: LedgerOperation;
  /** The payment of the trip that it refunds or changes. */
  readonly sale: LedgerOperation | undefined;
  readonly ctx: ViewContext;
  #moved: MovedMoney | undefined;

  constructor(operation: LedgerOperation, sale: LedgerOperation | undefined, ctx: ViewContext) {
    this.operation = operation;
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

  get tickets(): readonly string[] {
    return [...new Set(this.operation.outcome?.tickets?.map(({ number }) => cleanCode(number)))];
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
    legs: ({ facts }) => legsOf(facts).length || undefined,
    departs_at: ({ facts }) => atStation(facts.departs),
    class: ({ facts }) => facts.classes?.join(', '),
    passengers({ facts: { adults, children, infants } }) {
      const headCounts = [adults, children, infants].filter((number) => number !== undefined);
      return headCounts.length === 0 ? undefined : headCounts.reduce((sum, number) => sum + number, 0);
    },
    asked_by: ({ operation }) => operation.caller,
    at: ({ operation, ctx }) => atDesk(operation.createdAt, ctx),
    on_day: ({ operation, ctx }) => dayAtDesk(operation.createdAt, ctx),
    outcome: ({ operation }) => OUTCOMES[operation.state],
    paid: amountCell(({ moved }) => moved.paid),
    refunded: amountCell(({ moved }) => moved.refunded),
    kept: amountCell(({ kept }) => kept),
    kept_vat: amountCell(({ keptVat }) => keptVat),
    currency: ({ currency }) => currency,
    tickets: ({ tickets }) => tickets.join(', ') || undefined,
    tickets_count: ({ tickets }) => tickets.length || undefined,
    approved_at_most: amountCell(({ operation }) => operation.amount),
    payment_type: ({ sale, facts }) => facts.paymentType ?? sale?.facts?.paymentType,
    approved_by: ({ operation: { assurance, approvedBy, caller } }) =>
      assurance === 'none' ? undefined : (approvedBy ?? caller),
    open_minutes: ({ operation: { state, createdAt }, ctx }) =>
      isOpen(state) ? Math.floor((ctx.now - createdAt) / MINUTE_MS) : undefined,
    error: ({ operation }) => operation.outcome?.error?.code,
    reason: ({ operation: { reason } }) => reason && plainText(reason, MOST_REASON),
  }),
);

const MOVED: readonly OperationField[] = ['state', 'direction', 'amount', 'outcome', 'subject'];

/** What finds the payment of the trip, and is looked up in it. */
const SALE: readonly OperationField[] = ['facts', 'direction', 'locator', 'outcome'];

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
  route: SALE,
  currency: MOVED,
  paid: MOVED,
  refunded: MOVED,
  kept: MOVED,
  kept_vat: MOVED,
  tickets: ['outcome'],
  tickets_count: ['outcome'],
  approved_at_most: MOVED,
  payment_type: SALE,
  approved_by: ['assurance', 'approvedBy', 'caller'],
  open_minutes: ['state', 'createdAt'],
  error: ['outcome'],
  reason: ['reason'],
};

/** The fields of an operation that these columns need. */
export function operationFields(columns: readonly string[]): readonly OperationField[] {
  return columns.flatMap((column) => own(FIELDS, column) ?? ['facts']);
}

/** The cells of an operation by their columns. @param sale the payment of the trip that it refunds or changes */
export function operationCells(
  operation: LedgerOperation,
  sale: LedgerOperation | undefined,
  ctx: ViewContext,
): (name: string) => Cell | undefined {
  const row = new OperationFacts(operation, sale, ctx);
  return (name) => CELLS.get(name)?.(row);
}
