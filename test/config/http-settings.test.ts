/**
 * Settings of the server over HTTP, and of events.
 */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { type Env, expectRefused, fileOf } from './read.ts';

const SIGNED = { FARECLERK_ISSUER: 'https://id.example/realms/air', FARECLERK_PUBLIC_URL: 'https://air.example' };
const EVENTS = {
  FARECLERK_WEBHOOKS: 'https://desk.example/hook?key=1',
  FARECLERK_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
};
const PAGE = {
  ...SIGNED,
  FARECLERK_PAGE_CLIENT_ID: 'page',
  FARECLERK_PAGE_CLIENT_SECRET: 's3cret',
  FARECLERK_APPROVER_ROLE: 'air-approver',
};

describe('a server over HTTP', () => {
  it('reads sign-in, the approval page, the second person and the token', () => {
    const env: Env = { ...PAGE, FARECLERK_FOUR_EYES_ABOVE: '1000.00' };
    const { http, amounts } = readConfig(env);
    expect(http).toMatchObject({ page: { clientId: 'page', approverRole: 'air-approver' } });
    expect([http.page?.clientSecret?.reveal(), amounts.fourEyesAbove]).toEqual(['s3cret', '1000.00']);
    expect(env).not.toHaveProperty('FARECLERK_PAGE_CLIENT_SECRET');
    const [calls, metrics] = ['a-long-token-of-our-own-for-calls', 'a-long-token-of-our-own-to-scrape'];
    const open = readConfig({ FARECLERK_HTTP_TOKEN: calls, FARECLERK_METRICS_TOKEN: metrics }).http;
    expect([open.token?.reveal(), open.metricsToken?.reveal()]).toEqual([calls, metrics]);
  });

  it('refuses one token for calls and for metrics, and a token for calls beside sign-in', () => {
    const token = 'one-token-for-everything-at-once';
    expectRefused(
      { FARECLERK_HTTP_TOKEN: token, FARECLERK_METRICS_TOKEN: token },
      'FARECLERK_HTTP_TOKEN is also FARECLERK_METRICS_TOKEN.',
    );
    const signed = 'is set, and callers sign in at FARECLERK_ISSUER.\n    expected: FARECLERK_METRICS_TOKEN';
    expectRefused({ ...SIGNED, FARECLERK_HTTP_TOKEN: token }, signed);
    expect(readConfig({ ...SIGNED, FARECLERK_METRICS_TOKEN: token }).http.metricsToken?.reveal()).toBe(token);
  });

  it.each([
    ['FARECLERK_PUBLIC_URL', 'https://air.example', 'FARECLERK_ISSUER'],
    ['FARECLERK_PAGE_CLIENT_ID', 'page', 'FARECLERK_ISSUER'],
    ['FARECLERK_CALLERS_FILE', '/x', 'FARECLERK_ISSUER'],
    ['FARECLERK_PAGE_CLIENT_SECRET', 'hunter2', 'FARECLERK_PAGE_CLIENT_ID'],
    ['FARECLERK_APPROVER_ROLE', 'boss', 'FARECLERK_PAGE_CLIENT_ID'],
    ['FARECLERK_FOUR_EYES_ABOVE', '5', 'FARECLERK_APPROVER_ROLE'],
    ['FARECLERK_WEBHOOKS', 'https://desk.example/hook', 'FARECLERK_WEBHOOK_SECRET'],
  ])('refuses %s alone, and names the setting that it needs', (name, value, needed) => {
    expectRefused({ [name]: value }, `${name} also needs ${needed}.`);
  });

  it.each<[string, Env]>([
    ['FARECLERK_PUBLIC_URL', { FARECLERK_ISSUER: 'https://id.example' }],
    ['FARECLERK_BASE_URL', { ...SIGNED, FARECLERK_CALLERS_FILE: '/x' }],
    [
      'FARECLERK_FOUR_EYES_ABOVE has more decimal digits',
      { ...PAGE, FARECLERK_CURRENCY: 'JPY', FARECLERK_FOUR_EYES_ABOVE: '5.5' },
    ],
  ])('names %s in the error for %j', (words, env) => expectRefused(env, words));
});

describe('the settings of events', () => {
  it('reads the addresses, the secrets, and the hosts of a private network', () => {
    const { webhooks } = readConfig({
      FARECLERK_WEBHOOKS: 'https://desk.example/hook, http://n8n:5678/x, http://[fd00::7]/y, https://desk.example/hook',
      FARECLERK_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)},whsec_${'B'.repeat(43)}=`,
      FARECLERK_PRIVATE_HOSTS: 'n8n,10.0.0.7,fd00::7',
    });
    expect(webhooks).toMatchObject({
      addresses: ['https://desk.example/hook', 'http://n8n:5678/x', 'http://[fd00::7]/y'],
      privateHosts: ['n8n', '10.0.0.7', 'fd00::7'],
    });
    expect(webhooks?.secrets?.reveal().split(',')).toHaveLength(2);
    expect(readConfig({ ...EVENTS }).webhooks).toMatchObject({ privateHosts: [] });
    const { FARECLERK_WEBHOOKS: _, ...others } = EVENTS;
    const FARECLERK_WEBHOOKS_FILE = fileOf('https://desk.example/hook?key=1, https://other.example/x\n');
    expect(readConfig({ ...others, FARECLERK_WEBHOOKS_FILE }).webhooks?.addresses).toEqual([
      ...['https://desk.example/hook?key=1', 'https://other.example/x'],
    ]);
  });

  it.each([
    ['FARECLERK_WEBHOOKS', 'http://desk.example/hook', 'is a plain http address'],
    ['FARECLERK_WEBHOOKS', 'https://a@desk.example/hook', 'whole https addresses, without a user name'],
    ['FARECLERK_WEBHOOKS', 'desk.example', 'whole https addresses, without a user name'],
    ['FARECLERK_WEBHOOK_SECRET', 'secret', 'whsec_ and 24 to 64 random bytes'],
    ['FARECLERK_PRIVATE_HOSTS', 'n8n:5678', 'hosts without a port'],
    ['FARECLERK_PRIVATE_HOSTS', '0x7f.1', 'hosts without a port'],
    ['FARECLERK_PRIVATE_HOSTS', 'http://n8n', 'hosts without a port'],
  ])('refuses %s=%s', (name, value, expected) => expectRefused({ ...EVENTS, [name]: value }, expected));
});
