/**
 * What names people goes within minutes of its hour, asked for or not.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Approval } from '../../src/approvals/ports.ts';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import type { State } from '../../src/store/state.ts';
import { type Cluster, startCluster } from '../campaigns/support/postgres.ts';

const HOUR = 60 * 60_000;
const MINUTE = 60_000;
const LAPSED = Date.UTC(2026, 10, 20, 9);

const APPROVAL: Approval = {
  handleHash: 'h1',
  operationId: 'op1',
  tenant: 't',
  caller: 'me',
  tool: 'change_names',
  argsDigest: 'a',
  termsDigest: 'd',
  sections: [{ kind: 'act', lines: ['Amal Haddad P7000001'] }],
  nature: 'payment',
  act: 'change a name',
  carried: { args: { document: 'P7000001' } },
  staleLines: ['Amal Haddad P7000002'],
  askedBy: 'page',
  decision: 'pending',
  createdAt: LAPSED - 10 * MINUTE,
  expiresAt: LAPSED,
};

let folder: string;
let cluster: Cluster;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clerk-names-'));
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Each opens the same state again and again. */
const STORES: readonly [name: string, opener: (name: string) => Promise<(now: () => number) => Promise<State>>][] = [
  ['SQLite', async (name) => (now) => openSqliteState(join(folder, `${name}.db`), { now })],
  [
    'PostgreSQL',
    async (name) => {
      const url = await cluster.database(name);
      return (now) => openPostgresState(url, { now });
    },
  ],
];

describe.each(STORES)('%s', (_name, opener) => {
  let now: number;
  beforeEach(() => {
    now = LAPSED - MINUTE;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const kept = async (state: State) => {
    const found = await state.approvals.get('h1');
    return { carried: found?.carried, sections: found?.sections, staleLines: found?.staleLines };
  };
  const NAMED = { carried: APPROVAL.carried, sections: APPROVAL.sections, staleLines: APPROVAL.staleLines };
  const BLANK = { carried: undefined, sections: [], staleLines: undefined };

  test('blanks names when the state is opened after their hour, and not before', async () => {
    const open = await opener('reopened');
    const first = await open(() => now);
    await first.approvals.put(APPROVAL);
    await first.close();
    now = LAPSED + HOUR;
    const second = await open(() => now);
    expect(await kept(second)).toEqual(NAMED);
    await second.close();
    now += 1;
    const third = await open(() => now);
    expect(await kept(third)).toEqual(BLANK);
    await third.close();
  });

  test('blanks names of an idle process within a minute after their hour', async () => {
    const open = await opener('living');
    const state = await open(() => now);
    await state.approvals.put(APPROVAL);
    now = LAPSED + HOUR;
    vi.advanceTimersByTime(MINUTE);
    expect(await kept(state)).toEqual(NAMED);
    now += 1;
    // The look before may still run: then the next one is a minute later.
    const after = () => vi.advanceTimersByTime(MINUTE) && kept(state);
    await expect.poll(after).toEqual(BLANK);
    await state.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
