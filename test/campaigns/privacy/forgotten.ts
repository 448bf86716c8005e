/**
 * Whether a forgotten person is found again without the state's key: `node test/campaigns/privacy/forgotten.ts`. On both databases
 * a person lives and is forgotten; then somebody who has every file and row tries a million candidates for each value. The same
 * attacker must find each value in a digest without a key. Exit 0 if both hold.
 */
import { createHash } from 'node:crypto';
import { newFolder } from '../support/folders.ts';
import { startCluster } from '../support/postgres.ts';
import { print, tell } from '../support/report.ts';
import { Attacker, type Template, templatesFor } from './support/attacker.ts';
import { candidatesFor, fewFor, type Kept, type Kind, keptOfForgotten, PERSON } from './support/forgotten.ts';
import { postgresGrounds, sqliteGrounds } from './support/grounds.ts';

/** Texts in which every candidate is tried; the right one is tried in all texts. */
const TEXTS = 3;

const isArguments = ({ parts }: Template) => parts[0]?.startsWith('{') === true;

function attack(name: string, kept: Kept, kind: Kind): readonly string[] {
  const templates = templatesFor(PERSON[kind], kept.hashed);
  const attacker = new Attacker(kept.text, kept.keys);
  // The value alone, and the longest texts: arguments and terms.
  const chosen = [...templates.slice(0, 1), ...templates.filter(isArguments).slice(0, TEXTS - 1)];
  const found =
    templates.find((template) => attacker.find(fewFor(kind), template)) ??
    chosen.find((template) => attacker.findPlain(candidatesFor(kind), template));
  print(`${name}: ${kind}: ${attacker.tries} tries in ${templates.length} texts`);
  return [
    ...(found === undefined ? [] : [`${name}: ${kind} FOUND in ${JSON.stringify(found.parts.join('…')).slice(0, 80)}`]),
    ...(isSeenWithoutKey(kept, kind, templates) ? [] : [`${name}: ${kind} is NOT SEEN in a digest without a key`]),
  ];
}

/** As an older state kept it. */
function isSeenWithoutKey(kept: Kept, kind: Kind, templates: readonly Template[]): boolean {
  const template = templates.find(isArguments);
  if (template === undefined) return false;
  const planted = createHash('sha256').update(template.parts.join(template.written(PERSON[kind])));
  const attacker = new Attacker(`${kept.text}\n${planted.digest('base64url')}`, []);
  return attacker.findPlain(candidatesFor(kind), template) === PERSON[kind];
}

await tell('forgotten', async () => {
  const cluster = await startCluster();
  const all = {
    SQLite: sqliteGrounds(newFolder('forgotten')),
    PostgreSQL: await postgresGrounds(newFolder('forgotten'), cluster),
  };
  const problems: string[] = [];
  const seen: string[] = [];
  for (const [name, grounds] of Object.entries(all)) {
    const kept = await keptOfForgotten(grounds);
    seen.push(`${name}: ${kept.text.length} characters kept, ${kept.hashed.length} texts hashed`);
    const text = kept.text.toLowerCase();
    const plain = Object.values(PERSON).filter((value) => text.includes(value.toLowerCase()));
    problems.push(...plain.map((value) => `${name}: ${value} IS KEPT`));
    for (const kind of Object.keys(PERSON)) problems.push(...attack(name, kept, kind as Kind));
  }
  await cluster.close();
  return { seen: seen.join('; '), problems };
});
