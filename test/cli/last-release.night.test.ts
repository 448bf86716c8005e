/**
 * The last release and this program, as both are published, one after the other on one state: two instances each, with an act in doubt
 * and a question that waits, and the way back.
 */
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildCommit, lastRelease, ROOT } from '../../bench/beside.ts';
import { type Cluster, startCluster } from '../campaigns/support/postgres.ts';
import { freePort } from '../http/support/openid.ts';
import { mcpCaller } from '../support/mcp-http.ts';
import { startSandbox } from '../support/sandbox/start.ts';
import { held, payment } from './desk.ts';
import { buildProgram, folderFor, type Program, serving } from './program.ts';

const PAYMENT = 'OTA_AirDemandTicketRQ';
const TOKEN = 'let-me-in-0123456789abcdef-01234';
const SCHEMA = 'fareclerk';

const ENDED_BY_UPGRADE = {
  code: 'E_APPROVAL_EXPIRED',
  message: 'The server was upgraded before this was carried out, which ended its question. Nothing was sent.',
  next: 'Call pay_booking without approval_id to ask again.',
  effect: 'none',
};

type Settings = Readonly<Record<string, string>>;

let program: Program;
/** The bin of the last release. */
let released: string;
let cluster: Cluster;
beforeAll(async () => {
  program = await buildProgram();
  const folder = folderFor('released');
  await buildCommit(lastRelease(ROOT), folder);
  released = join(folder, 'bin', 'fareclerk.js');
  cluster = await startCluster();
});
afterAll(() => cluster.close());

/** A place for a state, and its way back to what it held before the upgrade. */
interface Place {
  readonly settings: Settings;
  backUp(): Promise<void>;
  goBack(airline: Settings): Promise<void>;
}

function ownFolder(): Settings {
  const folder = folderFor('last-release');
  return { FARECLERK_STATE_DIR: folder, XDG_STATE_HOME: folder };
}

async function sqlite(): Promise<Place> {
  const settings = ownFolder();
  const file = join(settings.FARECLERK_STATE_DIR ?? '', 'fareclerk.sqlite');
  return {
    settings,
    // The upgrade leaves the old file, if it changes the tables.
    backUp: async () => undefined,
    async goBack() {
      const old = readdirSync(dirname(file)).find((name) => /\.v\d+$/.test(name));
      if (old === undefined) return;
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
      copyFileSync(join(dirname(file), old), file);
    },
  };
}

async function postgres(): Promise<Place> {
  const database = 'last_release';
  const url = await cluster.database(database);
  const settings = { ...ownFolder(), FARECLERK_DATABASE_URL: url };
  return {
    settings,
    backUp: () => cluster.copy(database, SCHEMA),
    async goBack(airline) {
      await cluster.sql(database, `drop schema ${SCHEMA} cascade`);
      // The release makes its own tables; then the rows of the backup.
      expect(await program.run(['call', 'list_routes'], { ...airline, ...settings }, released)).toMatchObject({
        code: 0,
      });
      await cluster.putBack(database, SCHEMA);
    },
  };
}

/** An airline that can lose the answer to a payment and be down after it. */
async function startAirline() {
  let isDown = false;
  let losesNext = false;
  const airline = await startSandbox({
    before({ name, response }) {
      if (isDown) {
        response.destroy();
        return 'taken';
      }
      isDown = losesNext && name === PAYMENT;
      return undefined;
    },
  });
  onTestFinished(() => airline.close());
  return {
    settings: airline.settings,
    payments: (locator: string) =>
      airline.ledger().filter((entry) => entry.event === 'paid' && entry.locator === locator).length,
    goDownAtPayment() {
      losesNext = true;
      airline.order({ message: PAYMENT, kind: 'commit-then-lose' });
    },
    comeBack() {
      losesNext = false;
      isDown = false;
    },
  };
}

