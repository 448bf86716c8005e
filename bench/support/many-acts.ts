/**
 * A journal of any size within seconds: rows written by SQL, in the tables as they are. Bookings are held and then paid, by five
 * callers of one desk; a few are refunded, in doubt, or with a person. Events have hashes that only look like some: such a journal is
 * measured, never verified.
 */
/** One of five clerks of the desk. */
export const CLERK = { tenant: 'desk', id: 'c1' };
const DAY_MS = 86_400_000;
const DAYS = 365;
export const END = Date.parse('2026-11-20T00:00:00Z');
export const START = END - DAYS * DAY_MS;

/** How a database writes what these rows need. */
export interface Words {
  /** Precedes a table. */
  readonly s: string;
  /** Rows with the column `i`, from 0. */
  readonly numbers: (count: number) => string;
  readonly hex: (n: string, digits: number) => string;
  /** Columns that only this database has, and their values. */
  readonly more: Readonly<Record<string, string>>;
}

export const SQLITE: Words = {
  s: '',
  numbers: (count) =>
    `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n)`,
  hex: (n, digits) => `printf('%0${digits}x', ${n})`,
  more: {},
};

export const postgresWords = (schema: string): Words => ({
  s: `${schema}.`,
  numbers: (count) => `generate_series(0::bigint, ${count - 1}) as n(i)`,
  hex: (n, digits) => `lpad(to_hex((${n})::bigint), ${digits}, '0')`,
  more: { events: '3', place: 'i + 1' },
});

/** Every fifth booking of the last weeks is still in the ledger. */
const LISTED = 5;

/** SQL that fills an empty state with so many operations. */
export function manyActs({ s, numbers, hex, more }: Words, count: number): readonly string[] {
  const id = (n: string) => `${hex(`(${n}) * 2654435761 % 4294967296`, 8)} || '-0000-4000-8000-000000000000'`;
  const locator = (n: string) => `'B' || ${hex(n, 6)}`;
  const at = `${START} + i * ${DAYS * DAY_MS} / ${count}`;
  const booking = '(i / 2)';
  const caller = (n: string) => `'c' || (${n} % 5)`;
  const isHold = 'i % 2 = 0';
  const isRefund = 'i % 20 = 19';
  const state = `case when i >= ${count} - 20 and i % 10 = 3 then 'in_doubt' when i >= ${count} - 2000 and i % 100 = 5 then 'needs_person'
    when i % 101 = 7 then 'refused' else 'succeeded' end`;
  const trip = `"segments":[{"from":"MKX","to":"DMX","departs":"2026-12-09T15:40:00+03:00","number":"101","class":"Y"}]`;
  const columns: Readonly<Record<string, string>> = {
    id: id('i'),
    tenant: "'desk'",
    caller: caller(booking),
    tool: `case when ${isHold} then 'create_booking' when ${isRefund} then 'cancel_booking' else 'pay_booking' end`,
    locator: locator(booking),
    fingerprint: `case when ${isHold} then ${hex(booking, 64)} end`,
    state,
    outcome: `case when ${isHold} then '{"basis":"reply","locator":"' || ${locator(booking)} || '"}'
      when ${isRefund} then '{"basis":"reply","refund":{"amount":{"minor":10000,"currency":"SAR"},"orderStatus":"PAID"}}'
      else '{"basis":"reply","tickets":[{"number":"1234567890123","total":"172.50","paymentType":"INVOICE"}]}' end`,
    assurance: "'page'",
    args_digest: hex('i', 64),
    terms_digest: hex('i + 1', 64),
    subject: `case when ${isHold} then '{"kind":"create",${trip}}' else '{"kind":"pay","amount":{"minor":17250,"currency":"SAR"},"coupons":2}' end`,
    facts: `'{"route":"' || case ${booking} % 3 when 0 then 'MKX-DMX' when 1 then 'DMX-MKX' else 'MKX-JDX' end || '","trains":["HHR101"],"departs":"2026-12-09T15:40:00+03:00","classes":["Y"],"adults":2,"children":0,"infants":0}'`,
    amount_minor: `case when ${isHold} then null else 17250 end`,
    currency: `case when ${isHold} then null else 'SAR' end`,
    direction: `case when ${isHold} then null when ${isRefund} then 'refund' else 'payment' end`,
    created_at: at,
    updated_at: at,
    dispatched_at: at,
    owner: "'desk:1'",
    lease_until: at,
    negatives: '0',
    ...more,
  };
  const listed = count / 2 / LISTED;
  const nth = `(${count / 2 - listed} + i)`;
  const seenAt = `${START} + ${nth} * 2 * ${DAYS * DAY_MS} / ${count}`;
  const entry = `'{"locator":"' || ${locator(nth)} || '","madeHere":true,"seenAt":' || (${seenAt}) || ',"state":"ticketed","contactName":"Amal Haddad",
    "travelers":["Haddad A","Haddad O"],"route":"MKX-DMX","departs":"2026-12-09T15:40:00+03:00","total":"172.50","currency":"SAR"}'`;
  const rows: Readonly<Record<string, string>> = {
    tenant: "'desk'",
    caller: caller(nth),
    locator: locator(nth),
    made_here: '1',
    seen_at: seenAt,
    state: `case when i % 10 = 0 then 'expired' when i % 50 = 1 then 'held' else 'ticketed' end`,
    deadline_at: `${END} + (i % 200 - 100) * 6000000`,
    over_at: String(END + 20 * DAY_MS),
    search: `lower(${locator(nth)}) || '\nhaddad\nmkx-dmx'`,
    people: "'haddad a\nhaddad o'",
    body: entry,
  };
  const fill = (table: string, columns: Readonly<Record<string, string>>, many: number) =>
    `insert into ${s}${table}(${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')} from ${numbers(many)}`;
  const events = {
    n: 'i + 1',
    operation_id: id('i / 3'),
    seq: 'i % 3 + 1',
    at: `${START} + i / 3 * ${DAYS * DAY_MS} / ${count}`,
    from_state: "case i % 3 when 0 then '' when 1 then 'intent' else 'dispatched' end",
    to_state: `case i % 3 when 0 then 'intent' when 1 then 'dispatched' else 'succeeded' end`,
    actor: "'desk:1'",
    content: hex('i', 64),
    hash: hex('i + 1', 64),
  };
  return [
    fill('operation', columns, count),
    fill('event', events, count * 3),
    `update ${s}chain set n = ${count * 3}, hash = ${hex(String(count * 3), 64)}`,
    fill('booking', rows, listed),
  ];
}
