/**
 * An airline that throttles, and two instances on one state whose clocks are some seconds apart: what it asks of one, the other
 * keeps. No payment begins into a pause, and none uses up a yes: it is carried out afterwards, at either instance, once.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { reply } from '../../ota/support/wire-server.ts';
import { PAY, READ } from '../support/acts.ts';
import { Chance } from '../support/chance.ts';
import type { Call, Came } from '../support/instance-process.ts';
import { type Instance, type Payment, paymentOf, questionOf, startInstances } from '../support/instances.ts';
import { counted, type Proved } from '../support/report.ts';
import type { Fleet } from './support/fleet.ts';

const SKEW_MS = 4_000;
/** A call that comes to this is made again later. */
const BUSY = 'E_AIRLINE_BUSY';
/** How long every pause is at most, seconds. */
const LONGEST_SECONDS = 600;
/** A machine that is busy needs so long for a call. */
const SLACK_MS = 20_000;

/** What the airline asked for, and every message with its time. Times are of this process, milliseconds. */
interface Wire {
  /** The next message of this name gets 429 with so many seconds, and is not carried out. */
  throttle(name: string, seconds: number): void;
  /** Waits until the pause of the last throttled message of this name is over. */
  over(name: string): Promise<void>;
  readonly seen: { readonly name: string; readonly at: number }[];
}

function throttling(relay: Fleet['relay']): Wire {
  const orders = new Map<string, number>();
  const ends = new Map<string, number>();
  const seen: Wire['seen'] = [];
  relay.interfere(({ name, socket }) => {
    seen.push({ name, at: performance.now() });
    const seconds = orders.get(name);
    if (seconds === undefined) return false;
    orders.delete(name);
    ends.set(name, performance.now() + seconds * 1_000);
    socket.end(reply(429, 'slow down', { 'retry-after': String(seconds) }));
    return true;
  });
  return {
    throttle: (name, seconds) => void orders.set(name, seconds),
    over: (name) => wait(Math.max(0, (ends.get(name) ?? 0) - performance.now()) + 50),
    seen,
  };
}

/** A fleet, the wire to its airline, and what went wrong. */
interface Play extends Pick<Fleet, 'stock' | 'times'> {
  readonly wire: Wire;
  readonly problems: string[];
  readonly came: string[];
}

const readOf = ({ locator }: Payment): Call => ({ tool: 'read_booking', args: { locator } });
const secondsIn = ({ structured }: Came): number =>
  Number(/after_s:(\d+)/.exec(JSON.stringify(structured))?.[1] ?? Number.NaN);

/** Makes a call that must end in a code. */
async function due(play: Play, what: string, instance: Instance, call: Call, code: string): Promise<Came> {
  const came = await instance.call(call);
  play.came.push(came.code);
  if (came.code !== code) play.problems.push(`${what} came to ${came.code} instead of ${code}: ${came.text}`);
  return came;
}

/** Makes a call into a pause: it ends in E_AIRLINE_BUSY, and no message of this name leaves. */
async function refused(play: Play, what: string, instance: Instance, call: Call, name: string): Promise<Came> {
  const before = sentOf(play, name);
  const came = await due(play, what, instance, call, BUSY);
  if (sentOf(play, name) > before) play.problems.push(`${what} sent ${name} into a pause`);
  return came;
}

const sentOf = ({ wire }: Play, name: string) => wire.seen.filter((message) => message.name === name).length;

/** The airline throttles the payment of one instance. The other begins none, and carries its yes out afterwards. */
async function throttledPayment(play: Play, [one, other]: readonly [Instance, Instance], seconds: number) {
  const { wire, stock, times } = play;
  const payments = [await paymentOf(stock), await paymentOf(stock), await paymentOf(stock)] as const;
  const [first, second, third] = [
    await questionOf(one, payments[0]),
    await questionOf(other, payments[1]),
    await questionOf(one, payments[2]),
  ];
  wire.throttle(PAY, seconds);
  // This one was sent and refused: its yes is used up by that.
  await due(play, 'the throttled payment', one, first, BUSY);
  await refused(play, 'a payment at the other instance', other, second, PAY);
  await refused(play, 'the next payment at the same instance', one, third, PAY);
  // Other messages go on.
  await due(play, 'a reading meanwhile', other, readOf(payments[1]), 'ok');
  await wire.over(PAY);
  // Each yes at the instance that did not take it.
  await due(play, 'the yes of the other instance afterwards', one, second, 'done');
  await due(play, 'the second yes of this instance afterwards', other, third, 'done');
  const paid = payments.map(({ locator }) => times('paid', locator));
  if (String(paid) !== '0,1,1') play.problems.push(`paid ${paid} times instead of 0,1,1`);
}

