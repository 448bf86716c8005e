/**
 * Settings of the server over HTTP, and the file of callers with a point of sale of their own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCallersFile } from '../../src/config/callers.ts';
import { readConfig, SettingsError } from '../../src/config/load.ts';
import { settingOfFlag } from '../../src/config/settings.ts';

const SIGNED = { FARECLERK_ISSUER: 'https://id.example/realms/air', FARECLERK_PUBLIC_URL: 'https://air.example' };

function problems(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

describe('FARECLERK_PUBLIC_URL', () => {
  it('requires an issuer together with a public address', () => {
    const wrong = problems(() => readConfig({ FARECLERK_PUBLIC_URL: 'https://air.example' }));
    expect(wrong).toContain('FARECLERK_PUBLIC_URL also needs FARECLERK_ISSUER.');
    expect(wrong).toContain('sign in');
    expect(problems(() => readConfig({ ...SIGNED }))).toBe('');
  });

  it('refuses FARECLERK_HTTP_TOKEN together with an issuer', () => {
    const token = 'a-long-token-of-our-own';
    expect(problems(() => readConfig({ ...SIGNED, FARECLERK_HTTP_TOKEN: token }))).toContain('FARECLERK_HTTP_TOKEN');
    expect(readConfig({ FARECLERK_HTTP_TOKEN: token }).http.token?.reveal()).toBe(token);
  });
});

describe('the settings of the approval page', () => {
  it('reads the sign-in client, its secret, the approver role, and the amount above which two people must approve', () => {
    const env = {
      ...SIGNED,
      FARECLERK_PAGE_CLIENT_ID: 'page',
      FARECLERK_PAGE_CLIENT_SECRET: 's3cret',
      FARECLERK_APPROVER_ROLE: 'air-approver',
      FARECLERK_FOUR_EYES_ABOVE: '1000.00',
      FARECLERK_TENANT_CLAIM: 'agency',
    };
    const { http, amounts } = readConfig(env);
    expect(http).toMatchObject({ tenantClaim: 'agency', page: { clientId: 'page', approverRole: 'air-approver' } });
    expect(http.page?.clientSecret?.reveal()).toBe('s3cret');
    expect(amounts.fourEyesAbove).toBe('1000.00');
    expect(env).not.toHaveProperty('FARECLERK_PAGE_CLIENT_SECRET');
  });

  it.each([
    ['FARECLERK_PAGE_CLIENT_ID', 'page', 'FARECLERK_ISSUER'],
    ['FARECLERK_TENANT_CLAIM', 'agency', 'FARECLERK_ISSUER'],
    ['FARECLERK_PAGE_CLIENT_SECRET', 'x', 'FARECLERK_PAGE_CLIENT_ID'],
    ['FARECLERK_APPROVER_ROLE', 'boss', 'FARECLERK_PAGE_CLIENT_ID'],
    ['FARECLERK_FOUR_EYES_ABOVE', '5', 'FARECLERK_APPROVER_ROLE'],
  ])('refuses %s alone, and names the setting that it needs', (name, value, needed) => {
    expect(problems(() => readConfig({ [name]: value }))).toContain(`${name} also needs ${needed}.`);
  });

  it('refuses an amount with more decimals than its currency', () => {
    const env = { ...SIGNED, FARECLERK_PAGE_CLIENT_ID: 'p', FARECLERK_APPROVER_ROLE: 'r' };
    const set = { ...env, FARECLERK_CURRENCY: 'JPY', FARECLERK_FOUR_EYES_ABOVE: '5.5' };
    expect(problems(() => readConfig(set))).toContain('FARECLERK_FOUR_EYES_ABOVE has more decimal digits');
  });
});

describe('other sites and metrics', () => {
  it('accepts only exact origins as allowed sites', () => {
    const set = (FARECLERK_CORS_ORIGINS: string) => readConfig({ FARECLERK_CORS_ORIGINS }).http.origins;
    expect(set('https://app.example, http://localhost:3000')).toEqual(['https://app.example', 'http://localhost:3000']);
    for (const bad of ['*', 'https://app.example/', 'http://app.example', 'null', 'https://a.example,', 'app.example'])
      expect(problems(() => set(bad))).toContain('FARECLERK_CORS_ORIGINS');
    expect(readConfig({}).http.origins).toEqual([]);
  });

  it('accepts a backlog of at least one connection', () => {
    expect(readConfig({}).http.backlog).toBe(4_096);
    expect(readConfig({ FARECLERK_BACKLOG: '511' }).http.backlog).toBe(511);
    for (const bad of ['0', '-1', '70000', 'many'])
      expect(problems(() => readConfig({ FARECLERK_BACKLOG: bad }))).toContain('FARECLERK_BACKLOG');
  });

  it('accepts a metrics token that fits a header, and never prints it', () => {
    expect(readConfig({ FARECLERK_METRICS_TOKEN: 'abc' }).http.metricsToken?.reveal()).toBe('abc');
    const wrong = problems(() => readConfig({ FARECLERK_METRICS_TOKEN: 'two words' }));
    expect(wrong).toContain('FARECLERK_METRICS_TOKEN');
    expect(wrong).not.toContain('two words');
  });
});

describe('the file of callers', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fareclerk-callers-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const read = (content: unknown) => {
    const path = join(folder, 'callers.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return readCallersFile(path);
  };
  const north = { agent_id: 'A7', agency_id: 'North', currency: 'sar' };

  it('maps tenant, subject or client to agent id, agency and currency', () => {
    const rows = [
      { subject: 'ann', client: 'desk', ...north },
      { tenant: 'north', ...north, country: 'sa' },
    ];
    expect(read({ callers: rows })).toEqual({
      callers: [
        { subject: 'ann', client: 'desk', agentId: 'A7', agencyId: 'North', currency: 'SAR' },
        { tenant: 'north', agentId: 'A7', agencyId: 'North', currency: 'SAR', country: 'SA' },
      ],
      others: 'served',
    });
    expect(read({ callers: rows, others: 'refused' }).others).toBe('refused');
  });

  it.each([
    ['no JSON', '{', 'is not JSON'],
    ['no callers', {}, 'at callers'],
    ['an empty list', { callers: [] }, 'at callers'],
    ['a row without a caller', { callers: [north] }, 'whom it is for'],
    ['an unknown field', { callers: [{ subject: 'ann', ...north, agent: 'x' }] }, 'at callers.0'],
    ['a bad currency', { callers: [{ subject: 'ann', ...north, currency: 'riyal' }] }, 'at callers.0.currency'],
    [
      'the same callers twice',
      {
        callers: [
          { subject: 'ann', ...north },
          { subject: 'ann', ...north },
        ],
      },
      'callers.1',
    ],
  ])('refuses a file of callers with %s', (_what, content, words) => {
    expect(problems(() => read(content))).toContain(words);
  });

  it('requires an airline, an issuer and a readable file for points of sale', () => {
    expect(problems(() => readConfig({ FARECLERK_CALLERS_FILE: '/x' }))).toContain('also needs FARECLERK_ISSUER');
    expect(problems(() => readConfig({ ...SIGNED, FARECLERK_CALLERS_FILE: '/x' }))).toContain('FARECLERK_BASE_URL');
    expect(problems(() => readCallersFile(join(folder, 'none')))).toContain('cannot be read');
  });
});

describe('the settings of events', () => {
  const env = {
    FARECLERK_WEBHOOKS: 'https://desk.example/hook?key=1',
    FARECLERK_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
  };

  it('reads the addresses, the secrets, the hosts of a private network, and whether callers are named', () => {
    const { webhooks } = readConfig({
      ...env,
      FARECLERK_WEBHOOKS: 'https://desk.example/hook, http://n8n:5678/x, http://[fd00::7]/y, https://desk.example/hook',
      FARECLERK_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)},whsec_${'B'.repeat(43)}=`,
      FARECLERK_WEBHOOK_PRIVATE_HOSTS: 'n8n,10.0.0.7,fd00::7',
      FARECLERK_WEBHOOK_CALLERS: 'true',
    });
    expect(webhooks).toMatchObject({
      addresses: ['https://desk.example/hook', 'http://n8n:5678/x', 'http://[fd00::7]/y'],
      privateHosts: ['n8n', '10.0.0.7', 'fd00::7'],
      withCaller: true,
    });
    expect(webhooks?.secrets.reveal().split(',')).toHaveLength(2);
    expect(readConfig({ ...env }).webhooks).toMatchObject({ privateHosts: [], withCaller: false });
    expect(readConfig({}).webhooks).toBeUndefined();
  });

  it('reads the addresses from a file too, and from no flag: an address may hold a key', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clerk-webhooks-'));
    const file = join(folder, 'webhooks');
    writeFileSync(file, 'https://desk.example/hook?key=1, https://other.example/x\n');
    const { FARECLERK_WEBHOOKS: _, ...others } = env;
    const { webhooks } = readConfig({ ...others, FARECLERK_WEBHOOKS_FILE: file });
    expect(webhooks?.addresses).toEqual(['https://desk.example/hook?key=1', 'https://other.example/x']);
    expect(settingOfFlag('webhooks')).toBeUndefined();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['FARECLERK_WEBHOOKS', 'https://desk.example/hook', 'FARECLERK_WEBHOOK_SECRET'],
    ['FARECLERK_WEBHOOK_SECRET', env.FARECLERK_WEBHOOK_SECRET, 'FARECLERK_WEBHOOKS'],
    ['FARECLERK_WEBHOOK_PRIVATE_HOSTS', 'n8n', 'FARECLERK_WEBHOOKS'],
  ])('refuses %s alone, and names the setting that it needs', (name, value, needed) => {
    expect(problems(() => readConfig({ [name]: value }))).toContain(`${name} also needs ${needed}.`);
  });

  it.each([
    ['FARECLERK_WEBHOOKS', 'http://desk.example/hook', 'has a plain http address'],
    ['FARECLERK_WEBHOOKS', 'https://a@desk.example/hook', 'whole https addresses, without a user name'],
    ['FARECLERK_WEBHOOKS', 'desk.example', 'whole https addresses, without a user name'],
    ['FARECLERK_WEBHOOK_SECRET', 'secret', 'whsec_ and 24 to 64 random bytes'],
    ['FARECLERK_WEBHOOK_PRIVATE_HOSTS', 'n8n:5678', 'hosts without a port'],
    ['FARECLERK_WEBHOOK_PRIVATE_HOSTS', '0x7f.1', 'hosts without a port'],
    ['FARECLERK_WEBHOOK_PRIVATE_HOSTS', 'http://n8n', 'hosts without a port'],
  ])('refuses %s=%s', (name, value, expected) => {
    const wrong = problems(() => readConfig({ ...env, [name]: value }));
    expect(wrong).toContain(expected);
    expect(wrong).not.toContain('AAAA');
  });
});
