/**
 * The airline goes away in the middle of a payment, and comes back: how often it is asked meanwhile, how often the
 * payment is sent, and how soon all is well. `node test/campaigns/load/airline-down.ts [--seconds 20] [--strict]`
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Called } from '../../support/mcp-http.ts';
import { payArgs } from '../support/acts.ts';
import { newFolder } from '../support/folders.ts';
import { startRelay } from '../support/relay.ts';
import { conclude, quantile } from '../support/report.ts';
import { ledgerOf, openStage, sandboxProcess } from '../support/stage.ts';
import { hold, pairOf } from '../support/trip.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, strict: { type: 'boolean' } } });
const SECONDS = Math.min(600, Number(values.seconds));
/** Reads a second, of several callers. */
const RATE = 20;
const [READ, PAYMENT] = ['OTA_ReadRQ', 'OTA_AirDemandTicketRQ'] as const;

const books = `${newFolder('airline')}/airline.sqlite`;
const sandbox = await sandboxProcess(books);
const relay = await startRelay(sandbox.settings);
let isUp = true;
let goesAtPayment = false;
relay.interfere(async ({ name, socket, forward }) => {
  if (isUp && !(goesAtPayment && name === PAYMENT)) return false;
  // The payment is carried out, and its answer is lost.
  if (isUp) {
    isUp = false;
    await forward();
  }
  socket.resetAndDestroy();
  return true;
});
// Settling reads are a twelfth of this apart.
const stage = await openStage(relay.settings, { FARECLERK_SETTLE_SECONDS: '24', FARECLERK_ANSWER_SECONDS: '2' });

const ann = await stage.caller('ann');
const locator = await hold(ann, await pairOf(ann));
if (locator === undefined) throw new Error('no booking was made');
const asked = await ann.call('pay_booking', payArgs(locator));
const approvalId: string = asked.structured.approval.id;

// The answer of the payment is lost, and from then on the airline is gone.
goesAtPayment = true;
const before = seen(READ);
const told = await ann.call('pay_booking', payArgs(locator, approvalId));
const payments = [told.outcome];

const reads: Called[] = [];
const until = performance.now() + SECONDS * 1000;
const reading: Promise<unknown>[] = [];
let nextPay = 0;
while (performance.now() < until) {
  reading.push(ann.call('read_booking', { locator }).then((call) => reads.push(call)));
  if (performance.now() > nextPay) {
    nextPay = performance.now() + 3_000;
    reading.push(ann.call('pay_booking', payArgs(locator, approvalId)).then(({ outcome }) => payments.push(outcome)));
  }
  await wait(1_000 / RATE);
}
const upstream = seen(READ) - before;

goesAtPayment = false;
isUp = true;
const back = performance.now();
let readAgain = Number.POSITIVE_INFINITY;
while (readAgain === Number.POSITIVE_INFINITY && performance.now() - back < 60_000) {
  const { outcome } = await ann.call('read_booking', { locator });
  if (outcome === 'ok') readAgain = (performance.now() - back) / 1000;
  else await wait(1_000 / RATE);
}
let settled = '';
while (!['done', 'already_done'].includes(settled) && performance.now() - back < 60_000) {
  settled = (await ann.call('pay_booking', payArgs(locator, approvalId))).outcome;
}
const settledAfter = (performance.now() - back) / 1000;
await Promise.all(reading);

function seen(message: string): number {
  return relay.arrived.filter((name) => name === message).length;
}

const paid = ledgerOf(books).filter(({ event }) => event === 'paid').length;
const refused = reads.filter(({ outcome }) => outcome === 'E_AIRLINE_DOWN').map(({ ms }) => ms);
conclude(
  `airline down for ${SECONDS} s`,
  [
    { what: 'reads asked of the server', value: reads.length, atLeast: SECONDS * 10, evenBusy: { atLeast: SECONDS } },
    { what: 'of them told that the airline is down', value: refused.length, atLeast: reads.length },
    { what: 'reads that reached the airline, settling included', value: upstream },
    { what: 'read amplification', value: upstream / reads.length, unit: '×', atMost: 1.1 },
    { what: 'median answer while it is down', value: quantile(refused, 0.5), unit: 'ms', atMost: 20, timed: true },
    { what: 'payments sent', value: seen(PAYMENT), atMost: 1, atLeast: 1 },
    { what: 'answers to the payment, all calls', value: payments.length, atLeast: 2 },
    { what: 'of them neither "pending" nor "done"', value: neither(payments), atMost: 0 },
    { what: 'payments in the books of the airline', value: paid, atMost: 1, atLeast: 1 },
    { what: 'back until a read succeeds', value: readAgain, unit: 's', atMost: 10, evenBusy: { atMost: 30 } },
    {
      what: 'back until the payment is known to be done',
      value: settledAfter,
      unit: 's',
      atMost: 30,
      evenBusy: { atMost: 90 },
    },
  ],
  values.strict === true,
);
await stage.close();
await relay.close();
await sandbox.close();

function neither(outcomes: readonly string[]): number {
  return outcomes.filter((outcome) => !['pending', 'done', 'already_done'].includes(outcome)).length;
}
