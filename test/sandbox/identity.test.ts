import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTravelAgent, type TravelAgent } from './point-of-sale.ts';

let agent: TravelAgent;
beforeEach(async () => {
  agent = await openTravelAgent();
});
afterEach(() => agent.close());

const login = () => ({
  grant_type: 'password',
  username: agent.setting('USERNAME'),
  password: agent.setting('PASSWORD'),
});
const refresh = (refresh_token: string) => agent.grant({ grant_type: 'refresh_token', refresh_token });

describe('the token endpoint', () => {
  it('grants a token set for a password', async () => {
    const { status, body, headers } = await agent.grant(login());
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    const text = expect.any(String);
    expect(body).toMatchObject({
      ...{ expires_in: 7200, refresh_expires_in: 14400, token_type: 'bearer', 'not-before-policy': 0 },
      ...{ access_token: text, refresh_token: text, session_state: text },
    });
  });

  it('expires access after 7200 and refresh after 14400 seconds of the airline’s clock', async () => {
    const { body } = await agent.grant(login());
    const routes = () => agent.get('/schedule/routes?sales_channel=OTA');
    agent.sandbox.advance(7_199_000);
    expect((await routes()).status).toBe(200);
    agent.sandbox.advance(1000);
    expect((await routes()).body.code).toBe('497');
    agent.sandbox.advance(7_199_000);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    agent.sandbox.advance(14_400_000);
    expect((await refresh(body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('accepts a refresh token once, and ends the session if it is used twice', async () => {
    const first = (await agent.grant(login())).body;
    const second = (await refresh(first.refresh_token)).body;
    expect(second.access_token).not.toBe(first.access_token);
    for (const { refresh_token } of [first, second])
      expect(await refresh(refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('grants one of many simultaneous refreshes', async () => {
    const { refresh_token } = (await agent.grant(login())).body;
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)));
    expect(answers.filter((it) => it.status === 200).length).toBe(1);
  });

  it.each<[string, number, Record<string, string>]>([
    ['invalid_client', 401, { client_id: 'nobody' }],
    ['unauthorized_client', 401, { client_secret: 'wrong' }],
    ['invalid_grant', 401, { password: 'wrong' }],
    ['unsupported_grant_type', 400, { grant_type: 'magic' }],
  ])('answers %s', async (error, status, fields) => {
    const answer = await agent.grant({ ...login(), ...fields });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.body.error_description).toEqual(expect.any(String));
  });

  it('refuses other realms and other encodings than a form', async () => {
    const url = (tenant: string) => `${agent.setting('AUTH_URL')}/../${tenant}/protocol/openid-connect/token`;
    const body = new URLSearchParams(login());
    expect((await fetch(url('elsewhere'), { method: 'POST', body })).status).toBe(404);
    expect((await fetch(url('sandbox'))).status).toBe(405);
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await fetch(url('sandbox'), json)).status).toBe(415);
  });
});
