/** The PromQL of the dashboard, the alerts and the guide, and which series each query reads. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface AlertCase {
  readonly alertname: string;
  readonly exp_alerts: readonly unknown[];
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

export const alerts = (): readonly Alert[] =>
  parse(read('deploy/alerts.yaml')).groups.flatMap(({ rules }: { rules: readonly Alert[] }) => rules);
export const alertCases = (): readonly AlertCase[] =>
  parse(read('deploy/alerts.test.yaml')).tests.flatMap((one: { alert_rule_test: AlertCase[] }) => one.alert_rule_test);
export const panels = (): readonly Panel[] => JSON.parse(read('deploy/grafana.json')).panels;

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
