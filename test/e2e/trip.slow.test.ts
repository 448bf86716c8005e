import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../support/sandbox/start.ts';
import { connect, KINDS, type TestClient, yes } from './clients.ts';
import { wholeTrip } from './trip.ts';

const open: { client?: TestClient; sandbox?: Sandbox; dirs: string[] } = { dirs: [] };

function stateDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fareclerk-e2e-'));
  open.dirs.push(dir);
  return dir;
}

afterEach(async () => {
  await open.client?.close();
  await open.sandbox?.close();
  for (const dir of open.dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
  delete open.client;
  delete open.sandbox;
});

describe('the whole trip, through real processes', () => {
  test.each(KINDS)('%s, the embedded sandbox', async (kind) => {
    open.client = await connect(kind, { env: { FARECLERK_STATE_DIR: stateDir() }, person: yes });
    const trip = await wholeTrip(open.client);
    for (const text of trip.texts) expect(text).toMatch(/^\[sandbox\] /);
    // Paying, renaming on a ticketed booking and cancelling were asked, with the act in the words of the yes.
    expect(open.client.dialogs).toHaveLength(3);
    expect(open.client.dialogs[0]?.requestedSchema.properties.decision.enum[1]).toMatch(/^Pay /);
  });

  // What a client sees of a dialect is data: one of each generation is enough.
  test.each([
    ['v1', 'rail'],
    ['v2-2026', 'airline'],
  ] as const)('%s, an airline elsewhere, %s dialect', async (kind, dialect) => {
    open.sandbox = await startSandbox({ dialect });
    open.client = await connect(kind, {
      env: { ...open.sandbox.settings, FARECLERK_STATE_DIR: stateDir() },
      person: yes,
    });
    const trip = await wholeTrip(open.client);
    for (const text of trip.texts) expect(text).not.toContain('[sandbox]');
    const kinds = open.sandbox.ledger().map((entry) => entry.event);
    expect(kinds.filter((event) => event === 'paid')).toHaveLength(1);
    expect(kinds.filter((event) => event === 'refunded')).toHaveLength(1);
  });
});
