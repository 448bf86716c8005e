/**
 * Attacks on the desk's figures by a SELECT, over HTTP with several callers: rows of others, the engine beneath, and endless work. Each
 * is refused or ended, and the next question is answered.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heldBooking, ticketedBooking } from '../clerk/calls/bookings.ts';
import { openDesk, PAY } from '../clerk/calls/desk.ts';
import { serveSigned, UNLIMITED } from '../http/support/serve.ts';
import type { Called, McpCaller } from '../support/mcp-http.ts';

const ROLE = 'desk-lead';
const desk = await openDesk({ approval: 'echo', sql: true });
const at = await serveSigned({ tenantClaim: 'org', deskRole: ROLE, limits: UNLIMITED }, {}, desk);
const callers: McpCaller[] = [];
afterAll(async () => {
  for (const one of callers) one.close();
  await at.close();
});

async function as(sub: string, claims: object = {}): Promise<McpCaller> {
  const fresh = await at.caller({ sub, org: 'one', ...claims });
  callers.push(fresh);
  return fresh;
}

/** What a process takes to be ended, and what a busy machine adds: the limits themselves are in src/ledger/run-sql.ts. */
const MOST_MS = 15_000;
const HOSTILE = "x'; drop table booking; --";
/** Nearly as far as a period may go. */
const FAR_PAST = { from: new Date(Date.now() - 360 * 86_400_000).toISOString().slice(0, 10) };
const VIEWS = ['booking', 'segment', 'passenger', 'operation', 'question', 'change', 'history'];
const OF_SUPERVISORS = ['failure'];

let [eve, ann, lead, far]: McpCaller[] = [];
/** Locators, surnames and names of callers that the attacker must not see. */
const secrets: string[] = [];
let [evesOwn, annsOwn, farsOwn] = ['', '', ''];

const ask = (by: McpCaller | undefined, sql: string, more: object = {}): Promise<Called> => {
  if (by === undefined) throw new Error('nobody asks');
  return by.call('query_ledger', { sql, ...more });
};
const everything = ({ structured, text }: Called) => JSON.stringify([structured, text]);
const rowsOf = async (by: McpCaller | undefined, sql: string, more?: object) =>
  (await ask(by, sql, more)).structured.rows;

/** A booking that the caller claimed by its surname and paid. */
async function paid(by: McpCaller): Promise<{ readonly locator: string; readonly surname: string }> {
  const locator = await heldBooking(desk);
  const surname = await desk.surnameIn(locator);
  await by.call('read_booking', { locator, surname });
  const asked = await by.call('pay_booking', { locator, ...PAY });
  await by.call('pay_booking', { locator, ...PAY, approval_id: asked.structured.approval.id });
  await by.call('read_booking', { locator });
  return { locator, surname };
}

beforeAll(async () => {
  [eve, ann, far] = [
    await as('eve'),
    await as('ann'),
    await as('far', { org: 'two', realm_access: { roles: [ROLE] } }),
  ];
  lead = await as('lead', { realm_access: { roles: [ROLE] } });
  const [mine, anns, fars] = [await paid(eve), await paid(ann), await paid(far)];
  [evesOwn, annsOwn, farsOwn] = [mine.locator, anns.locator, fars.locator];
  secrets.push(annsOwn, farsOwn, 'oauth:ann', 'oauth:far');
  const forgotten = await ticketedBooking(desk);
  const gone = await desk.surnameIn(forgotten);
  await ann.call('read_booking', { locator: forgotten, surname: gone });
  expect(everything((await ann.call('list_bookings', { locators: [forgotten] })) as Called)).toContain(gone);
  const { forgetting } = desk.parts.state;
  const person = { name: `Amal ${gone}` };
  const traces = await forgetting.find(person);
  expect(traces.locators).toContain(forgotten);
  await forgetting.erase(person, traces, desk.parts.clock.now());
  secrets.push(gone.replace('Haddad ', ''));
  const entry = {
    locator: 'HOSTIL',
    madeHere: true,
    seenAt: desk.parts.clock.now(),
    state: 'held',
    contactName: HOSTILE,
  };
  const named = { ...entry, passengers: [{ type: 'ADT', name: HOSTILE }], route: 'QCA-XMD' };
  await desk.parts.state.ledger.record({ tenant: `${at.issuer.issuer}#one`, id: 'oauth:eve:desk' }, named as never);
});

