/**
 * Broken set-ups, each over real sockets, and what the doctor must find. The guide shows their real output.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Finding, Level } from '../../../src/cli/doctor/check.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/start.ts';
import { openSqliteState } from '../../../src/store/sqlite.ts';
import { AUTHORITY, EXPIRED, GOOD, NOT_YET_VALID, OTHER_NAME } from './certificates.ts';
import { type Front, type FrontOptions, type Rule, startFront } from './front.ts';

export type Env = Record<string, string>;

/** What a case may use; all of it ends with the case. */
export interface World {
  /** The settings of a sound set-up. */
  readonly env: Env;
  readonly sandbox: Sandbox;
  readonly stateDir: string;
  front(rule: Rule, options?: FrontOptions): Promise<Front>;
  sandboxWith(options: SandboxOptions): Promise<Sandbox>;
  later(end: () => unknown): void;
}

export interface SetUp {
  readonly env: Env;
  readonly now?: () => number;
  readonly ca?: string;
}

export interface Case {
  /** A word for the test and the heading of the guide. */
  readonly name: string;
  readonly check: string;
  readonly finding: Finding;
  readonly level: Level;
  /** Words that the advice must hold: the variable to change, above all. */
  readonly mend: RegExp;
  setUp(world: World): Promise<SetUp> | SetUp;
}

export async function withWorld<T>(use: (world: World) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = [];
  const sandbox = await startSandbox();
  const stateDir = mkdtempSync(join(tmpdir(), 'fareclerk-doctor-'));
  const world: World = {
    env: { ...sandbox.settings, FARECLERK_STATE_DIR: stateDir, BROWSER: 'firefox' },
    sandbox,
    stateDir,
    async front(rule, options) {
      const front = await startFront(rule, { to: sandbox.url, ...options });
      ends.push(() => front.close());
      return front;
    },
    async sandboxWith(options) {
      const other = await startSandbox(options);
      ends.push(() => other.close());
      return other;
    },
    later: (end) => ends.push(end),
  };
  try {
    return await use(world);
  } finally {
    for (const end of ends) await end();
    await sandbox.close();
  }
}

const OTA = '/v2015b/OTA';
const json = (status: number, body: unknown) => ({ status, body });

/** All addresses but the login's and the gateway's go to `origin`. */
const at = (env: Env, origin: string): Env => ({ ...env, FARECLERK_BASE_URL: origin + OTA });

async function tlsFront(world: World, certificate: string, ca = AUTHORITY): Promise<SetUp> {
  const front = await world.front(() => undefined, { certificate, name: 'localhost' });
  return { env: at(world.env, front.origin), ca };
}

/** An identity provider that refuses every login in these words. */
async function refusingLogin(world: World, status: number, error: string, description: string): Promise<SetUp> {
  const front = await world.front(() => json(status, { error, error_description: description }));
  return { env: { ...world.env, FARECLERK_AUTH_URL: front.origin } };
}

const isMessage: Rule = ({ url }) => (url.pathname.startsWith(OTA) ? undefined : json(404, {}));

