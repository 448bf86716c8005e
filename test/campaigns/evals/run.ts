/**
 * The scenes, played by a model behind an endpoint that speaks OpenAI's chat completions:
 *
 *   node test/campaigns/evals/run.ts --model NAME --endpoint https://host/v1 [--trials 3] [--scenes WORDS] [--first 20]
 *                          [--half text|structured|both] [--least 0.9] [--most CHARACTERS] [--json FILE]
 *   node test/campaigns/evals/run.ts --script [--first 20] [--half …] [--most CHARACTERS]
 *
 * --half: what of each result the model gets. Default: text.
 * --script: a script plays instead, as in every test run, and the cost of results is the same each time.
 * --most: exit 1 if more characters of results are read.
 *
 * The key comes from EVAL_API_KEY. Every scene has a world of its own (the sandbox airline on loopback): nothing real is
 * booked. Exit 1 if pass^1 is below --least, or if anything was changed in a scene that must change nothing.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { inParallel } from '../support/pace.ts';
import type { Verdict } from './judge.ts';
import { costs, costText, type Heard } from './model/cost.ts';
import { type Message, modelAt } from './model/model.ts';
import { figures, reportText } from './model/report.ts';
import type { Player } from './play.ts';
import { changesNothing } from './scene.ts';
import { SCENES } from './scenes/index.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    endpoint: { type: 'string', default: '' },
    script: { type: 'boolean', default: false },
    trials: { type: 'string' },
    scenes: { type: 'string', default: '' },
    first: { type: 'string', default: '1000' },
    half: { type: 'string', default: 'text' },
    least: { type: 'string', default: '0' },
    most: { type: 'string', default: 'Infinity' },
    json: { type: 'string' },
  },
});

function stop(words: string): never {
  process.stderr.write(`${words}\n`);
  process.exit(2);
}

function whole(flag: string, text: string): number {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : stop(`--${flag}: expected a whole number.`);
}

const { endpoint, script } = values;
const name = script ? 'the script' : values.model;
const trials = whole('trials', values.trials ?? (script ? '1' : '3'));
if (!script && (name === '' || !URL.canParse(endpoint)))
  stop('Needed: --model NAME and --endpoint https://host/v1, or --script.');
const half = (['text', 'structured', 'both'] as const).find((each) => each === values.half);
if (half === undefined) stop('--half: expected text, structured or both.');
const chosen = SCENES.filter((scene) => `${scene.role} ${scene.name}`.includes(values.scenes));
const scenes = chosen.slice(0, whole('first', values.first));
if (scenes.length === 0) stop('--scenes: no scene has these words in its name or role.');
const key = process.env.EVAL_API_KEY;

// The program under test, only once it is known what to play.
const [{ modelPlayer }, { playScene, scripted }] = await Promise.all([
  import('./model/player.ts'),
  import('./play.ts'),
]);

const transcripts: { scene: string; history: readonly Message[] }[] = [];
function playerOf(reads: NonNullable<typeof half>): Player {
  if (script) return scripted(reads);
  const model = modelAt({ address: endpoint, model: name, ...(key && { key }) });
  return modelPlayer(model, (scene, history) => transcripts.push({ scene, history }), reads);
}
const heard: Heard[] = [];
const player: Player = { ...playerOf(half), hears: (each) => heard.push(each) };
const all = scenes.map((scene) => ({ scene, verdicts: [] as Verdict[] }));
// An endpoint that fails is no wrong answer of the model: it ends the run.
const jobs = all.flatMap((each) => Array.from({ length: trials }, () => each));
await inParallel(jobs, 4, async ({ scene, verdicts }) => {
  verdicts.push(await playScene(scene, player));
});

process.stdout.write(`${name}, ${scenes.length} scenes × ${trials}\n\n${reportText(all)}\n\n${costText(heard)}\n`);
if (values.json !== undefined) {
  const results = all.map(({ scene, verdicts }) => ({ scene: scene.name, role: scene.role, verdicts }));
  const text = JSON.stringify({ model: name, figures: figures(all), results, transcripts }, undefined, 2);
  writeFileSync(values.json, `${text}\n`);
}
const harmed = figures(all.filter(({ scene }) => changesNothing(scene))).harm > 0;
const isTooLong = costs(heard)[half].characters > Number(values.most);
process.exitCode = harmed || isTooLong || (figures(all).pass[0] ?? 0) < Number(values.least) ? 1 : 0;
