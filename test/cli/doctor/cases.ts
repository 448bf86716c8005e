/**
 * Broken set-ups, each over real sockets, and what the doctor must find. The guide shows their real output.
 */
import fs, { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { AUTHORITY, EXPIRED, GOOD, NOT_YET_VALID, OTHER_NAME } from './certificates.ts';
import * as deviant from './deviant.ts';
import { type Rule, startFront } from './front.ts';
import { changedTeam, provider, teamOf } from './team.ts';
import { at, type Env, json, OTA, realmAt, type SetUp, type World } from './world.ts';

/** Settings that differ from a sound set-up, without FARECLERK_, or the whole set-up. */
type Change = Env | ((world: World) => SetUp | Promise<SetUp>);

/** By name. `found`: the check and its finding. `words`: what only this case says. `argv`: options of the command. */
type Cases = Readonly<
  Record<string, readonly [found: string, words: string | RegExp, change: Change, argv?: readonly string[]]>
>;

export const setUpOf = async (change: Change, world: World): Promise<SetUp> =>
  typeof change === 'function' ? change(world) : { env: { ...world.env, ...prefixed(change) } };

const prefixed = (settings: Env): Env =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`FARECLERK_${name}`, value]));

/** The address of this setting is a proxy with this rule in front of the sandbox. */
const behind =
  (setting: 'BASE' | 'AUTH' | 'GATEWAY', rule: Rule): Change =>
  async (world) => {
    const { origin } = await world.front(rule);
    const address = { BASE: origin + OTA, AUTH: realmAt(origin), GATEWAY: origin }[setting];
    return { env: { ...world.env, [`FARECLERK_${setting}_URL`]: address } };
  };

/** An identity provider that refuses every login in these words. */
const refusingLogin = (error: string, error_description: string) =>
  behind('AUTH', () => json(400, { error, error_description }));

const behindTls =
  (certificate: string, trusted: Pick<SetUp, 'ca'> = { ca: AUTHORITY }): Change =>
  async ({ env, front }) => {
    const { origin } = await front(() => undefined, { certificate, name: 'localhost' });
    return { env: at(env, origin), ...trusted };
  };

const deviantAirline =
  (replies: deviant.Replies): Change =>
  async ({ env, front }) => ({ env: deviant.settings(env, (await front(deviant.airline(replies))).origin) });

/** A port at which nothing listens. */
async function closedOrigin(): Promise<string> {
  const { origin, close } = await startFront(() => undefined);
  await close();
  return origin;
}

/** State that a server made, changed since. */
const withState =
  (change: (file: string, world: World) => unknown, options: Parameters<typeof openSqliteState>[1] = {}): Change =>
  async (world) => {
    const file = join(world.stateDir, 'fareclerk.sqlite');
    await (await openSqliteState(file, options)).close();
    await change(file, world);
    return { env: world.env };
  };

const ofSchema = (version: number): Change =>
  withState((file) => {
    const database = new DatabaseSync(file);
    database.exec(`update meta set value = '${version}' where key = 'schema_version'`);
    database.close();
  });

