/**
 * PostgreSQL is ended at once, again and again, while payments are under way: nothing leaves for the airline that the
 * journal does not have, nothing is paid twice, and all is settled after the database is back.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { isOpen, PAY } from '../support/acts.ts';
import { entriesOf } from '../support/books.ts';
import { Chance } from '../support/chance.ts';
import type { Call, Came } from '../support/instance-process.ts';
import { paymentOf, questionOf } from '../support/instances.ts';
import { counted, type Proved } from '../support/report.ts';
import type { Fleet } from './support/fleet.ts';

const AT_ONCE = 6;
/** It goes within so long of the first yes, or, each second time, of the first payment that the airline carried out; and is away for up to so long. */
const GOES_MS = 250;
const GOES_AFTER_PAID_MS = 20;
const AWAY_MS = 300;
const FINE = ['done', 'already_done', 'pending', 'needs_person', 'E_STATE_DOWN'];

export async function killDatabase(fleet: Fleet, kills: number, seed: number): Promise<Proved> {
  const { relay, sandbox, stock, cluster, database } = fleet;
  const chance = new Chance(seed);
  const instances = await fleet.start(2);
  // The database would rather be quick: what the journal needs on disk is for the journal to say.
  await cluster.sql(database, `alter database ${database} set synchronous_commit = off`);
  relay.clear();
  const began = sandbox.ledger().length;
  const told: Came[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const calls = instances.map(async (instance) => {
      const payments: Call[] = [];
      for (let i = 0; i < AT_ONCE / 2; i++) payments.push(await questionOf(instance, await paymentOf(stock)));
      return () => instance.calls(payments);
    });
    const questions = await Promise.all(calls);
    const before = relay.carried.length;
    const answers = questions.map((call) => call());
    if (kill % 2 === 0) await wait(chance.below(GOES_MS));
    else {
      let areAnswered = false;
      void Promise.all(answers).then(() => (areAnswered = true));
      const isPaid = () => relay.carried.slice(before).some(({ name }) => name === PAY);
      while (!isPaid() && !areAnswered) await wait(1);
      await wait(chance.below(GOES_AFTER_PAID_MS));
    }
    await cluster.kill();
    await wait(chance.below(AWAY_MS));
    await cluster.start();
    const came = (await Promise.all(answers)).flat();
    told.push(...came);
  }
  await fleet.lapse();
  const rows = await fleet.settled(30_000);
  const payments = entriesOf(sandbox.ledger().slice(began), 'paid');
  const paid = Map.groupBy(payments, ({ locator }) => locator);
  const sent = relay.carried.filter(({ name }) => name === PAY).length;
  const dispatched = rows.filter((row) => row.dispatched);
  const isPaid = ({ locator }: { locator: string }) => paid.has(locator);
  const problems = [
    ...rows.filter(({ state }) => isOpen(state)).map(({ id }) => `operation ${id} is not settled`),
    ...(sent > dispatched.length ? [`${sent} sent, ${dispatched.length} in the journal`] : []),
    ...[...paid].filter(([, times]) => times.length > 1).map(([locator, of]) => `${locator} paid ${of.length} times`),
    ...[...paid.keys()]
      .filter((locator) => !dispatched.some((row) => row.locator === locator))
      .map((locator) => `${locator} was paid, and the journal does not know`),
    ...rows.filter((row) => row.state === 'succeeded' && !isPaid(row)).map(({ id }) => `${id} is reported as done`),
    ...rows
      .filter((row) => ['not_executed', 'refused'].includes(row.state) && isPaid(row))
      .map(({ id, state }) => `${id} was paid and is reported as ${state}`),
    ...told.filter(({ code }) => !FINE.includes(code)).map(({ code, text }) => `${code}: ${text}`),
    ...(paid.size > 0 && told.some(({ code }) => code === 'E_STATE_DOWN')
      ? []
      : ['the database never went in between']),
    ...(await brokenChain(fleet)),
  ];
  const states = counted(rows.map((row) => row.state));
  const codes = counted(told.map(({ code }) => code));
  const seen = `${kills} kills, ${kills * AT_ONCE} payments: ${sent} sent, ${paid.size} paid; ${states}; told ${codes}`;
  return { seen, problems };
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
