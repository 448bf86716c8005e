import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, openDesk } from './point-of-sale.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const login = () => ({
  grant_type: 'password',
  username: desk.setting('USERNAME'),
  password: desk.setting('PASSWORD'),
});
const refresh = (refresh_token: string) => desk.grant({ grant_type: 'refresh_token', refresh_token });

describe('the token endpoint', () => {
  it('grants a token set for a password', async () => {
    const { status, body, headers } = await desk.grant(login());
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      expires_in: 7200,
      refresh_expires_in: 14400,
      token_type: 'bearer',
      'not-before-policy': 0,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      session_state: expect.any(String),
    });
  });

  it('expires access after 7200 and refresh after 14400 seconds of the airline’s clock', async () => {
    const { body } = await desk.grant(login());
    const routes = () => desk.get('/schedule/routes?sales_channel=OTA');
    desk.sandbox.advance(7_199_000);
    expect((await routes()).status).toBe(200);
    desk.sandbox.advance(1000);
    expect((await routes()).body.code).toBe('497');
    desk.sandbox.advance(7_199_000);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    desk.sandbox.advance(14_400_000);
    expect((await refresh(body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('takes a refresh token once, and ends the session of one used twice', async () => {
    const first = (await desk.grant(login())).body;
    const second = (await refresh(first.refresh_token)).body;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    const again = await refresh(first.refresh_token);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('grants a refresh to one of many at once', async () => {
    const { refresh_token } = (await desk.grant(login())).body;
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)));
    expect(answers.filter((it) => it.status === 200).length).toBe(1);
  });

  it.each<[string, number, Record<string, string>]>([
    ['invalid_client', 401, { client_id: 'nobody' }],
    ['unauthorized_client', 401, { client_secret: 'wrong' }],
    ['invalid_grant', 401, { password: 'wrong' }],
    ['unsupported_grant_type', 400, { grant_type: 'magic' }],
  ])('answers %s', async (error, status, fields) => {
    const answer = await desk.grant({ ...login(), ...fields });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.body.error_description).toEqual(expect.any(String));
  });

  it('locks an account after ten wrong passwords, for a quarter of an hour', async () => {
    for (let i = 0; i < 10; i++) await desk.grant({ ...login(), password: 'wrong' });
    expect((await desk.grant(login())).status).toBe(401);
    desk.sandbox.advance(15 * 60_000);
    expect((await desk.grant(login())).status).toBe(200);
  });

  it('knows its realm and the form encoding only', async () => {
    const url = (tenant: string) => `${desk.setting('AUTH_URL')}/realms/${tenant}/protocol/openid-connect/token`;
    const body = new URLSearchParams(login());
    expect((await fetch(url('elsewhere'), { method: 'POST', body })).status).toBe(404);
    expect((await fetch(url('sandbox'))).status).toBe(405);
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await fetch(url('sandbox'), json)).status).toBe(415);
  });
});
