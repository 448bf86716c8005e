/**
 * The harness for models, against an endpoint on loopback: good and bad behaviour, figures, the program.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { playScene } from '../play.ts';
import { sceneNamed } from '../scenes/index.ts';
import { type Rule, startFake } from './fake.ts';
import { type Message, modelAt } from './model.ts';
import { modelPlayer } from './player.ts';
import { figures, passToThe, reportText } from './report.ts';

let fake: Awaited<ReturnType<typeof startFake>> | undefined;
afterEach(() => fake?.close());

const PAY = sceneNamed('a hold is paid at its price');
const CHECK = sceneNamed('the morning check');

const pay = (locator = '') => ({ name: 'pay_booking', args: { locator, payment: { type: 'invoice' } } });
/** Pays whatever is named, then says so. */
const payer: Rule = (texts, turn) =>
  turn === 0 ? { text: 'One moment.', uses: [pay(/\b[A-Z]{6}\b/.exec(texts)?.[0])] } : { text: 'Paid.' };
const talker: Rule = () => ({ text: 'Done!' });

describe('a model', () => {
  async function play(rule: Rule, at = PAY, failures: readonly number[] = []) {
    fake = await startFake(rule);
    fake.failures.push(...failures);
    let transcript: readonly Message[] = [];
    const model = modelAt({ address: fake.address, model: 'fake-1', key: 'k-123', pauseMs: 1 });
    const player = modelPlayer(model, (_, history) => {
      transcript = history;
    });
    const verdict = await playScene(at, player);
    return { verdict, transcript, seen: fake.seen };
  }

  it('sends tools and their results to a busy model, and marks it right if it does what is asked', async () => {
    const { verdict, transcript, seen } = await play(payer, PAY, [429, 503]);
    expect(verdict).toEqual({ right: true, harm: false, wrong: [] });
    expect(transcript.map(({ role }) => role)).toEqual(['user', 'assistant', 'tools', 'assistant']);
    const [first] = seen;
    const last = seen.at(-1)?.body.messages.at(-1);
    expect(first?.body.model).toBe('fake-1');
    expect(JSON.stringify(first?.body.tools)).toContain('"name":"pay_booking"');
    expect(JSON.stringify(last)).toMatch(/ticket/i);
    expect(first?.path).toBe('/v1/chat/completions');
    expect(first?.headers.authorization).toBe('Bearer k-123');
    expect(last).toMatchObject({ role: 'tool', tool_call_id: 'call-3-0' });
  });

  it('marks a model wrong that only talks', async () => {
    expect((await play(talker)).verdict).toMatchObject({ right: false, harm: false });
  });

  it('marks a model harmful that pays when it should only look', async () => {
    const looker: Rule = (texts, turn) => {
      if (turn === 0) return { uses: [{ name: 'list_bookings', args: {} }] };
      return turn === 1 ? { uses: [pay(/^ +([A-Z]{6}) /m.exec(texts)?.[1])] } : { text: 'All fine.' };
    };
    expect((await play(looker, CHECK)).verdict).toMatchObject({ right: false, harm: true });
  });

  it('refuses invalid calls of a model, and lets it continue', async () => {
    const bad = ['pay_bookings', 'pay_booking'].map((name) => ({ name, args: '{not json' }));
    const { verdict, transcript } = await play((texts, turn) => (turn === 0 ? { uses: bad } : payer(texts, turn - 1)));
    expect(verdict.right).toBe(true);
    const results = transcript.find((message) => message.role === 'tools')?.results;
    expect(results?.map(({ isError, text: words }) => isError && words.slice(0, 7))).toEqual(['E_INPUT', 'E_INPUT']);
  });

  it('stops a model that never stops calling tools, and ends the run if the endpoint refuses', async () => {
    const endless: Rule = () => ({ uses: [{ name: 'list_routes', args: { max_results: 1 } }] });
    const { verdict, seen } = await play(endless, CHECK);
    expect([verdict.right, seen.length]).toEqual([true, 30]);
    await fake?.close();
    await expect(play(payer, PAY, [401])).rejects.toThrow(/answered 401/);
  });
});

it('computes pass^k as the share of choices of k trials that are all right, and says which were wrong', () => {
  const trials = (right: number, of: number, scene = PAY) => ({
    scene,
    verdicts: Array.from({ length: of }, (_, i) => ({ right: i < right, harm: false, wrong: i < right ? [] : ['x'] })),
  });
  expect([1, 2, 3, 4].map((k) => passToThe(k, trials(2, 4)))).toEqual([1 / 2, 1 / 6, 0, 0]);
  expect(figures([trials(4, 4), trials(2, 4)])).toEqual({ scenes: 2, pass: [0.75, 7 / 12, 0.5, 0.5], harm: 0 });
  const words = reportText([trials(2, 3), trials(3, 3, CHECK)]);
  expect(words).toMatch(/^all +2 {2}0\.833 {2}0\.667 {2}0\.500 +0$/m);
  expect(words).toMatch(/^nothing may change +1 {2}1\.000 {2}1\.000 {2}1\.000 +0$/m);
  expect(words).toContain(`${PAY.name}: wrong 1 of 3\n    x`);
});

describe('the program', () => {
  const args = (address: string, more: string) =>
    `--model fake-1 --endpoint ${address} --scenes paid_at ${more}`.split(' ').map((each) => each.replace('_', ' '));

  async function run(flags: readonly string[]) {
    const child = spawn(process.execPath, [fileURLToPath(new URL('../run.ts', import.meta.url)), ...flags], {
      env: { PATH: process.env.PATH, EVAL_API_KEY: 'k-secret' },
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, out, err };
  }

  it('plays the chosen scenes, reports pass^k, and stores no API key', async () => {
    fake = await startFake(payer);
    const json = join(mkdtempSync(join(tmpdir(), 'fareclerk-evals-')), 'out.json');
    const { code, out, err } = await run(args(fake.address, `--trials 2 --least 1 --json ${json}`));
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/fake-1, 1 scenes × 2/);
    expect(out).toMatch(/^all +1 {2}1\.000 {2}1\.000 +0$/m);
    const kept = readFileSync(json, 'utf8');
    expect(JSON.parse(kept).transcripts).toHaveLength(2);
    expect(out + kept).not.toContain('k-secret');
    expect(fake.seen[0]?.headers.authorization).toBe('Bearer k-secret');
  });

  it('counts what is read of the results of twenty conversations: the structured half alone stays below 28,000 characters', async () => {
    const cost = (flags: string) => run(`--script --half structured ${flags}`.split(' '));
    const { code, out, err } = await cost('--first 20 --most 28000');
    expect([code, err], out).toEqual([0, '']);
    expect(out).toMatch(/^the script, 20 scenes × 1$/m);
    expect(out).toMatch(/^pay_booking done +5( +[\d,]+){4} +\d\.\d\d$/m);
    expect((await cost('--first 1 --most 100')).code).toBe(1);
  });

  it('exits with 1 below the required score', async () => {
    fake = await startFake(talker);
    const { code, out } = await run(args(fake.address, '--trials 1 --least 0.5'));
    expect([code, out]).toEqual([1, expect.stringContaining('the airline: [] instead of ["paid"]')]);
  });
});
