/** The view `operation`. */
import { cleanCode, plainText } from '../core/clean-text.ts';
import type { Money } from '../core/money.ts';
import { own } from '../core/own.ts';
import { MINUTE_MS } from '../core/times.ts';
import { paymentTypeOf } from '../domain/booking/status-codes.ts';
import { amountKept } from '../domain/refund/airline-stated-refund.ts';
import { isOpen, locatorOf, type Operation } from '../journal/operation.ts';
import { chargedTypes, type MovedMoney, movedMoney } from '../journal/outcome.ts';
import { amountNumber, atDesk, atStation, dayAtDesk, inCurrency } from './cells.ts';
import { legsOf } from './operation-legs.ts';
import type { LedgerOperation, OperationField } from './ports.ts';
import { MOST_REASON } from './reason.ts';
import { type CellOf, view } from './view.ts';

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
  #moved: MovedMoney | undefined;

  constructor(operation: LedgerOperation, sale: LedgerOperation | undefined) {
    this.operation = operation;
    this.sale = sale;
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

  get tickets(): readonly string[] {
    return [...new Set(this.operation.outcome?.tickets?.map(({ number }) => cleanCode(number)))];
  }

  /** The payment types that the receipt states, each once. */
  get charged(): readonly string[] {
    return chargedTypes(this.operation.outcome).map((code) => paymentTypeOf(code) ?? cleanCode(code));
  }

  get keptVat(): Money | undefined {
    return this.kept && this.operation.outcome?.refund?.vat;
  }
}

/** The cell of an amount, in the currency of the row. */
function amountCell(money: (row: OperationFacts) => Money | undefined): CellOf<OperationFacts> {
  return (row) => amountNumber(inCurrency(row.currency, money(row)));
}

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
  charged_as: ['outcome'],
  approved_by: ['assurance', 'approvedBy', 'caller'],
  open_minutes: ['state', 'createdAt'],
  error: ['outcome'],
  reason: ['reason'],
};

export const operationView = view<OperationFacts>({
  name: 'operation',
  row: 'one act at the airline, with the facts of that time',
  columns: {
    id: ({ operation }) => operation.id,

    'act -- hold, payment, refund, exchange, release (of a hold), change': (
      { operation: { direction, tool } },
      { acts },
    ) => (direction === 'refund' ? 'refund' : acts.named(tool)?.countedAs),

    tool: ({ operation }) => operation.tool,
    locator: ({ operation }) => locatorOf(operation),
    'route -- as sold: of a refund or change too': ({ sale, facts }) => sale?.facts?.route ?? facts.route,
    'train -- several with commas; one a row: operation_leg': ({ facts }) => facts.trains?.join(', '),
    'legs:integer -- how many': ({ facts }) => legsOf(facts).length || undefined,
    departs_at: ({ facts }) => atStation(facts.departs),
    class: ({ facts }) => facts.classes?.join(', '),

    'passengers:integer': ({ facts: { adults, children, infants } }) => {
      const headCounts = [adults, children, infants].filter((number) => number !== undefined);
      return headCounts.length === 0 ? undefined : headCounts.reduce((sum, number) => sum + number, 0);
    },

    'children:integer': ({ facts }) => facts.children,
    'infants:integer': ({ facts }) => facts.infants,
    'asked_by -- caller': ({ operation }) => operation.caller,
    'at -- when it was entered': ({ operation }, ctx) => atDesk(operation.createdAt, ctx),
    on_day: ({ operation }, ctx) => dayAtDesk(operation.createdAt, ctx),
    'outcome -- done, refused, not_done, in_doubt, needs_person, closed_by_person, sent, waiting': ({ operation }) =>
      OUTCOMES[operation.state],
    'paid:amount -- to the airline, also by an exchange; null unless done and stated': amountCell(
      ({ moved }) => moved.paid,
    ),
    'refunded:amount -- also by an exchange, which can do both': amountCell(({ moved }) => moved.refunded),
    'kept:amount -- with VAT': amountCell(({ kept }) => kept),
    'kept_vat:amount -- the VAT in it': amountCell(({ keptVat }) => keptVat),
    'currency -- of the amounts; one in another is null': ({ currency }) => currency,
    'tickets -- numbers': ({ tickets }) => tickets.join(', ') || undefined,
    'tickets_count:integer': ({ tickets }) => tickets.length || undefined,
    'approved_at_most:amount -- no money that moved': amountCell(({ operation }) => operation.amount),
    'payment_type -- cash, credit_card, invoice …; of a refund or change: as it was paid': ({ sale, facts }) =>
      facts.paymentType ?? sale?.facts?.paymentType,
    'charged_as -- payment_type that the receipt states; null: none': ({ charged }) => charged.join(', ') || undefined,
    'approved_by -- signed-in approver, or the caller': ({ operation: { assurance, approvedBy, caller } }) =>
      assurance === 'none' ? undefined : (approvedBy ?? caller),
    'open_minutes:integer -- while it is not settled': ({ operation: { state, createdAt } }, { now }) =>
      isOpen(state) ? Math.floor((now - createdAt) / MINUTE_MS) : undefined,
    'error -- code of a refusal': ({ operation }) => operation.outcome?.error?.code,
    'reason -- of the customer, for cancelling': ({ operation: { reason } }) =>
      reason && plainText(reason, MOST_REASON),
  },
  each: ['operations'],
  beside: { sales: ['route', 'payment_type'] },
  fields: (columns) => columns.flatMap((column) => own(FIELDS, column) ?? ['facts']),
  indexes: ['locator', 'on_day', 'id'],
  rows({ operations, sales }) {
    const sold = Map.groupBy(sales, locatorOf);
    return operations.map((operation) => {
      const ofBooking = sales.length === 0 ? undefined : sold.get(locatorOf(operation));
      // A locator may have been another booking's before.
      const sale = ofBooking?.findLast(({ createdAt }) => createdAt < operation.createdAt);
      return new OperationFacts(operation, sale);
    });
  },
});
