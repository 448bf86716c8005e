/**
 * What trouble happens to: two instances on one PostgreSQL behind a proxy, each with a second record on a disk of its own,
 * and one instance alone with its state on a small disk; an issuer, and the sandbox airline as the judge.
 */
import { startIssuer } from '../../../auth/callers/issuer.ts';
import { freePort } from '../../../http/support/openid.ts';
import { newFolder } from '../../support/folders.ts';
import { startCluster } from '../../support/postgres.ts';
import { readFrom } from '../../support/sqlite.ts';
import { ended, sandboxProcess, startMember, tokenFor } from '../../support/stage.ts';
import { startBalancer } from './balancer.ts';
import { smallDisk } from './small-disk.ts';

export type TroubledFleet = Awaited<ReturnType<typeof openTroubledFleet>>;

interface Row {
  readonly locator: string;
  readonly state: string;
  readonly tool: string;
  readonly created_at: number | string;
}

const ROWS = "select locator, state, tool, created_at from TABLE where tool in ('create_booking', 'pay_booking')";

export async function openTroubledFleet() {
  const cluster = await startCluster();
  const books = `${newFolder('airline')}/airline.sqlite`;
  const sandbox = await sandboxProcess(books);
  const issuer = await startIssuer();
  let kid = 'ES256';
  const proxyPort = await freePort();
  let proxy = await startBalancer(proxyPort);
  const common = {
    ...sandbox.settings,
    FARECLERK_ISSUER: issuer.issuer,
    REHEARSAL: '12',
    // Failures are what is played here.
    FARECLERK_LOG_LEVEL: 'silent',
  };
  const onDisk = async (publicUrl: string, more: object, port?: number) => {
    const disk = smallDisk();
    const member = await startMember({ ...common, FARECLERK_PUBLIC_URL: publicUrl, ...more }, disk.folder, port);
    return Object.assign(member, { disk });
  };
  const shared = { FARECLERK_DATABASE_URL: await cluster.database('fleet') };
  const [first, second] = await Promise.all([onDisk(proxy.url, shared), onDisk(proxy.url, shared)]);
  const alonePort = await freePort();
  const aloneUrl = `http://127.0.0.1:${alonePort}`;
  const alone = await onDisk(aloneUrl, {}, alonePort);
  const members = [first, second, alone];
  const ports = [first.port, second.port];
  proxy.use(ports);
  return {
    ...{ cluster, issuer, books, first, second, alone, members },
    /** Address of the fleet, and of the instance that is alone. */
    ...{ url: proxy.url, aloneUrl },
    /** Of a client by name, for the instances at this address. @throws if the issuer is away */
    async token(name: string, publicUrl: string) {
      if (issuer.down) throw new Error('the issuer is away');
      return tokenFor(issuer, publicUrl, name, kid);
    },
    /** The issuer signs with a new key from now on; the old key is withdrawn. */
    async rotate() {
      const old = kid;
      kid = await issuer.rotate();
      issuer.withdraw(old);
    },
    proxyGone: () => proxy.close(),
    async proxyBack() {
      proxy = await startBalancer(proxyPort);
      proxy.use(ports);
    },
    /** Holds and payments in both journals. */
    async journal() {
      const rows = await cluster.sql('fleet', ROWS.replace('TABLE', 'fareclerk.operation'));
      const file = `${alone.disk.folder}/state/fareclerk/fareclerk.sqlite`;
      const operations = readFrom(file, (db) => db.prepare(ROWS.replace('TABLE', 'operation')).all());
      return [...rows, ...operations] as unknown as readonly Row[];
    },
    async close() {
      await Promise.all(members.map((member) => ended(member.process)));
      await proxy.close();
      await issuer.close();
      await sandbox.close();
      await cluster.close();
    },
  };
}
