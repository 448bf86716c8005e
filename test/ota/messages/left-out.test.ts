/**
 * Every documented field of a reply reaches the domain, or is left out on purpose. The fixtures are replies
 * written by hand; each of their leaves is changed in turn, and the decoded value must change with it exactly when the
 * leaf is not on the list.
 */
import { describe, expect, test } from 'vitest';
import { LEFT_OUT } from '../../../src/ota/messages/left-out.ts';
import { goldenNames, leaves } from './golden.ts';
import { leftOut, nameOf, withoutBranches } from './paths.ts';
import { type ReplyFixture, replyFixtures, UNNAMED } from './reply-fixtures.ts';
import { isObject, put } from './rewrite.ts';

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
    return JSON.stringify(isObject(value) ? { ...value, source: undefined } : value);
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

  test('lists only left-out fields that the full replies have, each with a reason', () => {
    const seen = new Set(fields.map(({ field }) => leftOut(field)));
    expect(Object.keys(LEFT_OUT).filter((field) => !seen.has(field))).toEqual([]);
    for (const reason of Object.values(LEFT_OUT)) expect(reason.length).toBeGreaterThan(15);
  });
});
