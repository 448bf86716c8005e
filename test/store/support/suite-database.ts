/**
 * One PostgreSQL for the tests of a file, and states in it that end with their test.
 */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { ClerkError } from '../../../src/core/errors.ts';
import { openPostgresState, type PostgresOptions } from '../../../src/store/postgres/state.ts';
import { type Cluster, startCluster } from '../../campaigns/support/postgres.ts';
import type { State } from './ports.ts';

interface Ending {
  close(): Promise<unknown>;
}

/** Called at the top of a file; the database is there from the first test on. */
export function suiteDatabase() {
  const opened: Ending[] = [];
  let started: { readonly cluster: Cluster; readonly url: string } | undefined;
  let schemas = 0;

  beforeAll(async () => {
    const cluster = await startCluster();
    started = { cluster, url: await cluster.database('clerk') };
  });
  afterAll(() => started?.cluster.close());
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  const there = () => {
    if (started === undefined) throw new Error('the database is there from the first test on');
    return started;
  };
  const freshSchema = (): string => {
    schemas += 1;
    return `s${schemas}`;
  };
  /** Closes it when the test ends. */
  const ends = <T extends Ending>(one: T): T => {
    opened.push(one);
    return one;
  };
  return {
    cluster: () => there().cluster,
    url: () => there().url,
    freshSchema,
    ends,
    /** For a desk, which closes it: in an empty schema of its own. */
    ofDesk: () => ({
      openState: (now: () => number) =>
        openPostgresState(there().url, { schema: freshSchema(), now }) as Promise<State>,
    }),
    /** In an empty schema of its own, unless one is named. */
    async open(options: PostgresOptions & { at?: string } = {}): Promise<State> {
      return ends(await openPostgresState(options.at ?? there().url, { schema: freshSchema(), ...options }));
    },
  };
}

/** What the call was refused with. */
export async function errorOf(call: Promise<unknown>): Promise<ClerkError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  // Of the next version's, too, which are other classes of the same name.
  expect(error).toMatchObject({ name: 'ClerkError' });
  return error as ClerkError;
}
