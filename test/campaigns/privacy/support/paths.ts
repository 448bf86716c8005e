/** The paths: every tool, well and badly, by every way that something can go wrong. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCollector } from '../../../cli/runtime/support/collector.ts';
import { startReceiver } from '../../../events/support/receiver.ts';
import { freePort, PAGE, startOpenId, tokenOf } from '../../../http/support/openid.ts';
import { enter } from '../../../pages/approval/support/page-client.ts';
import type { SandboxFaultKind } from '../../../support/sandbox/wire-faults.ts';
import { payArgs, READ } from '../../support/acts.ts';
import { newFolder } from '../../support/folders.ts';
import { seenWithin } from '../../support/pace.ts';
import { ACTS, type Act, CONTACT, create, type Ground, lookRound, passenger, prepared, SERVICE } from './acts.ts';
import { CARD, PLANTED } from './canaries.ts';
import type { Clerk } from './clerk.ts';
import { FORMS, type Form } from './forms.ts';
import type { Seen } from './seen.ts';
import { inSession, type Session, type SessionOptions } from './session.ts';

type Tour = Pick<SessionOptions, 'program' | 'seen' | 'commands'>;

type Walk = (tour: Tour) => Promise<void>;

/** A path of its own process; the name is for the report. */
type Path = readonly [name: string, walk: Walk];

const KEY = PLANTED['api key'];
const GIVEN = PLANTED['given name'];
const CASH = { type: 'cash', holder_name: PLANTED['holder name'] };

async function act(clerk: Clerk, each: Act, ground: Ground): Promise<void> {
  const { structured } = await clerk.call(each.tool, each.args(ground));
  if (each.tool === 'propose_plan') await clerk.call('run_plan', { plan_id: structured.plan_id });
}

/** A hold with people of its own; its locator. */
async function held(clerk: Clerk, ground: Ground): Promise<string> {
  return (await clerk.call('create_booking', create(ground))).structured.booking.locator;
}

/** Every tool does what it is for; then every way to look. */
const well: Walk = (tour) =>
  inSession({ ...tour, commands: true }, async ({ clerk, airline }) => {
    const ground = await lookRound(clerk);
    const locators: string[] = [];
    for (const each of ACTS) {
      const ready = await prepared(clerk, each.needs, ground);
      const { locator } = ready;
      await act(clerk, each, ready);
      if (locator === '') continue;
      locators.push(locator);
      await clerk.call('read_booking', { locator });
      await clerk.call('read_booking', { locator, reveal_personal: true }, 'read_booking, reveal_personal');
    }
    await clerk.call('list_bookings', { query: CONTACT.surname, refresh: true });
    // Many customers have a word of the name: it shows nobody alone, and a traveller with a second fact.
    const found = [await clerk.call('list_bookings', { query: PLANTED.surname })];
    for (const locator of locators) found.push(await clerk.call('list_bookings', { query: locator }));
    const travelers = found.map(({ structured }) =>
      structured.bookings.map((row: { travelers?: unknown }) => row.travelers),
    );
    const [locator] = locators;
    await clerk.call('read_booking', { locator, detail: 'history' });
    await clerk.call('update_contact', { locator, customer: PLANTED['customer key'] });
    const keyed = await clerk.call('list_bookings', { customer: PLANTED['customer key'] });
    if (keyed.structured.bookings.length < locators.length) throw new Error(`not all have the key: ${keyed.text}`);
    if (!JSON.stringify(travelers).includes(PLANTED.surname)) throw new Error(`no traveller: ${found[0]?.text}`);
    for (const view of ['booking', 'segment', 'passenger', 'operation', 'question', 'change', 'history'])
      await clerk.call('query_ledger', { sql: `select * from ${view}` });
    if (airline.ledger().length < 12) throw new Error('the airline saw too little of it');
  });

/** Said no, closed, nobody to ask, and a booking that changed after the question. */
const refused: Walk = async (tour) => {
  for (const person of ['no', 'closes'] as const) {
    await inSession({ ...tour, person, commands: true }, async ({ clerk }) => {
      const ground = await lookRound(clerk);
      for (const each of ACTS.filter(({ needs }) => needs !== 'nothing')) {
        const args = each.args(await prepared(clerk, each.needs, ground));
        const { id } = (await clerk.call(each.tool, args)).structured.approval ?? {};
        if (id !== undefined) await clerk.call('pay_booking', { ...args, approval_id: `${id}x` });
      }
    });
  }
  const env = { FARECLERK_APPROVAL: 'echo' };
  await inSession({ ...tour, person: 'cannot be asked', env, commands: true }, async ({ clerk }) => {
    const args = { locator: await held(clerk, await lookRound(clerk)), payment: CASH };
    const { id } = (await clerk.call('pay_booking', args)).structured.approval;
    const { locator } = args;
    await clerk.call('change_names', { locator, changes: [{ passenger_ref: '1', given_name: `${GIVEN}z` }] });
    const changed = await clerk.call('pay_booking', { ...args, approval_id: id });
    if (changed.structured.error?.code !== 'E_APPROVAL_STALE') throw new Error(`not stale: ${changed.text}`);
    await clerk.call('pay_booking', { ...args, approval_id: id });
  });
};

