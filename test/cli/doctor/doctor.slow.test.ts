/** What the doctor finds in a set-up, and what it never shows. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { freshState, ran } from '../screen.ts';
import { CASES, setUpOf } from './cases.ts';
import { AUTHORITY, GOOD } from './certificates.ts';
import type { Call, Rule } from './front.ts';
import { GALLERY, GUIDE, masked, section } from './gallery.ts';
import { teamOf } from './team.ts';
import { at, doctorOn, json, realmAt, withWorld } from './world.ts';

/** Of the set-ups: none of these may ever be printed or written. */
const SECRETS = ['hunter2', 'sandbox-client-secret', 'sandbox-password', 'sandbox-api-key', '"clerk"', 'page-secret'];

// The provider says that it is meant for development; so are we.
beforeAll(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));

const guide = masked(readFileSync(GUIDE, 'utf8'));
const gallery = masked(readFileSync(GALLERY, 'utf8'));

describe('working set-ups', () => {
  it('passes every check, logs in once and only reads', async () => {
    await withWorld(async (world) => {
      const { origin, calls } = await world.front(() => undefined);
      const env = { ...at(world.env, origin), FARECLERK_GATEWAY_URL: origin, FARECLERK_AUTH_URL: realmAt(origin) };
      Object.assign(env, { FARECLERK_REST_URL: origin });
      const { code, text, checks } = await doctorOn({ env });
      expect(guide).toContain(masked(text));
      expect([code, checks.filter(({ level }) => level !== 'ok')]).toEqual([0, []]);
      expect(text).toMatch(/8 checks passed\./);
      const names = calls.map(({ url, headers }) => headers['local-name'] ?? url.pathname.split('/').at(-1));
      expect(names).toEqual(['token', 'OTA_ReadRQ', 'routes', 'OTA_AirLowFareSearchRQ']);
      expect(world.sandbox.ledger()).toEqual([]);
    });
  });

  it('passes every check of the identity provider and of the public address of a team server', async () => {
    await withWorld(async (world) => {
      const { env, publicUrl, issuer } = await teamOf(world);
      const { text, checks, code } = await doctorOn({ env });
      expect([code, checks.filter(({ level }) => level !== 'ok')]).toEqual([0, []]);
      const said = text.replaceAll(/\s+/g, ' ');
      for (const words of [
        `${issuer} answers. Access tokens need iss ${issuer}, aud ${publicUrl}/mcp, sub, and scopes such as air:read`,
        `${publicUrl} leads to this server`,
      ])
        expect(said).toContain(words);
    });
  });
});

describe('broken set-ups', () => {
  it.each(Object.entries(CASES))('finds %s', async (name, [found, words, change, argv]) => {
    await withWorld(async (world) => {
      const { code, text, checks, report } = await doctorOn(await setUpOf(change, world), argv);
      expect(gallery, 'test/golden/doctor.md: run npm run write').toContain(masked(section(name, text)));
      const troubles = checks.filter(({ level }) => level === 'fail' || level === 'warn');
      const about = troubles.find(({ id, finding }) => `${id} ${finding}` === found);
      expect(about, text).toBeDefined();
      expect(`${about?.said} ${about?.advice}`).toMatch(words);
      // One cause, one failure: what follows from it is not tried, or is a warning.
      const failed = checks.filter(({ level }) => level === 'fail');
      if (about?.level === 'fail') expect(failed).toEqual([about]);
      expect(code).toBe(failed.length > 0 ? 1 : 0);
      for (const secret of SECRETS) expect(text + JSON.stringify(report)).not.toContain(secret);
    });
  });

  it('does not log in where no call needs it', async () => {
    await withWorld(async (world) => {
      const { settings } = await world.sandboxWith({ accepts: 'key' });
      const env = { ...world.env, ...settings, FARECLERK_CREDENTIALS: 'key', FARECLERK_PASSWORD: 'hunter2' };
      const { code, check } = await doctorOn({ env });
      expect([code, check('token'), check('reading')]).toMatchObject([0, { level: 'ok' }, { level: 'ok' }]);
    });
  });
});

