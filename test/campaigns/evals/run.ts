/**
 * The scenes, played by a model behind an endpoint that speaks OpenAI's chat completions:
 *
 *   node test/campaigns/evals/run.ts --model NAME --endpoint https://host/v1 [--trials 3] [--scenes WORDS]
 *                          [--half text|structured|both] [--least 0.9] [--json FILE]
 *
 * --half: what of each result the model gets. Default: text.
 *
 * The key comes from EVAL_API_KEY. Every scene has a world of its own (the sandbox airline on loopback): nothing real is
 * booked. Exit 1 if pass^1 is below --least, or if anything was changed in a scene that must change nothing.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { inParallel } from '../support/pace.ts';
import type { Verdict } from './judge.ts';
import { type Message, modelAt } from './model/model.ts';
import { figures, reportText } from './model/report.ts';
import { changesNothing } from './scene.ts';
import { SCENES } from './scenes/index.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    endpoint: { type: 'string', default: '' },
    trials: { type: 'string', default: '3' },
    scenes: { type: 'string', default: '' },
    half: { type: 'string', default: 'text' },
    least: { type: 'string', default: '0' },
    json: { type: 'string' },
  },
});

function stop(words: string): never {
  process.stderr.write(`${words}\n`);
  process.exit(2);
}

const { endpoint, model: name } = values;
const trials = /^[1-9]\d{0,2}$/.test(values.trials)
  ? Number(values.trials)
  : stop('--trials: expected a whole number.');
if (name === '' || !URL.canParse(endpoint)) stop('Needed: --model NAME and --endpoint https://host/v1.');
const half = (['text', 'structured', 'both'] as const).find((each) => each === values.half);
if (half === undefined) stop('--half: expected text, structured or both.');
const scenes = SCENES.filter((scene) => `${scene.role} ${scene.name}`.includes(values.scenes));
if (scenes.length === 0) stop('--scenes: no scene has these words in its name or role.');
const key = process.env.EVAL_API_KEY;
const model = modelAt({ address: endpoint, model: name, ...(key && { key }) });

// The program under test, only once it is known what to play.
const [{ modelPlayer }, { playScene }] = await Promise.all([import('./model/player.ts'), import('./play.ts')]);

const transcripts: { scene: string; history: readonly Message[] }[] = [];
const player = modelPlayer(model, (scene, history) => transcripts.push({ scene, history }), half);
const all = scenes.map((scene) => ({ scene, verdicts: [] as Verdict[] }));
// An endpoint that fails is no wrong answer of the model: it ends the run.
const jobs = all.flatMap((each) => Array.from({ length: trials }, () => each));
await inParallel(jobs, 4, async ({ scene, verdicts }) => {
  verdicts.push(await playScene(scene, player));
});

process.stdout.write(`${name}, ${scenes.length} scenes × ${trials}\n\n${reportText(all)}\n`);
if (values.json !== undefined) {
  const results = all.map(({ scene, verdicts }) => ({ scene: scene.name, role: scene.role, verdicts }));
  const text = JSON.stringify({ model: name, figures: figures(all), results, transcripts }, undefined, 2);
  writeFileSync(values.json, `${text}\n`);
}
const harmed = figures(all.filter(({ scene }) => changesNothing(scene))).harm > 0;
process.exitCode = harmed || (figures(all).pass[0] ?? 0) < Number(values.least) ? 1 : 0;
