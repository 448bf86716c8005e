/**
 * Makes the state that every later version must be able to take over, as this version writes it, on both databases:
 * `node test/store/kept/make.ts`. Run once, when the schema has its new number; what it made is never changed.
 *
 * It has every act in every state, a question in every decision, a plan, and a row or more of all else.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { hashId, sealCard } from '../../../src/details/seal.ts';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { ACTS } from '../../campaigns/support/acts.ts';
import { startCluster } from '../../campaigns/support/postgres.ts';
import { heldBooking, ticketedBooking } from '../../clerk/calls/bookings.ts';
import { accept, openDesk } from '../../clerk/calls/desk.ts';
import { pendingApproval } from '../../support/approvals.ts';
import { KEPT_CUSTOMER, KEPT_PEOPLE, KEPT_REASON, OPEN_DETAILS, USED_DETAILS } from '../support/kept.ts';
import type { NewOperation, Operation, OperationState, State } from '../support/ports.ts';

const STARTS_AT = '2026-11-22T09:00:00Z';
const AT = Date.parse(STARTS_AT);
const HOUR = 3_600_000;
const ME = { tenant: 'desk', id: 'ann' };
/** How each state is reached. */
const WAYS: Readonly<Record<OperationState, readonly OperationState[]>> = {
  intent: [],
  dispatched: ['dispatched'],
  in_doubt: ['dispatched', 'in_doubt'],
  succeeded: ['dispatched', 'succeeded'],
  refused: ['dispatched', 'refused'],
  not_executed: ['dispatched', 'in_doubt', 'not_executed'],
  needs_person: ['dispatched', 'in_doubt', 'needs_person'],
  resolved: ['dispatched', 'in_doubt', 'needs_person', 'resolved'],
};

/** One operation of each act, as the program itself writes it. */
async function models(): Promise<readonly Operation[]> {
  const desk = await openDesk({ startsAt: STARTS_AT });
  const look = async (tool: string, args: object) => (await desk.result(tool, args)).structured;
  for (const act of ACTS) {
    const locator = await (act.on === 'held' ? heldBooking(desk) : ticketedBooking(desk));
    await desk.say(act.tool, await act.args(locator, look), accept).catch(async () => {
      // What asks nobody.
      await desk.result(act.tool, await act.args(locator, look));
    });
  }
  const all = await desk.parts.state.operations.list({ limit: 1000 });
  await desk.close();
  const kinds = new Map(all.map((one) => [`${one.tool} ${one.subject.kind}`, one]));
  return [...kinds.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1));
}

async function fill(state: State, operations: readonly Operation[], now: { at: number }): Promise<void> {
  for (const [i, model] of operations.entries()) {
    for (const [j, [to, way]] of Object.entries(WAYS).entries()) {
      now.at += 1000;
      await enter(state, model, { to: to as OperationState, way, n: i * 10 + j, at: now.at });
    }
  }
  const decisions = ['pending', 'granted', 'declined', 'revoked'] as const;
  for (const [i, decision] of decisions.entries()) {
    const times = { createdAt: now.at, expiresAt: now.at + HOUR };
    const ids = {
      handleHash: `kept-${decision}`,
      operationId: `question-${i}`,
      ...{ tenant: ME.tenant, caller: ME.id },
    };
    await state.approvals.put({ ...pendingApproval(ids), ...times, decision } as ReturnType<typeof pendingApproval>);
  }
  await others(state, now.at);
}

interface Entry {
  readonly to: OperationState;
  readonly way: readonly OperationState[];
  readonly n: number;
  readonly at: number;
}

async function enter(state: State, model: Operation, { to, way, n, at }: Entry): Promise<void> {
  const { tool, subject, assurance, argsDigest, termsDigest, amount, direction, trace, outcome, facts } = model;
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const locator = model.locator === undefined ? {} : { locator: `KEP${String(n).padStart(3, '0')}` };
  const fingerprint = model.fingerprint === undefined ? {} : { fingerprint: `trip ${n}` };
  const fresh = { id, tenant: ME.tenant, caller: ME.id, tool, subject, assurance, argsDigest, termsDigest };
  const money = {
    ...(amount && { amount }),
    ...(direction && { direction }),
    ...(trace && { trace }),
    ...(facts && { facts }),
    ...(tool === 'create_booking' && { people: KEPT_PEOPLE, customer: KEPT_CUSTOMER }),
    ...(tool === 'cancel_booking' && { reason: KEPT_REASON }),
  };
  const operation: NewOperation = { ...fresh, ...locator, ...fingerprint, ...money };
  const inserted = await state.operations.insert(operation, { now: at, owner: 'kept', leaseUntil: at + 60_000 });
  if (inserted.kind !== 'inserted') throw new Error(`${tool} ${to}: ${inserted.kind}`);
  let from: OperationState = 'intent';
  for (const next of way) {
    const ended = next === to && (next === 'succeeded' || next === 'resolved');
    const patch = next === 'dispatched' ? { dispatchedAt: at } : ended && outcome ? { outcome } : {};
    const moved = await state.operations.transition(id, { from: [from], to: next, patch }, { now: at, actor: 'kept' });
    if (!moved) throw new Error(`${tool}: not ${from} to ${next}`);
    from = next;
  }
}

