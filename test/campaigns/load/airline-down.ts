/**
 * The airline goes away in the middle of a payment, and comes back: how often it is asked meanwhile, how often the
 * payment is sent, and how soon all is well. `node test/campaigns/load/airline-down.ts [--seconds 20]`
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Called } from '../../support/mcp-http.ts';
import { PAY, payArgs, READ } from '../support/acts.ts';
import { newFolder } from '../support/folders.ts';
import { seenWithin } from '../support/pace.ts';
import { startRelay } from '../support/relay.ts';
import { conclude, exactly, flags, least, most, none, quantile, told } from '../support/report.ts';
import { openStage, paymentsIn, sandboxProcess } from '../support/stage.ts';
import { hold, pairOf } from '../support/trip.ts';

const { seconds } = flags({ seconds: 20 });
/** Reads a second, of several callers. */
const RATE = 20;
const BACK_MS = 90_000;

const books = `${newFolder('airline')}/airline.sqlite`;
const sandbox = await sandboxProcess(books);
const relay = await startRelay(sandbox.settings);
let isUp = true;
let goesAtPayment = false;
relay.interfere(async ({ name, socket, forward }) => {
  if (isUp && !(goesAtPayment && name === PAY)) return false;
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
const pay = () => ann.call('pay_booking', payArgs(locator, asked.structured.approval.id));
const read = () => ann.call('read_booking', { locator });

// The answer of the payment is lost, and from then on the airline is gone.
goesAtPayment = true;
const before = relay.times(READ);
const payments = [(await pay()).outcome];
const reads: Called[] = [];
const until = performance.now() + seconds * 1000;
const reading: Promise<unknown>[] = [];
let nextPay = 0;
while (performance.now() < until) {
  reading.push(read().then((call) => reads.push(call)));
  if (performance.now() > nextPay) {
    nextPay = performance.now() + 3_000;
    reading.push(pay().then(({ outcome }) => payments.push(outcome)));
  }
  await wait(1_000 / RATE);
}
const upstream = relay.times(READ) - before;

goesAtPayment = false;
isUp = true;
const back = performance.now();
const secondsSince = () => (performance.now() - back) / 1000;
await seenWithin(BACK_MS, 1_000 / RATE, read, ({ outcome }) => outcome === 'ok');
const readAgain = secondsSince();
await seenWithin(BACK_MS, 0, pay, ({ outcome }) => /^(already_)?done$/.test(outcome));
const settledAfter = secondsSince();
await Promise.all(reading);

const refused = reads.filter(({ outcome }) => outcome === 'E_AIRLINE_DOWN').map(({ ms }) => ms);
const neither = payments.filter((outcome) => !['pending', 'done', 'already_done'].includes(outcome));
conclude(`airline down for ${seconds} s`, [
  least('reads asked of the server', reads.length, seconds),
  least('of them told that the airline is down', refused.length, reads.length),
  told('reads that reached the airline, settling included', upstream),
  most('read amplification', upstream / reads.length, 1.1, '×'),
  told('median answer while it is down', quantile(refused, 0.5), 'ms'),
  exactly('payments sent', relay.times(PAY), 1),
  least('answers to the payment, all calls', payments.length, 2),
  none('of them neither "pending" nor "done"', neither.length),
  exactly('payments in the books of the airline', (await paymentsIn(books)).length, 1),
  most('back until a read succeeds', readAgain, 30, 's'),
  most('back until the payment is known to be done', settledAfter, 90, 's'),
]);
await stage.close();
await relay.close();
await sandbox.close();