const withFile =
  (name: string, text: string, mode: number, settings: (file: string) => Env = () => ({})): Change =>
  ({ env, stateDir }) => {
    const file = join(stateDir, name);
    mkdirSync(stateDir, { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    return { env: { ...env, ...settings(file) } };
  };

const REACHING: Cases = {
  'a misspelt variable': [
    'settings setting_wrong',
    'FARECLERK_APIKEY is not a setting of fareclerk. Expected: FARECLERK_API_KEY.',
    { APIKEY: 'sandbox-api-key' },
  ],
  'plain http to another machine': [
    'settings setting_wrong',
    'FARECLERK_BASE_URL is a plain http address',
    { BASE_URL: 'http://ota.airline.example/v2015b/OTA' },
  ],
  'no such host': [
    'address.base connection_failed',
    'No connection to ota.airline.invalid port 443 (',
    { BASE_URL: `https://ota.airline.invalid${OTA}` },
  ],
  'nothing listens there': [
    'address.base connection_failed',
    '(ECONNREFUSED). Check host, port and https',
    async ({ env }) => ({ env: at(env, await closedOrigin()) }),
  ],
  'an expired certificate': ['address.base tls_certificate', 'certificate has expired', behindTls(EXPIRED)],
  'a certificate that is not yet valid': [
    'address.base tls_certificate',
    'certificate is not yet valid',
    behindTls(NOT_YET_VALID),
  ],
  'a certificate for another name': ['address.base tls_certificate', 'air.other.example', behindTls(OTHER_NAME)],
  'an unknown certificate issuer': ['address.base tls_certificate', 'set NODE_EXTRA_CA_CERTS', behindTls(GOOD, {})],
  'https where http is spoken': [
    'address.base connection_failed',
    /ERR_SSL|EPROTO/,
    ({ env, sandbox }) => ({ env: at(env, sandbox.url.replace('http:', 'https:')) }),
  ],
  'a connection that closes in the TLS handshake': [
    'address.base connection_failed',
    '(ECONNRESET). Check host, port and https',
    async ({ env, later }) => {
      const server = createServer((socket) => socket.once('data', () => socket.destroy()));
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      later(() => server.close());
      const { port } = server.address() as { port: number };
      return { env: at(env, `https://127.0.0.1:${port}`) };
    },
  ],
};

const LOGIN: Cases = {
  'a wrong realm': [
    'token wrong_login_address',
    '“Realm does not exist”',
    async ({ env }) => ({ env: { ...env, FARECLERK_AUTH_URL: `${env.FARECLERK_AUTH_URL}s` } }),
  ],
  'a login address without its path': [
    'token wrong_login_address',
    '(HTTP 404). Check the end of FARECLERK_AUTH_URL',
    behind('AUTH', ({ url: { pathname } }) =>
      pathname.startsWith('/auth/realms/') && pathname.endsWith('openid-configuration')
        ? json(200, { token_endpoint: 'https://id.airline.example/token' })
        : { status: 404, body: '<h1>Not Found</h1>' },
    ),
  ],
  'a wrong client secret': [
    'token login_refused',
    'FARECLERK_CLIENT_ID and FARECLERK_CLIENT_SECRET.',
    { CLIENT_SECRET: 'hunter2-client' },
  ],
  'a client without the password grant': [
    'token login_refused',
    '“Client not allowed for direct access grants”',
    refusingLogin('unauthorized_client', 'Client not allowed for direct access grants'),
  ],
  'a wrong password': ['token login_refused', '“Invalid user credentials”', { PASSWORD: 'hunter2' }],
  'a locked account': [
    'token login_refused',
    '“Account temporarily disabled',
    refusingLogin('invalid_grant', 'Account temporarily disabled, contact your administrator or retry later'),
  ],
  'a disabled account': [
    'token login_refused',
    '“Account disabled”',
    refusingLogin('invalid_grant', 'Account disabled'),
  ],
  'an account that must finish its set-up': [
    'token login_refused',
    '“Account is not fully set up”',
    refusingLogin('invalid_grant', 'Account is not fully set up'),
  ],
  'a login page in place of the identity provider': [
    'token reply_unreadable',
    'A proxy or login page may be in between',
    behind('AUTH', () => ({ status: 200, body: '<html><title>Guest Wi-Fi</title></html>' })),
  ],
  'a wrong api key': [
    'reading credentials_refused',
    'refuses key and token (HTTP 401, code 175',
    { API_KEY: 'hunter2-key' },
  ],
  'an api key in quotation marks': [
    'reading credentials_refused',
    'Check FARECLERK_API_KEY (complete, no quotation marks)',
    { API_KEY: '"sandbox-api-key"' },
  ],
  'a token of another system': [
    'reading credentials_refused',
    'refuses key and token (HTTP 401, code 497',
    async ({ env, sandboxWith }) => ({ env: { ...env, FARECLERK_AUTH_URL: realmAt((await sandboxWith({})).url) } }),
  ],
  'an airline that wants the key alone': [
    'reading credentials_refused',
    'refuses key and token (HTTP 401)',
    async ({ env, front, sandboxWith }) => {
      const { url } = await sandboxWith({ accepts: 'key' });
      const keyAlone: Rule = ({ headers }) => (headers.authorization ? json(401, {}) : undefined);
      return { env: at(env, (await front(keyAlone, { to: url })).origin) };
    },
  ],
  'an airline that wants both': ['reading credentials_refused', 'refuses the key alone', { CREDENTIALS: 'key' }],
  'an airline that needs more headers': [
    'reading credentials_refused',
    '“No realm”',
    behind('BASE', ({ headers }) =>
      headers['x-realm'] === 'sandbox' && headers['x-refresh-token'] !== undefined
        ? undefined
        : json(403, { status: 403, error: 'Forbidden', code: '497', title: 'No realm' }),
    ),
  ],
  'an agent that the airline does not know': [
    'reading seller_refused',
    'Check FARECLERK_AGENT_ID, FARECLERK_AGENCY_ID and FARECLERK_CURRENCY.',
    { AGENT_ID: 'AGENT2' },
  ],
  'a currency that the airline does not sell in': [
    'reading seller_refused',
    'The airline refuses the point of sale (HTTP',
    { CURRENCY: 'EUR' },
  ],
  'fares in another currency': [
    'fare_search other_currency',
    'Set FARECLERK_CURRENCY=SAR',
    async ({ env, front }) => {
      const { origin } = await front(({ body }) => ({ pass: { body: body.replaceAll('"EUR"', '"SAR"') } }));
      return { env: { ...at(env, origin), FARECLERK_CURRENCY: 'EUR' } };
    },
  ],
};

const AIRLINE: Cases = {
  'a wrong base path': [
    'reading wrong_path',
    '/ota (HTTP 404, code 320',
    ({ env, sandbox }) => ({ env: { ...env, FARECLERK_BASE_URL: `${sandbox.url}/ota` } }),
  ],
  'a base that ends in a message': [
    'reading wrong_path',
    '/OTA/OTA_AirBookRQ (HTTP 404',
    ({ env }) => ({ env: { ...env, FARECLERK_BASE_URL: `${env.FARECLERK_BASE_URL}/OTA_AirBookRQ` } }),
  ],
  'a web page in place of the airline': [
    'reading reply_unreadable',
    'A proxy or login page may be in between',
    behind('BASE', () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<!doctype html><html><head><title>Sign in - Example Corp proxy</title></head></html>',
    })),
  ],
  'another service in place of the airline': [
    'reading reply_unreadable',
    'answered HTTP 200 with something unknown',
    behind('BASE', () => json(200, { status: 'UP' })),
  ],
  'an address that redirects': [
    'reading redirect',
    'redirects to https://login.example.com/start (HTTP 302)',
    behind('BASE', () => ({
      status: 302,
      headers: { location: 'https://login.example.com/start?from=ota&key=hunter2' },
    })),
  ],
  'an airline that wants messages in the path': [
    'reading address_form_needed',
    'Set FARECLERK_ADDRESS_FORM=path',
    behind('BASE', ({ url }) => (/OTA_\w+$/.test(url.pathname) ? undefined : json(404, {}))),
  ],
  'another service in place of the gateway': [
    'routes wrong_path',
    'There is nothing at',
    async ({ env, front }) => {
      const { origin } = await front(({ url }) => (url.pathname.startsWith(OTA) ? undefined : json(404, {})));
      return { env: { ...env, FARECLERK_GATEWAY_URL: `${origin}/gateway` } };
    },
  ],
  'a gateway that does not know the key': [
    'routes credentials_refused',
    'both of the system of FARECLERK_GATEWAY_URL',
    behind('GATEWAY', () => json(403, { message: 'Forbidden' })),
  ],
  'an airline that limits requests': [
    'reading throttled',
    'too many calls',
    behind('BASE', () => ({ status: 429, headers: { 'retry-after': '60' }, body: '' })),
  ],
  'an airline out of service': [
    'reading airline_failed',
    '“System error”, reference c-77120',
    behind('BASE', () => {
      const refusal = { status: 500, error: 'Internal Server Error', code: '448', title: 'System error' };
      return json(500, { ...refusal, correlationId: 'c-77120' });
    }),
  ],
  'an airline that does not answer': [
    'reading no_reply',
    'Ask the airline whether it lets this machine in',
    behind('BASE', () => 'hang'),
  ],
  'an airline whose replies do not tell the dialect': [
    'fare_search dialect_unclear',
    'FARECLERK_DIALECT=rail is not confirmed. Seen: ',
    deviantAirline({ search: deviant.bareFares() }),
    deviant.ASKED,
  ],
  'an airline of the other dialect': [
    'fare_search other_dialect',
    'Set FARECLERK_DIALECT=airline',
    deviantAirline({ search: deviant.airlineFares({ fareBasisCode: 'LITE' }) }),
    deviant.ASKED,
  ],
};

