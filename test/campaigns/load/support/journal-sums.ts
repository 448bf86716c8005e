/**
 * The figures of a report by SQL that was written apart from the program's: one statement for each figure, over the whole
 * span at once, by the names of tools instead of subjects. It knows the acts that were invented, and no others.
 */
import { READER } from './invented-acts.ts';

export const KEYS = ['day', 'route', 'tool', 'status', 'caller'] as const;
export type Key = (typeof KEYS)[number];
export const MEASURES = [
  ...['operations', 'sold', 'paid', 'refunded', 'penalties', 'holds_made', 'holds_lapsed', 'in_doubt', 'changes'],
  ...['findings', 'findings_open'],
];

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

/** `key|measure` → how many; `key|measure|currency` → the sum; `key|measure|not stated` → how many. */
export type Sums = Readonly<Record<string, string>>;

const DIGITS: Readonly<Record<string, number>> = { SAR: 2, EUR: 2, JPY: 0, KWD: 3 };

export async function sumsBySql(asking: Asking, key: Key, span: Span): Promise<Sums> {
  const rows = await sumsOf(asking, keyIn(asking, key), span);
  const totals = Object.entries(await sumsOf(asking, "''", span)).map(([name, sum]) => [`total${name}`, sum]);
  return { ...rows, ...Object.fromEntries(totals), 'rows left out': '0' };
}

function keyIn({ sqlite }: Asking, key: Key): string {
  if (key === 'status') return 'o.state';
  if (key === 'route')
    return `coalesce(${sqlite ? "json_extract(b.body, '$.route')" : "b.body::json->>'route'"}, 'unknown')`;
  if (key !== 'day') return `o.${key}`;
  return sqlite
    ? "date(o.created_at / 1000, 'unixepoch')"
    : "to_char(to_timestamp(o.created_at / 1000) at time zone 'UTC', 'YYYY-MM-DD')";
}

function ledgerOf({ sqlite, schema }: Asking): string {
  const made = sqlite ? "json_extract(o.outcome, '$.locator')" : "o.outcome::json->>'locator'";
  return `left join ${schema}booking b on b.tenant = '${READER.tenant}' and b.caller = '${READER.id}'
    and b.locator = case o.tool when 'create_booking' then ${made} else o.locator end`;
}

async function sumsOf(asking: Asking, key: string, { from, to }: Span): Promise<Sums> {
  const { sqlite, schema } = asking;
  const field = (part: string, name: string) =>
    sqlite
      ? `json_extract(o.outcome, '$.${part}.${name}')`
      : `o.outcome::json->'${part.replace('.', "'->'")}'->>'${name}'`;
  const minor = (part: string) => `cast(${field(part, 'minor')} as bigint)`;
  const currencyOf = (part: string) => field(part, 'currency');
  const sums: Record<string, string> = {};
  const minors = new Map<string, [minor: number, currency: string]>();
  const ask = (currency: string, figure: string, where: string) =>
    asking.all(`select ${key} as k, ${currency} as c, ${figure} as figure
      from ${schema}operation o ${key.includes('b.body') ? ledgerOf(asking) : ''} where o.tenant = '${READER.tenant}' and o.created_at between ${from} and ${to - 1}
      and ${where} group by 1, 2`);
  const count = async (name: string, where: string) => {
    for (const row of await ask("''", 'count(*)', where)) sums[`${row.k}|${name}`] = String(row.figure);
  };
  const sum = async (name: string, currency: string, figure: string, where: string) => {
    for (const { k, c, figure: added } of await ask(
      currency,
      `sum(${figure})`,
      `${where} and ${currency} is not null`,
    )) {
      const at = `${k}|${name}|${c}`;
      minors.set(at, [(minors.get(at)?.[0] ?? 0) + Number(added), String(c)]);
    }
  };
  const tool = (...names: string[]) =>
    `o.state = 'succeeded' and o.tool in (${names.map((each) => `'${each}'`).join()})`;
  const [charge, refund, penalty] = ['charge.amount', 'refund.amount', 'refund.penalty'];
  const [pays, rebooks] = [tool('pay_booking'), tool('rebook_segment')];
  await count('operations', 'true');
  await count('sold', pays);
  await sum('sold', 'o.currency', 'o.amount_minor', pays);
  await sum('paid', 'o.currency', 'o.amount_minor', pays);
  await sum('paid', currencyOf(charge), minor(charge), rebooks);
  const silent = `${rebooks} and ${minor(charge)} is null and ${minor(refund)} is null`;
  await count('paid|not stated', silent);
  await count('paid', `(${pays} or ${rebooks} and ${minor(charge)} is not null or ${silent})`);
  const refunding = `(${tool('cancel_segment')} or ${rebooks} and ${minor(refund)} is not null)`;
  for (const [name, part] of Object.entries({ refunded: refund, penalties: penalty })) {
    await count(name, refunding);
    await sum(name, currencyOf(part), minor(part), refunding);
    await count(`${name}|not stated`, `${refunding} and ${minor(part)} is null`);
  }
  await count('holds_made', tool('create_booking'));
  await count('in_doubt', "o.state not in ('succeeded', 'refused', 'not_executed')");
  await count('changes', tool('change_names', 'rebook_segment'));
  for (const [at, [added, currency]] of minors)
    sums[at] = (added / 10 ** (DIGITS[currency] ?? 2)).toFixed(DIGITS[currency]);
  return sums;
}

/** Ids of the newest operations that are not settled. */
export async function openBySql({ schema, all }: Asking, { from, to }: Span): Promise<string> {
  const newest = await all(`select id from ${schema}operation where tenant = '${READER.tenant}'
    and created_at between ${from} and ${to - 1} and state not in ('succeeded', 'refused', 'not_executed')
    order by created_at desc limit 100`);
  return newest.map(({ id }) => String(id)).join();
}
