/** How many series a scrape of a busy server has: Prometheus keeps each of them, for each instance. */
import { expect, it } from 'vitest';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { openTinyClerk } from '../http/support/tiny-clerk.ts';

/** Each tool adds its counts of outcomes and the parts of its duration; the rest does not grow with the catalog. */
const OF_TOOL = 8;
/** A tool that moves money also adds how many of its operations succeeded, and how many got no answer. */
const OF_COMMIT = 2;
const COMMITS = CATALOG.filter(({ effect }) => effect === 'commit');
const AIRLINE_OPERATIONS = 10;
const MOST = 590 + OF_TOOL * CATALOG.length + OF_COMMIT * COMMITS.length + AIRLINE_OPERATIONS;
const ROUTES = ['/mcp', '/approve/', '/tickets/', '/metrics', '/readyz', '/healthz', 'other'];
const STATE = { operations: { get: () => undefined, insert: () => undefined } };

it(`a busy server shows at most ${MOST} series`, async () => {
  const metrics = createMetrics({ state: { freshMs: 0 } });
  const tiny = await openTinyClerk();
  const tools = CATALOG.map(({ name, effect }) => ({ name, effect })) as never;
  metrics.watchState({ runtime: tiny.clerk.runtime, tools });
  metrics.watchEvents(['receiver']);
  const pauses = Array.from({ length: AIRLINE_OPERATIONS }, (_, n) => ({ operation: `operation-${n}`, leftMs: 0 }));
  metrics.watchAirline(() => ({ openBreakers: 0, pauses }), 'SAR');
  for (const { name: tool } of CATALOG) {
    for (const outcome of ['ok', 'asked', 'succeeded', 'E_INPUT', 'E_AIRLINE_DOWN']) {
      const structured = { status: outcome };
      metrics.countCall(tool, 0.1, { kind: 'result', text: '', structured, isError: false });
    }
  }
  for (let n = 0; n < AIRLINE_OPERATIONS; n++) {
    for (const status of [200, 400, 500]) metrics.countAirlineCall({ operation: `operation-${n}`, ms: 10, status });
    metrics.countAirlineCall({ operation: `operation-${n}`, ms: 10, code: 'timeout' });
  }
  for (const route of ROUTES) for (const status of [200, 401, 404, 429]) metrics.countRequest(route, status, 0.1);
  for (const ask of Object.values(metrics.timeState(STATE).operations)) ask();
  const lines = (await metrics.text()).body.split('\n').filter((line) => /^[a-z]/.test(line));
  expect(lines.length).toBeGreaterThan(MOST / 2);
  expect(lines.length).toBeLessThanOrEqual(MOST);
  await tiny.close();
  metrics.close();
});
