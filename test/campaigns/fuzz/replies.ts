/**
 * Spoilt replies through adapter, tools and journal.
 */
import { type BenchOptions, callAndAgree, callOnly, openBench } from './bench.ts';
import type { Corpus } from './corpus.ts';
import type { Fuzzer } from './drive.ts';
import { planFor } from './plans.ts';
import { judgePlan } from './verdict.ts';

/** Every so many results are held against their schema. */
const DEEP_EVERY = 4;

export async function spoiltReplies(corpora: readonly Corpus[], options: BenchOptions = {}): Promise<Fuzzer> {
  const benches = await Promise.all(corpora.map((corpus) => openBench(corpus, options)));
  return {
    draw(random, run) {
      const { plan, of } = planFor(corpora, random);
      const { agrees, tool, args } = plan;
      const bench = benches[of] as (typeof benches)[number];
      return {
        ...{ bench, tool, input: plan.spoiltText },
        async play() {
          bench.answerWith(plan.airline);
          const answer = await (agrees ? callAndAgree : callOnly)(bench, tool, args);
          return judgePlan(answer, plan, bench, run % DEEP_EVERY === 0);
        },
      };
    },
    close: async () => void (await Promise.all(benches.map((bench) => bench.close()))),
  };
}