it.each([
  ['clerk:hunter2%2F@127.0.0.1:1/air?application_name=hunter3', 'PostgreSQL 127.0.0.1:1/air'],
  ['clerk:hunter2%@127.0.0.1:1/air', 'PostgreSQL 127.0.0.1:1/air'],
  // An address that cannot be parsed may hold a password anywhere.
  ['clerk:hunter2/x@127.0.0.1:1/air', 'PostgreSQL'],
])('names the database of postgres://%s without a secret: %s', async (address, words) => {
  await withWorld(async (world) => {
    const { text, stderr } = await doctorOn({
      env: { ...world.env, FARECLERK_DATABASE_URL: `postgres://${address}` },
    });
    expect(stderr).toMatch(new RegExp(`State: ${words}\n$`));
    expect(text + stderr).not.toContain('hunter');
  });
});

describe('addresses', () => {
  it('names the last day of a certificate', async () => {
    await withWorld(async (world) => {
      const { origin } = await world.front(() => undefined, { certificate: GOOD, name: 'localhost' });
      const { check } = await doctorOn({ env: at(world.env, origin), ca: AUTHORITY });
      expect(check('address.base')).toMatchObject({
        level: 'ok',
        said: expect.stringMatching(/TLSv1\.\d, .* until 2125-12-31/),
      });
    });
  });

  it('gives up on a host that does not answer connections', async () => {
    await withWorld(async (world) => {
      // RFC 5737: no host has this address. A network that refuses it at once says so as well.
      const { env } = world;
      const seen = await doctorOn({ env: { ...env, FARECLERK_REST_URL: 'https://192.0.2.1:81' } });
      const [host] = seen.checks.filter(({ id, level }) => id.startsWith('address.') && level !== 'ok');
      expect(host?.finding).toMatch(/^connection_(?:timeout|failed|refused)$/);
      expect(host?.advice).toContain('FARECLERK_REST_URL');
    });
  });
});

describe('a server that echoes what it was sent', () => {
  const CANARIES = {
    FARECLERK_API_KEY: 'canary-key-1/2+3=',
    FARECLERK_CLIENT_SECRET: 'canary secret & more',
    FARECLERK_PASSWORD: 'canary-pass-ÄÖ"',
    FARECLERK_USERNAME: 'canary.user@example.com',
  };
  const everything = ({ headers, body, url }: Call): string =>
    `${JSON.stringify(headers)} ${body} ${url.href} ${Buffer.from(String(headers['x-api-key'])).toString('base64')}`;
  const tokens = { access_token: 'canary.access.token', refresh_token: 'canary-refresh', expires_in: 7200 };
  const echoing =
    (body: (said: string) => unknown): Rule =>
    (call) =>
      call.url.pathname.startsWith('/realms/') ? json(200, tokens) : { status: 403, body: body(everything(call)) };

  it.each<[string, (said: string) => unknown]>([
    ['flat', (said) => ({ status: 403, code: said, title: said, correlationId: said })],
    ['a list', (said) => ({ errors: [{ code: 'X', message: said }], requestId: said })],
    ['HTML', (said) => `<html><title>${said}</title></html>`],
    ['keys', (said) => ({ [said]: 1, status: 500, error: said })],
  ])('prints and writes no secret that a server echoes as %s', async (_, body) => {
    await withWorld(async (world) => {
      const { origin, calls } = await world.front(echoing(body));
      const env = { ...world.env, ...CANARIES, FARECLERK_BASE_URL: origin, FARECLERK_AUTH_URL: realmAt(origin) };
      const plain = await doctorOn({ env }, [], { keyboard: true });
      const asJson = await doctorOn({ env }, ['--json']);
      expect(plain.code).toBe(1);
      expect(calls.some((call) => everything(call).includes(CANARIES.FARECLERK_API_KEY))).toBe(true);
      const shown = `${plain.text}${plain.stderr}${JSON.stringify(plain.report)}${asJson.text}${asJson.stderr}`;
      for (const secret of [...Object.values(CANARIES), tokens.access_token, tokens.refresh_token]) {
        const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
        for (const form of [...forms, Buffer.from(secret).toString('base64')]) expect(shown).not.toContain(form);
      }
    });
  });

  it('masks secrets in other letters, short ones only as whole words, and never its own name', async () => {
    await withWorld(async (world) => {
      const { origin } = await world.front(
        echoing(() => ({ status: 403, code: 'X', title: 'said AB3$X, key, monkeys of fareclerk' })),
      );
      const secrets = { FARECLERK_API_KEY: 'Ab3$x', FARECLERK_PASSWORD: 'key', FARECLERK_USERNAME: 'fareclerk' };
      const env = { ...world.env, ...secrets, FARECLERK_BASE_URL: origin, FARECLERK_AUTH_URL: realmAt(origin) };
      const { text } = await doctorOn({ env });
      expect(text.replaceAll(/\s+/g, ' ')).toContain('“said [secret], [secret], monkeys of fareclerk”');
    });
  });

  it('leaves the query out of addresses', async () => {
    await withWorld(async (world) => {
      const env = { ...world.env, FARECLERK_BASE_URL: `${world.env.FARECLERK_BASE_URL}?subscription=hunter2` };
      const { report, text, check } = await doctorOn({ env });
      expect(check('reading')?.said).toContain('/v2015b/OTA takes messages');
      expect(text + JSON.stringify(report)).not.toContain('hunter2');
    });
  });
});

