/** The PromQL of the dashboard, the alerts and the guide, and which series each query reads. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

export const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Fareclerk[A-Z]\w+$/),
          expr: z.string(),
          for: z.string().regex(/^\d+[mh]$/),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string().min(20), runbook_url: z.url() }),
        }),
      ),
    }),
  ),
});

export const AlertTests = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
    }),
  ),
});

const Dashboard = z.object({
  panels: z.array(
    z.object({ title: z.string(), type: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() }),
  ),
});

export const alerts = () => Alerts.parse(parse(read('deploy/alerts.yaml'))).groups.flatMap(({ rules }) => rules);
export const alertTests = () => AlertTests.parse(parse(read('deploy/alerts.test.yaml'))).tests;
export const panels = () => Dashboard.parse(JSON.parse(read('deploy/grafana.json'))).panels;

export interface Query {
  /** An alert, a panel, or the guide. */
  readonly of: string;
  readonly expr: string;
}

export function queries(): readonly Query[] {
  const guide = [...read('docs/guides/monitoring.md').matchAll(/```promql\n([\s\S]*?)```/g)];
  return [
    ...alerts().map(({ alert, expr }) => ({ of: alert, expr })),
    ...panels().flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: `panel ${title}`, expr }))),
    ...guide
      .flatMap(([, text = '']) => text.trim().split(/\n\n/))
      .map((expr) => ({ of: 'guide', expr: withoutRemarks(expr) })),
  ];
}

function withoutRemarks(promql: string): string {
  return promql.replaceAll(/^#.*\n?/gm, '');
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly how: string; readonly value: string }[];
}

/** Words of PromQL that these queries use; every other word outside of braces and quotes names a metric. */
const WORDS =
  /^(?:sum|max|min|count|avg|by|rate|increase|histogram_quantile|absent|and|or|unless|abs|min_over_time|avg_over_time|sum_over_time|clamp_max|vector|time)$/;

/** The series that a query reads. */
export function selectors(expr: string): readonly Selector[] {
  const bare = expr.replaceAll(/\b(?:by|without|on) \([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/([a-zA-Z_]\w*)(\{[^}]*\})?/g)]
    .filter(({ index }) => !isInside(bare, index))
    .filter(([, word = '']) => !WORDS.test(word) && !/^e\d+$/.test(word))
    .map(([, metric = '', braces = '']) => ({
      metric,
      matchers: [...braces.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', how = '', value = '']) => ({
        ...{ label, how, value },
      })),
    }));
}

/** Labels of `by (…)`. */
export function groupings(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(?:by|without|on) \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
}

function isInside(text: string, at: number): boolean {
  const before = text.slice(0, at);
  return before.lastIndexOf('{') > before.lastIndexOf('}') || /\d$/.test(before);
}
