import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import type { ShelvedOffer, State } from './support/ports.ts';

const ME = { tenant: 't', id: 'me' };

let folder: string;
let file: string;
let states: State[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fareclerk-light-'));
  file = join(folder, 'state.sqlite');
  states = [];
});

afterEach(async () => {
  for (const state of states) await state.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<State> {
  const state = await openSqliteState(file);
  states.push(state);
  return state;
}

const offer = (date: string): ShelvedOffer => ({
  offer: {} as unknown as ShelvedOffer['offer'],
  passengers: { adults: 1, children: 0, infants: 0 },
  shownAt: Date.now(),
  legs: [{ from: 'RUH', to: 'JED', date }],
});

async function dateOf(state: State | undefined, handle: string, caller = ME): Promise<string | undefined> {
  return (await state?.offers.get(caller, handle))?.legs[0]?.date;
}

test('finds an offer at once in every process, and for nobody of another tenant', async () => {
  const [one, two] = [await open(), await open()];
  const [handle = ''] = await one.offers.put(ME, [offer('a')]);
  expect(await Promise.all([one, two].map((state) => dateOf(state, handle)))).toEqual(['a', 'a']);
  expect(await dateOf(one, handle, { tenant: 'other', id: 'me' })).toBeUndefined();
});

test('never uses one handle twice in processes that show offers at the same time', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, open));
  const handles = new Set<string>();
  for (let n = 0; n < 1_200; n++) {
    const state = all[n % all.length] as State;
    for (const handle of await state.offers.put(ME, [offer(`${n}`)])) handles.add(handle);
  }
  expect(handles.size).toBe(1_200);
  const kept = await Promise.all([...handles].map((handle) => dateOf(all[0], handle)));
  expect(new Set(kept).size).toBe(1_200);
});

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

test('finds no offer under a handle with a wrong letter or two swapped letters', async () => {
  const state = await open();
  // One whole page: a slip in the place would find another offer of it.
  const shown = await state.offers.put(
    ME,
    Array.from(ALPHABET, (_, place) => offer(`${place}`)),
  );
  for (const [place, handle] of shown.entries()) {
    expect(await dateOf(state, handle)).toBe(`${place}`);
    const slips = [...handle].flatMap((_, i) =>
      Array.from(ALPHABET, (other) => handle.slice(0, i) + other + handle.slice(i + 1)),
    );
    const swaps = [...handle].map(
      (_, i) => handle.slice(0, i) + handle.charAt(i + 1) + handle.charAt(i) + handle.slice(i + 2),
    );
    for (const wrong of [...slips, ...swaps].filter((text) => text !== handle))
      expect([wrong, await dateOf(state, wrong)]).toEqual([wrong, undefined]);
  }
});
