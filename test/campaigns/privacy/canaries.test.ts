/**
 * A short search for canaries: every tool, HTTP, and errors that repeat the request.
 * `node test/campaigns/privacy/run.ts` walks all paths.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATALOG } from '../../../src/tools/index.ts';
import { buildProgram, type Program } from '../../cli/program.ts';
import { ACTS } from './support/acts.ts';
import { CARD, Canaries, PLANTED } from './support/canaries.ts';
import { FORMS } from './support/forms.ts';
import { answered, ONCE } from './support/paths.ts';
import { Seen } from './support/seen.ts';

let program: Program;

beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => rmSync(program.folder, { recursive: true, force: true }));

describe('the search for canaries', () => {
  test.each([
    ['as it is', (value: string) => value],
    ['in capitals', (value: string) => value.toUpperCase()],
    ['in base64', (value: string) => Buffer.from(value).toString('base64')],
    ['in hex', (value: string) => Buffer.from(value).toString('hex')],
    ['in a URL', (value: string) => encodeURIComponent(value)],
    ['within JSON', (value: string) => JSON.stringify({ a: JSON.stringify(value) })],
  ])('finds every canary %s', (_, written) => {
    const canaries = new Canaries();
    for (const [name, value] of Object.entries(PLANTED)) {
      expect([...canaries.foundIn(`{"x":"${written(value)}"}`).keys()]).toContain(name);
    }
  });

  test('finds a card number in groups, and a leak in any place where it is not allowed', () => {
    const seen = new Seen();
    seen.add('stderr', 'serve', `paid with ${CARD.replace(/(.{4})(?=.)/g, '$1-')}`);
    seen.add('result', 'read_booking', PLANTED.surname);
    seen.add('result', 'search_fares', PLANTED.surname);
    expect(seen.leaks().map(({ channel, of, canary }) => [channel, of, canary])).toEqual([
      ['stderr', 'serve', 'card number'],
      ['result', 'search_fares', 'surname'],
    ]);
  });

  test('has an act for every tool', () => {
    expect(new Set(ACTS.map(({ tool }) => tool))).toEqual(new Set(CATALOG.map(({ name }) => name)));
  });
});

const QUICK = ['every tool, well', 'HTTP, metrics and traces'];
const SOME = new Set(['search_fares', 'create_booking', 'pay_booking']);
const ECHOES = ['title with credentials 422', 'title with hidden credentials 422', 'flat 500'];

describe('personal data in places that did not request it', () => {
  const paths = [
    ...ONCE.filter(({ name }) => QUICK.includes(name)),
    ...FORMS.filter(({ name }) => ECHOES.includes(name)).map((form) => answered(form, (tool) => SOME.has(tool))),
  ];

  test.each(paths.map((path) => [path.name, path] as const))(
    'leaks no personal data: %s',
    { timeout: 60_000 },
    async (_, path) => {
      const seen = new Seen();
      await path.walk({ program, seen });
      expect(seen.leaks()).toEqual([]);
      for (const channel of ['result', 'stderr', 'table'] as const) expect(seen.count(channel)).toBeGreaterThan(0);
    },
  );
});
