/**
 * When a person may do again what was done here and the airline does not show: an hour after it, or sooner if a limit is near, and never
 * within ten minutes. Each case is played at several times before and after these.
 */
import { instantOf } from '../../../src/core/times.ts';
import { ACTS } from '../support/acts.ts';
import { codeOf } from '../support/office.ts';
import { type LagDesk, openLagDesk } from './lag-desk.ts';
import type { Dialect } from './matrix.ts';

const MINUTE = 60_000;

type Reading = Awaited<ReturnType<LagDesk['fresh']>>;

interface LimitCase {
  readonly name: string;
  /** Of the acts of the chaos campaigns. */
  readonly act: string;
  readonly dialects: readonly Dialect[];
  /** The limit that is near. Absent: none is. */
  limit?(booking: Reading): number | undefined;
  /** How long before the limit the act is done, minutes. */
  readonly before?: number;
  /** Minutes after the act, and whether a person may do it again then. */
  readonly at: readonly (readonly [minutes: number, allowed: boolean])[];
}

const first = (booking: Reading) => booking.options[0]?.segments[0];
/** Airlines state it as the time limit of tickets. */
const payBy = ({ pricing, tickets }: Reading) =>
  instantOf(pricing?.fares[0]?.payBy ?? tickets.find(({ timeLimit }) => timeLimit !== undefined)?.timeLimit);
const cancelUntil = ({ pricing }: Reading) => instantOf(pricing?.fares[0]?.cancelUntil);
const departure = (booking: Reading) => instantOf(first(booking)?.departs);

const BOTH: readonly Dialect[] = ['rail', 'airline'];

export const LIMIT_CASES: readonly LimitCase[] = [
  {
    ...{ name: 'no limit is near', act: 'pay_booking', dialects: BOTH },
    at: [
      [1, false],
      [11, false],
      [59, false],
      [61, true],
    ],
  },
  {
    ...{ name: 'the hold ends in minutes', act: 'pay_booking', dialects: BOTH, limit: payBy, before: 15 },
    at: [
      [9, false],
      [11, true],
    ],
  },
  {
    ...{ name: 'the hold ends in half an hour', act: 'pay_booking', dialects: BOTH, limit: payBy, before: 30 },
    at: [
      [11, false],
      [19, false],
      [21, true],
    ],
  },
  {
    ...{
      name: 'it can be cancelled for minutes',
      act: 'cancel_segment',
      dialects: ['rail'],
      limit: cancelUntil,
      before: 15,
    },
    at: [
      [9, false],
      [11, true],
    ],
  },
  {
    ...{ name: 'the train leaves in minutes', act: 'update_contact', dialects: ['rail'], limit: departure, before: 15 },
    at: [
      [9, false],
      [11, true],
    ],
  },
];

/** Plays a case at a desk of its own. Returns what is wrong. */
export async function playLimit(dialect: Dialect, { name, act: actName, limit, before = 0, at }: LimitCase) {
  const wrong: string[] = [];
  const say = (what: string) =>
    wrong.push(`${dialect} ${actName}, ${name}: ${what.replaceAll('\n', ' ').slice(0, 240)}`);
  const act = ACTS.find((one) => one.name === actName);
  if (act === undefined) throw new Error(`no act ${actName}`);
  const desk = await openLagDesk(dialect);
  const { office } = desk;
  try {
    const locator = act.on === 'held' ? (await desk.stock.held()).locator : await desk.stock.ticketed();
    await office.result('read_booking', { locator });
    const until = limit?.(await desk.fresh(locator));
    if (limit !== undefined && until === undefined)
      return [...wrong, `${dialect} ${name}: the booking has no such limit`];
    if (until !== undefined) desk.set(until - before * MINUTE);
    const args = await act.args(locator, desk.look);
    await desk.lag(locator, 'whole');
    const done = await office.yes(act.tool, args, await office.question(act.tool, args));
    if (codeOf(done) !== 'done') say(`was not done: ${done.text}`);
    const doneAt = desk.now();
    for (const [minutes, allowed] of at) {
      desk.set(doneAt + minutes * MINUTE);
      const sends = desk.sends();
      const answer = await office.call(act.tool, { ...args, although_done: true });
      const isAsked = answer.kind === 'ask' || codeOf(answer) === 'approval_required';
      const words = answer.kind === 'result' ? answer.text : JSON.stringify(answer);
      if (answer.kind === 'ask') say(`asked in a dialog, ${minutes} min after it: ${words}`);
      if (isAsked !== allowed) say(`${allowed ? 'refused' : 'asked'}, ${minutes} min after it: ${words}`);
      if (!allowed || answer.kind !== 'result' || !isAsked) continue;
      const { operation_id: id } = answer.structured as { operation_id: string };
      await office.clerk.decide(id, true, { assurance: 'page' });
      await office.clerk.idle();
      if (desk.sends() !== sends + 1)
        say(`sent ${desk.sends() - sends} times after a yes on the page, ${minutes} min after it`);
    }
    return [...wrong, ...office.failures.map(String)];
  } finally {
    await desk.close();
  }
}
