/**
 * The sum that a caller moved in a day, and the limit on it, as each database checks it in the transaction that enters an
 * operation. approvals/money-limits.ts checks the same sum before anybody is asked.
 */
import type { Operation } from '../../journal/operation.ts';
import type { DayLimit, InsertResult } from '../../journal/ports.ts';
import type { Row, SqlDialect, Value } from '../database.ts';

type JournalSql = Pick<SqlDialect, 'prefix' | 'text'>;

/** SQL of whose operations are summed up. As bound parameters they come in this order in {@link spentSql}. */
interface SpentSql {
  readonly tenant: string;
  readonly caller: string;
  readonly currency: string;
  readonly since: string;
  /** The operation that is not counted. */
  readonly exceptId: string;
}

/** Each value is a bound parameter. */
export const SPENT_MARKS: SpentSql = { tenant: '?', caller: '?', currency: '?', since: '?', exceptId: '?' };

/** The variables of `enter_operation` that tell whose operations are summed up. */
const ENTERED: SpentSql = {
  tenant: 'o.tenant',
  caller: 'o.caller',
  currency: 'limit_currency',
  since: 'since',
  exceptId: 'o.id',
};

/**
 * SQL: the sum of a caller's day. Of each operation it counts the greater of what was approved, and of what the airline
 * charged less its refund. A refusal that only one reading confirmed counts too: the airline may have taken the money.
 */
export function spentSql({ prefix: s, text }: JournalSql, values: SpentSql): string {
  const { tenant, caller, currency, since, exceptId } = values;
  const stated = (part: 'charge' | 'refund') =>
    `case when ${text('outcome', [part, 'amount', 'currency'])} = currency then cast(${text('outcome', [part, 'amount', 'minor'])} as bigint) end`;

  return `select coalesce(sum(case when charged > approved then charged else approved end), 0) as minor from (
      select amount_minor as approved, ${stated('charge')} - coalesce(${stated('refund')}, 0) as charged
      from ${s}operation where tenant = ${tenant} and caller = ${caller} and currency = ${currency}
      and created_at >= ${since} and id <> ${exceptId} and (state not in ('not_executed', 'refused')
        or ${text('outcome', ['provisional'])} is not null)
    ) moved`;
}

/**
 * On SQLite: the result if an operation that was just inserted exceeds its caller's limit of a day, else undefined. The
 * transaction also inserted it, so that two calls at once cannot both pass.
 */
export function overDayLimit(
  db: { readonly dialect: JournalSql; get(sql: string, ...values: Value[]): Row | undefined },
  { id, tenant, caller, amount }: Operation,
  limit: DayLimit,
): InsertResult | undefined {
  if (amount === undefined || amount.minor === 0) return undefined;
  const { currency } = limit.perDay;
  const sql = spentSql(db.dialect, SPENT_MARKS);
  const minor = Number(db.get(sql, tenant, caller, currency, limit.since, id)?.minor);
  const isOver = amount.currency !== currency || minor + amount.minor > limit.perDay.minor;
  return isOver ? { kind: 'over_limit', spent: { minor, currency } } : undefined;
}

/**
 * On PostgreSQL: PL/pgSQL for the same check, inside `enter_operation` (postgres/functions.ts). That function declares
 * `o`, the operation just inserted, `spent`, and the limit: `per_day`, `limit_currency` and `since`. An operation that
 * exceeds the limit is deleted again.
 */
export function checkDayLimit(sql: JournalSql): string {
  return `if per_day is not null and coalesce(o.amount_minor, 0) <> 0 then
    ${spentSql(sql, ENTERED)} into spent;
    if o.currency is distinct from limit_currency or spent + o.amount_minor > per_day then
      delete from ${sql.prefix}operation where id = o.id;
      return json_build_object('kind', 'over_limit', 'spent', spent);
    end if;
  end if;`;
}
