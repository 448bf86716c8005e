/** States of this version and of earlier ones are taken over whole by the next, refused to what only reads, and never while an earlier program works. */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, statSync, utimesSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hashId, openCard } from '../../src/details/seal.ts';
import { compareReading } from '../../src/watching/store-findings.ts';
import { detailsOf } from '../details/store-suite.ts';
import { held, ticketed } from '../support/bookings.ts';
import { NEXT, PRESENT } from '../support/next-version.ts';
import { traveler } from '../support/people.ts';
import { ACTS as TOOL_ACTS } from '../support/rules.ts';
import { atNight } from '../support/whole.ts';
import { played, plays } from './support/databases.ts';
import {
  EARLIER,
  KEPT_CUSTOMER,
  KEPT_PEOPLE,
  KEPT_REASON,
  type Kept,
  keptStates,
  NOW,
  OPEN_DETAILS,
  USED_DETAILS,
  VERSIONS,
} from './support/kept.ts';
import { newOperation } from './support/new-operation.ts';
import type { OperationState, State } from './support/ports.ts';
import { errorOf } from './support/suite-database.ts';

/** How many acts keep() made in each state. */
const ACTS: Readonly<Record<string, number>> = { 20: 12, 21: 13, 23: 13, 24: 13, 25: 13, 26: 13 };

const { sqlite, postgres, cluster, next } = keptStates();

/** What must not be lost. */
async function contents({ operations, approvals, chain, plans, ledger, outbox }: State) {
  const all = await operations.list({ limit: 1000 });
  return {
    operations: all,
    events: await Promise.all(all.map(({ id }) => operations.events(id))),
    question: await approvals.byOperation('question-0'),
    decided: await approvals.byOperation('question-1'),
    chain: await chain.status(),
    plan: await plans.get('pl_kept'),
    bookings: await ledger.find({ tenant: 'desk', id: 'ann' }, { limit: 10 }),
    told: await outbox.newest(10),
  };
}

/** Tables to which the versions only added columns. */
const LASTING = ['operation', 'event', 'chain', 'booking', 'outbox', 'delivery', 'webhook'];

const rowsIn = (state: Kept) => Promise.all(LASTING.map((table) => state.sql(`select * from $.${table}`)));

/** What version 20 kept of a hold of two passengers on two trains. */
const HELD_READING = {
  at: 1795928400000,
  createdAt: '2026-11-29T04:55:00Z',
  names: ['7d138325cc02', 'a3590be59f18'],
  state: 'held',
  segments: [
    {
      ref: '1',
      from: 'MED',
      to: 'JED',
      number: '101',
      departs: '2026-12-01T08:00:00.000+03:00',
      arrives: '2026-12-01T10:10:00.000+03:00',
      class: 'Y',
      status: '30',
    },
    {
      ref: '2',
      from: 'JED',
      to: 'MED',
      number: '202',
      departs: '2026-12-05T18:00:00.000+03:00',
      arrives: '2026-12-05T20:10:00.000+03:00',
      class: 'Y',
      status: '30',
    },
  ],
  passengers: 2,
  people: ['8091b4e67795', 'dc9f7304f48e'],
  coupons: [],
  orders: [],
  refunds: 0,
  payBy: '2026-11-29T05:25:00Z',
  namesUntil: '2026-11-30T00:00:00Z',
  cancelUntil: '2026-12-01T02:00:00Z',
  total: { minor: 69000, currency: 'SAR' },
};
/** The same, paid. */
const PAID_READING = {
  ...HELD_READING,
  state: 'ticketed',
  payBy: undefined,
  coupons: [
    { id: 'e963dec19475', segment: 0, who: 'dc9f7304f48e', status: 'O' },
    { id: '624657619ffb', segment: 1, who: 'dc9f7304f48e', status: 'O' },
    { id: '3919f32547c9', segment: 0, who: '8091b4e67795', status: 'O' },
    { id: '7e90a404f13b', segment: 1, who: '8091b4e67795', status: 'O' },
  ],
  orders: [{ direction: 'PAYMENT', status: 'PAID', amount: { minor: 69000, currency: 'SAR' } }],
};

