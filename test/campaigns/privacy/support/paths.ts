/**
 * The paths: every tool, well and badly, by every way that something can go wrong.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SANDBOX_FAULTS, type SandboxFaultKind } from '../../../../src/sandbox/faults/orders.ts';
import { folderFor, type Program } from '../../../cli/program.ts';
import { enter } from '../../../server/approval-page/support/page-client.ts';
import { ACTS, type Act, CONTACT, type Ground, lookRound, passenger, prepared } from './acts.ts';
import { CARD, PLANTED } from './canaries.ts';
import type { Clerk } from './clerk.ts';
import { FORMS, type Form } from './forms.ts';
import { metrics } from './over-http.ts';
import type { Seen } from './seen.ts';
import { inSession, type Session } from './session.ts';

export interface Tour {
  readonly program: Program;
  readonly seen: Seen;
  /** Runs the commands that look at the state after every session. */
  readonly commands?: boolean;
}

/** A path of its own process; the name is for the report. */
export interface Path {
  readonly name: string;
  walk(tour: Tour): Promise<void>;
}

async function act(clerk: Clerk, each: Act, ground: Ground): Promise<void> {
  const { structured } = await clerk.call(each.tool, each.args(ground));
  if (each.tool === 'propose_plan') await clerk.call('run_plan', { plan_id: structured.plan_id });
}

/** Every tool does what it is for; then every way to look. */
const well: Path = {
  name: 'every tool, well',
  walk: (tour) =>
    inSession({ ...tour, commands: true }, async ({ clerk, airline }) => {
      const ground = await lookRound(clerk);
      let last = ground;
      for (const each of ACTS) {
        last = await prepared(clerk, each, ground);
        await act(clerk, each, last);
        if (last.locator === '') continue;
        await clerk.call('read_booking', { locator: last.locator });
        await clerk.call(
          'read_booking',
          { locator: last.locator, reveal_personal: true },
          'read_booking, reveal_personal',
        );
      }
      await clerk.call('list_bookings', { query: CONTACT.surname, refresh: true });
      for (const group of ['day', 'route', 'tool', 'status', 'caller'])
        await clerk.call('report_activity', { group_by: group });
      await clerk.call('report_activity', { measure: 'operations' });
      if (airline.ledger().length < 12) throw new Error('the airline saw too little of it');
    }),
};

/** Said no, closed, nobody to ask, and a booking that changed after the question. */
const refused: Path = {
  name: 'the person says no, or nothing; terms go stale',
  walk: async (tour) => {
    for (const person of ['no', 'closes'] as const) {
      await inSession({ ...tour, person, commands: true }, async ({ clerk }) => {
        const ground = await lookRound(clerk);
        for (const each of ACTS.filter(({ needs }) => needs !== 'nothing')) {
          const ready = await prepared(clerk, each, ground);
          const args = each.args(ready);
          const asked = await clerk.call(each.tool, args);
          const id = asked.structured.approval?.id;
          if (id !== undefined) await clerk.call('pay_booking', { ...args, approval_id: `${id}x` });
        }
      });
    }
    await inSession({ ...tour, person: 'cannot be asked', env: { FARECLERK_APPROVAL: 'echo' }, commands: true }, stale);
  },
};

async function stale({ clerk }: Session): Promise<void> {
  const ground = await lookRound(clerk);
  const made = await clerk.call('create_booking', ACTS.find(({ tool }) => tool === 'create_booking')?.args(ground));
  const { locator } = made.structured.booking;
  const args = { locator, payment: { type: 'cash', holder_name: PLANTED['holder name'] } };
  const { structured } = await clerk.call('pay_booking', args);
  await clerk.call('change_names', {
    locator,
    changes: [{ passenger_ref: '1', given_name: `${PLANTED['given name']}z` }],
  });
  const changed = await clerk.call('pay_booking', { ...args, approval_id: structured.approval.id });
  if (changed.structured.error?.code !== 'E_APPROVAL_STALE') throw new Error(`not stale: ${changed.text}`);
  await clerk.call('pay_booking', { ...args, approval_id: structured.approval.id });
}

const GROUP = 5;

/** A few tools to a process: an airline that fails too often is left in peace. */
async function inGroups(
  tour: Tour,
  tools: (tool: string) => boolean,
  work: (session: Session, acts: readonly Act[]) => Promise<void>,
): Promise<void> {
  const wanted = ACTS.filter(({ tool }) => tools(tool));
  for (let at = 0; at < wanted.length; at += GROUP) {
    await inSession(tour, (session) => work(session, wanted.slice(at, at + GROUP)));
  }
}

/** What an airline does to a call; hanging and dripping are cut short. */
export function fault(kind: SandboxFaultKind, tools: (tool: string) => boolean = () => true): Path {
  return {
    name: `fault ${kind}`,
    walk: (tour) =>
      inGroups(tour, tools, async ({ clerk, airline }, acts) => {
        const ground = await lookRound(clerk);
        for (const each of acts) {
          const ready = await prepared(clerk, each, ground);
          airline.order({ message: each.message, kind, times: timesOf(each), ms: 300 });
          await act(clerk, each, ready);
          // A call that was not made leaves its order for this one.
          if (each.message === READ) await clerk.call('read_booking', { locator: ready.locator });
        }
      }),
  };
}

