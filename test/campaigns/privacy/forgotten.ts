/**
 * Whether a forgotten person is found again without the state's key: `node test/campaigns/privacy/forgotten.ts`. On both databases
 * a person lives and is forgotten; then somebody who has every file and row tries a million candidates for each value. The same
 * attacker must find each value in a digest without a key. Exit 0 if both hold.
 */
import { createHash } from 'node:crypto';
import { newFolder } from '../support/folders.ts';
import { startCluster } from '../support/postgres.ts';
import { Attacker, type Template, templatesFor } from './support/attacker.ts';
import { candidatesFor, fewFor, type Kept, type Kind, keptOfForgotten, PERSON } from './support/forgotten.ts';
import { postgresGrounds, sqliteGrounds } from './support/grounds.ts';

/** Texts in which every candidate is tried; the right one is tried in all texts. */
const TEXTS = 3;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
let failed = 0;

function attack(name: string, kept: Kept, kind: Kind): void {
  const began = performance.now();
  const templates = templatesFor(PERSON[kind], kept.hashed);
  const attacker = new Attacker(kept.text, kept.keys);
  const found =
    templates.find((template) => attacker.find(fewFor(kind), template)) ??
    chosen(templates).find((template) => attacker.findPlain(candidatesFor(kind), template));
  const control = controlled(kept, kind, templates);
  if (found !== undefined || control !== PERSON[kind]) failed += 1;
  const words = found === undefined ? 'not found' : `FOUND in ${JSON.stringify(found.parts.join('…')).slice(0, 80)}`;
  const seen = control === PERSON[kind] ? 'found in a digest without a key' : 'NOT SEEN in a digest without a key';
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  say(`${name}: ${kind} ${words} in ${attacker.tries} tries and ${templates.length} texts; ${seen}; ${seconds} s`);
}

/** The value alone, and the longest texts: arguments and terms. */
function chosen(templates: readonly Template[]): readonly Template[] {
  return [...templates.slice(0, 1), ...templates.filter(isArguments).slice(0, TEXTS - 1)];
}

const isArguments = ({ parts }: Template) => parts[0]?.startsWith('{') === true;

/** As an older state kept it. */
function controlled(kept: Kept, kind: Kind, templates: readonly Template[]): string | undefined {
  const template = templates.find(isArguments);
  if (template === undefined) return undefined;
  const text = template.parts.join(template.written(PERSON[kind]));
  const planted = createHash('sha256').update(text).digest('base64url');
  return new Attacker(`${kept.text}\n${planted}`, []).findPlain(candidatesFor(kind), template);
}

const cluster = await startCluster();
try {
  for (const [name, grounds] of [
    ['SQLite', sqliteGrounds(newFolder('forgotten'))],
    ['PostgreSQL', await postgresGrounds(newFolder('forgotten'), cluster)],
  ] as const) {
    const kept = await keptOfForgotten(grounds);
    say(`${name}: ${kept.text.length} characters kept, ${kept.hashed.length} texts hashed`);
    for (const value of Object.values(PERSON).filter((one) => kept.text.toLowerCase().includes(one.toLowerCase()))) {
      failed += 1;
      say(`${name}: ${value} IS KEPT`);
    }
    for (const kind of Object.keys(PERSON)) attack(name, kept, kind as Kind);
  }
} finally {
  await cluster.close();
}
say(`${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
