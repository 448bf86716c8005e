/** The table of breaks: it fits the sources, and covers the campaigns that are played. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PAGES, withColumns } from '../../scripts/proofs.ts';
import { broken } from '../campaigns/breaks/scratch.ts';
import { BREAKS, GROUPS, WITHOUT_BREAKS } from '../campaigns/breaks/table.ts';
import { readSources } from '../support/sources.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = readSources();
const ALL = Object.entries(BREAKS);
const CAMPAIGN = /test\/campaigns\/([\w/-]+)\.ts/g;

/** The campaigns that a text names: `chaos/kill`. */
const campaignsIn = (text: string): readonly string[] => [...text.matchAll(CAMPAIGN)].map(([, name = '']) => name);

/** The sources below a folder, each with its text. */
const readTexts = (folder: string) =>
  globSync(`${folder}/**/*.ts`, { cwd: ROOT }).map((file) => [file, readFileSync(ROOT + file, 'utf8')] as const);

const playedIn = (script: string) => campaignsIn(readFileSync(`${ROOT}.ci/${script}`, 'utf8'));

test('has at least sixty breaks, each of another name and another change', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(60);
  expect(GROUPS.flatMap((group) => Object.keys(group))).toHaveLength(ALL.length);
  expect(new Set(ALL.map(([, { file, find, replace }]) => `${file}\n${find}\n${replace}`)).size).toBe(ALL.length);
});

test.each(ALL)('finds what %s changes once in its source', (_, one) => {
  const text = SOURCES.get(`src/${one.file}`);
  expect(text).toBeDefined();
  expect(broken(text ?? '', one)).not.toBe(text);
});

test('breaks no airline of a campaign', () => {
  expect(ALL.filter(([, { file }]) => file.startsWith('sandbox/') || file.includes('..'))).toEqual([]);
});

test('names only programs and test files that there are', () => {
  const named = ALL.flatMap(([, { seenBy }]) => seenBy).flatMap((command) => command.match(/test\/\S+\.ts/g) ?? []);
  expect(named.length).toBeGreaterThanOrEqual(ALL.length);
  expect(named.filter((file) => !existsSync(ROOT + file))).toEqual([]);
});

test('has two breaks for each campaign that is played, or the reason why not', () => {
  const seen = ALL.flatMap(([, { seenBy }]) => seenBy.flatMap(campaignsIn));
  const played = [...new Set([...playedIn('run'), ...playedIn('night')])];
  expect(played).toContain('chaos/kill');
  const few = played.filter((campaign) => seen.filter((name) => name === campaign).length < 2);
  expect(few.toSorted()).toEqual(Object.keys(WITHOUT_BREAKS).toSorted());
});

test('names in .ci each program of a campaign that says how it is started', () => {
  const played = ['run', 'night', 'full'].flatMap(playedIn);
  const programs = readTexts('test/campaigns').filter(([file, text]) => text.includes(`node ${file}`));
  expect(programs.length).toBeGreaterThan(30);
  const unplayed = programs
    .map(([file]) => file)
    .filter((file) => !played.some((name) => file.endsWith(`/${name}.ts`)));
  expect(unplayed).toEqual([]);
});

test.each(PAGES)('%s has the numbers of the table, and claims nothing without a break', (page) => {
  const text = readFileSync(ROOT + page, 'utf8');
  expect(withColumns(text)).toBe(text);
  expect(text).toMatch(/^\| promise \| command \|.* breaks \|/m);
  expect(text.match(/^\|.*`(?:node|npx) [^`]+` \|(?: [a-z, ]+ \|)? 0 \|.*$/gm) ?? []).toEqual([]);
});
