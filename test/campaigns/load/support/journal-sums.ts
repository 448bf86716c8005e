/**
 * The figures of a report by SQL that was written apart from the program's: one statement for each figure, over the whole
 * span at once, by the names of tools instead of subjects. It knows the acts that were invented, and no others.
 */
import type { ActivityKey } from '../../../../src/journal/activity.ts';
import { READER } from './invented-acts.ts';

export interface Asking {
  readonly sqlite: boolean;
  readonly schema: string;
  all(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export interface Span {
  /** Milliseconds since 1970; `to` is not in it. */
  readonly from: number;
  readonly to: number;
}

/** `key|currency` → `operations paid refunded not stated`. */
export type Sums = Readonly<Record<string, string>>;

const DIGITS: Readonly<Record<string, number>> = { SAR: 2, EUR: 2, JPY: 0, KWD: 3 };

export const shownSum = (operations: number, paid: string, refunded: string, unstated: number) =>
  `${operations} ${paid} ${refunded} ${unstated}`;

export async function sumsBySql(asking: Asking, key: ActivityKey, span: Span): Promise<{ rows: Sums; totals: Sums }> {
  return { rows: await sumsOf(asking, keyIn(asking, key), span), totals: await sumsOf(asking, "''", span) };
}

function keyIn({ sqlite }: Asking, key: ActivityKey): string {
  const route = sqlite ? "json_extract(b.body, '$.route')" : "b.body::json->>'route'";
  const keys: Record<ActivityKey, string> = {
    day: sqlite
      ? "date(o.created_at / 1000, 'unixepoch')"
      : "to_char(to_timestamp(o.created_at / 1000) at time zone 'UTC', 'YYYY-MM-DD')",
    route: `coalesce(${route}, 'unknown')`,
    tool: 'o.tool',
    status: 'o.state',
    caller: 'o.caller',
  };
  return keys[key];
}

function ledgerOf({ sqlite, schema }: Asking): string {
  const made = sqlite ? "json_extract(o.outcome, '$.locator')" : "o.outcome::json->>'locator'";
  return `left join ${schema}booking b on b.tenant = '${READER.tenant}' and b.caller = '${READER.id}'
    and b.locator = case o.tool when 'create_booking' then ${made} else o.locator end`;
}

async function sumsOf(asking: Asking, key: string, { from, to }: Span): Promise<Sums> {
  const { sqlite, schema } = asking;
  const field = (part: string, name: string) =>
    sqlite ? `json_extract(o.outcome, '$.${part}.amount.${name}')` : `o.outcome::json->'${part}'->'amount'->>'${name}'`;
  const minor = (part: string) => `cast(${field(part, 'minor')} as bigint)`;
  const ask = async (currency: string, figure: string, where: string) => {
    const rows =
      await asking.all(`select ${key} as k, ${currency} as c, ${figure} as figure, max(o.created_at) as newest
      from ${schema}operation o ${key.includes('b.body') ? ledgerOf(asking) : ''} where o.tenant = '${READER.tenant}' and o.created_at between ${from} and ${to - 1}
      and ${where} group by 1, 2`);
    return rows.map((row) => ({
      ...{ key: String(row.k), figure: Number(row.figure), newest: Number(row.newest) },
      currency: row.c === null ? undefined : String(row.c),
    }));
  };
  const done = "o.state = 'succeeded'";
  const counted = await ask('o.currency', 'count(*)', 'true');
  const paid = [
    ...(await ask('o.currency', 'sum(o.amount_minor)', `${done} and o.tool = 'pay_booking'`)),
    ...(await ask(field('charge', 'currency'), `sum(${minor('charge')})`, `${done} and o.tool = 'rebook_segment'`)),
  ];
  const back = `${done} and o.tool in ('rebook_segment', 'cancel_segment')`;
  const refunded = await ask(field('refund', 'currency'), `sum(${minor('refund')})`, back);
  const unstated = await ask(
    'o.currency',
    'count(*)',
    `${done} and o.tool = 'cancel_segment' and ${field('refund', 'minor')} is null`,
  );

  const sums: Record<string, string> = {};
  for (const [name, own] of Map.groupBy(counted, (row) => row.key)) {
    const named = own.flatMap(({ currency, newest }) => (currency === undefined ? [] : { currency, newest }));
    const main = named.sort((a, b) => b.newest - a.newest)[0]?.currency ?? 'SAR';
    const found = (rows: typeof counted, currency: string) =>
      rows.filter((row) => row.key === name && row.currency === currency).reduce((sum, row) => sum + row.figure, 0);
    const all = [...counted, ...paid, ...refunded].filter((row) => row.key === name).map((row) => row.currency ?? main);
    for (const currency of new Set(all)) {
      const bare = own.filter((row) => row.currency === undefined).reduce((sum, row) => sum + row.figure, 0);
      const operations = found(counted, currency) + (currency === main ? bare : 0);
      const money = (figure: number) => (figure / 10 ** (DIGITS[currency] ?? 2)).toFixed(DIGITS[currency]);
      sums[`${name}|${currency}`] = shownSum(
        operations,
        money(found(paid, currency)),
        money(found(refunded, currency)),
        found(unstated, currency),
      );
    }
  }
  return sums;
}

/** Ids of the newest operations that are not settled, and how many there are. */
export async function openBySql({ schema, all }: Asking, { from, to }: Span) {
  const where = `tenant = '${READER.tenant}' and created_at between ${from} and ${to - 1}
    and state not in ('succeeded', 'refused', 'not_executed')`;
  const [total] = await all(`select count(*) as n from ${schema}operation where ${where}`);
  const newest = await all(`select id from ${schema}operation where ${where} order by created_at desc limit 100`);
  return { total: Number(total?.n), newest: newest.map(({ id }) => String(id)) };
}