/** Commands, with their JSON, and servers of one version on one state. */
function versionOn(bin: string, settings: Settings) {
  async function run(...argv: readonly string[]) {
    const { stdout, stderr } = await program.run(argv, settings, bin);
    if (!stdout.startsWith('{')) throw new Error(`${argv.join(' ')}: ${stdout}${stderr}`);
    return JSON.parse(stdout);
  }
  async function serve() {
    const port = await freePort();
    const server = await serving(program.start(['serve', '--http', '--port', String(port)], settings, bin));
    const caller = mcpCaller(`http://127.0.0.1:${port}/mcp`, TOKEN);
    return {
      call: async (tool: string, args: object) => (await caller.call(tool, args)).structured,
      ready: async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status,
      async stop() {
        caller.close();
        await server.stop();
      },
    };
  }
  return { run, serve };
}

type Server = Awaited<ReturnType<ReturnType<typeof versionOn>['serve']>>;

/** Asks at one server, and approves at the other. */
async function pay(asking: Server, answering: Server, locator: string) {
  const asked = await asking.call('pay_booking', payment(locator));
  return asked.approval === undefined
    ? asked
    : answering.call('pay_booking', { ...payment(locator), approval_id: asked.approval.id });
}

describe.each([
  { name: 'SQLite', placed: sqlite },
  { name: 'PostgreSQL', placed: postgres },
])('on $name', ({ placed }) => {
  it('takes over from the last release an act in doubt and a question, pays nothing twice, and leads back', async () => {
    const airline = await startAirline();
    const place = await placed();
    const settings = {
      ...airline.settings,
      ...place.settings,
      FARECLERK_HTTP_TOKEN: TOKEN,
      FARECLERK_APPROVAL: 'echo',
    };
    const [before, now] = [versionOn(released, settings), versionOn(program.bin, settings)];

    const [old, other] = [await before.serve(), await before.serve()];
    const [paid, asked, doubtful] = [await held(old.call), await held(other.call), await held(old.call)];
    const payments = () => [paid, asked, doubtful].map(airline.payments);
    await pay(old, other, paid);
    const question = await other.call('pay_booking', payment(asked));
    airline.goDownAtPayment();
    expect(await pay(old, old, doubtful)).toMatchObject({ status: 'pending' });
    const { head } = await before.run('journal', 'verify');
    await place.backUp();
    for (const server of [old, other]) await server.stop();
    expect(payments()).toEqual([1, 0, 1]);

    airline.comeBack();
    const [first, second] = [await now.serve(), await now.serve()];
    expect([await first.ready(), await second.ready()]).toEqual([200, 200]);
    expect(await now.run('journal', 'verify', '--expect', head)).toMatchObject({ whole: true });
    const isPaid = async (locator: string) =>
      (await first.call('read_booking', { locator })).booking.state === 'ticketed';
    await expect.poll(() => isPaid(doubtful)).toBe(true);
    expect(await pay(first, second, doubtful)).toMatchObject({ error: { code: 'E_ALREADY_DONE' } });
    // A yes to a question from before the upgrade is carried out, or sends nothing: if the upgrade converted the tables, it ended the question.
    const late = await first.call('pay_booking', { ...payment(asked), approval_id: question.approval.id });
    if (late.error === undefined) expect(late).toMatchObject({ status: 'done' });
    else {
      expect(late).toMatchObject({ error: ENDED_BY_UPGRADE });
      expect(payments()).toEqual([1, 0, 1]);
      expect(await pay(first, second, asked)).toMatchObject({ status: 'done' });
    }
    for (const server of [first, second]) await server.stop();

    await place.goBack(airline.settings);
    const again = await before.serve();
    expect(await before.run('journal', 'verify', '--expect', head)).toMatchObject({ whole: true });
    for (const locator of [paid, asked, doubtful])
      expect(await pay(again, again, locator)).toMatchObject({ error: { code: 'E_ALREADY_DONE' } });
    await again.stop();
    expect(payments()).toEqual([1, 1, 1]);
  });
});
