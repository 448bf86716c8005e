/**
 * The harness for models, against an endpoint on loopback: both APIs, good and bad behaviour, figures, the program.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { playScene } from '../play.ts';
import type { Scene } from '../scene.ts';
import { SCENES } from '../scenes/index.ts';
import { anthropic } from './anthropic.ts';
import { type Fake, type Rule, startFake } from './fake.ts';
import type { Message } from './model.ts';
import { openai } from './openai.ts';
import { modelPlayer } from './player.ts';
import { figures, passToThe, reportText } from './report.ts';

const APIS = { openai, anthropic } as const;
type Api = keyof typeof APIS;

let fake: Fake | undefined;
afterEach(async () => {
  await fake?.close();
  fake = undefined;
});

const scene = (name: string): Scene => {
  const found = SCENES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no scene ${name}`);
  return found;
};

const PAY = scene('a hold is paid at its price');
const CHECK = scene('the morning check');

const locatorIn = (texts: readonly string[]): string => /\b[A-Z]{6}\b/.exec(texts.join(' '))?.[0] ?? '';
const pay = (locator: string) => ({ name: 'pay_booking', args: { locator, payment: { type: 'invoice' } } });
/** Pays whatever is named, then says so. */
const payer: Rule = (texts, turn) =>
  turn === 0 ? { text: 'One moment.', uses: [pay(locatorIn(texts))] } : { text: 'Paid.' };
/** Only talks. */
const talker: Rule = () => ({ text: 'Done!' });

async function play(rule: Rule, api: Api, at = PAY) {
  fake = await startFake(rule);
  const transcripts: (readonly Message[])[] = [];
  const model = APIS[api]({ address: fake.address, model: 'fake-1', key: 'k-123', pauseMs: 1 });
  const verdict = await playScene(
    at,
    modelPlayer(model, (_, history) => transcripts.push(history)),
  );
  return { verdict, transcript: transcripts[0] ?? [], seen: fake.seen };
}

describe.each(['openai', 'anthropic'] as const)('%s', (api) => {
  it('sends tools and their results to a model, and marks it right if it does what is asked', async () => {
    const { verdict, transcript, seen } = await play(payer, api);
    expect(verdict).toEqual({ right: true, harm: false, wrong: [] });
    expect(transcript.map(({ role }) => role)).toEqual(['user', 'assistant', 'tools', 'assistant']);
    const [first, second] = seen;
    expect(first?.body.model).toBe('fake-1');
    const names = ((first?.body.tools ?? []) as { name?: string; function?: { name: string } }[]).map(
      (tool) => tool.name ?? tool.function?.name,
    );
    expect(names).toContain('pay_booking');
    expect(JSON.stringify(second?.body.messages.at(-1))).toMatch(/Ticket|ticket/);
    if (api === 'openai') {
      expect(first?.path).toBe('/v1/chat/completions');
      expect(first?.headers.authorization).toBe('Bearer k-123');
      expect(second?.body.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call-1-0' });
    } else {
      expect(first?.path).toBe('/v1/messages');
      expect(first?.headers).toMatchObject({ 'x-api-key': 'k-123', 'anthropic-version': '2023-06-01' });
      expect(second?.body.messages.at(-1).content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'call-1-0' });
    }
  });

  it('marks a model wrong that only talks, and harmful if it pays when it should only look', async () => {
    expect((await play(talker, api)).verdict).toMatchObject({ right: false, harm: false });
    await fake?.close();
    const looker: Rule = (texts, turn) => {
      if (turn === 0) return { uses: [{ name: 'list_bookings', args: {} }] };
      return turn === 1 ? { uses: [pay(/^ +([A-Z]{6}) /m.exec(texts.join('\n'))?.[1] ?? '')] } : { text: 'All fine.' };
    };
    expect((await play(looker, api, CHECK)).verdict).toMatchObject({ right: false, harm: true });
  });

  it('refuses invalid calls of a model, and lets it continue', async () => {
    const clumsy: Rule = (texts, turn) => {
      if (turn === 0)
        return {
          uses: [
            { name: 'pay_bookings', args: {} },
            { name: 'pay_booking', args: '{not json' },
          ],
        };
      return payer(texts, turn - 1);
    };
    const { verdict, transcript } = await play(clumsy, api);
    expect(verdict.right).toBe(true);
    const [results] = transcript.flatMap((message) => (message.role === 'tools' ? [message.results] : []));
    expect(results?.map(({ isError, text }) => [isError, text.slice(0, 7)])).toEqual([
      [true, 'E_INPUT'],
      [true, 'E_INPUT'],
    ]);
  });

  it('stops a model that never stops calling tools', async () => {
    const endless: Rule = () => ({ uses: [{ name: 'list_routes', args: { max_results: 1 } }] });
    const { verdict, seen } = await play(endless, api, CHECK);
    expect([verdict.right, seen.length]).toEqual([true, 30]);
  });

  it('repeats a request to a busy endpoint, and ends the run if the endpoint refuses', async () => {
    fake = await startFake(payer);
    fake.fail(429, '0');
    fake.fail(503);
    const model = APIS[api]({ address: fake.address, model: 'fake-1', pauseMs: 1 });
    expect((await playScene(PAY, modelPlayer(model))).right).toBe(true);
    fake.fail(401);
    await expect(playScene(PAY, modelPlayer(model))).rejects.toThrow(/answered 401/);
  });
});

