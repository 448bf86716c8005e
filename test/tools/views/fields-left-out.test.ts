/**
 * Every field that a reply brings into the domain is in some tool's structured result, or is left out of all on
 * purpose. Each leaf of the full replies is changed in turn, and a result must change with it exactly when the leaf is
 * not on the list.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { goldenNames } from '../../ota/messages/golden.ts';
import { type ReplyFixture, replyFixtures } from '../../ota/messages/reply-fixtures.ts';
import { isObject, put } from '../../ota/messages/rewrite.ts';
import { FULL_REPLIES, type FullReply } from '../support/full-replies.ts';
import { NOT_SHOWN } from './fields-left-out.ts';

type Path = (string | number)[];

function isMoney(value: unknown): value is { minor: number; currency: string } {
  return isObject(value) && typeof value.minor === 'number' && typeof value.currency === 'string';
}

/** Paths of the leaves: scalars and amounts of money. An empty list has none. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || isMoney(value)) return [path];
  const items = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return items.flatMap(([key, item]) => leaves(item, [...path, key]));
}

function at(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], tree);
}

/** Lists of which a first item may be shown alone: the others are a field of their own. */
const FIRST_ALONE = ['emails', 'phones', 'addresses'];

/** Structures that occur in several places: a field counts as shown if one place shows it. */
const SHARED: [RegExp, string][] = [
  [/^.*\.segments?\./, 'segment.'],
  [/^(booking|search\.offers)\.pricing\./, 'pricing.'],
  [/^pricing\.fares\.(refund|change)Rules\./, 'pricing.fares.rules.'],
  [/^(booking|receipt)\.references\./, 'reference.'],
  [/^.*\.name\.(?=\w+$)/, 'name.'],
  [/^.*\.links\./, 'link.'],
];

function nameOf(root: string, path: Path): string {
  const keys = path.flatMap((key, i) => {
    if (typeof key === 'string') return [key];
    return key > 0 && FIRST_ALONE.includes(String(path[i - 1])) ? ['others'] : [];
  });
  return SHARED.reduce((name, [long, short]) => name.replace(long, short), [root, ...keys].join('.'));
}

/** Other values of the same kind: no single one would do for codes, dates and amounts alike. */
function others(value: unknown): unknown[] {
  if (isMoney(value)) return [{ ...value, minor: value.minor + 1 }];
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'boolean') return [!value];
  const text = String(value);
  return [`9${text}`, `${text}9`, '999.99', '2026-12-02', '2026-12-02T04:00:00Z', 'REFUND'].filter((o) => o !== text);
}

const REFUSED = 'refused';

async function shown({ show }: FullReply, value: object): Promise<string> {
  return show(value).then(JSON.stringify, () => REFUSED);
}

/** Checks whether some result changes with the leaf. A refusal shows nothing of it. */
async function tells(reply: FullReply, path: Path, before: string): Promise<boolean> {
  for (const other of others(at(reply.value, path))) {
    const { value } = put({ value: reply.value }, ['value', ...path], other);
    const after = await shown(reply, value as object);
    if (after !== before && after !== REFUSED) return true;
  }
  return false;
}

function listed(field: string): string | undefined {
  return Object.keys(NOT_SHOWN).find((name) => field === name || field.startsWith(`${name}.`));
}

const told = new Map<string, boolean>();

beforeAll(async () => {
  for (const reply of FULL_REPLIES) {
    const before = await shown(reply, reply.value);
    if (before === REFUSED) throw new Error(`the full ${reply.root} is refused`);
    for (const path of leaves(reply.value)) {
      const field = nameOf(reply.root, path);
      if (told.get(field) !== true) told.set(field, await tells(reply, path, before));
    }
  }
}, 60_000);

const fieldsThat = (keep: (field: string, did: boolean) => boolean) =>
  [...told].filter(([field, did]) => keep(field, did)).map(([field]) => field);

/** By the start of a reply's name. */
const ROOTS: Readonly<Record<string, string>> = {
  'read hold book modify counts group-book': 'booking',
  'search fare-search availability': 'search',
  'pay ticket': 'receipt',
  cancel: 'cancelled',
  'seat-map': 'seats',
  routes: 'routes',
  calendar: 'calendar',
};

/** Returns the content of a hand-written reply, or nothing if no tool shows that reply. */
function rootOf({ name, wire, decode }: ReplyFixture) {
  const [, root] = Object.entries(ROOTS).find(([names]) => names.split(' ').some((one) => name.startsWith(one))) ?? [];
  if (root === undefined) return [];
  const value = decode(wire);
  if (!isObject(value)) return [{ name, root, value }];
  const { source: _, ...rest } = value;
  return [{ name, root, value: rest }];
}

describe('fields of the airline’s replies', () => {
  test('shows each field of a reply in some tool unless it is listed as left out', () => {
    expect(told.size).toBeGreaterThan(150);
    expect(fieldsThat((field, did) => !did && listed(field) === undefined)).toEqual([]);
  });

  test('shows no field that is listed as left out', () => {
    expect(fieldsThat((field, did) => did && listed(field) !== undefined)).toEqual([]);
  });

  test('lists only fields that replies have, each with a reason', () => {
    const seen = new Set([...told.keys()].map(listed));
    expect(Object.keys(NOT_SHOWN).filter((name) => !seen.has(name))).toEqual([]);
    for (const reason of Object.values(NOT_SHOWN)) expect(reason.length).toBeGreaterThan(15);
  });

  test.each(replyFixtures(goldenNames('replies')).flatMap((one) => rootOf(one)))(
    'has every field of $name in the full replies',
    ({ root, value }) => {
      const fields = leaves(value).map((path) => nameOf(root, path));
      expect([...new Set(fields)].filter((field) => !told.has(field))).toEqual([]);
    },
  );
});
