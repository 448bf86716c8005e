/**
 * What trouble happens to: two instances on one PostgreSQL behind a proxy, each with a second record on a disk of its own,
 * and one instance alone with its state on a small disk; an issuer, and the sandbox airline as the judge.
 */
import type { ChildProcess } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../../../server/http/support/openid.ts';
import { newFolder } from '../../support/folders.ts';
import { type Cluster, startCluster } from '../../support/postgres.ts';
import { ended, type Settings, sandboxProcess, startInstance } from '../../support/stage.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type RotatingIssuer, startRotatingIssuer } from './rotating-issuer.ts';
import { type SmallDisk, smallDisk } from './small-disk.ts';

/** One instance, which is started again with the same settings. */
export interface Member {
  readonly port: number;
  readonly disk: SmallDisk;
  readonly process: ChildProcess;
  restart(more?: Settings): Promise<void>;
  /** Status of /readyz; 0: no answer. */
  ready(): Promise<number>;
}

export interface Row {
  readonly locator: string;
  readonly state: string;
  readonly tool: string;
  readonly created_at: number | string;
}

export interface TroubledFleet {
  readonly cluster: Cluster;
  readonly issuer: RotatingIssuer;
  /** Of the airline. */
  readonly books: string;
  /** Address of the fleet. */
  readonly url: string;
  /** Address of the instance that is alone. */
  readonly aloneUrl: string;
  readonly first: Member;
  readonly second: Member;
  readonly alone: Member;
  proxyGone(): Promise<void>;
  proxyBack(): Promise<void>;
  /** Holds and payments in both journals. */
  journal(): Promise<readonly Row[]>;
  /** Believes silent processes dead, whose minute is not over yet. */
  lapse(): Promise<void>;
  close(): Promise<void>;
}

const READY_MS = 1_500;
const ROWS = "select locator, state, tool, created_at from TABLE where tool in ('create_booking', 'pay_booking')";

export async function openTroubledFleet(clients: readonly string[]): Promise<TroubledFleet> {
  const cluster = await startCluster();
  const books = `${newFolder('airline')}/airline.sqlite`;
  const sandbox = await sandboxProcess(books);
  const issuer = await startRotatingIssuer(clients);
  const proxyPort = await freePort();
  let proxy: Balancer = await startBalancer(proxyPort);
  const database = await cluster.database('fleet');
  const common = {
    ...sandbox.settings,
    FARECLERK_ISSUER: issuer.issuer,
    FARECLERK_ANSWER_SECONDS: '5',
    FARECLERK_SETTLE_SECONDS: '12',
    // Failures are what is played here.
    FARECLERK_LOG_LEVEL: 'silent',
  };
  const shared = { ...common, FARECLERK_PUBLIC_URL: proxy.url, FARECLERK_DATABASE_URL: database };
  const [first, second] = await Promise.all([startMember(shared), startMember(shared)]);
  const alonePort = await freePort();
  const aloneUrl = `http://127.0.0.1:${alonePort}`;
  const alone = await startMember({ ...common, FARECLERK_PUBLIC_URL: aloneUrl }, alonePort);
  const ports = [first.port, second.port];
  proxy.use(ports);
  return {
    cluster,
    issuer,
    books,
    url: proxy.url,
    aloneUrl,
    first,
    second,
    alone,
    proxyGone: () => proxy.close(),
    async proxyBack() {
      proxy = await startBalancer(proxyPort);
      proxy.use(ports);
    },
    async journal() {
      const rows = await cluster.sql('fleet', ROWS.replace('TABLE', 'fareclerk.operation'));
      return [...rows, ...rowsOf(`${alone.disk.folder}/state/fareclerk/fareclerk.sqlite`)] as unknown as Row[];
    },
    lapse: () => cluster.lapse('fleet'),
    async close() {
      await Promise.all([first, second, alone].map((member) => ended(member.process)));
      await proxy.close();
      await issuer.goAway();
      await sandbox.close();
      await cluster.close();
    },
  };
}

function rowsOf(file: string): readonly unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(ROWS.replace('TABLE', 'operation')).all();
  } finally {
    database.close();
  }
}

async function startMember(settings: Settings, fixedPort?: number): Promise<Member> {
  const port = fixedPort ?? (await freePort());
  const disk = smallDisk();
  const start = (more: Settings = {}) => startInstance(disk.folder, port, { ...settings, ...more });
  let process = await start();
  return {
    port,
    disk,
    get process() {
      return process;
    },
    async restart(more) {
      await ended(process);
      process = await start(more);
    },
    ready: () =>
      fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(READY_MS) }).then(
        ({ status }) => status,
        () => 0,
      ),
  };
}