describe.each(
  played([
    { name: 'SQLite', kept: sqlite },
    { name: 'PostgreSQL', kept: postgres },
  ]),
)('on $name', ({ kept }) => {
  test('a booking that version 20 watched is read after the upgrade without an alarm, and compared whole from then on', async () => {
    const travelers = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
    const others = [traveler('1', 'Zaid', 'Harbi', { document: {} }), travelers[1] as (typeof travelers)[1]];
    for (const [reading, of] of [
      [HELD_READING, held],
      [PAID_READING, ticketed],
    ] as const) {
      const earlier = await kept('20');
      const columns = `locator = 'KEPT77', reading = '${JSON.stringify(reading)}', reading_at = ${reading.at}, read_at = ${reading.at}`;
      await earlier.sql(`update $.watch set ${columns} where locator = 'KEPT02'`);
      const state = await earlier.open();
      const comparer = { acts: TOOL_ACTS, state, digest: (text: string) => hash('sha256', text) };
      const see = async (over: object, minutes: number) => {
        const booking = { ...of({ travelers, ...over }), locator: 'KEPT77' };
        const caller = { tenant: 'desk', id: 'ann' };
        const { outcome, found } = await compareReading(comparer, caller, booking, {
          begunAt: reading.at + minutes * 60_000,
        });
        return [outcome, ...found.map(({ kind }) => kind)];
      };
      expect(await see({}, 1)).toEqual(['changed']);
      expect(await see({}, 2)).toEqual(['same']);
      expect(await see({ travelers: others }, 3)).toEqual(['changed', 'name_changed']);
    }
  });

  test.each(VERSIONS)('a state of version %s is taken over with all that is in it', async (version) => {
    const state = await kept(version);
    const before = await rowsIn(state);
    const opened = await state.open();
    expect(await state.version()).toBe(NEXT);
    expect(await rowsIn(state)).toMatchObject(before);
    const after = await contents(opened);
    const counts = Map.groupBy(after.operations, ({ state: one }) => one);
    const states = 'intent dispatched in_doubt succeeded refused not_executed needs_person resolved'.split(' ');
    for (const one of states) expect([one, counts.get(one as OperationState)?.length]).toEqual([one, ACTS[version]]);
    expect(new Set(after.operations.map(({ tool }) => tool)).size).toBeGreaterThanOrEqual((ACTS[version] ?? 0) - 1);
    const isEnded = version < '26';
    expect(after.question).toMatchObject(isEnded ? { decision: 'void', voidWhy: 'upgraded' } : { decision: 'pending' });
    expect(after.plan?.body === undefined).toBe(isEnded);
    expect(after.chain).toMatchObject({ hold: undefined, pause: { why: 'kept for later versions' } });
    const { total } = await opened.ledger.find({ tenant: 'desk', id: 'ann' }, { query: 'saleh m', limit: 9 });
    expect(total).toBe(1);
    expect(await opened.operations.verify()).toBeUndefined();
    // The second records fit, or sending would be held; what was not sent yet can be sent.
    await opened.chain.resume('ann', NOW);
    const [waiting] = counts.get('intent') ?? [];
    const patch = { dispatchedAt: NOW };
    const meta = { now: NOW, actor: 'p1' };
    expect(
      await opened.operations.transition(waiting?.id ?? '', { from: ['intent'], to: 'dispatched', patch }, meta),
    ).toBe(true);
    expect(await opened.operations.verify()).toBeUndefined();
  });

  test.each(VERSIONS.filter((version) => version < '24'))(
    'a state of version %s loses the indexes that nothing reads',
    async (version) => {
      const state = await kept(version);
      const indexes = async () => {
        const names = await state.sql(
          kept === (sqlite as unknown)
            ? "select name from sqlite_schema where name in ('booking_unpaid', 'past_booking_unpaid')"
            : "select name from (values (to_regclass('$.booking_unpaid')::text), (to_regclass('$.past_booking_unpaid')::text)) as of(name) where name is not null",
        );
        return names.length;
      };
      expect(await indexes()).toBe(2);
      const { ledger } = await state.open();
      expect(await indexes()).toBe(0);
      expect((await ledger.find({ tenant: 'desk', id: 'ann' }, { limit: 9 })).total).toBeGreaterThan(0);
    },
  );

  test('the login of earlier versions goes, and a token can be stored, until nobody has stored it anew for a day', async () => {
    const state = await kept('24');
    const login = () => state.sql('select name, token from $.login order by name');
    if (kept !== (sqlite as unknown))
      await state.sql("insert into $.login(name, token, holder, received_at) values ('old', 'plain', 'p1', 1)");
    const { logins } = await state.open();
    expect(await login()).toHaveLength(0);
    await logins.write('old', 'sealed');
    await state.sql('update $.login set stored_at = stored_at - 86400001');
    await logins.write('desk', 'sealed');
    expect((await login()).map(({ name }) => name)).toEqual(['desk']);
  });

  test('questions that were over by other words up to version 24 are void or replaced, with the reason and its words', async () => {
    const state = await kept('24');
    const why = `'He said: "no \\ yes".\nAsk.'`;
    const ended = {
      withdrawn: `'withdrawn', null, null, null, null`,
      overtaken: `'overtaken', null, null, null, null`,
      outdated: `'outdated', null, null, null, null`,
      spent: `'void', 5, null, null, null`,
      skipped: `'void', 5, null, ${why}, 'pl_kept'`,
      stale: `'granted', 5, '["Pays more."]', null, null`,
      anew: `'void', null, null, null, 'pl_kept'`,
    };
    for (const [id, values] of Object.entries(ended))
      await state.sql(`insert into $.approval(handle_hash, operation_id, tenant, caller, asked_by, created_at, expires_at, body,
        decision, decided_at, stale_lines, why, plan) values ('${id}', '${id}', 'desk', 'ann', 'page', 1, 2, '{}', ${values})`);
    const body = JSON.stringify({ lines: [], terms: [[{ act: 'Pay' }]], leftOut: [], notAsked: {} });
    await state.sql(`update $.plan set question = 'newer', body = '${body}' where id = 'pl_kept'`);
    const columns = `operation_id, tenant, caller, tool, asked_by, asked_at, expires_at, decision`;
    await state.sql(
      `insert into $.past_question(${columns}) values ('past', 'desk', 'ann', 'x', 'page', 1, 2, 'outdated')`,
    );
    const { approvals, plans } = await state.open();
    // Its terms are of an earlier form.
    expect((await plans.get('pl_kept'))?.body).toBeUndefined();
    const found = async (id: string) => {
      const { decision, voidWhy, voidLines, replacedBy } = (await approvals.byOperation(id)) ?? {};
      return [decision, voidWhy ?? replacedBy, ...(voidLines ?? [])];
    };
    expect(Object.fromEntries(await Promise.all(Object.keys(ended).map(async (id) => [id, await found(id)])))).toEqual({
      withdrawn: ['void', 'stopped'],
      overtaken: ['void', 'done_elsewhere'],
      outdated: ['void', 'booking_changed'],
      spent: ['void', 'not_done'],
      skipped: ['void', 'not_done', 'He said: "no \\ yes".\nAsk.'],
      stale: ['void', 'terms_changed', 'Pays more.'],
      anew: ['replaced', 'newer'],
    });
    expect(await state.sql('select decision from $.past_question')).toContainEqual({ decision: 'void' });
  });

  test.each(['24', '25'])(
    'open questions, yeses and plans of version %s end, and what is on its way goes on',
    async (version) => {
      const state = await kept(version);
      const [onItsWay] = await state.sql(`select id from $.operation where state = 'in_doubt' order by id limit 1`);
      const [late, early] = [NOW + 60_000, NOW - 1];
      const questions = {
        open: `'pending', null, ${late}, '{}', null, null, null`,
        'nobody answered': `'pending', null, ${early}, '{}', null, null, null`,
        'a yes': `'granted', 5, ${late}, '{}', null, null, null`,
        'a spent yes': `'granted', 5, ${late}, null, null, null, null`,
        'a no': `'declined', 5, ${late}, null, null, null, null`,
        [String(onItsWay?.id)]: `'granted', 5, ${late}, '{}', 'running', 'plan with a yes', 1`,
        'plan with a yes': `'granted', 5, ${late}, '{}', 'running', 'plan with a yes', 0`,
        'step to begin': `'granted', 5, ${late}, '{}', 'running', 'plan with a yes', 2`,
        'open plan': `'pending', null, ${late}, '{}', 'asked', 'open plan', 0`,
        'step of it': `'pending', null, ${late}, '{}', 'asked', 'open plan', 1`,
      };
      for (const [id, values] of Object.entries(questions))
        await state.sql(`insert into $.approval(handle_hash, operation_id, tenant, caller, asked_by, created_at, body,
        decision, decided_at, expires_at, carried, plan, plan_question, plan_line)
        values ('${id}', '${id}', 'desk', 'ann', 'page', 1, '{}', ${values})`);
      const body = JSON.stringify({ lines: [], terms: [], leftOut: [], notAsked: {} });
      for (const [id, question] of [
        ['proposed', 'null'],
        ['asked', `'open plan'`],
        ['running', `'plan with a yes'`],
      ])
        await state.sql(`insert into $.plan(id, tenant, caller, created_at, expires_at, question, body)
        values ('${id}', 'desk', 'ann', 1, ${late}, ${question}, '${body}')`);

      const { approvals, plans, operations } = await state.open();
      const found = async (id: string) => {
        const { decision, voidWhy, carried } = (await approvals.byOperation(id)) ?? {};
        return [decision, voidWhy, carried !== undefined];
      };
      expect(
        Object.fromEntries(await Promise.all(Object.keys(questions).map(async (id) => [id, await found(id)]))),
      ).toEqual({
        open: ['void', 'upgraded', false],
        'nobody answered': ['pending', undefined, true],
        'a yes': ['void', 'upgraded', false],
        'a spent yes': ['granted', undefined, false],
        'a no': ['declined', undefined, false],
        [String(onItsWay?.id)]: ['granted', undefined, true],
        'plan with a yes': ['granted', undefined, true],
        'step to begin': ['void', 'upgraded', false],
        'open plan': ['void', 'upgraded', false],
        'step of it': ['void', 'upgraded', false],
      });
      const hasTerms = async (id: string) => (await plans.get(id))?.body !== undefined;
      expect([await hasTerms('proposed'), await hasTerms('asked'), await hasTerms('running')]).toEqual([
        false,
        false,
        true,
      ]);
      expect(await plans.unfinished(0)).toEqual([]);
      expect(await operations.get(String(onItsWay?.id))).toMatchObject({ state: 'in_doubt' });
    },
  );

  test.each(['24', '25'])(
    'a details form of version %s whose offer is gone is closed before anybody fills it in',
    async (version) => {
      const state = await kept(version);
      // Shown after the form was opened, so that the form is of an earlier one.
      const later = `insert into $.offer(tenant, handle, shown_at, body) values ('desk', 'o7kpx4', ${NOW + 1}, '[]')`;
      if (version === '25') await state.sql(later);
      const { details } = await state.open();
      const open = hashId(OPEN_DETAILS);
      expect(await details.find(open, NOW)).toMatchObject({ isClosed: true, isLost: false, cards: new Map() });
      expect(await details.submit(open, 0, 'sealed', NOW)).toBe(false);
      expect(await details.find(hashId(USED_DETAILS), NOW)).not.toHaveProperty('isClosed');
    },
  );

  test('the token of a login and the locators that a reply named are taken over', async () => {
    const { logins, operations } = await (await kept(EARLIER)).open();
    expect(await logins.read('kept')).toMatchObject({ sealed: 'sealed' });
    expect(await operations.named('00000000-0000-4000-8000-000000000001')).toEqual(['KEPT03']);
  });

  test('nothing is known of the people of earlier holds, and those of later ones are kept', async () => {
    const state = await kept('20');
    const { operations } = await state.open();
    const ids = (await operations.list({ limit: 1000 })).map(({ id }) => id);
    expect(await operations.askedPeople(ids)).toEqual(new Map());
    const people = { salt: 's', people: { passengers: [] } };
    const [first = ''] = ids;
    await state.sql(`update $.operation set asked = '${JSON.stringify(people)}' where id = '${first}'`);
    expect(await operations.askedPeople(ids)).toEqual(new Map([[first, people]]));
    expect(await operations.verify()).toBeUndefined();
  });

  test('what is kept of the people of holds is taken over', async () => {
    const { operations } = await (await kept(EARLIER)).open();
    const ids = (await operations.list({ limit: 1000 })).map(({ id }) => id);
    const all = [...(await operations.askedPeople(ids)).values()];
    // Of holds that were not refused, not made or closed by a person.
    expect(all).toEqual(Array.from({ length: 5 }, () => KEPT_PEOPLE));
  });

  test('no earlier operation has a reason, and later ones can', async () => {
    const state = await kept('21');
    const { operations } = await state.open();
    const ids = (await operations.list({ limit: 1000 })).map(({ id }) => id);
    expect(await operations.reasons(ids)).toEqual(new Map());
    const [first = ''] = ids;
    await state.sql(`update $.operation set reason = 'ill' where id = '${first}'`);
    expect(await operations.reasons(ids)).toEqual(new Map([[first, 'ill']]));
    expect(await operations.verify()).toBeUndefined();
  });

  test('bookings of earlier versions have no customer, and can get one', async () => {
    const { ledger } = await (await kept('21')).open();
    const ann = { tenant: 'desk', id: 'ann' };
    const [booking] = (await ledger.find(ann, { limit: 1 })).entries;
    expect(booking).toBeDefined();
    expect(booking).not.toHaveProperty('customer');
    await ledger.setCustomer(ann, booking as NonNullable<typeof booking>, 'CRM-88213');
    expect((await ledger.find(ann, { customer: 'CRM-88213', limit: 2 })).entries).toEqual([
      { ...booking, customer: 'CRM-88213' },
    ]);
  });

  test('reasons and keys of customers are taken over, and keys are forgotten there too', async () => {
    const state = await kept(EARLIER);
    const { operations, ledger, forgetting } = await state.open();
    const ids = (await operations.list({ limit: 1000 })).map(({ id }) => id);
    expect([...(await operations.reasons(ids)).values()]).toEqual(Array.from({ length: 16 }, () => KEPT_REASON));
    const ann = { tenant: 'desk', id: 'ann' };
    const found = async () => (await ledger.find(ann, { customer: KEPT_CUSTOMER, limit: 9 })).entries;
    expect((await found()).map(({ locator }) => locator)).toEqual(['KEPT02']);
    const of = async () => state.sql('select customer from $.operation where customer is not null');
    expect(new Set((await of()).map(({ customer }) => customer))).toEqual(new Set([KEPT_CUSTOMER]));
    const person = { customer: KEPT_CUSTOMER };
    await forgetting.erase(person, await forgetting.find(person), NOW);
    expect([await found(), await of()]).toEqual([[], []]);
    expect(await operations.verify()).toBeUndefined();
  });

  test('what travellers entered up to version 24 has to be entered again, and what was used still has its operation', async () => {
    const state = await kept('24');
    await state.sql("update $.details set tool = 'update_passenger', locator = 'KEPT01' where operation_id is null");
    const { details } = await state.open();
    const open = hashId(OPEN_DETAILS);
    expect(await details.find(open, NOW)).toMatchObject({ cards: new Map(), isLost: true });
    expect(await details.submit(open, 0, 'again', NOW)).toBe(true);
    expect(await details.find(open, NOW)).toMatchObject({ cards: new Map([[0, 'again']]), isLost: false });
    expect(await details.find(hashId(USED_DETAILS), NOW)).toMatchObject({
      operationId: expect.any(String),
      isLost: false,
    });
    // Nothing is left of what had sealed it a second time.
    if (kept === (sqlite as unknown))
      expect(existsSync(`${(state as Awaited<ReturnType<typeof sqlite>>).file}.keys`)).toBe(false);
    else expect(await state.sql("select to_regclass('$.form_key') as key")).toEqual([{ key: null }]);
  });

  test('what travellers entered is taken over where its offer is, and more can be entered', async () => {
    const state = await kept(EARLIER);
    await state.sql(`insert into $.offer(tenant, handle, shown_at, body) values ('desk', 'o7kpx4', 1, '[]')`);
    const { details } = await state.open();
    const open = await details.find(hashId(OPEN_DETAILS), NOW);
    expect(open && openCard(OPEN_DETAILS, open, 0, open.cards.get(0) ?? '')).toEqual({ surname: 'Haddad' });
    const used = await details.find(hashId(USED_DETAILS), NOW);
    expect(used).toMatchObject({
      operationId: expect.any(String),
      usedDigest: 'kept',
      cards: new Map(),
      isLost: false,
    });
    const form = { ...detailsOf('earlier', NOW), tool: 'update_passenger' };
    await details.open(form);
    expect(await details.submit(form.idHash, 0, 'sealed', NOW)).toBe(true);
    expect(await details.find(form.idHash, NOW)).toEqual({ ...form, cards: new Map([[0, 'sealed']]), isLost: false });
  });

  test('programs of the next version that start at once all find it taken over, and one of them says so', async () => {
    const state = await kept(EARLIER);
    const said: number[] = [];
    const tookOver = (from: number) => void said.push(from);
    await Promise.all(Array.from({ length: 4 }, () => state.open({ tookOver })));
    await state.open({ tookOver });
    expect([await state.version(), said]).toEqual([NEXT, [Number(EARLIER)]]);
  });

  test('a program that only reads refuses an earlier state, and leaves it as it is', async () => {
    const state = await kept(EARLIER);
    const tables = 'operation event meta approval booking lease outbox delivery finding plan'.split(' ');
    const rows = () => Promise.all(tables.map((table) => state.sql(`select * from $.${table}`)));
    const before = await rows();
    const error = await errorOf(state.open({ reads: true }));
    const versions = `its version is ${EARLIER}, this program needs ${NEXT}`;
    expect(error.message).toContain(`was written by an earlier fareclerk (${versions}). It was not changed.`);
    expect(error.next).toContain(
      'starts a server of this version, or for a restored copy runs `fareclerk pause`, which takes it over, or ',
    );
    expect(await rows()).toEqual(before);
    expect(await state.version()).toBe(EARLIER);
  });

  test('stays as it is while a program of the earlier version works with it', async () => {
    const state = await kept(EARLIER);
    await state.sql(`insert into $.lease(name, owner, lease_until) values ('program x', '${EARLIER}', ${NOW + 1})`);
    const error = await errorOf(state.open());
    expect(error).toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('in use by 1 program of an earlier'),
    });
    expect(await state.version()).toBe(EARLIER);
    // One that was killed is gone after a minute.
    await state.open({ now: () => NOW + 1 });
    expect(await state.version()).toBe(NEXT);
  });

  test('a program that slept while a newer one took over sends nothing', async () => {
    const state = await kept();
    const opened = await state.open();
    await opened.operations.insert(newOperation('waiting'), { now: NOW, owner: 'p1', leaseUntil: NOW + 60_000 });
    await state.sql(`update $.meta set value = '${NEXT}' where key = 'schema_version'`);
    const meta = { now: NOW, actor: 'p1' };
    const sent = opened.operations.transition('waiting', { from: ['intent'], to: 'dispatched', patch: {} }, meta);
    expect(await errorOf(sent)).toMatchObject({
      code: 'E_NOT_PERMITTED',
      message: 'A newer fareclerk has taken over the journal. Nothing was sent.',
    });
    expect(await opened.operations.get('waiting')).toMatchObject({ state: 'intent' });
  });

  test.each(['3', '19'])('a state of version %s is refused with what to do, and stays as it is', async (old) => {
    const state = await kept();
    await state.sql(`update $.meta set value = '${old}' where key = 'schema_version'`);
    for (const reads of [{}, { reads: true } as const]) {
      const error = await errorOf(state.open(reads));
      expect([error.code, error.message]).toEqual([
        'E_CONFIG',
        expect.stringContaining(
          `by an older fareclerk (its version is ${old}, this program needs ${PRESENT}). It was not`,
        ),
      ]);
      expect(error.next).toContain('first starts a fareclerk that takes it over, as the changelog says, or ');
    }
    expect(await state.version()).toBe(old);
  });
});

