/**
 * Work that is started and not awaited. A rejection that nobody catches ends a server, so each of these calls ends in a
 * `catch` or is known never to reject.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/** What is called, how often if more than once, and what catches its errors. */
const NEVER_REJECTS: Readonly<Record<string, string>> = {
  beat: 'catches each renewal',
  'connection.sql.end': 'ends connections without waiting',
  'context.clock.sleep': 'a sleep without a signal only resolves',
  'events?.stop': 'waits with allSettled',
  'generation.sql.end': 'ends connections without waiting',
  warm: 'warm catches: the keys stay as they are',
  run: 'waits for the connection to close',
  'runPlan ×3': 'runPlan catches and reports',
  'running.then': 'handles both ends',
  'sending.then': 'a write that fails is tried again, then left to a reading',
  shutDown: 'catches what it closes',
  'signIn?.warm': 'warm resolves to false',
  'signIn.warm': 'warm resolves to false',
  'sql.end': 'ends connections without waiting',
  'this.write': 'counts that cannot be written wait',
  step: 'a settling step catches and is taken again',
  'tracer.serve': 'the same, within a trace',
};

/** Calls that return no promise. */
const PLAIN = /^(?:setTimeout|pages\.push|options\.failed|(?:terminal\.)?stderr\.write|process\.stdout\.write)$/;

test('catches the errors of all work that is started and not awaited', () => {
  const found = globSync('**/*.ts', { cwd: SRC }).flatMap((file) => {
    const code = readFileSync(SRC + file, 'utf8')
      .replaceAll(/`[^`]*`/g, '``')
      .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    return [...code.matchAll(/\bvoid ([\w.?]+?)(?:\?\.)?\(/g)]
      .filter(({ 1: callee = '' }) => !PLAIN.test(callee))
      .filter(({ index }) => !/^[^;]*\.catch\(/.test(code.slice(index)))
      .map(({ 1: callee }) => callee);
  });
  const counted = Map.groupBy(found, (callee) => callee);
  const calls = [...counted].map(([callee, all]) => (all.length === 1 ? callee : `${callee} ×${all.length}`));
  expect(calls.sort()).toEqual(Object.keys(NEVER_REJECTS).sort());
});
