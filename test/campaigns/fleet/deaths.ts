/**
 * An instance dies during a payment: another reads the booking and settles the payment with its true outcome.
 */
import { paymentsOf, questionsOf } from '../support/instances.ts';
import { type Fleet, type Row, settled } from './support/fleet.ts';

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
  const { relay, stock, times } = fleet;
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
  const own = await settled(fleet, waits ? 120_000 : 20_000, ({ locator }) => locator === payment.locator);
  const row = own.at(-1);
  const told = await second.call(answered);
  const paid = times('paid', payment.locator);
  await second.close();
  return { row, paid, sent: relay.arrived.filter((name) => name === 'OTA_AirDemandTicketRQ').length, told: told.code };
}