if (plays('SQLite'))
  test('the state file as it was stays beside the new one, for this user alone', async () => {
    const state = await sqlite(EARLIER);
    const before = await rowsIn(state);
    const opened = await state.open();
    const copy = `${state.file}.v${EARLIER}`;
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    using old = new DatabaseSync(copy, { readOnly: true });
    expect(LASTING.map((table) => old.prepare(`select * from ${table}`).all())).toEqual(before);
    expect(existsSync(`${copy}.part`)).toBe(false);
    // Made now, by the clock of these tests.
    utimesSync(copy, Date.now() / 1000, Date.now() / 1000);
    await opened.clean();
    expect(existsSync(copy)).toBe(true);
    const tenDaysAgo = Date.now() / 1000 - 10 * 86_400;
    utimesSync(copy, tenDaysAgo, tenDaysAgo);
    await opened.clean();
    expect(existsSync(copy)).toBe(false);
  });

/** Every step in the night. */
const STEPS = atNight(1, 4);

if (plays('SQLite'))
  test('a program that is killed at any step of taking over leaves a state that the next one takes over whole', async () => {
    const before = await contents(await (await sqlite(EARLIER)).open());
    const versions: string[] = [];
    for (let dies = 1; versions.filter((one) => one === NEXT).length < 2; dies += STEPS) {
      const state = await sqlite(EARLIER);
      const script = fileURLToPath(new URL('support/killed-opening.ts', import.meta.url));
      const argv = [script, next, state.file, state.records, `${NOW}`, `${dies}`];
      const { signal, stderr } = spawnSync(process.execPath, argv);
      expect([signal, String(stderr)]).toEqual(['SIGKILL', '']);
      versions.push(await state.version());
      expect(await contents(await state.open())).toEqual(before);
      expect(await state.version()).toBe(NEXT);
    }
    // It died before, within and after the change.
    expect(versions.filter((one) => one === EARLIER).length).toBeGreaterThan(atNight(5, 1));
  });

if (plays('PostgreSQL'))
  test('a database that ends in the middle of taking over keeps the earlier state', async () => {
    const state = await postgres(EARLIER);
    const before = await contents(await (await postgres(EARLIER)).open());
    const blocker = cluster()
      .sql('clerk', 'begin; select pg_advisory_xact_lock(7211907114); select pg_sleep(30)')
      .catch(() => 'cut');
    const locks = async (which: string) =>
      (await cluster().sql('postgres', `select 1 from pg_locks where locktype = 'advisory' and ${which}`)).length;
    await expect.poll(() => locks('granted')).toBe(1);
    const opening = errorOf(state.open());
    await expect.poll(() => locks('not granted')).toBe(1);
    await cluster().kill();
    expect(await blocker).toBe('cut');
    expect((await opening).code).toBe('E_CONFIG');
    await cluster().start();
    expect(await state.version()).toBe(EARLIER);
    expect(await contents(await state.open())).toEqual(before);
  });
