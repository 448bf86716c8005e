/**
 * A desk over a state that is full, in a process of its own, so that its memory is that of a server with its airline and its
 * children: asks, measures and prints one line of JSON. Arguments: the file of the state, or the address of its database; the folder
 * of a cgroup to enter, and the name of what its memory.stat counts, if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { rowsApartFrom, type StatePlace } from '../../src/ledger/run-apart.ts';
import { runSql } from '../../src/ledger/run-sql.ts';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { ticketedBooking } from '../../test/clerk/calls/bookings.ts';
import { openDesk } from '../../test/clerk/calls/desk.ts';
import { serve } from '../../test/http/support/serve.ts';
import { residentMb } from '../../test/support/usage.ts';
import { END, START } from './many-acts.ts';
import { enterGroup, keptMb } from './memory-group.ts';

export interface YearFigures {
  readonly dayMs: number;
  readonly monthMs: number;
  readonly yearMs: number;
  /** The longest time that the loop stood still while the three ran one after another. */
  readonly heldMs: number;
  readonly aloneMs: number;
  readonly besideMs: number;
  /** How many questions of the eight were answered, told to come again, and ended because they took too long. */
  readonly answered: number;
  readonly busy: number;
  readonly ended: number;
  /** How long /healthz took beside holds and payments alone and beside the questions too, milliseconds: 99 of 100 took less. */
  readonly aloneHealthMs: number;
  readonly besideHealthMs: number;
  /** CPU time of this process for a hold and a payment, milliseconds: what else it did is in it. */
  readonly aloneCpuMs: number;
  readonly besideCpuMs: number;
  /** Most memory of this process and its children together, as polled: summed, or in one cgroup without the cache of files. */
  readonly mostMb: number;
}

const ASKERS = 8;
const TIMES = 5;
const HEALTH_EVERY_MS = 20;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const LAST = dayOf(END - 1);
const DAY = { from: LAST, to: LAST };
const MONTH = { from: dayOf(END - 31 * 86_400_000), to: LAST };
const YEAR = { from: dayOf(START), to: LAST };
const SALES =
  "select asked_by, currency, count(*), sum(paid) from operation where act = 'payment' and outcome = 'done' group by 1, 2";
const REFUNDS =
  "select route, currency, count(*), sum(refunded) from operation where act = 'refund' and outcome = 'done' group by 1, 2";
const PAID =
  "select substr(on_day, 1, 7), currency, sum(paid) from operation where outcome = 'done' and paid is not null group by 1, 2";

const [place = '', group = '', kept = ''] = process.argv.slice(2);
if (group !== '') enterGroup(group);
const statePlace: StatePlace = place.startsWith('postgres') ? { url: place, schema: 'fareclerk' } : { file: place };
const desk = await openDesk({
  approval: 'echo',
  startsAt: new Date(END).toISOString(),
  settings: { timeZone: () => 'UTC' },
  runSql: (question) => runSql(question, rowsApartFrom(statePlace)),
  openState: (now) =>
    (place.startsWith('postgres')
      ? openPostgresState(place, { now, schema: 'fareclerk' })
      : openSqliteState(place, { now })) as ReturnType<typeof openSqliteState>,
});

async function ask(sql: string, period: object, id = 'lead'): Promise<'answered' | 'busy' | 'ended'> {
  const { structured, isError } = await desk.result(
    'query_ledger',
    { sql, ...period },
    { caller: { tenant: 'desk', id } },
  );
  if (!isError) return 'answered';
  const { code, message } = structured.error as { code: string; message: string };
  if (code === 'E_LIMIT') return 'busy';
  if (message.includes('was ended')) return 'ended';
  throw new Error(message);
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  while (all.length < TIMES) all.push(await took(work));
  return all.sort((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0;
}

/** A process, its children and theirs. One may end between being listed and being read. */
function togetherMb(pid: number): number {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + togetherMb(Number(child)), residentMb(pid));
  } catch {
    return 0;
  }
}

let mostMb = 0;
const polling = setInterval(() => {
  mostMb = Math.max(mostMb, group === '' ? togetherMb(process.pid) : keptMb({ folder: group, kept }));
}, 50);
const { port, close } = await serve({}, desk);
/** Sells while /healthz is asked again and again. Times in milliseconds. */
async function sold() {
  const before = process.cpuUsage();
  const health: number[] = [];
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      health.push(await took(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).text()));
      await pause(HEALTH_EVERY_MS);
    }
  })();
  const ms = await median(() => ticketedBooking(desk));
  isOver = true;
  await probing;
  const { user, system } = process.cpuUsage(before);
  const slowest = health.sort((one, other) => one - other)[Math.floor(health.length * 0.99)] ?? 0;
  return { ms, cpuMs: (user + system) / 1_000 / TIMES, healthMs: slowest };
}

// The first calls compile what they need.
await ticketedBooking(desk);
await ask(SALES, DAY);
const alone = await sold();
const loop = monitorEventLoopDelay({ resolution: 2 });
loop.enable();
const dayMs = await took(() => ask(SALES, DAY));
const monthMs = await took(() => ask(REFUNDS, MONTH));
const yearMs = await took(() => ask(PAID, YEAR));
loop.disable();
const counted = { answered: 0, busy: 0, ended: 0 };
let isOver = false;
const asking = Array.from({ length: ASKERS }, async (_, i) => {
  while (!isOver) counted[await ask(PAID, YEAR, `c${i}`)] += 1;
});
const beside = await sold();
isOver = true;
await Promise.all(asking);
clearInterval(polling);
await close();
const figures: YearFigures = {
  ...{ dayMs, monthMs, yearMs, heldMs: loop.max / 1e6, ...counted, mostMb },
  ...{ aloneMs: alone.ms, aloneCpuMs: alone.cpuMs, aloneHealthMs: alone.healthMs },
  ...{ besideMs: beside.ms, besideCpuMs: beside.cpuMs, besideHealthMs: beside.healthMs },
};
console.log(JSON.stringify(figures));
