/**
 * Many payments at once, by several processes on one state folder, against a limit per action and per caller's day: the
 * airline's ledger never shows more than the limits allow, nor less than they leave room for, and a restart forgets
 * nothing.
 *
 *   node test/campaigns/chaos/limits.ts [--runs 200] [--seed 1]
 */
import { rmSync } from 'node:fs';
import { formatMoney, showMoney } from '../../../src/domain/pricing/money.ts';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { payArgs } from '../support/acts.ts';
import { openAirline } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { newFolder } from '../support/folders.ts';
import type { Call, Came } from '../support/instance-process.ts';
import { startInstances } from '../support/instances.ts';
import { inParallel } from '../support/pace.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';

/** Two for a few, to spare the machine. */
const processesFor = (runs: number) => (runs < 100 ? 2 : 4);

interface Hold {
  readonly locator: string;
  /** Minor units. */
  readonly price: number;
}

interface Spent {
  readonly total: number;
  readonly most: number;
  readonly locators: ReadonlySet<string>;
}

function spentBy(sandbox: Sandbox): Spent {
  const paid = sandbox.ledger().filter((it) => it.event === 'paid');
  const amounts = paid.map((it) => it.amount?.minor ?? 0);
  return {
    total: amounts.reduce((sum, one) => sum + one, 0),
    most: Math.max(0, ...amounts),
    locators: new Set(paid.map((it) => it.locator)),
  };
}

/** Every hold paid for by some process, all at once. */
async function payAll(holds: readonly Hold[], env: Record<string, string>, processes: number): Promise<Came[]> {
  const instances = await startInstances(processes, env);
  try {
    const calls = holds.map(({ locator }): Call => ({ tool: 'pay_booking', args: payArgs(locator), yes: 'at once' }));
    const shares = instances.map((_, i) => calls.filter((_call, n) => n % processes === i));
    return (await Promise.all(instances.map((one, i) => one.calls(shares[i] ?? [], 50)))).flat();
  } finally {
    for (const instance of instances) await instance.close();
  }
}

/** `more`: settings besides those of the airline: another store than a folder of its own. */
export async function proveLimits(
  { runs, seed }: ProofOptions,
  more: Readonly<Record<string, string>> = {},
): Promise<Proved> {
  const processes = processesFor(runs);
  const { sandbox, stock, close } = await openAirline();
  const folder = newFolder('limits');
  try {
    const holds = await inParallel(Array.from({ length: runs }), 4, async (): Promise<Hold> => {
      const { locator, pricing } = await stock.held();
      return { locator, price: pricing?.total?.total.minor ?? 0 };
    });
    const prices = holds.map((hold) => hold.price).toSorted((a, b) => a - b);
    // Some cost too much by themselves; of the others, the day has room for about a quarter.
    const perAction = prices[Math.floor(runs * 0.9)] ?? 0;
    const perDay = Math.floor(prices.reduce((sum, one) => sum + one, 0) / 4);
    const currency = sandbox.settings.FARECLERK_CURRENCY ?? '';
    const money = (minor: number) => ({ minor, currency });
    const env = {
      ...sandbox.settings,
      FARECLERK_STATE_DIR: folder,
      FARECLERK_DIALOG_FLOOR_MS: '0',
      XDG_STATE_HOME: folder,
      ...more,
      FARECLERK_LIMIT_PER_ACTION: formatMoney(money(perAction)),
      FARECLERK_LIMIT_PER_DAY: formatMoney(money(perDay)),
    };
    const heard = await payAll(new Chance(seed).shuffled(holds), env, processes);
    const spent = spentBy(sandbox);
    const left = holds.filter((hold) => !spent.locators.has(hold.locator));
    const again = await payAll(left, env, 1);
    const after = spentBy(sandbox);
    const codes = [...Map.groupBy(heard, (one) => one.code)];
    const wrong = [...heard, ...again].filter((one) => one.code !== 'done' && one.code !== 'E_LIMIT');
    const room = left.filter((hold) => hold.price <= perAction && spent.total + hold.price <= perDay);
    const problems = [
      ...(spent.total > perDay || after.total > perDay ? [`${after.total} spent, limit of the day ${perDay}`] : []),
      ...(after.most > perAction ? [`${after.most} spent at once, limit of an action ${perAction}`] : []),
      ...(after.total === spent.total ? [] : [`${after.total - spent.total} more spent after the restart`]),
      ...(heard.filter((one) => one.code === 'done').length === spent.locators.size ? [] : ['told and paid differ']),
      ...room.map((hold) => `${hold.locator} was refused though there was room for it`),
      ...wrong.map((one) => `${one.code}: ${one.text}`),
    ];
    const told = codes.map(([code, of]) => `${code} ${of.length}`).join(', ');
    const of = `${showMoney(money(spent.total))} of ${showMoney(money(perDay))} a day, at most ${showMoney(money(spent.most))} of ${showMoney(money(perAction))} an action`;
    return {
      seen: `${heard.length} payments at once, ${processes} processes: ${of}; ${told}; ${again.length} tried again after a restart, ${after.locators.size - spent.locators.size} paid`,
      problems,
    };
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await command('limits', { runs: 200, seed: 1 }, proveLimits);
