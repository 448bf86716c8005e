/**
 * Two instances whose machines' clocks are wrong, one ten minutes slow and one ten minutes fast: an approval asked at
 * one is good at the other, and what the airline does late is not given up early.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { paymentsOf, questionsOf } from '../support/instances.ts';
import { type Fleet, type Row, settled } from './support/fleet.ts';

const TEN_MINUTES = 600_000;
/** The airline acts this long after the request; its answer is lost. */
const LATE_MS = 2_000;
/** From sending to when it may be settled as not executed. */
const SETTLE_SECONDS = 4;

export interface Skewed {
  readonly rows: readonly Row[];
  readonly paid: number;
  readonly codes: readonly string[];
}

export async function lateUnderSkew(fleet: Fleet): Promise<Skewed> {
  const { relay, sandbox, stock } = fleet;
  const more = { FARECLERK_SETTLE_SECONDS: String(SETTLE_SECONDS), FARECLERK_ANSWER_SECONDS: '1' };
  const [[slow], [fast]] = await Promise.all([
    fleet.start(1, { ...more, FLEET_SKEW_MS: String(-TEN_MINUTES) }),
    fleet.start(1, { ...more, FLEET_SKEW_MS: String(TEN_MINUTES) }),
  ]);
  if (slow === undefined || fast === undefined) throw new Error('no instances');
  const payments = await paymentsOf(stock, 2);
  const isOurs = (it: { locator: string }) => payments.some(({ locator }) => locator === it.locator);
  const [bySlow] = await questionsOf(slow, payments.slice(0, 1));
  const [byFast] = await questionsOf(fast, payments.slice(1));
  if (bySlow === undefined || byFast === undefined) throw new Error('no questions');
  relay.interfere(async ({ name, socket, forward }) => {
    if (name !== 'OTA_AirDemandTicketRQ') return false;
    socket.destroy();
    await wait(LATE_MS);
    await forward();
    return true;
  });
  // Each answers the other's question.
  const came = await Promise.all([fast.call(bySlow), slow.call(byFast)]);
  const rows = await settled(fleet, 20_000, isOurs);
  await relay.quiet();
  relay.interfere(undefined);
  await Promise.all([slow.close(), fast.close()]);
  const paid = sandbox.ledger().filter((it) => it.event === 'paid' && isOurs(it)).length;
  return { rows, paid, codes: came.map(({ code }) => code) };
}
