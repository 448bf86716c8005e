/** Instances of the clerk, each in a process of its own, told what to call. */
import { fileURLToPath } from 'node:url';
import { payArgs } from './acts.ts';
import type { Settings } from './airline.ts';
import { startChild } from './child.ts';
import type { Call, Came, Order } from './instance-process.ts';
import type { Stock } from './stock.ts';

/** FLEET_INSTANCE: the same, bundled. */
const instance = () => process.env.FLEET_INSTANCE ?? fileURLToPath(new URL('./instance-process.ts', import.meta.url));

export type Instance = Awaited<ReturnType<typeof startInstance>>;

/** Started together, and ready. */
export function startInstances(count: number, env: Settings): Promise<readonly Instance[]> {
  return Promise.all(Array.from({ length: count }, () => startInstance(env)));
}

export async function startInstance(env: Settings) {
  const child = await startChild<Order, readonly Came[]>(instance(), env);
  /** In order; `width` at once. Rejects when the process dies. */
  const calls = (all: readonly Call[], width = all.length) => child.tell({ calls: all, width });
  return {
    ...child,
    calls,
    async call(one: Call) {
      const [came] = await calls([one]);
      if (came === undefined) throw new Error('no answer');
      return came;
    },
  };
}

/** Asks the question of a call; the same call again, with the yes, is for whomever. */
export async function questionOf(asked: Instance, call: Call): Promise<Call> {
  const { question, code, text } = await asked.call(call);
  if (question === undefined) throw new Error(`${call.tool} did not ask: ${code} ${text}`);
  return { ...call, yes: { handle: question.handle, raw: question.raw } };
}

export type Payment = Call & { readonly locator: string };

/** A hold to pay for, and the call that pays. */
export async function paymentOf(stock: Stock): Promise<Payment> {
  const { locator } = await stock.held();
  return { tool: 'pay_booking', args: payArgs(locator), locator };
}