/** The attacker sees their own, and nobody else's. */
function expectNoSecret(called: Called): void {
  expect(called.ms).toBeLessThan(MOST_MS);
  for (const secret of secrets) expect(everything(called)).not.toContain(secret);
}

async function expectAnswered(): Promise<void> {
  expect(await rowsOf(eve, "select count(*) from operation where act = 'payment'")).toEqual([[1]]);
}

describe('rows of others', () => {
  it.each(VIEWS.map((view) => [view]))('are in no row of %s', async (view) => {
    const called = await ask(eve, `select * from ${view}`, { ...FAR_PAST, max_rows: 500 });
    expect(called.outcome).toBe('ok');
    expectNoSecret(called);
  });

  it.each([
    "select * from booking where 1 = 1 or made_by <> 'eve'",
    "select * from operation where asked_by is not null or asked_by <> ''",
    'select * from operation union all select * from operation',
    'select b.*, o.*, p.* from booking b, operation o, passenger p',
    'select group_concat(what) from history',
    "select * from booking where locator like '%' escape '!' or 1",
    'with a as (select * from operation), b as (select * from a union select * from a) select * from b',
    'select (select group_concat(locator) from booking), (select group_concat(name) from passenger)',
  ])('are not reached by conditions: %s', async (sql) => {
    expectNoSecret(await ask(eve, sql, { max_rows: 500 }));
  });

  it.each([
    { caller: 'oauth:ann:desk' },
    { tenant: 'two' },
    { supervisor: true },
    { isSupervisor: true },
    { user: 'ann' },
  ])('are not reached by an argument: %j', async (more) => {
    const called = await ask(eve, 'select * from operation', more);
    expect(called.outcome).toBe('E_INPUT');
    expectNoSecret(called);
  });

  it.each(OF_SUPERVISORS)('the view %s is not there for a clerk', async (view) => {
    expect((await ask(eve, `select * from ${view}`)).outcome).toBe('E_INPUT');
    expect((await ask(lead, `select * from ${view}`)).outcome).toBe('ok');
  });

  it('a supervisor sees the tenant, and no other one', async () => {
    const locators = (await rowsOf(lead, 'select distinct locator from operation where locator is not null')).flat();
    expect(locators.sort()).toEqual([annsOwn, evesOwn].sort());
    expect((await rowsOf(far, 'select distinct locator from operation')).flat()).toEqual([farsOwn]);
    for (const view of [...VIEWS, ...OF_SUPERVISORS]) {
      const called = await ask(lead, `select * from ${view}`, { ...FAR_PAST, max_rows: 500 });
      expect(everything(called)).not.toContain(farsOwn);
    }
  });

  it('a forgotten person is in no view, whoever asks', async () => {
    const [surname = ''] = secrets.slice(-1);
    for (const by of [ann, lead]) {
      for (const view of [...VIEWS, ...(by === lead ? OF_SUPERVISORS : [])]) {
        const called = await ask(by, `select * from ${view}`, { ...FAR_PAST, max_rows: 500 });
        expect([view, called.outcome]).toEqual([view, 'ok']);
        expect(everything(called)).not.toContain(surname);
      }
    }
  });
});

