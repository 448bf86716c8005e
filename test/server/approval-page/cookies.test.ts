/**
 * Cookies of the public page: who gets them back, and what is read of a request.
 */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createPageCookies } from '../../../src/server/approval-page/cookies.ts';

const login = { ticketSeconds: 600, sessionSeconds: 900 };
const cookiesOf = (secure: boolean) =>
  createPageCookies({ login, secure, path: (id) => `/desk/approve/${id}`, callback: '/desk/approve/signed-in' });
const request = (cookie?: string) => ({ headers: { ...(cookie !== undefined && { cookie }) } }) as IncomingMessage;
const ID = '00000000-0000-4000-8000-000000000001';

describe('over https', () => {
  it('sets cookies that no other scheme or host can set, and that stay on https', () => {
    const cookies = cookiesOf(true);
    const flags = 'HttpOnly; SameSite=Lax; Secure';
    expect(cookies.session(ID, 'v')).toBe(
      `__Secure-fareclerk_session=v; Path=/desk/approve/${ID}; Max-Age=900; ${flags}`,
    );
    expect(cookies.ticket(ID, 't')).toMatch(
      new RegExp(`^__Secure-fareclerk_login[0-7]=t; Path=/desk/approve/signed-in; Max-Age=600; ${flags}$`),
    );
  });
});

describe('cookies of a request', () => {
  const { sessions, tickets } = cookiesOf(true);

  it('finds cookies among others by their exact name', () => {
    const jar = 'a=b; __Secure-fareclerk_session=one=1; __Secure-fareclerk_login3=t; fareclerk_session=no; =x; y';
    expect(sessions(request(jar))).toEqual(['one=1']);
    expect(tickets(request(jar))).toEqual(['t']);
    expect([sessions(request()), tickets(request(''))]).toEqual([[], []]);
  });

  it("reads both of two cookies with the same name, because the first may be a stranger's", () => {
    const jar = '__Secure-fareclerk_session=theirs; __Secure-fareclerk_session=ours';
    expect(sessions(request(jar))).toEqual(['theirs', 'ours']);
  });

  it('opens at most 16 cookies', () => {
    const jar = Array.from({ length: 100 }, (_, n) => `__Secure-fareclerk_session=${n}`).join('; ');
    expect(sessions(request(jar))).toHaveLength(16);
  });

  it('removes a cookie under the name it was set', () => {
    const cookies = cookiesOf(false);
    const [given, gone] = [cookies.ticket(ID, 'v'), cookies.noTicket(ID)].map((line) => line.split('=')[0]);
    expect(gone).toBe(given);
  });

  it('shares eight cookie names among sign-ins, so that they fit the headers', () => {
    const names = new Set(
      Array.from({ length: 200 }, () => cookiesOf(true).ticket(crypto.randomUUID(), 'v').split('=')[0]),
    );
    expect(names.size).toBe(8);
  });
});