async function others(state: State, at: number): Promise<void> {
  const entry = { locator: 'KEPT01', madeHere: true, seenAt: at, state: 'held', contactName: 'Amal Haddad' };
  const departs = '2026-12-12T08:00:00+03:00';
  const travelers = ['Haddad A.', 'Saleh M.'];
  await state.ledger.record(ME, {
    ...entry,
    travelers,
    paid: '100.00',
    route: 'QCA-XMD',
    departs,
    total: '652.50',
    currency: 'SAR',
  });
  const keyed = { ...entry, locator: 'KEPT02', state: 'ticketed', contactName: 'Köhler' };
  await state.ledger.record(ME, keyed);
  await state.ledger.setCustomer(ME, keyed, KEPT_CUSTOMER);
  const plan = { id: 'pl_kept', tenant: ME.tenant, caller: ME.id, createdAt: at, expiresAt: at + HOUR };
  await state.plans.put({ ...plan, body: { lines: [], terms: [], leftOut: [], notAsked: {} } });
  await state.outbox.add([
    { id: 'kept/1', type: 'question.waiting', at, tenant: ME.tenant, operationId: 'question-0' },
  ]);
  await state.deliveries.begin('receiver');
  await state.deliveries.enter('receiver', await state.outbox.after(0, 10), at);
  const segment = { from: 'QCA', to: 'XMD', number: '101', departs };
  const found = {
    id: 'kept',
    tenant: ME.tenant,
    locator: 'KEPT02',
    kind: 'retimed',
    seenAt: at,
    since: at - HOUR,
  } as const;
  await state.findings.add([{ ...found, segment, before: { departs }, after: { departs } }]);
  await state.watches.want({ tenant: ME.tenant, locator: 'KEPT02', caller: ME.id }, at + HOUR);
  await state.ticketKeys.put(
    'kept',
    { caller: ME, locator: 'KEPT02', number: '1234567890101', coupon: '1' },
    at + HOUR,
  );
  const travels = { trip: ['QCA → XMD'], segments: [], cards: [{ type: 'ADT', asks: 'new' }] } as const;
  const asked = { tenant: ME.tenant, caller: ME.id, tool: 'create_booking', argsDigest: 'kept', form: travels };
  for (const id of [OPEN_DETAILS, USED_DETAILS]) {
    const form = { ...asked, idHash: hashId(id), createdAt: at, expiresAt: at + HOUR / 2 };
    await state.details.open(form);
    await state.details.submit(form.idHash, 0, sealCard(id, form, 0, { surname: 'Haddad' }), at);
  }
  await state.details.use(hashId(USED_DETAILS), '00000000-0000-4000-8000-000000000003', 'kept');
  await state.logins.write('kept', 'sealed');
  // The dispatched operation of the first act.
  await state.operations.keepNamed('00000000-0000-4000-8000-000000000001', ['KEPT03']);
  await state.chain.pause('kept for later versions', 'ann', at);
}

/** The tables as SQL: as they are made, then row by row, then the counters. */
async function sqlOf(cluster: Awaited<ReturnType<typeof startCluster>>, ddl: string): Promise<string> {
  const lines = [ddl, 'set session_replication_role = replica;'];
  const quoted = (value: unknown) => {
    if (value === null) return 'null';
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  };
  for (const table of (await cluster.tables('kept', 'kept')).toSorted()) {
    lines.push(`delete from kept.${table};`);
    for (const row of await cluster.sql('kept', `select * from kept.${table}`)) {
      const columns = Object.keys(row).join();
      const values = Object.values(row).map(quoted).join();
      lines.push(`insert into kept.${table}(${columns}) overriding system value values (${values});`);
    }
  }
  const counters = await cluster.sql(
    'kept',
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'kept' and last_value is not null`,
  );
  for (const { name, value } of counters) lines.push(`select setval('kept.${name}', ${value});`);
  return `${lines.join('\n')}\nset session_replication_role = origin;\n`;
}

async function presentVersion(): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'clerk-make-'));
  await (await openSqliteState(join(scratch, 'empty.sqlite'))).close();
  using db = new DatabaseSync(join(scratch, 'empty.sqlite'));
  return String(db.prepare("select value from meta where key = 'schema_version'").get()?.value);
}

const { meta, schemaSql } = await import('../../../src/store/postgres/schema.ts');
const folder = fileURLToPath(new URL(await presentVersion(), import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const operations = await models();
const now = { at: AT };
const clock = () => now.at;
const options = { now: clock, airline: 'kept', secondRecords: `${folder}/records` };
const sqlite = await openSqliteState(`${folder}/journal.sqlite`, options);
await fill(sqlite, operations, now);
await sqlite.close();
const cluster = await startCluster();
const url = await cluster.database('kept');
now.at = AT;
const postgres = await openPostgresState(url, {
  ...options,
  schema: 'kept',
  secondRecords: `${folder}/postgres-records`,
});
await fill(postgres, operations, now);
await postgres.close();
writeFileSync(
  `${folder}/postgres.sql`,
  await sqlOf(cluster, `create schema kept;\n${meta('kept')}\n${schemaSql('kept')}`),
);
await cluster.close();
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.id')) rmSync(`${folder}/${name}`);
process.stdout.write(`${operations.length} acts in ${Object.keys(WAYS).length} states: ${folder}\n`);
