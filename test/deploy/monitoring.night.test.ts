/** The dashboard, the alerts and the objectives: every query reads series that /metrics really shows. */
import { existsSync, readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anchor } from '../../docs/.vitepress/anchor.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { openTinyClerk, type TinyClerk } from '../http/support/tiny-clerk.ts';
import { alertCases, alerts, groupings, panels, queries, selectors } from './queries.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const SITE = 'https://github.com/fareclerk/fareclerk/blob/main/';
/** Prometheus adds these to every series. */
const ADDED = ['instance', 'job'];

let tiny: TinyClerk;
let page: string;
/** By name as queries write it: the labels. */
const known = new Map<string, readonly string[]>([
  ['up', []],
  // Of Prometheus' node exporter; the last one is a file that the backup writes for it (docs/guides/monitoring.md).
  ['node_filesystem_avail_bytes', ['mountpoint', 'fstype']],
  ['node_filesystem_size_bytes', ['mountpoint', 'fstype']],
  ['fareclerk_backup_timestamp_seconds', []],
]);

beforeAll(async () => {
  const register = new Registry();
  const build = { version: '1', environment: 'live', store: 'postgresql' };
  const metrics = createMetrics({ register, build });
  tiny = await openTinyClerk();
  const tools = CATALOG.map(({ name, effect }) => ({ name, effect })) as never;
  metrics.watchEvents(['receiver']);
  metrics.watchState({ runtime: tiny.clerk.runtime, tools });
  metrics.watchAirline(() => ({ openBreakers: 0, pauses: [{ operation: 'ticket', leftMs: 0 }] }), 'SAR');
  metrics.watchSignIn({ keysAge: () => 1_000, warm: async () => true });
  metrics.countAirlineCall({ operation: 'read', ms: 10, status: 200 });
  metrics.countCall('list_bookings', 0.01, { kind: 'result', text: '', structured: {}, isError: false });
  page = (await metrics.text()).body;
  for (const metric of register.getMetricsAsArray() as unknown as Described[]) {
    const { name, labelNames = [], type } = metric;
    if (type !== 'histogram') known.set(name, labelNames);
    else for (const end of ['bucket', 'count', 'sum']) known.set(`${name}_${end}`, [...labelNames, 'le']);
  }
  metrics.close();
});
afterAll(() => tiny.close());

interface Described {
  readonly name: string;
  readonly type: string;
  readonly labelNames?: readonly string[];
}

describe('every query', () => {
  it('is found in the alerts, the dashboard and the guide', () => {
    const of = (what: string) => queries().filter((one) => one.of.startsWith(what)).length;
    expect([of('Fareclerk') > 15, of('panel') > 40, of('guide') > 5]).toEqual([true, true, true]);
    expect(selectors('sum by (le) (rate(a_bucket{b="c",d=~"e|f"}[5m])) > 0.5 and max(g) > 700e6')).toEqual([
      {
        metric: 'a_bucket',
        matchers: [
          { label: 'b', how: '=', value: 'c' },
          { label: 'd', how: '=~', value: 'e|f' },
        ],
      },
      { metric: 'g', matchers: [] },
    ]);
  });

  it.each(queries())('$of reads metrics and labels that the server has', ({ expr }) => {
    const read = selectors(expr);
    expect(read.length).toBeGreaterThan(0);
    expect(read.map(({ metric }) => metric).filter((metric) => !known.has(metric))).toEqual([]);
    const labels = new Set([...ADDED, ...read.flatMap(({ metric }) => known.get(metric) ?? [])]);
    expect(groupings(expr).filter((label) => !labels.has(label))).toEqual([]);
    for (const { metric, matchers } of read) {
      const labels = [...ADDED, ...(known.get(metric) ?? [])];
      expect(matchers.map(({ label }) => label).filter((label) => !labels.includes(label))).toEqual([]);
    }
  });

  it.each(queries())('$of names values of labels that occur', ({ expr }) => {
    for (const { metric, matchers } of selectors(expr)) {
      const lines = page.split('\n').filter((line) => line.startsWith(`${metric}{`));
      const said = matchers.filter(({ label, how }) => ['=', '!='].includes(how) && !ADDED.includes(label));
      for (const { label, value } of said) {
        expect(
          lines.some((line) => line.includes(`${label}="${value}"`)),
          `${metric} ${label}=${value}`,
        ).toBe(true);
      }
    }
  });
});

describe('alerts.yaml', () => {
  it.each(alerts())('$alert has its fields, and leads to a heading of the runbook that is there', (rule) => {
    const { annotations } = rule;
    expect(rule).toEqual({
      ...{ alert: expect.stringMatching(/^Fareclerk[A-Z]\w+$/), expr: expect.any(String) },
      ...{
        for: expect.stringMatching(/^\d+[mh]$/),
        labels: { severity: expect.stringMatching(/^(?:critical|warning)$/) },
      },
      annotations: { summary: expect.stringMatching(/^.{19,}\.$/), runbook_url: expect.stringContaining(SITE) },
    });
    const [file = '', hash] = annotations.runbook_url.replace(SITE, '').split('#');
    expect(existsSync(ROOT + file), file).toBe(true);
    const headings = [...readFileSync(ROOT + file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      anchor(text),
    );
    expect(headings).toContain(hash);
  });

  it('every alert has a case in which it fires, and one in which it does not', () => {
    const cases = alertCases();
    const names = alerts().map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    const of = (fires: boolean) =>
      new Set(cases.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname));
    expect([...of(true)].toSorted()).toEqual(names.toSorted());
    expect([...of(false)].toSorted()).toEqual(names.toSorted());
  });

  it('the runbook names each alert', () => {
    const runbook = readFileSync(`${ROOT}docs/guides/runbook.md`, 'utf8');
    expect(alerts().filter(({ alert }) => !runbook.includes(`\`${alert}\``))).toEqual([]);
  });
});

it('every panel of the dashboard has a query and a title of its own', () => {
  const shown = panels().filter(({ type }) => type !== 'row');
  expect(shown.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
  expect(new Set(shown.map(({ title }) => title)).size).toBe(shown.length);
});

it('the reference describes every metric of fareclerk', () => {
  const page = readFileSync(`${ROOT}docs/reference/metrics.md`, 'utf8');
  const families = [...known.keys()].filter((name) => name.startsWith('fareclerk_')).map(base);
  expect([...new Set(families)].filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

function base(name: string): string {
  return name.replace(/_(?:bucket|count|sum)$/, '');
}
