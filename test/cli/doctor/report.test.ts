/**
 * What the doctor writes down, and what it never does.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SecretMask } from '../../../src/cli/doctor/secret-mask.ts';
import { DIALECTS } from '../../../src/sandbox/dialects.ts';
import { freshState, screen } from '../screen.ts';
import { type Call, startFront } from './front.ts';
import { doctorOn } from './run-case.ts';
import { type World, withWorld } from './world.ts';

const reportTo = ({ stateDir }: World) => ['--report', join(stateDir, 'doctor-report.json')];

describe('the report', () => {
  it('reports how the airline answers what the interface leaves open', async () => {
    await withWorld(async (world) => {
      const { report } = await doctorOn({ env: world.env }, reportTo(world));
      expect(report.answers).toMatchObject({
        login: {
          expiresIn: 7200,
          refreshExpiresIn: 14_400,
          hasRefreshToken: true,
          tokenType: 'bearer',
          shape: 'opaque',
        },
        credentials: {
          both: { outcome: 'accepted', status: 404, code: '97' },
          key: { outcome: 'refused', status: 401 },
          token: { outcome: 'refused', status: 401 },
        },
        addressForm: { header: true, path: true },
        refusal: { form: 'flat', codeType: 'text', status: 404 },
        seatMap: { derived: true, status: 404, code: '97' },
        services: {
          routes: { success: 'absent' },
          calendar: { sorted: true },
          search: {
            form: 'itineraries',
            success: 'empty_object',
            times: 'offset',
            currencies: ['SAR'],
            carriers: ['HHR'],
          },
          searchWithSoldOut: { form: 'availability', times: 'utc', carriers: [] },
        },
      });
      for (const { skewMs } of report.answers.clocks ?? []) expect(Math.abs(skewMs)).toBeLessThan(1_500);
    });
  });

  it('reports spellings, version, order, error form and unread fields of another dialect', async () => {
    await withWorld(async (world) => {
      const tolerances = [...DIALECTS.airline, 'unknownFields', 'errorOta'];
      const { settings } = await world.sandboxWith({ dialect: 'airline', tolerances });
      const { report, code } = await doctorOn({ env: { ...world.env, ...settings } }, reportTo(world));
      const { refusal, services } = report.answers;
      expect(refusal).toMatchObject({ form: 'opentravel', codeType: 'text' });
      expect(services?.calendar).toMatchObject({ sorted: false, unread: ['vendorExtra'] });
      expect(services?.search).toMatchObject({
        version: 'number',
        extensions: [expect.stringMatching(/^tpa_?extensions$/i)],
      });
      expect(services?.search?.unread).toContain('pricedItineraries.pricedItinerary.vendorExtra');
      expect(code).toBe(0);
    });
  });

  it('reports no unread field of the rail dialect', async () => {
    await withWorld(async (world) => {
      const { services } = (await doctorOn({ env: world.env }, reportTo(world))).report.answers;
      for (const signs of [services?.routes, services?.calendar, services?.search, services?.searchWithSoldOut]) {
        expect(signs?.unread).toEqual([]);
      }
    });
  });

  it('writes the report into the state folder for its owner alone, or where --report says, or not with --no-report', async () => {
    await withWorld(async ({ env, stateDir }) => {
      const file = join(stateDir, 'doctor-report.json');
      expect((await doctorOn({ env }, ['--no-report'])).text).not.toContain('doctor-report');
      expect(existsSync(file)).toBe(false);
      expect((await doctorOn({ env })).text).toContain(file);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      writeFileSync(join(stateDir, 'in-the-way'), '');
      const { stderr, code } = await doctorOn({ env }, ['--report', join(stateDir, 'in-the-way', 'report.json')]);
      expect(stderr).toMatch(/could not be written/);
      expect(code).toBe(0);
    });
  });

  it('leaves the query out of addresses in the report', async () => {
    await withWorld(async (world) => {
      const env = { ...world.env, FARECLERK_BASE_URL: `${world.env.FARECLERK_BASE_URL}?subscription=hunter2` };
      const { report, text } = await doctorOn({ env }, reportTo(world));
      expect(report.settings.base_url).toMatch(/\/v2015b\/OTA\?…$/);
      expect(text + JSON.stringify(report)).not.toContain('hunter2');
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

  it.each<[string, (call: Call) => unknown]>([
    [
      'flat',
      (call) => ({ status: 403, code: everything(call), title: everything(call), correlationId: everything(call) }),
    ],
    ['a list', (call) => ({ errors: [{ code: 'X', message: everything(call) }], requestId: everything(call) })],
    ['HTML', (call) => `<html><title>${everything(call)}</title></html>`],
    ['keys', (call) => ({ [everything(call)]: 1, status: 500, error: everything(call) })],
  ])('prints and writes no secret that a server echoes as %s', async (_, body) => {
    await withWorld(async (world) => {
      const token = 'canary.access.token';
      const front = await startFront((call) => {
        if (!call.url.pathname.startsWith('/realms/')) return { status: 403, body: body(call) };
        return { status: 200, body: { access_token: token, refresh_token: 'canary-refresh', expires_in: 7200 } };
      });
      const { origin } = front;
      const env = { ...world.env, ...CANARIES, FARECLERK_BASE_URL: origin, FARECLERK_AUTH_URL: origin };
      const file = join(world.stateDir, 'doctor-report.json');
      const plain = await doctorOn({ env }, reportTo(world), { isTTY: true });
      const written = readFileSync(file, 'utf8');
      const asJson = await doctorOn({ env }, ['--json', ...reportTo(world)]);
      await front.close();
      expect(plain.code).toBe(1);
      expect(front.calls.some((call) => everything(call).includes(CANARIES.FARECLERK_API_KEY))).toBe(true);
      const shown = `${plain.text}${plain.stderr}${written}${asJson.text}${asJson.stderr}`;
      for (const secret of [...Object.values(CANARIES), token, 'canary-refresh']) {
        for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
          expect(shown).not.toContain(form);
        }
        expect(shown).not.toContain(Buffer.from(secret).toString('base64'));
      }
    });
  });

  it('masks secrets in other letters, and short secrets only as whole words', () => {
    const mask = new SecretMask();
    for (const secret of ['Ab3$x+(y)', 'key', '']) mask.add(secret);
    mask.add(undefined);
    expect(mask.masked('said AB3$X+(Y), key, monkeys')).toBe('said [secret], [secret], monkeys');
    expect(mask.maskedTree({ key: ['ab3$x+(y)', 7, null] })).toEqual({ '[secret]': ['[secret]', 7, null] });
  });
});

describe('the command', () => {
  it('checks the sandbox airline without settings, and changes nothing in the state folder', async () => {
    const state = freshState();
    const { run, stdout } = screen({ ...state, BROWSER: 'true', PATH: '/usr/bin:/bin' });
    expect(await run('doctor', '--no-report')).toBe(0);
    expect(stdout()).toMatch(/embedded sandbox airline/);
    expect(existsSync(join(state.FARECLERK_STATE_DIR ?? '', 'sandbox'))).toBe(false);
  });

  it('prints everything as JSON with --json, and exits with the same code', async () => {
    const { run, stdout, stderr } = screen({ ...freshState() });
    expect(await run('doctor', '--json')).toBe(0);
    const printed = JSON.parse(stdout());
    expect(printed).toMatchObject({ ok: true, environment: 'sandbox', answers: { credentials: { both: {} } } });
    expect(printed.checks.length).toBeGreaterThan(10);
    expect(stderr()).toMatch(/^Airline: the sandbox, nothing is real\. State: SQLite \S+\n$/);
    const broken = screen({ ...freshState(), FARECLERK_API_KEY: 'hunter2' });
    expect(await broken.run('doctor', '--json')).toBe(1);
    expect(JSON.parse(broken.stdout())).toMatchObject({ ok: false, checks: [{ finding: 'setting_wrong' }] });
    expect(broken.stdout()).not.toContain('hunter2');
  });

  it('shows progress only on a screen', async () => {
    await withWorld(async ({ env }) => {
      expect((await doctorOn({ env }, ['--no-report'])).stderr).toMatch(/^Airline: .*\n$/);
      const { stderr } = await doctorOn({ env }, ['--no-report'], { isTTY: true });
      expect(stderr).toMatch(/\d+ {2}token …/);
      expect(stderr.split('\r\u001b[K').at(-1)).toMatch(/^Airline: .*\n$/);
    });
  });

  it('only warns of a wrong login that no call needs', async () => {
    await withWorld(async (world) => {
      const { settings } = await world.sandboxWith({ accepts: 'key' });
      const env = { ...world.env, ...settings, FARECLERK_CREDENTIALS: 'key', FARECLERK_PASSWORD: 'hunter2' };
      const { code, checks } = await doctorOn({ env }, reportTo(world));
      expect(checks.find(({ id }) => id === 'token')).toMatchObject({ level: 'warn', finding: 'wrong_password' });
      expect(checks.find(({ id }) => id === 'credentials')).toMatchObject({ level: 'ok' });
      expect(code).toBe(0);
    });
  });

  it('does not mask its own name when it is the user name', () => {
    const mask = new SecretMask();
    const secret = { reveal: () => 'x'.repeat(12) } as never;
    const login = { authUrl: 'x', tenant: 't', clientId: 'c', clientSecret: secret, password: secret };
    mask.addAirline({ login: { ...login, username: 'fareclerk' } });
    expect(mask.masked('fareclerk journal')).toBe('fareclerk journal');
    mask.addAirline({ login: { ...login, username: 'ann.desk' } });
    expect(mask.masked('of ann.desk')).toBe('of [secret]');
  });

  it('searches the stations that --route names', async () => {
    await withWorld(async ({ env }) => {
      const { text } = await doctorOn({ env }, ['--no-report', '--route', 'xmd-qca']);
      expect(text).toMatch(/days on sale from XMD to QCA/);
    });
    const { run, stderr } = screen({});
    expect(await run('doctor', '--route', 'Madinah')).toBe(2);
    expect(stderr()).toMatch(/--route: expected two stations/);
  });

  it('logs in once, and sends no request that changes anything', async () => {
    await withWorld(async (world) => {
      const front = await world.front(() => undefined);
      const { origin } = front;
      const env = { ...world.env, FARECLERK_BASE_URL: `${origin}/v2015b/OTA`, FARECLERK_AUTH_URL: origin };
      await doctorOn({ env: { ...env, FARECLERK_GATEWAY_URL: origin } }, ['--no-report']);
      const names = front.calls.map(({ url, headers }) => headers['local-name'] ?? url.pathname.split('/').at(-1));
      expect(names.filter((name) => name === 'token')).toHaveLength(1);
      expect(new Set(names)).toEqual(
        new Set(['token', 'OTA_ReadRQ', 'OTA_AirSeatMapRQ', 'routes', 'availability', 'OTA_AirLowFareSearchRQ']),
      );
      expect(names.length).toBeLessThanOrEqual(12);
      expect(world.sandbox.ledger()).toEqual([]);
    });
  });
});
