/**
 * Spoilt replies through adapter, tools and journal.
 */
import { type Bench, callAndAgree, callOnly, openBench } from './bench.ts';
import type { Corpus } from './corpus.ts';
import { type Plan, planFor } from './plans.ts';
import { randomOf } from './random.ts';
import { judgePlan, judgeResult } from './verdict.ts';

export interface Failure {
  readonly run: number;
  readonly tool: string;
  readonly why: string;
  readonly input: string;
  readonly inside?: string;
}

export interface Report {
  readonly runs: number;
  readonly outcomes: Map<string, number>;
  readonly failures: Failure[];
}

/** A bench is given up after so many runs: its store remembers every booking that it saw. */
const BENCH_RUNS = 4_000;
/** Every so many results are held against their schema. */
const DEEP_EVERY = 4;
const ENOUGH_FAILURES = 20;

export interface ReplyRuns {
  readonly corpora: readonly Corpus[];
  readonly first: number;
  readonly count: number;
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
}

export async function fuzzReplies({ corpora, first, count, seed, onProgress }: ReplyRuns): Promise<Report> {
  const report: Report = { runs: count, outcomes: new Map(), failures: [] };
  let benches = await openAll(corpora);
  try {
    for (let run = first; run < first + count; run += 1) {
      if ((run - first) % BENCH_RUNS === BENCH_RUNS - 1) {
        await Promise.all([...benches.values()].map((bench) => bench.close()));
        benches = await openAll(corpora);
      }
      const random = randomOf(Math.imul(seed, 1_000_003) + run);
      const { plan, corpus } = planFor(corpora, random);
      await one(run, plan, benches.get(corpus) as Bench, report);
      if (report.failures.length >= ENOUGH_FAILURES) break;
      onProgress?.(run - first + 1);
    }
  } finally {
    await Promise.all([...benches.values()].map((bench) => bench.close()));
  }
  return report;
}

async function openAll(corpora: readonly Corpus[]): Promise<Map<Corpus, Bench>> {
  return new Map(await Promise.all(corpora.map(async (corpus) => [corpus, await openBench(corpus)] as const)));
}

async function one(run: number, plan: Plan, bench: Bench, report: Report): Promise<void> {
  bench.answerWith(plan.airline);
  bench.sends();
  bench.failures.length = 0;
  const fail = (why: string): void => {
    const cause = bench.failures[0];
    const inside = cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
    const input = plan.spoiltText().slice(0, 3_000);
    report.failures.push({ run, tool: plan.tool, why, input, ...(inside !== undefined && { inside }) });
  };
  try {
    const call = plan.agrees ? callAndAgree : callOnly;
    const answer = await call(bench.clerk, plan.tool, plan.args);
    const { outcome, wrong } = judgeResult(answer, plan.tool, bench, run % DEEP_EVERY === 0);
    count(report.outcomes, `${plan.tool} ${outcome}`);
    const broken = wrong ?? judgePlan(answer, plan, bench.sends());
    if (broken !== undefined) fail(broken);
  } catch (error) {
    fail(`thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

export function count(into: Map<string, number>, key: string, by = 1): void {
  into.set(key, (into.get(key) ?? 0) + by);
}
