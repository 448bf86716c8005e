/**
 * A bounded run of the fuzzer; `node test/campaigns/fuzz/run.ts` is the whole of it, with its figures.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Corpus, gather } from './corpus.ts';
import { fuzzInputs } from './inputs.ts';
import { spoilt } from './mutate.ts';
import { randomOf } from './random.ts';
import { fuzzReplies, type Report } from './replies.ts';
import { fuzzWire } from './wire.ts';

let corpora: readonly Corpus[];
beforeAll(async () => {
  corpora = [await gather('rail'), await gather('airline')];
}, 60_000);

const seed = Number(process.env.FUZZ_SEED ?? 1);
const sum = ({ outcomes }: Report, outcome: RegExp): number =>
  [...outcomes].reduce((total, [name, times]) => total + (outcome.test(name) ? times : 0), 0);

describe('corrupted replies', () => {
  it('survives corrupted replies without a crash, an internal error or another person’s booking', async () => {
    const report = await fuzzReplies({ corpora, first: 0, count: 1_500, seed });
    expect(report.failures).toEqual([]);
    // Some replies are refused and some accepted; operations are completed and left open.
    for (const outcome of [
      / ok$/,
      /E_AIRLINE_REPLY$/,
      / ask$/,
      /pay_booking done$/,
      / pending$/,
      /cancel_segment done$/,
    ]) {
      expect(sum(report, outcome), String(outcome)).toBeGreaterThan(0);
    }
  }, 60_000);

  it('survives corrupted replies over corrupted HTTP', async () => {
    const report = await fuzzWire({ corpora, first: 0, count: 60, seed });
    expect(report.failures).toEqual([]);
    expect(sum(report, /^ok$/)).toBeGreaterThan(5);
    expect(sum(report, /E_AIRLINE_(?:REPLY|DOWN)/)).toBeGreaterThan(5);
  }, 60_000);
});

describe('malformed arguments', () => {
  it('refuses malformed arguments with clear errors before it sends anything', async () => {
    const report = await fuzzInputs({ corpora, first: 0, count: 3_000, seed });
    expect(report.failures).toEqual([]);
    expect(sum(report, /^E_INPUT$/)).toBeGreaterThan(1_500);
    expect(sum(report, /^ok$/)).toBeGreaterThan(20);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  }, 60_000);
});

describe('the fuzzer', () => {
  it('repeats its corruptions for a seed, and changes nearly every reply', () => {
    const text = corpora[0]?.of('OTA_ReadRQ')[0]?.text ?? '';
    const run = (number: number): string => spoilt(text, randomOf(number));
    let unchanged = 0;
    for (let number = 0; number < 200; number += 1) {
      expect(run(number)).toBe(run(number));
      if (run(number) === text) unchanged += 1;
    }
    expect(unchanged).toBeLessThan(40);
  });
});
