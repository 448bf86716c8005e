/** Numbers of a report: sums of each measure, and the words for them. */
import * as z from 'zod';
import { addMoney, formatMoney, type Money, showAmount } from '../../core/money.ts';
import { type ActivityRow, MEASURES, type Measure } from '../../journal/activity.ts';
import { noted } from '../definition/field-notes.ts';

const figure = () =>
  z.object({
    count: noted('how many operations or findings', z.int()),
    sums: noted('their sum, by currency', z.record(z.string(), z.string()).optional()),
    not_stated: noted('how many have an amount that nobody stated', z.int().optional()),
  });

/** One number for each measure. */
export const figures = () => z.partialRecord(z.enum(MEASURES), figure());

export type Figure = z.output<ReturnType<typeof figure>>;
type Figures = z.output<ReturnType<typeof figures>>;

/** A measure without operations is left out. */
export function figuresOf(rows: readonly ActivityRow[]): Figures {
  const figures = MEASURES.flatMap((measure) => {
    const ofMeasure = rows.filter((row) => row.measure === measure);
    return ofMeasure.length === 0 ? [] : [[measure, figureOf(ofMeasure)] as const];
  });
  return Object.fromEntries(figures);
}

function figureOf(rows: readonly ActivityRow[]): Figure {
  const sums = new Map<string, Money>();
  for (const { sum } of rows) {
    if (sum === undefined) continue;
    const before = sums.get(sum.currency);
    sums.set(sum.currency, before === undefined ? sum : addMoney(before, sum));
  }
  const named = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, sum]) => [currency, formatMoney(sum)]);
  const total = (field: 'count' | 'unstated') => rows.reduce((all, row) => all + row[field], 0);
  return {
    count: total('count'),
    sums: named.length === 0 ? undefined : Object.fromEntries(named),
    not_stated: total('unstated') || undefined,
  };
}

const WITH_SUM: readonly Measure[] = ['sold', 'paid', 'refunded', 'penalties'];

/** Of the others only the number is known. */
export const hasSum = (measure: Measure): boolean => WITH_SUM.includes(measure);

const WORDS: Readonly<Record<Measure, string>> = {
  operations: 'operations',
  sold: 'sold',
  paid: 'paid',
  refunded: 'refunded',
  penalties: 'penalties',
  holds_made: 'holds made',
  holds_lapsed: 'holds lapsed',
  in_doubt: 'in doubt',
  changes: 'changes',
  findings: 'findings',
  findings_open: 'findings open',
};

export const measureWords = (measure: Measure): string => WORDS[measure];

/** `refunded 2 (SAR 172.50, 1 not stated)`. */
export function figureText(measure: Measure, figure: Figure | undefined): string {
  if (figure === undefined) return '';
  const { count, sums = {}, not_stated: unstated = 0 } = figure;
  const amounts = Object.entries(sums).map(([currency, sum]) => showAmount(sum, currency));
  const parts = unstated === 0 ? amounts : [...amounts, `${unstated} not stated`];
  return `${WORDS[measure]} ${count}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}

/** `operations 3, sold 1 (SAR 690.00), in doubt 1`. */
export const figuresText = (figures: Figures): string =>
  MEASURES.map((measure) => figureText(measure, figures[measure]))
    .filter((text) => text !== '')
    .join(', ');