const GROUP = 5;

/** Every act in trouble, a few to a process: an airline that fails too often is left in peace. */
function troubled(only: readonly string[], trouble: (session: Session, act: Act, times: number) => void): Walk {
  const wanted = ACTS.filter(({ tool }) => only.length === 0 || only.includes(tool));
  return async (tour) => {
    for (let at = 0; at < wanted.length; at += GROUP) {
      await inSession(tour, async (session) => {
        const { clerk } = session;
        const ground = await lookRound(clerk);
        for (const each of wanted.slice(at, at + GROUP)) {
          const ready = await prepared(clerk, each.needs, ground);
          const reads = each.message === READ || (each.needs === 'nothing' && each.tool !== 'create_booking');
          // What only reads is asked again by itself.
          trouble(session, each, reads ? 2 : 1);
          await act(clerk, each, ready);
          // A call that was not made leaves its trouble for this one.
          if (ready.locator !== '') await clerk.call('read_booking', { locator: ready.locator });
        }
      });
    }
  };
}

/** What an airline does to a call; hanging is cut short. A drip is a whole reply that takes its time. */
const FAULTS: Readonly<Record<Exclude<SandboxFaultKind, 'slow-drip'>, true>> = {
  ...{ 'commit-then-lose': true, 'commit-then-hang': true, 'commit-then-5xx': true, 'commit-then-truncated': true },
  ...{ 'commit-then-late': true, 'commit-then-html': true, 'commit-then-error': true, 'late-commit': true },
  ...{ 'lose-before': true, 'hang-before': true, '5xx-before': true, '4xx-before': true, 'error-before': true },
  ...{ throttled: true, unauthorized: true, html: true, 'empty-body': true, 'wrong-locator': true, redirect: true },
  ...{ 'wrong-type': true, mislabelled: true, oversized: true },
};
const faults = (Object.keys(FAULTS) as (keyof typeof FAULTS)[]).map((kind): Path => {
  const order = { kind, ms: 300 };
  const walk = troubled([], ({ airline }, { message }, times) => airline.order({ ...order, message, times }));
  return [`fault ${kind}`, walk];
});

/** An error in one form to every tool, or to some. */
const answered = (form: Form, only: readonly string[] = []): Path => {
  const walk = troubled(only, ({ relay }, { message }, times) => relay.order(message, form, times));
  return [`answer: ${form.name}`, walk];
};

/** The identity provider repeats what it was sent. */
const noLogin: Walk = async (tour) => {
  for (const form of FORMS) {
    await inSession(tour, async ({ clerk, relay }) => {
      relay.order('token', form, 9);
      await clerk.call('list_routes', {});
      await clerk.call('read_booking', { locator: 'ABC123' });
    });
  }
};

const BARE = { segments: [{ ref: '1', option_ref: '1' }] };

/** Whether it can be the desk's key of a customer: any text but an e-mail address or a card number. */
const isKey = (value: unknown) =>
  typeof value === 'string' && !value.includes('@') && value.replaceAll(' ', '') !== CARD;

/** Input that is wrong, with canaries in the place of everything. */
const malformed: Walk = (tour) =>
  inSession({ ...tour, commands: true }, async ({ clerk }) => {
    const ground = await lookRound(clerk);
    const bad = [...Object.values(PLANTED), CARD.replace(/(.{4})(?=.)/g, '$1 ')];
    for (const each of ACTS) {
      const good = each.args(each.needs === 'nothing' ? ground : { ...ground, locator: 'ABC123', booking: BARE });
      for (const value of bad) {
        const wrong = [value, [value], { [value]: value }, [{ [value]: value }], { type: value, number: value }];
        const spoilt = Object.keys(good).flatMap((key) =>
          wrong.filter((one) => key !== 'customer' || !isKey(one)).map((one) => ({ ...good, [key]: one })),
        );
        const as = each.tool === 'list_bookings' ? 'list_bookings, malformed' : each.tool;
        for (const args of [{ ...good, [value]: value }, value, ...spoilt]) await clerk.call(each.tool, args, as);
      }
    }
    const booking = { offer_ids: [ground.offerId], contact: CONTACT };
    for (const value of bad) {
      for (const field of Object.keys(passenger())) {
        const passengers = [{ ...passenger(), [field]: `${value}<>` }, passenger()];
        await clerk.call('create_booking', { ...booking, passengers });
      }
      await clerk.call('pay_booking', { locator: 'ABC123', payment: { type: 'credit_card', holder_name: value } });
      await clerk.say(value, { name: value, arguments: { [value]: value } });
      await clerk.say('tools/call', { name: 'read_booking', arguments: value });
      await clerk.say('resources/read', { uri: value });
      clerk.line(`{"jsonrpc": "2.0", "id": 1, "method": "${value}`);
      clerk.send({ method: 'notifications/cancelled', params: { requestId: value, reason: value } });
    }
  });