describe('the engine beneath', () => {
  it.each([
    "attach database '/tmp/fareclerk-attack.db' as x",
    "/**/attach/**/':memory:'/**/as/**/y",
    'detach main',
    'pragma database_list',
    'pragma writable_schema = 1',
    "pragma temp_store_directory = '/tmp'",
    'select * from pragma_database_list',
    "select * from pragma_table_info('booking')",
    "vacuum into '/tmp/fareclerk-attack.db'",
    'vacuum',
    "insert into booking(locator) values ('ABC123')",
    'update operation set amount_minor = 0',
    'delete from booking',
    'drop table booking',
    'alter table booking rename to b',
    'create table mine(a)',
    'create temp table mine as select * from booking',
    'create view mine as select * from booking',
    'create trigger t after insert on booking begin select 1; end',
    'create virtual table t using fts5(a)',
    'with x as (select 1) delete from booking',
    'reindex',
    'analyze',
    'begin immediate',
    'savepoint a',
    'explain select * from booking',
    'explain query plan select * from booking',
    'select 1; select 2',
    'select 1; drop table booking',
    "select load_extension('/tmp/x.so')",
    "select readfile('/etc/passwd')",
    "select writefile('/tmp/fareclerk-attack', 'x')",
    'select randomblob(400000000)',
    'select length(zeroblob(400000000))',
    'select * from sqlite_master',
    'select sql from main.sqlite_schema',
    'select * from "sqlite_master"',
    'select count(*) from sqlite_temp_master',
    'select * from dbstat',
    "select * from json_each('[1]')",
    "select fts3_tokenizer('simple')",
    'select sqlite_compileoption_get(1), sqlite_source_id()',
    'select * from approval',
    'select * from temp.booking, main.fareclerk',
    'select * from outbox',
    '-- nothing but a comment',
    '/* nothing',
    ';',
  ])('is out of reach: %s', async (sql) => {
    const called = await ask(eve, sql);
    expect(called.outcome).toBe('E_INPUT');
    expect(called.structured.error.message).toContain('Nothing was sent.');
    expectNoSecret(called);
    expect(everything(called)).not.toMatch(/\/work|\/tmp\/(?!fareclerk)|node:|at \w+ \(/);
  });

  it('is not reached through a name in a row', async () => {
    const sql = "select contact from booking where locator = 'HOSTIL'";
    const called = await ask(eve, sql);
    expect(called.structured.rows).toEqual([[HOSTILE]]);
    // What the statement does to the mark of such a text does not take it away.
    for (const cell of [
      'contact',
      "replace(replace(contact, '“', ''), '”', '')",
      "trim(contact, '“”')",
      'upper(contact)',
    ]) {
      const { text } = await ask(eve, `select ${cell} from booking where locator = 'HOSTIL'`);
      expect(text).toMatch(/“x'; drop table booking; --”/i);
    }
    expect(await rowsOf(eve, 'select count(*) from booking')).toEqual([[2]]);
    expect(await rowsOf(eve, "select locator from booking where contact = 'x''; drop table booking; --'")).toEqual([
      ['HOSTIL'],
    ]);
  });
});

const ENDLESS = 'with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r';
const MANY = 'with recursive r(n) as (select 1 union all select n + 1 from r limit 5000)';

describe('endless work', () => {
  it.each([
    ENDLESS,
    `${MANY} select count(*) from r a, r b, r c`,
    `${MANY} select a.n, b.n, c.n from r a, r b, r c order by a.n * b.n % 7919 * c.n`,
    "with recursive t(s) as (select printf('%1000d', 1) union all select s || s from t) select max(length(s)) from t",
    `${MANY} select group_concat(printf('%9000d', n)) from r`,
    "select replace(printf('%99999d', 1), ' ', printf('%99999d', 1))",
    `select ${Array(900).fill(1).join(' + ')}`,
    `select ${Array(60).fill('select 1').join(' union all ')}`.replace('select select', 'select'),
  ])('is ended or refused, and the next question is answered: %s', async (sql) => {
    const called = await ask(eve, sql);
    expect(called.outcome).toBe('E_INPUT');
    expectNoSecret(called);
    await expectAnswered();
  });

  it('a large result is cut, and says so', async () => {
    const called = await ask(eve, `${MANY} select n, printf('%500d', n) from r`, { max_rows: 500 });
    expect(called.outcome).toBe('ok');
    expect(called.structured.more_rows).toBe(true);
    expect(everything(called).length).toBeLessThan(200_000);
    expect((await ask(eve, 'select 1', { max_rows: 100_000 })).outcome).toBe('E_INPUT');
    expect((await ask(eve, `select '${'x'.repeat(50_000)}'`)).outcome).toBe('E_INPUT');
  });

  it('ten at once are each ended or told to come again, and another caller lists bookings meanwhile', async () => {
    const all = Array.from({ length: 10 }, () => ask(eve, ENDLESS));
    const listed = await ann?.call('list_bookings', {});
    expect(listed?.outcome).toBe('ok');
    for (const { outcome, ms } of await Promise.all(all)) {
      expect(['E_INPUT', 'E_LIMIT']).toContain(outcome);
      expect(ms).toBeLessThan(2 * MOST_MS);
    }
    await expectAnswered();
  });
});