export const CASES: readonly Case[] = [
  {
    name: 'a misspelt variable',
    check: 'settings.FARECLERK_APIKEY',
    finding: 'setting_wrong',
    level: 'mend',
    mend: /FARECLERK_API_KEY/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_APIKEY: 'sandbox-api-key' } }),
  },
  {
    name: 'plain http to another machine',
    check: 'settings.FARECLERK_BASE_URL',
    finding: 'setting_wrong',
    level: 'mend',
    mend: /FARECLERK_ALLOW_HTTP=true/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_BASE_URL: 'http://ota.airline.example/v2015b/OTA' } }),
  },
  {
    name: 'no such host',
    check: 'address.base',
    finding: 'host_unknown',
    level: 'mend',
    mend: /FARECLERK_BASE_URL/,
    setUp: ({ env }) => ({ env: at(env, 'https://ota.airline.invalid') }),
  },
  {
    name: 'nothing listens there',
    check: 'address.base',
    finding: 'connection_refused',
    level: 'mend',
    mend: /host and port in FARECLERK_BASE_URL/,
    async setUp(world) {
      const front = await startFront(() => undefined);
      await front.close();
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'a certificate that has ended',
    check: 'address.base',
    finding: 'tls_expired',
    level: 'mend',
    mend: /must renew it/,
    setUp: (world) => tlsFront(world, EXPIRED),
  },
  {
    name: 'a certificate that begins later',
    check: 'address.base',
    finding: 'tls_not_yet_valid',
    level: 'mend',
    mend: /this machine's clock/,
    setUp: (world) => tlsFront(world, NOT_YET_VALID),
  },
  {
    name: 'a certificate for another name',
    check: 'address.base',
    finding: 'tls_wrong_name',
    level: 'mend',
    mend: /name that the certificate has in FARECLERK_BASE_URL/,
    setUp: (world) => tlsFront(world, OTHER_NAME),
  },
  {
    name: 'a certificate that nobody here vouches for',
    check: 'address.base',
    finding: 'tls_unknown_issuer',
    level: 'mend',
    mend: /NODE_EXTRA_CA_CERTS/,
    setUp: async (world) => ({ env: (await tlsFront(world, GOOD)).env }),
  },
  {
    name: 'https where http is spoken',
    check: 'address.base',
    finding: 'tls_not_spoken',
    level: 'mend',
    mend: /https in FARECLERK_BASE_URL/,
    async setUp(world) {
      const front = await world.front(() => undefined);
      return { env: at(world.env, front.origin.replace('http:', 'https:')) };
    },
  },
  {
    name: 'a connection that is cut in the handshake',
    check: 'address.base',
    finding: 'tls_failed',
    level: 'mend',
    mend: /firewall or proxy/,
    async setUp(world) {
      const server = createTcpServer((socket) => socket.once('data', () => socket.destroy()));
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      world.later(() => server.close());
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      return { env: at(world.env, `https://127.0.0.1:${port}`) };
    },
  },
  {
    name: 'a wrong tenant',
    check: 'token',
    finding: 'wrong_tenant',
    level: 'mend',
    mend: /FARECLERK_TENANT/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_TENANT: 'sandbocks' } }),
  },
  {
    name: 'a login address one step off',
    check: 'token',
    finding: 'wrong_login_address',
    level: 'mend',
    mend: /Set FARECLERK_AUTH_URL to http:\/\/127\.0\.0\.1:\d+\/auth\./,
    async setUp(world) {
      const front = await world.front(({ url }) => {
        if (url.pathname.startsWith('/auth/realms/') && url.pathname.endsWith('openid-configuration')) {
          return json(200, { token_endpoint: 'https://id.airline.example/token' });
        }
        return { status: 404, body: '<h1>Not Found</h1>' };
      });
      return { env: { ...world.env, FARECLERK_AUTH_URL: front.origin } };
    },
  },
  {
    name: 'a wrong client secret',
    check: 'token',
    finding: 'client_refused',
    level: 'mend',
    mend: /FARECLERK_CLIENT_SECRET/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_CLIENT_SECRET: 'hunter2-client' } }),
  },
  {
    name: 'a client without the password grant',
    check: 'token',
    finding: 'grant_not_allowed',
    level: 'mend',
    mend: /password grant .* FARECLERK_CLIENT_ID/,
    setUp: (world) => refusingLogin(world, 400, 'unauthorized_client', 'Client not allowed for direct access grants'),
  },
  {
    name: 'a wrong password',
    check: 'token',
    finding: 'wrong_password',
    level: 'mend',
    mend: /FARECLERK_USERNAME and FARECLERK_PASSWORD/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_PASSWORD: 'hunter2' } }),
  },
  {
    name: 'a locked account',
    check: 'token',
    finding: 'account_locked',
    level: 'mend',
    mend: /FARECLERK_USERNAME unlocked/,
    setUp: (world) =>
      refusingLogin(
        world,
        400,
        'invalid_grant',
        'Account temporarily disabled, contact your administrator or retry later',
      ),
  },
  {
    name: 'a disabled account',
    check: 'token',
    finding: 'account_disabled',
    level: 'mend',
    mend: /enabled/,
    setUp: (world) => refusingLogin(world, 400, 'invalid_grant', 'Account disabled'),
  },
  {
    name: 'an account with a step open',
    check: 'token',
    finding: 'account_not_set_up',
    level: 'mend',
    mend: /Sign in once as FARECLERK_USERNAME/,
    setUp: (world) => refusingLogin(world, 400, 'invalid_grant', 'Account is not fully set up'),
  },
  {
    name: 'a login page in place of the identity provider',
    check: 'token',
    finding: 'html_page',
    level: 'mend',
    mend: /FARECLERK_AUTH_URL/,
    async setUp(world) {
      const front = await world.front(() => ({ status: 200, body: '<html><title>Guest Wi-Fi</title></html>' }));
      return { env: { ...world.env, FARECLERK_AUTH_URL: front.origin } };
    },
  },
  {
    name: 'a wrong api key',
    check: 'credentials',
    finding: 'key_refused',
    level: 'mend',
    mend: /FARECLERK_API_KEY/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_API_KEY: 'hunter2-key' } }),
  },
  {
    name: 'an api key in quotation marks',
    check: 'settings.FARECLERK_API_KEY',
    finding: 'setting_suspicious',
    level: 'warn',
    mend: /quotation marks out of FARECLERK_API_KEY/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_API_KEY: '"sandbox-api-key"' } }),
  },
  {
    name: 'a token of another system',
    check: 'credentials',
    finding: 'token_refused',
    level: 'mend',
    mend: /FARECLERK_TENANT and FARECLERK_AUTH_URL/,
    async setUp(world) {
      const other = await world.sandboxWith({});
      return { env: { ...world.env, FARECLERK_AUTH_URL: other.url } };
    },
  },
  {
    name: 'an airline that wants the key alone',
    check: 'credentials',
    finding: 'token_refused',
    level: 'mend',
    mend: /Set FARECLERK_CREDENTIALS=key/,
    async setUp(world) {
      const { url } = await world.sandboxWith({ accepts: 'key' });
      const front = await world.front(({ headers }) => (headers.authorization ? json(401, {}) : undefined), {
        to: url,
      });
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an airline that wants both',
    check: 'credentials',
    finding: 'credentials_refused',
    level: 'mend',
    mend: /Set FARECLERK_CREDENTIALS=both/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_CREDENTIALS: 'key' } }),
  },
  {
    name: 'an airline that asks for further headers',
    check: 'credentials',
    finding: 'extra_headers_needed',
    level: 'mend',
    mend: /FARECLERK_EXTRA_HEADERS=X-Realm,X-Refresh-Token/,
    async setUp(world) {
      const front = await world.front(({ headers }) => {
        const known = headers['x-realm'] === 'sandbox' && headers['x-refresh-token'] !== undefined;
        return known ? undefined : json(403, { status: 403, error: 'Forbidden', code: '497', title: 'No realm' });
      });
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an agent that the airline does not know',
    check: 'messages',
    finding: 'agent_refused',
    level: 'mend',
    mend: /FARECLERK_AGENT_ID and FARECLERK_AGENCY_ID/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_AGENT_ID: 'AGENT2' } }),
  },
  {
    name: 'a currency that is not sold in',
    check: 'messages',
    finding: 'currency_refused',
    level: 'mend',
    mend: /FARECLERK_CURRENCY/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_CURRENCY: 'EUR' } }),
  },
  {
    name: 'fares in another currency',
    check: 'fare_search',
    finding: 'other_currency',
    level: 'mend',
    mend: /Set FARECLERK_CURRENCY=SAR/,
    async setUp(world) {
      const front = await world.front(({ body }) => ({ pass: { body: body.replaceAll('"EUR"', '"SAR"') } }));
      return { env: { ...at(world.env, front.origin), FARECLERK_CURRENCY: 'EUR' } };
    },
  },
  {
    name: 'a wrong base path',
    check: 'messages',
    finding: 'wrong_path',
    level: 'mend',
    mend: /Set FARECLERK_BASE_URL to http:\/\/127\.0\.0\.1:\d+\/v2015b\/OTA: it answers there/,
    setUp: ({ env, sandbox }) => ({ env: { ...env, FARECLERK_BASE_URL: `${sandbox.url}/ota` } }),
  },
  {
    name: 'a base that ends in a message',
    check: 'settings.FARECLERK_BASE_URL',
    finding: 'setting_suspicious',
    level: 'warn',
    mend: /without the message/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_BASE_URL: `${env.FARECLERK_BASE_URL}/OTA_AirBookRQ` } }),
  },
  {
    name: 'a web page in place of the airline',
    check: 'messages',
    finding: 'html_page',
    level: 'mend',
    mend: /proxy or login page/,
    async setUp(world) {
      const page = '<!doctype html><html><head><title>Sign in - Example Corp proxy</title></head></html>';
      const front = await world.front(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body: page }));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'another service in place of the airline',
    check: 'messages',
    finding: 'reply_unreadable',
    level: 'mend',
    mend: /FARECLERK_BASE_URL/,
    async setUp(world) {
      const front = await world.front(() => json(200, { status: 'UP' }));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an address that sends callers on',
    check: 'messages',
    finding: 'redirect',
    level: 'mend',
    mend: /FARECLERK_BASE_URL/,
    async setUp(world) {
      const location = 'https://login.example.com/start?from=ota&key=hunter2';
      const front = await world.front(() => ({ status: 302, headers: { location } }));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an airline that wants messages in the path',
    check: 'messages',
    finding: 'address_form_needed',
    level: 'mend',
    mend: /FARECLERK_ADDRESS_FORM=path/,
    async setUp(world) {
      const front = await world.front(({ url }) => (/OTA_\w+$/.test(url.pathname) ? undefined : json(404, {})));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'a seat map somewhere else',
    check: 'seat_map',
    finding: 'wrong_path',
    level: 'mend',
    mend: /Set FARECLERK_SEAT_MAP_URL to http:\/\/127\.0\.0\.1:\d+\/v2015b\/OTA_AirSeatMapRQ/,
    async setUp(world) {
      const front = await world.front(({ url }) =>
        url.pathname === `${OTA}/OTA_AirSeatMapRQ` ? { status: 404, body: 'no route' } : undefined,
      );
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'no gateway',
    check: 'routes',
    finding: 'gateway_missing',
    level: 'warn',
    mend: /FARECLERK_GATEWAY_URL/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_GATEWAY_URL: '' } }),
  },
  {
    name: 'a gateway that is none',
    check: 'routes',
    finding: 'wrong_path',
    level: 'mend',
    mend: /path in FARECLERK_GATEWAY_URL/,
    async setUp(world) {
      const front = await world.front(isMessage);
      return { env: { ...world.env, FARECLERK_GATEWAY_URL: `${front.origin}/gateway` } };
    },
  },
  {
    name: 'a gateway that does not know the key',
    check: 'routes',
    finding: 'credentials_refused',
    level: 'mend',
    mend: /FARECLERK_API_KEY for this address/,
    async setUp(world) {
      const front = await world.front(() => json(403, { message: 'Forbidden' }));
      return { env: { ...world.env, FARECLERK_GATEWAY_URL: front.origin } };
    },
  },
  {
    name: 'an airline that throttles',
    check: 'messages',
    finding: 'throttled',
    level: 'warn',
    mend: /in a minute/,
    async setUp(world) {
      const front = await world.front(() => ({ status: 429, headers: { 'retry-after': '60' }, body: '' }));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an airline out of service',
    check: 'messages',
    finding: 'airline_failed',
    level: 'mend',
    mend: /ask the airline/,
    async setUp(world) {
      const body = {
        status: 500,
        error: 'Internal Server Error',
        code: '448',
        title: 'System error',
        correlationId: 'c-77120',
      };
      const front = await world.front(() => json(500, body));
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an airline that does not answer',
    check: 'messages',
    finding: 'no_answer',
    level: 'mend',
    mend: /whether this machine is let in/,
    async setUp(world) {
      const front = await world.front(() => 'hang');
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'a clock that is off',
    check: 'clock',
    finding: 'clock_off',
    level: 'mend',
    mend: /NTP/,
    setUp: ({ env }) => ({ env, now: () => Date.now() - 11 * 60_000 }),
  },
  {
    name: 'a carrier that nobody names',
    check: 'fare_search',
    finding: 'no_carrier',
    level: 'warn',
    mend: /FARECLERK_CARRIER/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_CARRIER: '' } }),
  },
  {
    name: 'a state folder that cannot be written',
    check: 'state',
    finding: 'state_unwritable',
    level: 'mend',
    mend: /FARECLERK_STATE_DIR/,
    setUp({ env, stateDir }) {
      const file = join(stateDir, 'not-a-folder');
      writeFileSync(file, '');
      return { env: { ...env, FARECLERK_STATE_DIR: join(file, 'state') } };
    },
  },
  {
    name: 'a state file that is none',
    check: 'state',
    finding: 'state_unwritable',
    level: 'mend',
    mend: /keep the old file/,
    setUp({ env, stateDir }) {
      writeFileSync(join(stateDir, 'fareclerk.sqlite'), 'not a database, and long enough to be taken for one', {
        mode: 0o600,
      });
      return { env };
    },
  },
  {
    name: 'state of a newer version',
    check: 'state',
    finding: 'state_newer',
    level: 'mend',
    mend: /newer fareclerk/,
    async setUp({ env, stateDir }) {
      const file = join(stateDir, 'fareclerk.sqlite');
      await (await openSqliteState(file)).close();
      const database = new DatabaseSync(file);
      database.exec("update meta set value = '999' where key = 'schema_version'");
      database.close();
      return { env };
    },
  },
  {
    name: "another airline's state",
    check: 'state',
    finding: 'state_of_another',
    level: 'mend',
    mend: /FARECLERK_STATE_DIR/,
    async setUp({ env, stateDir }) {
      await (await openSqliteState(join(stateDir, 'fareclerk.sqlite'), { airline: 'air.example/Another' })).close();
      return { env };
    },
  },
  {
    name: 'state that another program holds',
    check: 'state',
    finding: 'state_locked',
    level: 'mend',
    mend: /End the program that holds it/,
    async setUp({ env, stateDir, later }) {
      const file = join(stateDir, 'fareclerk.sqlite');
      await (await openSqliteState(file)).close();
      const holder = new DatabaseSync(file);
      holder.exec('begin immediate');
      later(() => holder.close());
      return { env };
    },
  },
  {
    name: 'a database that is not there',
    check: 'state',
    finding: 'state_unwritable',
    level: 'mend',
    mend: /FARECLERK_DATABASE_URL/,
    async setUp({ env }) {
      const front = await startFront(() => undefined);
      await front.close();
      const { host } = new URL(front.origin);
      return { env: { ...env, FARECLERK_DATABASE_URL: `postgres://clerk:hunter2@${host}/fareclerk` } };
    },
  },
  {
    name: 'state that others can read',
    check: 'state',
    finding: 'state_open_to_others',
    level: 'warn',
    mend: /chmod 600/,
    setUp({ env, stateDir }) {
      mkdirSync(stateDir, { recursive: true });
      writeFileSync(join(stateDir, 'fareclerk.sqlite'), '', { mode: 0o644 });
      return { env };
    },
  },
  {
    name: 'a proxy in the environment',
    check: 'proxy',
    finding: 'proxy_ignored',
    level: 'warn',
    mend: /without the proxy/,
    setUp: ({ env }) => ({ env: { ...env, HTTPS_PROXY: 'http://user:hunter2@proxy.example:3128' } }),
  },
  {
    name: "the model's word taken for a yes",
    check: 'approval',
    finding: 'asked_by_the_model',
    level: 'warn',
    mend: /FARECLERK_APPROVAL=auto/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_APPROVAL: 'echo' } }),
  },
  {
    name: 'assumed operations on a real airline',
    check: 'assumed',
    finding: 'assumed',
    level: 'warn',
    mend: /test system/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_ASSUMED_OPERATIONS: 'true' } }),
  },
];