/** The state file fails at every point, and says in its error what it was given. */
const thrown: Walk = async (tour) => {
  const trigger = join(newFolder('sabotage'), 'now');
  const preload = fileURLToPath(new URL('./sabotage.ts', import.meta.url));
  const env = { NODE_OPTIONS: `--import ${preload}`, CANARY_SABOTAGE: trigger };
  await inSession({ ...tour, env }, async ({ clerk }) => {
    const ground = await lookRound(clerk);
    for (const each of ACTS) {
      const ready = await prepared(clerk, each.needs, ground);
      writeFileSync(trigger, '');
      await act(clerk, each, ready);
      rmSync(trigger);
    }
  });
  if (!tour.seen.sights.some(({ channel, text }) => channel === 'error' && text.includes('E_INTERNAL')))
    throw new Error('nothing was thrown');
};

/** The approval page and the terminal, from the address to the outcome. */
const page: Walk = async (tour) => {
  const folder = newFolder('browser');
  const [opened, browser] = [join(folder, 'opened'), join(folder, 'browser.cjs')];
  writeFileSync(opened, '');
  writeFileSync(browser, `require('node:fs').appendFileSync(${JSON.stringify(opened)}, process.argv[2] + '\\n')`);
  const env = { FARECLERK_APPROVAL: 'page', BROWSER: `${process.execPath} ${browser} %s` };
  const { seen } = tour;
  await inSession({ ...tour, env, commands: true }, async ({ clerk }) => {
    const ground = await lookRound(clerk);
    for (const decision of ['yes', 'no'] as const) {
      const args = { locator: await held(clerk, ground), payment: CASH };
      const asked = await clerk.call('pay_booking', args);
      const address = readFileSync(opened, 'utf8').trim().split('\n').at(-1) ?? '';
      const visitor = await enter(address);
      const { token, cookie } = visitor;
      for (const secret of [secretIn(address), token, cookie.split('=')[1] ?? cookie])
        seen.canaries.add('page secret', secret);
      // The page's own hidden token is its business: it is in the form, and nowhere else.
      const look = ({ body }: { body: string }) => seen.add('page', 'page', body.replaceAll(`value="${token}"`, ''));
      look(visitor.page);
      for (const wrong of [{ token: 'x' }, { headers: { origin: 'http://evil.example' } }])
        look(await visitor.answer('yes', wrong));
      look(await visitor.decide(decision));
      await clerk.call('pay_booking', { ...args, approval_id: asked.structured.approval.id });
    }
    const { locator } = await prepared(clerk, 'held', ground);
    await clerk.call('pay_booking', { locator, payment: { type: 'cash' } });
  });
};