const READ = 'OTA_ReadRQ';

/** What only reads is asked again by itself. */
const timesOf = ({ tool, needs, message }: Act): number =>
  message === READ || (needs === 'nothing' && tool !== 'create_booking') ? 2 : 1;

/** An error in one form to every tool. */
export function answered(form: Form, tools: (tool: string) => boolean = () => true): Path {
  return {
    name: `answer: ${form.name}`,
    walk: (tour) =>
      inGroups(tour, tools, async ({ clerk, relay }, acts) => {
        const ground = await lookRound(clerk);
        for (const each of acts) {
          const ready = await prepared(clerk, each, ground);
          relay.order(each.message, form, timesOf(each));
          await act(clerk, each, ready);
          if (ready.locator !== '') await clerk.call('read_booking', { locator: ready.locator });
        }
      }),
  };
}

/** The identity provider repeats what it was sent. */
const noLogin: Path = {
  name: 'no login',
  walk: async (tour) => {
    for (const form of FORMS) {
      await inSession(tour, async ({ clerk, relay }) => {
        relay.order('token', form, 9);
        await clerk.call('list_routes', {});
        await clerk.call('read_booking', { locator: 'ABC123' });
      });
    }
  },
};

/** Input that is wrong, with canaries in the place of everything. */
const malformed: Path = {
  name: 'malformed input',
  walk: (tour) =>
    inSession({ ...tour, commands: true }, async ({ clerk }) => {
      const ground = await lookRound(clerk);
      const bad = [...Object.values(PLANTED), CARD.replace(/(.{4})(?=.)/g, '$1 ')];
      for (const each of ACTS) {
        const good = each.args(each.needs === 'nothing' ? ground : { ...ground, locator: 'ABC123', booking: BARE });
        for (const value of bad) {
          await clerk.call(each.tool, { ...good, [value]: value });
          await clerk.call(each.tool, value);
          for (const key of Object.keys(good)) {
            for (const wrong of [
              value,
              [value],
              { [value]: value },
              [{ [value]: value }],
              { type: value, number: value },
            ]) {
              await clerk.call(each.tool, { ...good, [key]: wrong });
            }
          }
        }
      }
      for (const field of Object.keys(passenger())) {
        for (const value of bad) {
          const passengers = [{ ...passenger(), [field]: `${value}<>` }, passenger()];
          await clerk.call('create_booking', { offer_ids: [ground.offerId], contact: CONTACT, passengers });
        }
      }
      for (const value of bad) {
        await clerk.call('pay_booking', { locator: 'ABC123', payment: { type: 'credit_card', holder_name: value } });
        await clerk.say(value, { name: value, arguments: { [value]: value } });
        await clerk.say('tools/call', { name: 'read_booking', arguments: value });
        await clerk.say('resources/read', { uri: value });
        clerk.line(`{"jsonrpc": "2.0", "id": 1, "method": "${value}`);
        clerk.line(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'notifications/cancelled',
            params: { requestId: value, reason: value },
          }),
        );
      }
    }),
};

const BARE = { segments: [{ ref: '1', option_ref: '1' }] };

/** The state file fails at every point, and says in its error what it was given. */
const thrown: Path = {
  name: 'thrown inside',
  walk: async (tour) => {
    const trigger = join(folderFor('sabotage'), 'now');
    const env = {
      NODE_OPTIONS: `--import ${fileURLToPath(new URL('./sabotage.ts', import.meta.url))}`,
      CANARY_SABOTAGE: trigger,
    };
    await inSession({ ...tour, env }, async ({ clerk }) => {
      const ground = await lookRound(clerk);
      for (const each of ACTS) {
        const ready = await prepared(clerk, each, ground);
        writeFileSync(trigger, '');
        await act(clerk, each, ready);
        rmSync(trigger);
      }
    });
    if (!tour.seen.sights.some(({ channel, text }) => channel === 'error' && text.includes('E_INTERNAL')))
      throw new Error('nothing was thrown');
  },
};

