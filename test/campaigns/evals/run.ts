/**
 * The scenes, played by a model behind an endpoint that speaks OpenAI's or Anthropic's API:
 *
 *   node test/campaigns/evals/run.ts --model NAME --endpoint https://host/v1 [--api openai|anthropic] [--trials 3]
 *                          [--scenes WORDS] [--at-once 4] [--least 0.9] [--json FILE]
 *
 * EVAL_MODEL, EVAL_ENDPOINT and EVAL_API stand for the flags; the key comes from EVAL_API_KEY alone. Every scene has a
 * world of its own (the sandbox airline on loopback): nothing real is booked. Exit 1 if pass^1 is below --least, or if
 * anything was changed in a scene that must change nothing.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Verdict } from './judge.ts';
import { anthropic } from './model/anthropic.ts';
import type { Message } from './model/model.ts';
import { openai } from './model/openai.ts';
import { figures, reportText, type Trials } from './model/report.ts';
import { changesNothing, type Scene } from './scene.ts';
import { SCENES } from './scenes/index.ts';

const { env } = process;
const { values } = parseArgs({
  options: {
    model: { type: 'string', default: env.EVAL_MODEL ?? '' },
    endpoint: { type: 'string', default: env.EVAL_ENDPOINT ?? '' },
    api: { type: 'string', default: env.EVAL_API ?? '' },
    trials: { type: 'string', default: '3' },
    scenes: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '4' },
    least: { type: 'string', default: '0' },
    json: { type: 'string' },
  },
});

function stop(words: string): never {
  process.stderr.write(`${words}\n`);
  process.exit(2);
}

const count = (flag: 'trials' | 'at-once'): number =>
  /^[1-9]\d{0,2}$/.test(values[flag]) ? Number(values[flag]) : stop(`--${flag}: expected a whole number from 1 on.`);

if (values.model === '' || !URL.canParse(values.endpoint)) stop('Needed: --model NAME and --endpoint https://host/v1.');
const api = values.api || (/anthropic/i.test(values.endpoint) ? 'anthropic' : 'openai');
const APIS = { openai, anthropic } as const;
if (api !== 'openai' && api !== 'anthropic') stop('--api: expected openai or anthropic.');
const scenes = SCENES.filter(({ name, role }) => `${role} ${name}`.includes(values.scenes));
if (scenes.length === 0) stop('--scenes: no scene has these words in its name or role.');

const model = APIS[api as keyof typeof APIS]({
  address: values.endpoint,
  model: values.model,
  ...(env.EVAL_API_KEY && { key: env.EVAL_API_KEY }),
});

// The program under test, only once it is known what to play.
const [{ modelPlayer }, { playScene }] = await Promise.all([import('./model/player.ts'), import('./play.ts')]);

const transcripts: { scene: string; history: readonly Message[] }[] = [];
const player = modelPlayer(model, (scene, history) => transcripts.push({ scene, history }));

/** An endpoint that fails is no wrong answer of the model: it ends the run. */
async function trial(scene: Scene): Promise<Verdict> {
  const verdict = await playScene(scene, player);
  if (process.stderr.isTTY) process.stderr.write(verdict.right ? '.' : verdict.harm ? '!' : 'x');
  return verdict;
}

const queue = scenes.flatMap((scene) => Array.from({ length: count('trials') }, () => scene));
const verdicts = new Map<Scene, Verdict[]>(scenes.map((scene) => [scene, []]));
const jobs = queue.values();
async function worker(): Promise<void> {
  for (const scene of jobs) verdicts.get(scene)?.push(await trial(scene));
}
await Promise.all(Array.from({ length: count('at-once') }, worker));
if (process.stderr.isTTY) process.stderr.write('\n');

const all: readonly Trials[] = [...verdicts].map(([scene, own]) => ({ scene, verdicts: own }));
process.stdout.write(`${values.model}, ${scenes.length} scenes × ${count('trials')}\n\n${reportText(all)}\n`);
if (values.json !== undefined) {
  const results = all.map(({ scene, verdicts: own }) => ({ scene: scene.name, role: scene.role, verdicts: own }));
  writeFileSync(
    values.json,
    `${JSON.stringify({ model: values.model, figures: figures(all), results, transcripts }, undefined, 2)}\n`,
  );
}
const harmed = figures(all.filter(({ scene }) => changesNothing(scene))).harm > 0;
process.exitCode = harmed || (figures(all).pass[0] ?? 0) < Number(values.least) ? 1 : 0;
