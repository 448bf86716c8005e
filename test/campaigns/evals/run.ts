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
import { inParallel } from '../support/pace.ts';
import { flags, print } from '../support/report.ts';
import type { Verdict } from './judge.ts';
import { costs, costText, type Heard } from './model/cost.ts';
import { type Message, modelAt } from './model/model.ts';
import { figures, reportText } from './model/report.ts';
import type { Player } from './play.ts';
import { changesNothing } from './scene.ts';
import { SCENES } from './scenes/index.ts';

const {
  model,
  endpoint,
  script,
  trials,
  scenes: words,
  first,
  half,
  least,
  most,
  json,
} = flags({
  ...{ model: '', endpoint: '', script: false, trials: 0, scenes: '', first: 1_000 },
  ...{ half: 'text', least: 0, most: Infinity, json: '' },
});
if (!script && (model === '' || !URL.canParse(endpoint)))
  throw new RangeError('Needed: --model NAME and --endpoint https://host/v1, or --script.');
const reads = (['text', 'structured', 'both'] as const).find((each) => each === half);
if (reads === undefined) throw new RangeError('--half: expected text, structured or both.');
const scenes = SCENES.filter((scene) => `${scene.role} ${scene.name}`.includes(words)).slice(0, first);
if (scenes.length === 0) throw new RangeError('--scenes: no scene has these words in its name or role.');
const name = script ? 'the script' : model;
const times = trials || (script ? 1 : 3);
const key = process.env.EVAL_API_KEY;

// The program under test, only once it is known what to play.
const [{ modelPlayer }, { playScene, scripted }] = await Promise.all([
  import('./model/player.ts'),
  import('./play.ts'),
]);

const transcripts: { scene: string; history: readonly Message[] }[] = [];
const heard: Heard[] = [];
const keep = (scene: string, history: readonly Message[]) => void transcripts.push({ scene, history });
const player: Player = {
  ...(script ? scripted(reads) : modelPlayer(modelAt({ address: endpoint, model, ...(key && { key }) }), keep, reads)),
  hears: (each) => heard.push(each),
};
const all = scenes.map((scene) => ({ scene, verdicts: [] as Verdict[] }));
// An endpoint that fails is no wrong answer of the model: it ends the run.
const jobs = all.flatMap((each) => Array.from({ length: times }, () => each));
await inParallel(jobs, 4, async ({ scene, verdicts }) => {
  verdicts.push(await playScene(scene, player));
});

print(`${name}, ${scenes.length} scenes × ${times}\n\n${reportText(all)}\n\n${costText(heard)}`);
if (json !== '') {
  const results = all.map(({ scene, verdicts }) => ({ scene: scene.name, role: scene.role, verdicts }));
  const text = JSON.stringify({ model: name, figures: figures(all), results, transcripts }, undefined, 2);
  writeFileSync(json, `${text}\n`);
}
const harmed = figures(all.filter(({ scene }) => changesNothing(scene))).harm > 0;
const isTooLong = costs(heard)[reads].characters > most;
process.exitCode = harmed || isTooLong || (figures(all).pass[0] ?? 0) < least ? 1 : 0;
