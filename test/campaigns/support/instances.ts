/**
 * Instances of the clerk, each in a process of its own, told what to call.
 */
import { fileURLToPath } from 'node:url';
import { payArgs } from './acts.ts';
import type { Settings } from './airline.ts';
import { startChild } from './child.ts';
import type { Call, Came, Order } from './instance-process.ts';
import type { Stock } from './stock.ts';

/** FLEET_INSTANCE: the same, bundled. */
const instance = () => process.env.FLEET_INSTANCE ?? fileURLToPath(new URL('./instance-process.ts', import.meta.url));

export interface Instance {
  call(call: Call): Promise<Came>;
  /** In order; `width` at once. Rejects when the process dies. */
  calls(calls: readonly Call[], width?: number): Promise<readonly Came[]>;
  /** kill -9 */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Started together, and ready. */
export function startInstances(count: number, env: Settings): Promise<readonly Instance[]> {
  return Promise.all(Array.from({ length: count }, () => startInstance(env)));
}

async function startInstance(env: Settings): Promise<Instance> {
  const child = await startChild<Order, readonly Came[]>(instance(), env);
  const calls: Instance['calls'] = (all, width = all.length) => child.tell({ calls: all, width });
  return {
    ...child,
    calls,
    async call(one) {
      const [came] = await calls([one]);
      if (came === undefined) throw new Error('no answer');
      return came;
    },
  };
}

/** Asks all the questions of one instance; the same calls again, with the yes, are for whomever. */
export async function questionsOf(instance: Instance, calls: readonly Call[]): Promise<readonly Call[]> {
  const asked = await instance.calls(calls);
  return calls.map((call, i) => {
    const { question, code, text } = asked[i] ?? {};
    if (question === undefined) throw new Error(`${call.tool} did not ask: ${code} ${text}`);
    const { handle, raw } = question;
    return { ...call, yes: { handle, raw } };
  });
}

/** Holds to pay for, and the calls that pay. */
export async function paymentsOf(stock: Stock, count: number): Promise<readonly (Call & { locator: string })[]> {
  const payments: (Call & { locator: string })[] = [];
  for (let i = 0; i < count; i++) {
    const { locator } = await stock.held();
    payments.push({ tool: 'pay_booking', args: payArgs(locator), locator });
  }
  return payments;
}
