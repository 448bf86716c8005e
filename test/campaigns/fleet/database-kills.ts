/**
 * PostgreSQL is ended at once, again and again, while payments are under way: nothing leaves for the airline that the
 * journal does not have, nothing is paid twice, and all is settled after the database is back.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { isOpen } from '../support/acts.ts';
import { Chance } from '../support/chance.ts';
import type { Came } from '../support/instance-process.ts';
import { paymentsOf, questionsOf } from '../support/instances.ts';
import { type Fleet, settled } from './support/fleet.ts';

/** Payments under way when the database goes. */
const AT_ONCE = 6;
/** It goes within so long of the first yes, and is away for up to so long. */
const GOES_MS = 150;
const AWAY_MS = 300;

export interface DatabaseKills {
  readonly kills: number;
  readonly payments: number;
  readonly sent: number;
  readonly paid: number;
  /** How the operations ended, and what callers were shown meanwhile. */
  readonly states: Readonly<Record<string, number>>;
  readonly codes: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

const FINE = ['done', 'already_done', 'pending', 'needs_person', 'E_INTERNAL'];

export async function killDatabase(fleet: Fleet, kills: number, seed: number): Promise<DatabaseKills> {
  const { relay, sandbox, stock, cluster, database } = fleet;
  const chance = new Chance(seed);
  const instances = await fleet.start(2);
  // The database would rather be quick: what the journal needs on disk is for the journal to say.
  await cluster.sql(database, `alter database ${database} set synchronous_commit = off`);
  relay.clear();
  const [began, before] = [sandbox.ledger().length, (await fleet.rows()).length];
  const told: Came[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const payments = await paymentsOf(stock, AT_ONCE);
    const halves = instances.map((_, n) => payments.filter((_payment, i) => i % instances.length === n));
    const yeses = await Promise.all(instances.map((instance, n) => questionsOf(instance, halves[n] ?? [])));
    const calls = instances.map((instance, n) => instance.calls(yeses[n] ?? []));
    await wait(chance.below(GOES_MS));
    await cluster.kill();
    await wait(chance.below(AWAY_MS));
    await cluster.start();
    told.push(...(await Promise.all(calls)).flat());
  }
  await fleet.lapse();
  const all = await settled(fleet, 30_000, () => true);
  const rows = all.slice(before);
  const entered = sandbox.ledger().slice(began);
  const paid = Map.groupBy(
    entered.filter((it) => it.event === 'paid'),
    (it) => it.locator,
  );
  const sent = relay.carried.filter(({ name }) => name === 'OTA_AirDemandTicketRQ').length;
  const dispatched = rows.filter((row) => row.dispatched);
  const problems = [
    ...all.filter(({ state }) => isOpen(state)).map(({ id }) => `operation ${id} is not settled`),
    ...(sent > dispatched.length ? [`${sent} sent, ${dispatched.length} in the journal`] : []),
    ...[...paid].filter(([, times]) => times.length > 1).map(([locator, of]) => `${locator} paid ${of.length} times`),
    ...[...paid.keys()]
      .filter((locator) => !rows.some((row) => row.locator === locator && row.dispatched))
      .map((locator) => `${locator} was paid, and the journal does not know`),
    ...rows
      .filter((row) => row.state === 'succeeded' && !paid.has(row.locator))
      .map((row) => `${row.id} is reported as done`),
    ...rows
      .filter((row) => ['not_executed', 'refused'].includes(row.state) && paid.has(row.locator))
      .map((row) => `${row.id} was paid and is reported as ${row.state}`),
    ...told.filter(({ code }) => !FINE.includes(code)).map(({ code, text }) => `${code}: ${text}`),
    ...(await brokenChain(fleet)),
  ];
  await Promise.all(instances.map((instance) => instance.close()));
  return {
    kills,
    payments: kills * AT_ONCE,
    sent,
    paid: paid.size,
    states: counted(rows.map((row) => row.state)),
    codes: counted(told.map(({ code }) => code)),
    problems,
  };
}

async function brokenChain({ cluster, database }: Fleet): Promise<readonly string[]> {
  const state = await openPostgresState(cluster.url(database));
  const [broken, { hold }] = [await state.operations.verify(), await state.chain.status()];
  await state.close();
  return [
    ...(broken === undefined ? [] : [`the journal is broken at ${broken.operationId}, event ${broken.seq}`]),
    ...(hold === undefined ? [] : [`sending was stopped, as if link ${hold.seen?.n} were lost`]),
  ];
}

function counted(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, of]) => [word, of.length]));
}