/** The airline throttles the readings of one instance. The other reads nothing, and begins no payment, which reads first. */
async function throttledReading(play: Play, [one, other]: readonly [Instance, Instance], seconds: number) {
  const { wire, stock, times } = play;
  const payment = await paymentOf(stock);
  const yes = await questionOf(other, payment);
  wire.throttle(READ, seconds);
  await due(play, 'the throttled reading', one, readOf(payment), BUSY);
  await refused(play, 'a reading at the other instance', other, readOf(payment), READ);
  await refused(play, 'a payment while nothing can be read', other, yes, READ);
  await wire.over(READ);
  await due(play, 'its yes afterwards', one, yes, 'done');
  if (times('paid', payment.locator) !== 1) play.problems.push('the payment after a paused reading was not made once');
}

/** The airline throttles the last reading before a payment: the payment waits, reads again and is sent once. */
async function throttledRecheck(play: Play, [one]: readonly [Instance, Instance], seconds: number) {
  const { wire, stock, times } = play;
  const payment = await paymentOf(stock);
  const yes = await questionOf(one, payment);
  wire.throttle(READ, seconds);
  await due(play, 'a payment whose last reading is throttled', one, yes, 'done');
  if (times('paid', payment.locator) !== 1)
    play.problems.push('the payment with a throttled reading was not made once');
}

/** The airline asks for a day: ten minutes are kept, by both. The last scene, because it has no end. */
async function endless(play: Play, [one, other]: readonly [Instance, Instance]) {
  const { wire, stock } = play;
  const payment = await paymentOf(stock);
  wire.throttle(READ, 86_400);
  await due(play, 'a reading throttled for a day', one, readOf(payment), BUSY);
  for (const instance of [one, other]) {
    const seconds = secondsIn(await refused(play, 'a reading afterwards', instance, readOf(payment), READ));
    if (!(seconds <= LONGEST_SECONDS && seconds > LONGEST_SECONDS - SLACK_MS / 1_000))
      play.problems.push(`a pause of a day is kept for ${seconds} s`);
  }
}

/** @param rounds how often each scene is played on each store, with pauses of other lengths and instances in turn */
export async function keepPauses(fleet: Fleet, rounds: number, seed: number): Promise<Proved> {
  const { FARECLERK_DATABASE_URL: _, ...folder } = fleet.env;
  const chance = new Chance(seed);
  const problems: string[] = [];
  const came: string[] = [];
  let scenes = 0;
  for (const env of [fleet.env, folder]) {
    const started = await Promise.all(
      [-SKEW_MS, SKEW_MS].map((ms) => startInstances(1, { ...env, FLEET_SKEW_MS: String(ms) })),
    );
    const instances = started.flat() as unknown as readonly [Instance, Instance];
    const play: Play = { stock: fleet.stock, times: fleet.times, wire: throttling(fleet.relay), problems, came };
    try {
      for (let round = 0; round < rounds; round++) {
        const pair = round % 2 === 0 ? instances : ([instances[1], instances[0]] as const);
        for (const scene of [throttledPayment, throttledReading, throttledRecheck]) {
          // Longer than a call waits for.
          await scene(play, pair, 5 + chance.below(3));
          scenes++;
        }
      }
      await endless(play, instances);
    } finally {
      fleet.relay.interfere(undefined);
      for (const instance of instances) await instance.close();
    }
  }
  return { seen: `${scenes} pauses on two stores (${counted(came)})`, problems };
}
