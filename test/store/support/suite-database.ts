/**
 * One PostgreSQL for the tests of a file, and states in it that end with their test. The files of a worker share a server and its
 * tables, one file after the other: to make them takes longer than most files.
 */
import { spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { ClerkError } from '../../../src/core/errors.ts';
import { openPostgresState, type PostgresOptions } from '../../../src/store/postgres/state.ts';
import { type Cluster, startCluster, UNCHECKED } from '../../campaigns/support/postgres.ts';
import { plays } from './databases.ts';
import type { State } from './ports.ts';

interface Ending {
  close(): Promise<unknown>;
}

interface Started {
  readonly cluster: Cluster;
  readonly url: string;
}

interface SuiteOptions {
  /** A server of its own: for a file that looks at everything that the server keeps. */
  readonly own?: boolean;
}

const DATABASE = 'clerk';
/** The end of a chain without a link. */
const NO_LINK = '0'.repeat(64);

let shared: Promise<Started> | undefined;
let schemas = 0;
/** Schemas of the shared server that no state uses. They have the rows of the last one. */
const unused: string[] = [];

async function startOne(): Promise<Started> {
  const cluster = await startCluster();
  return { cluster, url: await cluster.database(DATABASE) };
}

async function startShared(): Promise<Started> {
  const started = await startOne();
  endsAfterUs(started.cluster.folder);
  return started;
}

/** A process that waits until this one has ended, however it ends, then stops the server of the folder and removes that. */
function endsAfterUs(folder: string): void {
  const program = `
    const { existsSync, readFileSync, rmSync } = require('node:fs');
    const file = process.argv[1] + '/data/postmaster.pid';
    process.stdin.resume().on('end', () => {
      if (existsSync(file)) process.kill(parseInt(readFileSync(file, 'utf8'), 10), 'SIGQUIT');
      rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 50 });
    });`;
  const child = spawn(process.execPath, ['-e', program, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
}

/** The tables as they are made: no rows but those that say what they are. */
async function empty({ sql, tables }: Cluster, schema: string): Promise<void> {
  const filled = (await tables(DATABASE, schema)).filter((table) => table !== 'meta' && table !== 'chain');
  await sql(
    DATABASE,
    `${UNCHECKED} ${filled.map((table) => `delete from ${schema}.${table};`).join(' ')}
     delete from ${schema}.meta where key not in ('schema_version', 'functions');
     update ${schema}.chain set n = 0, hash = '${NO_LINK}';
     select setval(oid::regclass, 1, false) from pg_class
       where relkind = 'S' and relnamespace = '${schema}'::regnamespace;`,
  );
}

/** Called at the top of a file; the database is there from the first test on, if the file plays it. */
export function suiteDatabase({ own = false }: SuiteOptions = {}) {
  const opened: Ending[] = [];
  let started: Started | undefined;

  beforeAll(async () => {
    if (!plays('PostgreSQL')) return;
    if (!own) shared ??= startShared();
    started = await (own ? startOne() : shared);
    // A test that stopped it may have failed before it started it again.
    if (started?.cluster.isRunning() === false) await started.cluster.start();
  });
  afterAll(async () => {
    if (own) await started?.cluster.close();
  });
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
  /** In empty tables, which another state gets later. */
  const openUnnamed = async (options: PostgresOptions): Promise<State> => {
    const again = own ? undefined : unused.pop();
    if (again !== undefined) await empty(there().cluster, again);
    const schema = again ?? freshSchema();
    const state = (await openPostgresState(there().url, { schema, ...options })) as State;
    const { close } = state;
    let isClosed = false;
    return Object.assign(state, {
      async close() {
        await close();
        if (!isClosed && !own) unused.push(schema);
        isClosed = true;
      },
    });
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
    ofDesk: () => ({ openState: (now: () => number) => openUnnamed({ now }) }),
    /** In an empty schema of its own, unless one is named. */
    async open({ at, ...options }: PostgresOptions & { at?: string } = {}): Promise<State> {
      const isNamed = at !== undefined || options.schema !== undefined || options.secondRecords !== undefined;
      if (!isNamed) return ends(await openUnnamed(options));
      return ends(await openPostgresState(at ?? there().url, { schema: freshSchema(), ...options }));
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