const STATE: Cases = {
  'a state folder that cannot be written': [
    'state state_unwritable',
    'Make it writable for this user',
    withFile('not-a-folder', '', 0o600, (file) => ({ FARECLERK_STATE_DIR: join(file, 'state') })),
  ],
  'a state folder of another user': [
    'state state_foreign',
    'belongs to another user',
    ({ env, stateDir, later }) => {
      const folder = join(stateDir, 'theirs');
      mkdirSync(folder);
      // Only root can give a folder away.
      const { lstatSync } = fs;
      const seen = (path: string) => Object.assign(lstatSync(path), path === folder && { uid: 4711 });
      const look = (as: unknown) => {
        Object.assign(fs, { lstatSync: as });
        syncBuiltinESMExports();
      };
      look(seen);
      later(() => look(lstatSync));
      return { env: { ...env, FARECLERK_STATE_DIR: folder } };
    },
  ],
  'a state folder that others can write': [
    'state state_foreign',
    'Run chmod go-w',
    ({ env, stateDir }) => {
      const folder = join(stateDir, 'shared');
      mkdirSync(folder);
      chmodSync(folder, 0o777);
      return { env: { ...env, FARECLERK_STATE_DIR: folder } };
    },
  ],
  'a state file that is a link': [
    'state state_foreign',
    'is a link',
    withState((file) => {
      renameSync(file, `${file}.there`);
      symlinkSync(`${file}.there`, file);
    }),
  ],
  'a state with a part that cannot be read': [
    'servers state_damaged',
    'Restore a good copy',
    withState((file) => {
      const database = new DatabaseSync(file);
      database.exec('alter table lease rename to moved_away');
      database.close();
    }),
  ],
  'a secret in a file that others can write': [
    'settings setting_wrong',
    'FARECLERK_PASSWORD_FILE names a file that can be written by other users',
    ({ env: { FARECLERK_PASSWORD, ...env }, stateDir }) => {
      const file = join(stateDir, 'password');
      writeFileSync(file, FARECLERK_PASSWORD ?? '');
      chmodSync(file, 0o666);
      return { env: { ...env, FARECLERK_PASSWORD_FILE: file } };
    },
  ],
  'a damaged state file': [
    'state state_damaged',
    'as a SQLite file',
    withFile('fareclerk.sqlite', 'not a database, and long enough to be taken for one', 0o600),
  ],
  'state of a newer version': ['state state_newer', 'A newer fareclerk wrote', ofSchema(999)],
  'state of an older version': ['state state_older', 'An older fareclerk wrote', ofSchema(1)],
  "another airline's state": [
    'state state_another_airline',
    'is the journal of another airline or agency',
    withState(() => undefined, { airline: 'air.example/Another' }),
  ],
  'state that another program holds': [
    'state state_locked',
    'Another program locks',
    withState((file, { later }) => {
      const holder = new DatabaseSync(file);
      holder.exec('begin immediate');
      later(() => holder.close());
    }),
  ],
  'a database that is not there': [
    'state state_damaged',
    'nothing takes connections there',
    async ({ env }) => {
      const { host } = new URL(await closedOrigin());
      return { env: { ...env, FARECLERK_DATABASE_URL: `postgres://clerk:hunter2@${host}/fareclerk` } };
    },
  ],
  'a proxy in the environment': [
    'settings proxy_ignored',
    'HTTPS_PROXY is set',
    ({ env }) => ({ env: { ...env, HTTPS_PROXY: 'http://user:hunter2@proxy.example:3128' } }),
  ],
  'a variable of OpenTelemetry that has no effect any more': [
    'settings variable_ignored',
    'OTEL_TRACES_EXPORTER is set, and has no effect since 0.4.0',
    ({ env }) => ({ env: { ...env, OTEL_TRACES_EXPORTER: 'none' } }),
  ],
  "the model's word taken for a yes": [
    'approval asked_by_the_model',
    'Set FARECLERK_APPROVAL=auto',
    { APPROVAL: 'echo' },
  ],
  'a machine without a browser': [
    'approval nobody_to_ask',
    "Approvals by the host's dialog where it has one; or `fareclerk approve` (with the server's FARECLERK_ settings) in a terminal.",
    ({ env: { BROWSER: _, ...env } }) => ({ env }),
  ],
  'a server with another limit at work with the same state': [
    'servers settings_unlike',
    'FARECLERK_LIMIT_PER_DAY is 300 here, and 150 at a server',
    async (world) => {
      const settings = { FARECLERK_APPROVAL: 'auto', FARECLERK_CURRENCY: 'SAR', FARECLERK_LIMIT_PER_DAY: '150' };
      const server = await openSqliteState(join(world.stateDir, 'fareclerk.sqlite'), { settings, isServer: true });
      world.later(() => server.close());
      return { env: { ...world.env, FARECLERK_LIMIT_PER_DAY: '300' } };
    },
  ],
};