describe('the command', () => {
  it('searches the stations that --route names', async () => {
    await withWorld(async ({ env }) => {
      expect((await doctorOn({ env }, ['--route', 'xmd-qca'])).text).toMatch(/offers from XMD to QCA on/);
    });
  });

  it('shows progress only on a screen, and fits its window, but for a path that is longer', async () => {
    await withWorld(async ({ env, stateDir }) => {
      const folder = join(stateDir, 'l'.repeat(Math.max(1, 100 - stateDir.length)));
      mkdirSync(folder);
      const { stderr, text } = await doctorOn({ env: { ...env, FARECLERK_STATE_DIR: folder } }, [], {
        keyboard: true,
        stdoutIsTerminal: true,
        columns: 60,
      });
      expect(stderr).toMatch(/\d+ {2}token …/);
      expect(stderr.split('\r\u001b[K').at(-1)).toMatch(/^Airline: .*\n$/);
      const lines = stripVTControlCharacters(text).split('\n');
      expect(lines.some((line) => line.endsWith(join(folder, 'fareclerk.sqlite')))).toBe(true);
      const ofSeveralWords = lines.filter((line) => /\S\s+\S/.test(line) && !line.includes(folder));
      expect(ofSeveralWords.length).toBeGreaterThan(15);
      expect(ofSeveralWords.filter((line) => line.length > 60)).toEqual([]);
      expect(lines[2]).toMatch(/^ {2}ok {4}settings {7}live; rail dialect;/);
    });
  });

  it('asks no airline without settings, prints JSON too, and changes nothing in the state folder', async () => {
    const state = freshState();
    const { code, json: printed, stderr } = await ran(state, ['doctor', '--json']);
    expect([code, printed()]).toMatchObject([0, { ok: true, environment: 'sandbox' }]);
    expect(printed().checks.length).toBe(3);
    expect(stderr).toMatch(/^Airline: the sandbox, nothing is real\. State: SQLite \S+\n$/);
    expect(existsSync(join(state.FARECLERK_STATE_DIR, 'sandbox'))).toBe(false);
    const broken = await ran({ ...freshState(), FARECLERK_API_KEY: 'hunter2' }, ['doctor', '--json']);
    expect([broken.code, broken.json()]).toMatchObject([1, { ok: false, checks: [{ finding: 'setting_wrong' }] }]);
    expect(broken.stdout).not.toContain('hunter2');
  });
});
