/** The way of a payment in docs/reference/architecture.md: a real payment takes it, step by step. */
import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heldBooking } from '../server/calls/bookings.ts';
import { openDesk, PAY } from '../server/calls/desk.ts';

const page = readFileSync(new URL('../../docs/reference/architecture.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| +(\d+[a-z]?) \| `([^`]+)` +\| `src\/([^`]+)` +\| (.+?) +\|$/gm)];
const WAY = rows.map(([, n = '', step = '', file = '', why = '']) => ({ n, step, file, why }));
/** Without those that return before the next begins. */
const NUMBERED = WAY.filter(({ n }) => /^\d+$/.test(n));

let desk: Awaited<ReturnType<typeof openDesk>>;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

/** What ran of our sources while this work was done: `FILE FUNCTION`. */
async function ranIn(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = (await session.post('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType;
  session.disconnect();
  const own = result.filter(({ url }) => url.includes('/src/'));
  const ran = own.flatMap(({ url, functions }) =>
    functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => `${url.slice(url.lastIndexOf('/src/') + 5).replace(/\?.*$/, '')} ${functionName}`),
  );
  return new Set(ran);
}

test('passes every step that the page lists, and the page lists at most 28, each with its reason', async () => {
  const locator = await heldBooking(desk);
  const args = { locator, ...PAY };
  const asked = await desk.ask('pay_booking', args);
  const ran = await ranIn(async () => expect((await asked.yes()).structured.status).toBe('done'));
  expect(NUMBERED.map(({ n }) => n)).toEqual(NUMBERED.map((_, i) => String(i + 1)));
  expect(NUMBERED.length).toBeGreaterThan(20);
  expect(NUMBERED.length).toBeLessThanOrEqual(28);
  expect(WAY.length).toBeGreaterThan(NUMBERED.length);
  // The first two belong to the protocol, which the desk does without.
  const missed = WAY.slice(2).filter(({ step, file }) => !ran.has(`${file} ${step}`));
  expect(missed).toEqual([]);
  expect(WAY.filter(({ why }) => why.length < 15)).toEqual([]);
});
