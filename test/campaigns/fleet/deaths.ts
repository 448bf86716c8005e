/**
 * An instance dies during a payment: another reads the booking and settles the payment with its true outcome.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Fleet, paymentsOf, questionsOf, type Row } from './support/fleet.ts';

export interface Death {
  readonly row: Row | undefined;
  /** Times that the airline was paid, by its own ledger. */
  readonly paid: number;
  /** Payments that left for the airline. */
  readonly sent: number;
  /** What the next instance tells a caller who comes back with the same yes. */
  readonly told: string;
}

export interface DeathOptions {
  /** Whether the airline gets the payment before the instance dies. */
  readonly arrives: boolean;
  /** Waits the minute in which a silent process is believed alive, instead of having it over. */
  readonly waits?: boolean;
}

export async function dieInMidPayment(fleet: Fleet, { arrives, waits = false }: DeathOptions): Promise<Death> {
  const { relay, sandbox, stock } = fleet;
  const [first, second] = await fleet.start(2);
  if (first === undefined || second === undefined) throw new Error('no instances');
  const [payment] = await paymentsOf(stock, 1);
  if (payment === undefined) throw new Error('no booking');
  const [answered] = await questionsOf(first, [payment]);
  if (answered === undefined) throw new Error('no question');
  relay.clear();
  const { promise: dead, resolve: died } = Promise.withResolvers<void>();
  relay.interfere(async ({ name, forward }) => {
    if (name !== 'OTA_AirDemandTicketRQ') return false;
    if (arrives) await forward();
    await first.kill();
    died();
    return true;
  });
  const call = first.call(answered).catch(() => undefined);
  await dead;
  await call;
  relay.interfere(undefined);
  if (!waits) await fleet.lapse();
  const row = await settled(fleet, payment.locator, waits ? 120_000 : 20_000);
  const told = await second.call(answered);
  const paid = sandbox.ledger().filter((it) => it.event === 'paid' && it.locator === payment.locator).length;
  await second.close();
  return { row, paid, sent: relay.arrived.filter((name) => name === 'OTA_AirDemandTicketRQ').length, told: told.code };
}

/** The operation on that booking, when it is settled; as it is after that long. */
async function settled(fleet: Fleet, locator: string, ms: number): Promise<Row | undefined> {
  const until = performance.now() + ms;
  for (;;) {
    const row = (await fleet.rows()).findLast((one) => one.locator === locator);
    const open = row !== undefined && ['intent', 'dispatched', 'in_doubt'].includes(row.state);
    if (!open || performance.now() > until) return row;
    await wait(50);
  }
}