const SIGN_IN: Cases = {
  'a file of callers without the claim of their tenants': [
    'settings setting_wrong',
    'FARECLERK_CALLERS_FILE',
    withFile(
      'callers.json',
      '{"callers":[{"tenant":"north","agent_id":"N1","agency_id":"North","currency":"SAR"}]}',
      0o600,
      (file) => ({
        FARECLERK_CALLERS_FILE: file,
        FARECLERK_ISSUER: 'https://id.example',
        FARECLERK_PUBLIC_URL: 'https://air.example',
      }),
    ),
  ],
  'an issuer with a slash too many': [
    'issuer issuer_wrong',
    'or it names another issuer',
    changedTeam(({ issuer }) => ({ FARECLERK_ISSUER: `${issuer}/` })),
  ],
  'an issuer without metadata': [
    'issuer issuer_wrong',
    'no complete metadata',
    changedTeam(({ publicUrl }) => ({ FARECLERK_ISSUER: `${publicUrl}/realms/air` })),
  ],
  'an issuer that signs with a shared secret': [
    'issuer issuer_keys',
    '(HS256)',
    provider({}, { kty: 'oct', alg: 'HS256' }),
  ],
  'an issuer without PKCE': [
    'issuer issuer_incomplete',
    'PKCE with S256',
    provider({ code_challenge_methods_supported: ['plain'] }),
  ],
  'an issuer without our scopes': [
    'issuer scopes_unknown',
    'air:book, air:pay, air:refund',
    provider({ scopes_supported: ['openid', 'air:read'] }),
  ],
  'a public address that leads elsewhere': [
    'public_url public_not_here',
    '(HTTP 404). Have the proxy forward it',
    async (world) => {
      const { origin } = await world.front(() => ({ status: 404, body: '<h1>Welcome to nginx!</h1>' }));
      const { env } = await teamOf(world, { redirect: `${origin}/approve/signed-in` });
      return { env: { ...env, FARECLERK_PUBLIC_URL: origin } };
    },
  ],
  'a running server with another issuer': [
    'public_url public_not_here',
    'its issuer is https://id.example',
    (world) => teamOf(world, { served: 'https://id.example' }),
  ],
};

export const CASES: Cases = { ...REACHING, ...LOGIN, ...AIRLINE, ...STATE, ...SIGN_IN };