describe('figures', () => {
  const trials = (right: number, of: number, at = PAY) => ({
    scene: at,
    verdicts: Array.from({ length: of }, (_, i) => ({
      right: i < right,
      harm: i === of - 1 && right < of,
      wrong: i < right ? [] : ['x'],
    })),
  });

  it('computes pass^k as the share of choices of k trials that are all right', () => {
    expect([1, 2, 3, 4].map((k) => passToThe(k, trials(2, 4)))).toEqual([1 / 2, 1 / 6, 0, 0]);
    expect(passToThe(3, trials(3, 3))).toBe(1);
    expect(passToThe(1, trials(0, 3))).toBe(0);
    expect(figures([trials(4, 4), trials(2, 4)])).toEqual({ scenes: 2, pass: [0.75, 7 / 12, 0.5, 0.5], harm: 1 });
    expect(figures([])).toEqual({ scenes: 0, pass: [], harm: 0 });
  });

  it('reports which scenes were wrong, and why', () => {
    const text = reportText([trials(2, 3), trials(3, 3, CHECK)]);
    expect(text).toMatch(/^all +2 {2}0\.833 {2}0\.667 {2}0\.500 +1$/m);
    expect(text).toMatch(/^nothing may change +1 {2}1\.000 {2}1\.000 {2}1\.000 +0$/m);
    expect(text).toContain(`${PAY.name}: wrong 1 of 3\n    x`);
  });
});

describe('the program', () => {
  async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [fileURLToPath(new URL('../run.ts', import.meta.url)), ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, out, err };
  }

  it('plays the chosen scenes, reports pass^k, and stores no API key', async () => {
    fake = await startFake(payer);
    const json = join(mkdtempSync(join(tmpdir(), 'fareclerk-evals-')), 'out.json');
    const args = [
      '--model',
      'fake-1',
      '--endpoint',
      fake.address,
      '--trials',
      '2',
      '--scenes',
      'a hold is paid',
      '--json',
      json,
    ];
    const ended = await run([...args, '--least', '1'], { EVAL_API_KEY: 'k-secret' });
    expect(ended, ended.err).toMatchObject({ code: 0 });
    expect(ended.out).toMatch(/fake-1, 1 scenes × 2/);
    expect(ended.out).toMatch(/^all +1 {2}1\.000 {2}1\.000 +0$/m);
    const text = readFileSync(json, 'utf8');
    expect(JSON.parse(text).transcripts).toHaveLength(2);
    expect(ended.out + ended.err + text).not.toContain('k-secret');
    expect(fake.seen[0]?.headers.authorization).toBe('Bearer k-secret');
  });

  it('exits with 1 below the required score, and with 2 for unknown or missing arguments', async () => {
    fake = await startFake(talker);
    const args = ['--model', 'fake-1', '--endpoint', fake.address, '--api', 'anthropic', '--trials', '1'];
    const [low, none, unset] = await Promise.all([
      run([...args, '--scenes', 'a hold is paid', '--least', '0.5']),
      run([...args, '--scenes', 'no such scene']),
      run(['--model', 'fake-1']),
    ]);
    expect([low.code, none.code, unset.code], low.err).toEqual([1, 2, 2]);
    expect(low.out).toContain('the airline: [] instead of ["paid"]');
  });
});