function secretIn(address: string): string {
  const { pathname, search, hash } = new URL(address);
  const last = `${search}${hash}`.replace(/^[?#]\w*=?/, '');
  return last === '' ? (pathname.split('/').at(-1) ?? '') : last;
}

const DATABASE = `postgres://clerk:${PLANTED['database password']}@127.0.0.1:9/state`;

const WRONG_SETTINGS: readonly Readonly<Record<string, string>>[] = [
  { FARECLERK_API_KEY: `${KEY}\n${KEY}` },
  { FARECLERK_API_KEY: '', FARECLERK_API_KEY_FILE: '/nowhere/x' },
  { FARECLERK_API_KEY_FILE: '/nowhere' },
  { FARECLERK_APIKEY: KEY },
  { FARECLERK_CLIENT_SECRETS: PLANTED['client secret'] },
  { FARECLERK_PASSWORD: PLANTED.password, FARECLERK_BASE_URL: '' },
  { FARECLERK_BASE_URL: `https://user:${PLANTED.password}@air.example/ota` },
  { FARECLERK_AUTH_URL: `ftp://${PLANTED.password}@air.example` },
  { FARECLERK_DATABASE_URL: DATABASE },
  { FARECLERK_DATABASE_URL: DATABASE.replace('postgres', 'mysql') },
  { FARECLERK_DATABASE_URL: `postgres://clerk:${PLANTED['database password']}@:port:/` },
  { FARECLERK_HTTP_TOKEN: `${KEY}\n` },
  { FARECLERK_LIMIT_PER_ACTION: PLANTED.password },
  { FARECLERK_CLIENT_SECRET: 'wrong-one' },
  { FARECLERK_API_KEY: 'wrong-key' },
  { FARECLERK_AUTH_URL: 'http://127.0.0.1:9/realms/sandbox' },
  { FARECLERK_BASE_URL: 'http://127.0.0.1:9/ota' },
  {},
];

const COMMANDS = [
  ...[['serve'], ['journal', 'list'], ['approve'], ['doctor'], ['doctor', '--json'], ['call', 'list_routes', '{}']],
  ['call', 'read_booking', JSON.stringify({ locator: PLANTED['e-mail'] })],
  ['call', 'pay_booking', JSON.stringify({ locator: 'ABC123', payment: { type: CARD } })],
];

/** Settings that are wrong, and commands with too many arguments. */
const settings: Walk = ({ program, seen }) =>
  inSession({ program, seen }, async ({ env }) => {
    const loud = { ...env, FARECLERK_LOG_LEVEL: 'trace', NODE_NO_WARNINGS: '1' };
    for (const wrong of WRONG_SETTINGS) {
      for (const argv of COMMANDS) {
        const { stdout, stderr } = await program.run(argv, { ...loud, ...wrong });
        seen.add('command', argv.slice(0, 2).join(' '), stdout);
        seen.add('stderr', argv.slice(0, 2).join(' '), stderr);
      }
    }
    for (const flag of ['--api-key', '--client-secret', '--password', '--database-url', '--pasword']) {
      const { stderr } = await program.run(['serve', `${flag}=${PLANTED.password}`], env);
      seen.add('stderr', `serve ${flag}`, stderr);
    }
  });

/** The published server on HTTP, with the state of a session and people who sign in, and everything that it says. */
async function serveHttp(program: Tour['program'], seen: Seen, env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const openId = await startOpenId(`${publicUrl}/mcp`, { pageRedirect: `${publicUrl}/approve/signed-in` });
  const child = program.start(['serve', '--http', '--port', String(port)], {
    ...{ ...env, FARECLERK_LOG_LEVEL: 'trace', FARECLERK_PUBLIC_URL: publicUrl, FARECLERK_ISSUER: openId.issuer },
    ...{ FARECLERK_PAGE_CLIENT_ID: PAGE.clientId, FARECLERK_PAGE_CLIENT_SECRET: PAGE.clientSecret },
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  let stderr = '';
  await new Promise<void>((resolve, reject) => {
    void gone.then(() => reject(new Error(stderr)));
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
      if (stderr.includes('fareclerk serves MCP on')) resolve();
    });
  });
  const signedIn = await tokenOf(openId, 'ann', `${publicUrl}/mcp`);
  return {
    publicUrl,
    /** @param bearer default: of somebody who signed in */
    async call(name: string, args: unknown, bearer = signedIn): Promise<string> {
      const headers = {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ 'mcp-protocol-version': '2025-06-18', authorization: `Bearer ${bearer}` },
        'x-trace': PLANTED['e-mail'],
      };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const reply = await fetch(`${publicUrl}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await reply.text();
      const channel = /"result":/.test(text) ? (/"isError":true/.test(text) ? 'error' : 'result') : 'protocol';
      seen.add(channel, channel === 'protocol' ? 'tools/call' : name, text);
      return text;
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await gone;
      await openId.close();
      for (const line of stderr.split('\n')) seen.add('stderr', 'serve --http', line);
    },
  };
}

/**
 * Special services, asked for with a booking and in one that stands, on stdio and over HTTP: what Prometheus, a collector of traces
 * and receivers of events and notices get.
 */
const outside: Walk = async (tour) => {
  const [collector, events, notices] = [await startCollector(), await startReceiver(), await startReceiver()];
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const told = {
    ...{ FARECLERK_WEBHOOKS: events.url, FARECLERK_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` },
    ...{ FARECLERK_NOTIFY: `webhook+${notices.url}`, FARECLERK_PRIVATE_HOSTS: '127.0.0.1' },
  };
  const { program, seen } = tour;
  try {
    await inSession({ ...tour, dialect: 'airline', env: traced }, async ({ env, clerk }) => {
      const http = await serveHttp(program, seen, { ...env, ...told });
      try {
        const made = await withServices(clerk);
        await overHttp(http, seen, made);
        const isTold = () => events.got.some(({ body }) => body.includes(made.locator)) && notices.got.length > 0;
        if (!(await seenWithin(20_000, 100, isTold, Boolean)))
          throw new Error(`${events.got.length} events and ${notices.got.length} notices came`);
      } finally {
        await http.stop();
      }
    });
  } finally {
    for (const each of [collector, events, notices]) await each.close();
  }
  if (collector.spans.length === 0) throw new Error('no traces came');
  for (const body of collector.bodies) seen.add('traces', 'serve', body);
  for (const { body } of events.got) seen.add('event', 'event', body);
  for (const { body } of notices.got) seen.add('notice', 'notice', body);
};

interface Made {
  readonly locator: string;
  readonly surname: string;
}

/** A booking with services, paid, read and asked for in every way. */
async function withServices(clerk: Clerk): Promise<Made> {
  const ground = await lookRound(clerk);
  const [first, second] = [passenger(), passenger()];
  const passengers = [{ ...first, services: [SERVICE] }, second];
  const { booking } = (await clerk.call('create_booking', { ...create(ground), passengers })).structured;
  const { locator } = booking;
  const more = await clerk.call('request_service', { locator, passenger_ref: '2', service: SERVICE });
  if (more.structured.status !== 'done') throw new Error(`the service was not asked for: ${more.text}`);
  const { text } = await clerk.call('read_booking', { locator, detail: 'full' });
  if (text.split(SERVICE.text).length !== 3) throw new Error(`not two services: ${text}`);
  await clerk.call('read_booking', { locator, detail: 'history' });
  await clerk.call('list_bookings', { locators: [locator], refresh: true });
  await clerk.call('pay_booking', payArgs(locator));
  for (const view of ['booking', 'segment', 'passenger', 'operation', 'question', 'change', 'history'])
    await clerk.call('query_ledger', { sql: `select * from ${view}` });
  const { rows } = (await clerk.call('query_ledger', { sql: 'select services from passenger' })).structured;
  if (!JSON.stringify(rows).includes(SERVICE.code)) throw new Error('no service in the ledger');
  return { locator, surname: first.surname };
}

type Http = Awaited<ReturnType<typeof serveHttp>>;

/** The same booking, asked for by somebody else who knows a traveller. */
async function overHttp({ call, publicUrl }: Http, seen: Seen, { locator, surname }: Made): Promise<void> {
  await call('list_routes', {});
  await call('read_booking', { locator: PLANTED['e-mail'] });
  await call('read_booking', { locator, surname: passenger().surname });
  await call('read_booking', { locator, surname, detail: 'full' });
  const asked = await call('request_service', { locator, passenger_ref: '1', service: { ...SERVICE, code: 'DEAF' } });
  if (!asked.includes('approval_required')) throw new Error(`no question: ${asked}`);
  await call('request_service', { locator, passenger_ref: '1', service: { ...SERVICE, code: `${SERVICE.code}X` } });
  await call(PLANTED['e-mail'], { [KEY]: 1 });
  await call('pay_booking', { locator: 'ABC123', payment: { type: 'cash', holder_name: CARD } });
  for (const bearer of [PLANTED.password, SERVICE.text]) await call('list_routes', {}, bearer);
  for (const path of [`/${PLANTED.password}`, `/mcp?key=${KEY}`, `/approve/${PLANTED['e-mail']}`, '/metrics']) {
    const reply = await fetch(new URL(path, publicUrl));
    seen.add('metrics', path === '/metrics' ? path : 'other', await reply.text());
  }
}

const WELL: Path = ['every tool, well', well];
const OUTSIDE: Path = ['HTTP, metrics, traces, events and notices', outside];
const ONCE: readonly Path[] = [
  WELL,
  ['the person says no, or nothing; terms go stale', refused],
  ['no login', noLogin],
  ['malformed input', malformed],
  ['thrown inside', thrown],
  ['the approval page', page],
  ['settings and commands', settings],
  OUTSIDE,
];
export const ALL: readonly Path[] = [...ONCE, ...faults, ...FORMS.map((form) => answered(form))];

const SOME = ['search_fares', 'create_booking', 'pay_booking'];
const ECHOES = [
  'title with credentials 422',
  'title with hidden credentials 422',
  'title with credentials in capitals 422',
  'title with credentials in full-width letters 422',
  'flat 500',
];
export const QUICK: readonly Path[] = [
  ...[WELL, OUTSIDE],
  ...FORMS.filter(({ name }) => ECHOES.includes(name)).map((form) => answered(form, SOME)),
];
