/**
 * The documented paths of replies and the replies written by hand, compared in both directions: every documented path is read or
 * left out with a reason, and no reply has a path that is not documented. Each leaf of the replies is changed in turn:
 * what it is decoded to must change with it exactly when the leaf is not on the list of those left out.
 */
import { describe, expect, test } from 'vitest';
import { goldenNames, leaves } from './golden.ts';
import { expand, leftOut, nameOf, pathsList, shared, withoutBranches } from './paths.ts';
import { REPLIES } from './support/documented-replies.ts';
import { LEFT_OUT } from './support/left-out.ts';
import { type ReplyFixture, replyFixtures, UNNAMED } from './support/reply-fixtures.ts';
import { isObject, put } from './support/rewrite.ts';

const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

test('lists what is sent, and what becomes of each documented path, as before', async () => {
  await expect(pathsList()).toMatchFileSnapshot('../../golden/paths.md');
});

describe('replies', () => {
  const documented = withoutBranches(REPLIES.flatMap(({ paths }) => expand(paths).map(shared)));
  const named = replyFixtures(goldenNames('replies')).flatMap(({ wire }) =>
    leaves(wire).filter(([path]) => !path.some((key) => UNNAMED.has(String(key)))),
  );
  const replied = withoutBranches(named.map(([path]) => nameOf(path)));

  test('finds no undocumented path in the replies', () => {
    expect(replied.filter((path) => !documented.some((one) => isBelow(path, one) || isBelow(one, path)))).toEqual([]);
  });

  test('finds every documented path in the replies', () => {
    expect(documented.filter((path) => !replied.some((one) => isBelow(one, path) || isBelow(path, one)))).toEqual([]);
  });

  test('leaves out only fields that the replies have', () => {
    const used = new Set(replied.map((path) => leftOut(path)));
    expect(Object.keys(LEFT_OUT).filter((field) => !used.has(field))).toEqual([]);
  });
});

type Path = readonly (string | number)[];

function at(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], tree);
}

const OTHER_CURRENCY: Readonly<Record<string, string>> = { SAR: 'EUR', EUR: 'SAR' };

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return /^\d+\.\d\d$/.test(value) ? '999.99' : (OTHER_CURRENCY[value] ?? `9${value}`);
  if (Array.isArray(value)) return ['9'];
  return { value: '9' };
}

async function meaning(hear: ReplyFixture['hear'], wire: unknown): Promise<string> {
  try {
    const value = await hear(wire);
    // Of a booking, what was read.
    const read = isObject(value) && isObject(value.reading) ? { ...value.reading, source: undefined } : value;
    return JSON.stringify(read);
  } catch {
    return 'refused';
  }
}

/** Fields of the fixture, and whether changing any of their leaves changes what the reply means. */
async function reach({ wire, hear }: ReplyFixture, reached: Map<string, boolean>): Promise<void> {
  const before = await meaning(hear, wire);
  for (const [path] of leaves(wire)) {
    const field = nameOf(path);
    if (path.some((key) => UNNAMED.has(String(key)))) continue;
    if (reached.get(field) === true) continue;
    reached.set(field, (await meaning(hear, put(wire, path, changed(at(wire, path))))) !== before);
  }
}

describe('documented fields', async () => {
  const reached = new Map<string, boolean>();
  for (const one of replyFixtures(goldenNames('replies'))) await reach(one, reached);
  const fields = withoutBranches(reached.keys()).map((field) => ({ field, did: reached.get(field) === true }));

  test('finds more than 200 documented fields', () => expect(fields.length).toBeGreaterThan(200));

  test('decodes every documented field that is not left out', () => {
    const lost = fields.filter(({ field, did }) => !did && leftOut(field) === undefined);
    expect(lost).toEqual([]);
  });

  test('decodes no field that is left out', () => {
    const leaked = fields.filter(({ field, did }) => did && leftOut(field) !== undefined);
    expect(leaked).toEqual([]);
  });

  test('gives a reason for each field that is left out', () => {
    for (const reason of Object.values(LEFT_OUT)) expect(reason.length).toBeGreaterThan(15);
  });
});
