/**
 * Work that is started and not awaited. A rejection that nobody catches ends a server, so each of these calls ends in a
 * `catch` or is known never to reject.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** What is called, and what catches its errors. */
const NEVER_REJECTS: Readonly<Record<string, string>> = {
  'approvals/carry-out.ts running.then': 'handles both ends',
  'approvals/plans/call.ts runPlan': 'runPlan catches and reports',
  'approvals/plans/decide-plan.ts runPlan': 'runPlan catches and reports',
  'approvals/plans/run.ts runPlan': 'runPlan catches and reports',
  'auth/callers/keys.ts refresh': 'refresh catches: the keys stay as they are',
  'cli/runtime/identity-provider.ts signIn.warm': 'warm resolves to false',
  'cli/runtime/serve-http.ts events.stop': 'waits with allSettled',
  'journal/follow.ts step': 'a settling step catches and is taken again',
  'journal/lease-heartbeat.ts beat': 'catches each renewal',
  'journal/perform.ts context.clock.sleep': 'a sleep without a signal only resolves',
  'journal/perform.ts sending.then': 'a write that fails is tried again, then left to a reading',
  'server/http/router.ts run': 'waits for the connection to close',
  'server/http/router.ts tracer.serve': 'the same, within a trace',
  'server/mcp/stdio.ts shutDown': 'catches what it closes',
  'server/metrics/health-gauges.ts signIn?.warm': 'warm resolves to false',
  'store/postgres/pool.ts sql.end': 'ends connections without waiting',
  'store/postgres/pool.ts generation.sql.end': 'ends connections without waiting',
};

/** Calls that return no promise. */
const PLAIN = /^(?:setTimeout|pages\.push|options\.failed|(?:terminal\.)?stderr\.write)$/;

test('catches the errors of all work that is started and not awaited', () => {
  const found = globSync('**/*.ts', { cwd: SRC }).flatMap((file) => {
    const code = readFileSync(SRC + file, 'utf8')
      .replaceAll(/`[^`]*`/g, '``')
      .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    return [...code.matchAll(/\bvoid ([\w.?]+?)(?:\?\.)?\(/g)]
      .filter(({ 1: callee = '' }) => !PLAIN.test(callee))
      .filter(({ index }) => !/^[^;]*\.catch\(/.test(code.slice(index)))
      .map(({ 1: callee }) => `${file} ${callee}`);
  });
  expect([...new Set(found)].sort()).toEqual(Object.keys(NEVER_REJECTS).sort());
});
