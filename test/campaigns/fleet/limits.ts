/**
 * Many payments at once, by several processes on one state folder or database, against a limit per action and per caller's day: the
 * airline's ledger never shows more than the limits allow, nor less than they leave room for, and a restart forgets
 * nothing.
 */
import { payArgs } from '../support/acts.ts';
import { openAirline, type Settings } from '../support/airline.ts';
import { entriesOf } from '../support/books.ts';
import { Chance } from '../support/chance.ts';
import { newFolder } from '../support/folders.ts';
import type { Call, Came } from '../support/instance-process.ts';
import { type Instance, startInstances } from '../support/instances.ts';
import { inParallel } from '../support/pace.ts';
import { counted, type ProofOptions, type Proved } from '../support/report.ts';

const PROCESSES = 4;

async function payAll(holds: readonly { locator: string }[], env: Settings, processes: number) {
  const instances = await startInstances(processes, env);
  const calls = holds.map(({ locator }): Call => ({ tool: 'pay_booking', args: payArgs(locator), yes: 'at once' }));
  const shares = instances.map((_, i) => calls.filter((_call, n) => n % processes === i));
  const came = await Promise.all(instances.map((one, i) => callsOf(one, shares[i] ?? [])));
  for (const instance of instances) await instance.close();
  return came.flat();
}

/** Makes the calls, and again those that found no place among the calls to the airline: nothing was sent for them. */
async function callsOf(instance: Instance, calls: readonly Call[]): Promise<readonly Came[]> {
  const came = await instance.calls(calls, 50);
  const isBusy = (one: Came | undefined) => one?.code === 'E_AIRLINE_BUSY';
  const left = calls.filter((_, n) => isBusy(came[n]));
  return left.length === 0 ? came : [...came.filter((one) => !isBusy(one)), ...(await callsOf(instance, left))];
}

/** `more`: settings besides those of the airline: another store than a folder of its own. */
export async function proveLimits({ runs, seed }: ProofOptions, more: Settings = {}): Promise<Proved> {
  const { sandbox, stock, close } = await openAirline();
  const holds = await inParallel(Array.from({ length: runs }), 4, async () => {
    const { locator, pricing } = await stock.held();
    return { locator, price: pricing?.total?.total.minor ?? 0 };
  });
  const spentNow = () => {
    const paid = entriesOf(sandbox.ledger(), 'paid');
    const amounts = paid.map((it) => it.amount?.minor ?? 0);
    const total = amounts.reduce((sum, one) => sum + one, 0);
    return {
      total,
      most: Math.max(0, ...amounts),
      payments: paid.length,
      locators: new Set(paid.map((it) => it.locator)),
    };
  };
  const prices = holds.map((hold) => hold.price).toSorted((a, b) => a - b);
  // Some cost too much by themselves; of the others, the day has room for about a quarter.
  const perAction = prices[Math.floor(runs * 0.9)] ?? 0;
  const perDay = Math.floor(prices.reduce((sum, one) => sum + one, 0) / 4);
  const money = (minor: number) => (minor / 100).toFixed(2);
  const folder = newFolder('limits');
  const env = {
    ...sandbox.settings,
    ...{ FARECLERK_STATE_DIR: folder, XDG_STATE_HOME: folder, TEST_DIALOG_FLOOR_MS: '0' },
    ...more,
    ...{ FARECLERK_LIMIT_PER_ACTION: money(perAction), FARECLERK_LIMIT_PER_DAY: money(perDay) },
  };
  const heard = await payAll(new Chance(seed).shuffled(holds), env, PROCESSES);
  const spent = spentNow();
  const left = holds.filter((hold) => !spent.locators.has(hold.locator));
  const again = await payAll(left, env, 1);
  const after = spentNow();
  await close();
  const wrong = [...heard, ...again].filter((one) => one.code !== 'done' && one.code !== 'E_LIMIT');
  const room = left.filter((hold) => hold.price <= perAction && spent.total + hold.price <= perDay);
  const problems = [
    ...(spent.total > perDay || after.total > perDay ? [`${after.total} spent, limit of the day ${perDay}`] : []),
    ...(after.most > perAction ? [`${after.most} spent at once, limit of an action ${perAction}`] : []),
    ...(after.total === spent.total ? [] : [`${after.total - spent.total} more spent after the restart`]),
    ...(heard.filter((one) => one.code === 'done').length === spent.payments ? [] : ['told and paid differ']),
    ...room.map((hold) => `${hold.locator} was refused though there was room for it`),
    ...wrong.map((one) => `${one.code}: ${one.text}`),
  ];
  const seen = `${heard.length} payments at once, ${PROCESSES} processes: ${money(spent.total)} spent of ${money(perDay)} a day, at most ${money(spent.most)} of ${money(perAction)} an action; ${counted(heard.map(({ code }) => code))}; ${again.length} tried again after a restart`;
  return { seen, problems };
}
