/** `fareclerk serve --http` as it is run, in front of a sandbox airline that cancels a train: the list shows it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectHttp } from '../../http/support/clients.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { heldIn } from '../desk.ts';
import { buildProgram, type Program, serving } from '../program.ts';
import { freshState, ran } from '../screen.ts';

let program: Program;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;

beforeAll(async () => {
  [program, sandbox] = await Promise.all([buildProgram(), startSandbox()]);
});
afterAll(() => sandbox.close());

it('shows a cancelled train of a booking that another process made, without a call that reads it, and stops when asked to', async () => {
  const env = {
    ...sandbox.settings,
    ...freshState(),
    FARECLERK_WATCH_READS_PER_HOUR: '36000',
  };
  const token = 'let-me-in-0123456789abcdef-01234';
  const scraper = 'let-me-scrape-0123456789abcdef-0';
  const tokens = { FARECLERK_HTTP_TOKEN: token, FARECLERK_METRICS_TOKEN: scraper };
  const command = ['serve', '--http', '--port', '0', '--rehearsal', '6'];
  const server = await serving(program.start(command, { ...env, ...tokens }));
  // The state is made by this other process.
  const locator = await heldIn(env);
  expect((await ran(env, ['call', 'read_booking', `locator=${locator}`])).code).toBe(0);
  sandbox.disturb({ kind: 'cancel', locator });
  const found = async () => (await ran(env, ['findings'])).stdout;
  await expect.poll(found, { interval: 250 }).toContain(locator);

  const client = await connectHttp('v2-2026', server.url, { token });
  const { bookings, changes } = (await client.call('list_bookings', { needs_attention: true })).structuredContent;
  const [row] = bookings.filter((one: { locator: string }) => one.locator === locator);
  expect(row?.needs_attention).toEqual([expect.stringMatching(/^the airline cancelled HHR\d+$/)]);
  expect(changes[0]).toMatchObject({ what: expect.stringMatching(/^train \d+ on /), locators: [locator] });
  await client.close();
  const metrics = new URL('/metrics', server.url);
  const scrape = await fetch(metrics, { headers: { authorization: `Bearer ${scraper}` } });
  expect(await scrape.text()).toMatch(/fareclerk_watch_readings_total\{outcome="changed"\} [1-9]/);
  await server.stop();
});
