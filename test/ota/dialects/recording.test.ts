/**
 * From a problem to its test: records a trip with an airline and plays the same trip back, with other people,
 * without that airline. test/sandbox/replay.test.ts plays one back on another day.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTape, startReplay } from '../../../src/sandbox/replay.ts';
import { startSandbox } from '../../../src/sandbox/start.ts';
import type { ToolResult } from '../../e2e/clients.ts';
import { wholeTrip } from '../../e2e/trip.ts';
import { clerkIn, type InProcess } from './clerk.ts';

/** Every result of a trip, in order. */
function watched(client: InProcess): { client: InProcess; results: { tool: string; result: ToolResult }[] } {
  const results: { tool: string; result: ToolResult }[] = [];
  const call: InProcess['call'] = async (tool, args) => {
    const result = await client.call(tool, args);
    results.push({ tool, result });
    return result;
  };
  return { client: { ...client, call }, results };
}

/** Handles, times and the airline's own numbers: another run has others, and stand-ins are others by design. */
function comparable(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, key));
  if (typeof value === 'object' && value !== null) {
    // The name of a fare is words of the airline, and words are scrambled in a recording.
    if (key === 'fare') return { ...value, name: '<words>' };
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, comparable(item, name)]));
  }
  const own =
    /^(?:offer_id|operation_id|id|expires_at|terms|locator|number|provider_ticket|url|download_url|quote_id|text|in_minutes)$/;
  if (own.test(key)) return `<${key}>`;
  if (typeof value !== 'string') return value;
  return (
    value
      // So are the airline's words that a sentence of ours quotes.
      .replace(/“[^”]*”/g, '<words>')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<instant>')
      .replace(/\b[A-Z0-9]{6}\b/g, '<locator>')
  );
}

describe.each(['airline', 'rail'] as const)('a trip recorded in the %s dialect', (dialect) => {
  it('plays a recorded trip back with the same results', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'fareclerk-trip-')), 'calls.jsonl');
    const sandbox = await startSandbox({ dialect });
    const original = watched(clerkIn({ ...sandbox.settings, FARECLERK_RECORD_FILE: file }));
    await wholeTrip(original.client);
    await original.client.close();
    await sandbox.close();
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/Haddad|Joerg|P100001/i);

    const replay = await startReplay(parseTape(text));
    const again = watched(clerkIn(replay.settings));
    await wholeTrip(again.client);
    expect(replay.missing()).toEqual([]);
    expect(again.client.errors).toEqual([]);
    await again.client.close();
    await replay.close();
    expect(again.results.map(({ tool }) => tool)).toEqual(original.results.map(({ tool }) => tool));
    for (const [i, { tool, result }] of again.results.entries()) {
      const before = original.results[i]?.result.structuredContent;
      expect(comparable(result.structuredContent), tool).toEqual(comparable(before));
    }
  });
});