/** The approval page and the terminal, from the address to the outcome. */
const page: Path = {
  name: 'the approval page',
  walk: async (tour) => {
    const folder = folderFor('browser');
    const [opened, browser] = [join(folder, 'opened'), join(folder, 'browser.cjs')];
    mkdirSync(folder, { recursive: true });
    writeFileSync(opened, '');
    writeFileSync(browser, `require('node:fs').appendFileSync(${JSON.stringify(opened)}, process.argv[2] + '\\n')`);
    const env = { FARECLERK_APPROVAL: 'page', BROWSER: `${process.execPath} ${browser} %s` };
    await inSession({ ...tour, env, commands: true }, async ({ clerk }) => {
      const ground = await lookRound(clerk);
      for (const decision of ['yes', 'no'] as const) {
        const made = await clerk.call(
          'create_booking',
          ACTS.find(({ tool }) => tool === 'create_booking')?.args(ground),
        );
        const args = {
          locator: made.structured.booking.locator,
          payment: { type: 'cash', holder_name: PLANTED['holder name'] },
        };
        const asked = await clerk.call('pay_booking', args);
        const address = readFileSync(opened, 'utf8').trim().split('\n').at(-1) ?? '';
        tour.seen.canaries.add('page secret', secretIn(address));
        const visitor = await enter(address);
        tour.seen.canaries.add('page secret', visitor.token);
        tour.seen.canaries.add('page secret', visitor.cookie.split('=')[1] ?? visitor.cookie);
        tour.seen.add('page', 'page', withoutToken(visitor.page.body, visitor.token));
        for (const wrong of [{ token: 'x' }, { headers: { origin: 'http://evil.example' } }])
          tour.seen.add('page', 'page', withoutToken((await visitor.answer('yes', wrong)).body, visitor.token));
        tour.seen.add('page', 'page', withoutToken((await visitor.decide(decision)).body, visitor.token));
        await clerk.call('pay_booking', { ...args, approval_id: asked.structured.approval.id });
      }
      const { locator } = await prepared(clerk, { ...ACTS[6], needs: 'held' } as Act, ground);
      await clerk.call('pay_booking', { locator, payment: { type: 'cash' } });
    });
    rmSync(folder, { recursive: true, force: true });
  },
};

/** The page's own hidden token is its business: it is in the form, and nowhere else. */
const withoutToken = (body: string, token: string): string => body.replaceAll(`value="${token}"`, '');

function secretIn(address: string): string {
  const { pathname, search, hash } = new URL(address);
  const last = `${search}${hash}`.replace(/^[?#]\w*=?/, '');
  return last === '' ? (pathname.split('/').at(-1) ?? '') : last;
}

const DATABASE = `postgres://clerk:${PLANTED['database password']}@127.0.0.1:9/state`;
const KEY = PLANTED['api key'];

/** Settings that are wrong, and commands with too many arguments. */
const settings: Path = {
  name: 'settings and commands',
  walk: ({ program, seen }) =>
    inSession({ program, seen }, async ({ env }) => {
      const wrong: Record<string, string>[] = [
        { FARECLERK_API_KEY: `${KEY}\n${KEY}` },
        { FARECLERK_API_KEY: '', FARECLERK_API_KEY_FILE: `/nowhere/${'x'}` },
        { FARECLERK_API_KEY_FILE: '/nowhere' },
        { FARECLERK_APIKEY: KEY },
        { FARECLERK_CLIENT_SECRETS: PLANTED['client secret'] },
        { FARECLERK_PASSWORD: PLANTED.password, FARECLERK_BASE_URL: '' },
        { FARECLERK_BASE_URL: `https://user:${PLANTED.password}@air.example/ota` },
        { FARECLERK_AUTH_URL: `ftp://${PLANTED.password}@air.example` },
        { FARECLERK_DATABASE_URL: DATABASE },
        { FARECLERK_DATABASE_URL: DATABASE.replace('postgres', 'mysql') },
        { FARECLERK_DATABASE_URL: `postgres://clerk:${PLANTED['database password']}@:port:/` },
        { FARECLERK_METRICS_TOKEN: `${KEY}\n` },
        { FARECLERK_LIMIT_PER_ACTION: PLANTED.password },
        { FARECLERK_CLIENT_SECRET: 'wrong-one' },
        { FARECLERK_API_KEY: 'wrong-key' },
        { FARECLERK_AUTH_URL: 'http://127.0.0.1:9' },
        { FARECLERK_BASE_URL: 'http://127.0.0.1:9/ota' },
        {},
      ];
      const commands = [
        ['serve'],
        ['journal', 'list'],
        ['approve'],
        ['doctor'],
        ['doctor', '--json'],
        ['call', 'list_routes', '{}'],
        ['call', 'read_booking', JSON.stringify({ locator: PLANTED['e-mail'] })],
        ['call', 'pay_booking', JSON.stringify({ locator: 'ABC123', payment: { type: CARD } })],
      ];
      for (const each of wrong) {
        for (const argv of commands) {
          const ended = await program.run(argv, {
            ...env,
            FARECLERK_LOG_LEVEL: 'trace',
            NODE_NO_WARNINGS: '1',
            ...each,
          });
          seen.add('command', argv.slice(0, 2).join(' '), ended.stdout);
          seen.add('stderr', argv.slice(0, 2).join(' '), ended.stderr);
        }
      }
      for (const flag of ['--api-key', '--client-secret', '--password', '--database-url', '--pasword']) {
        const ended = await program.run(['serve', `${flag}=${PLANTED.password}`], env);
        seen.add('stderr', `serve ${flag}`, ended.stderr);
      }
    }),
};

/** A drip is a whole reply that takes its time: it brings nothing that another does not. */
const KINDS = SANDBOX_FAULTS.filter((kind) => kind !== 'slow-drip');

export const ONCE: readonly Path[] = [well, refused, noLogin, malformed, thrown, page, settings, metrics];
export const ALL: readonly Path[] = [
  ...ONCE,
  ...KINDS.map((kind) => fault(kind)),
  ...FORMS.map((form) => answered(form)),
];
