/**
 * The sign-in in a browser, against providers that answer wrongly: what an ID token must contain, and how the
 * sign-in fails without it.
 */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogin } from '../../../src/auth/callers/browser-login.ts';

type LoginOptions = Parameters<typeof createLogin>[0];

const ISSUER = 'https://id.example/realms/air';
const REDIRECT = 'https://air.example/approve/signed-in';
const PLACE = '00000000-0000-4000-8000-000000000001';

let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let jwk: object;
beforeAll(async () => {
  pair = await generateKeyPair('ES256');
  jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' };
});

/** How the provider behaves. */
let world: {
  down: boolean;
  methods: readonly string[] | undefined;
  metadata: object;
  /** The reply of the token endpoint. */
  answer: (nonce: string) => Promise<{ status: number; value: unknown }>;
  posted: { form: URLSearchParams; headers: Readonly<Record<string, string>> }[];
};

/** Moves the clock. */
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  world = {
    down: false,
    methods: ['client_secret_basic'],
    metadata: {},
    answer: async (nonce) => ({ status: 200, value: tokens(await token(claims(nonce))) }),
    posted: [],
  };
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const seconds = () => Math.floor(Date.now() / 1000);
const claims = (nonce: string, more: JWTPayload = {}): JWTPayload => {
  const all = { iss: ISSUER, aud: 'page', sub: 'ann', iat: seconds(), exp: seconds() + 300, nonce, ...more };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
};
const token = (payload: JWTPayload, header = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'k', ...header }).sign(pair.privateKey);

const forged = async (payload: JWTPayload) => {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(privateKey);
};
/** The reply of a token endpoint (RFC 6749, section 5.1). */
const tokens = (idToken: string) => ({ access_token: 'x', token_type: 'Bearer', id_token: idToken });

function loginWith(options: Partial<LoginOptions> = {}) {
  let nonce = '';
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (world.down) throw new TypeError('down');
    const { method, body, headers } = init;
    if (url.endsWith('/keys')) return Response.json({ keys: [jwk] });
    if (method === 'POST') {
      world.posted.push({ form: new URLSearchParams(String(body)), headers: Object.fromEntries(new Headers(headers)) });
      const { status, value } = await world.answer(nonce);
      return Response.json(value, { status });
    }
    return Response.json({
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/keys`,
      authorization_endpoint: `${ISSUER}/auth?ui=desk`,
      token_endpoint: `${ISSUER}/token`,
      token_endpoint_auth_methods_supported: world.methods,
      ...world.metadata,
    });
  });
  const login = createLogin({
    issuer: ISSUER,
    clientId: 'page',
    clientSecret: 'a b',
    redirect: REDIRECT,
    approverRole: 'boss',
    secret: async () => new Uint8Array(32),
    ...options,
  });
  /** Goes to the provider, comes back with a code, and returns the result and the person. */
  async function signIn(answer: Record<string, string> = { code: 'c' }, place = PLACE, sessions: string[] = []) {
    const start = await login.begin(place, 'if_needed');
    if (start === undefined) throw new Error('nowhere to sign in');
    const asked = new URL(start.address).searchParams;
    nonce = asked.get('nonce') ?? '';
    const query = new URLSearchParams({ state: asked.get('state') ?? '', ...answer });
    const end = await login.end(query, [start.ticket], sessions);
    const session = end.kind === 'signed_in' ? await login.session([end.session]) : undefined;
    return { kind: end.kind, person: session?.person, session, end, start };
  }
  return { login, signIn };
}

/** Signs in with an ID token of these claims. */
function signInWith(more: JWTPayload, options: Partial<LoginOptions> = {}) {
  world.answer = async (nonce) => ({ status: 200, value: tokens(await token(claims(nonce, more))) });
  return loginWith(options).signIn();
}

describe('a good sign-in', () => {
  it('names the person as a caller of the page, with a display name and the tenant of its claim', async () => {
    expect(await signInWith({ preferred_username: 'ann\u202E\n' })).toMatchObject({
      kind: 'signed_in',
      person: { tenant: ISSUER, id: 'oauth:ann:page', approver: false, name: 'ann' },
    });
    const { person } = await signInWith({ agency: 'north' }, { tenantClaim: 'agency' });
    expect(person?.tenant).toBe(`${ISSUER}#north`);
  });

  it('sends the verifier of the code and the secret of the client, in the form where the provider wants it there', async () => {
    const { start } = await loginWith().signIn();
    const [{ form, headers } = { form: new URLSearchParams(), headers: {} as Record<string, string> }] = world.posted;
    const code = { grant_type: 'authorization_code', code: 'c', redirect_uri: REDIRECT };
    expect(Object.fromEntries(form)).toMatchObject(code);
    const challenge = new URL(start.address).searchParams.get('code_challenge');
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(form.get('code_verifier') ?? ''));
    expect(Buffer.from(digest).toString('base64url')).toBe(challenge);
    expect([headers.authorization, form.has('client_secret')]).toEqual([`Basic ${btoa('page:a+b')}`, false]);
    // The query of the provider's own address is kept.
    expect(new URL(start.address).searchParams.get('ui')).toBe('desk');
    world.methods = ['client_secret_post'];
    await loginWith().signIn();
    const posted = world.posted.at(-1);
    expect(Object.fromEntries(posted?.form ?? [])).toMatchObject({ client_id: 'page', client_secret: 'a b' });
    expect(posted?.headers.authorization).toBeUndefined();
  });

  it.each([
    ['roles', { roles: ['boss'] }, true],
    ['groups', { groups: ['x', 'boss'] }, true],
    ["Keycloak's realm roles", { realm_access: { roles: ['boss'] } }, true],
    ["Keycloak's roles of the client", { resource_access: { page: { roles: ['boss'] } } }, true],
    ['another role', { roles: ['bosses'] }, false],
    ['a plain text with its name', { roles: 'boss' }, false],
    ['roles of another client', { resource_access: { other: { roles: ['boss'] } } }, false],
    ['a list in a list', { roles: [['boss']] }, false],
  ])('finds the role in %s: %j: %s', async (_where, more, isApprover) => {
    expect((await signInWith(more)).person?.approver).toBe(isApprover);
    // Nobody is an approver if no role is configured.
    expect((await signInWith(more, { approverRole: '' })).person?.approver).toBe(false);
  });
});

describe('refused ID tokens', () => {
  const later = (n: number) => seconds() + n;
  it.each<[string, (nonce: string) => Promise<string> | string]>([
    ['another nonce', () => token(claims('other'))],
    ['no nonce', (n) => token(claims(n, { nonce: undefined as never }))],
    ['another audience', (n) => token(claims(n, { aud: 'desk' }))],
    ['several audiences and no authorized party', (n) => token(claims(n, { aud: ['page', 'desk'] }))],
    ['another authorized party', (n) => token(claims(n, { aud: ['page', 'desk'], azp: 'desk' }))],
    ['another issuer', (n) => token(claims(n, { iss: 'https://evil.example' }))],
    ['an expiry in the past', (n) => token(claims(n, { exp: later(-61) }))],
    ['an issue time long ago', (n) => token(claims(n, { iat: later(-700) }))],
    ['a start in the future', (n) => token(claims(n, { nbf: later(120) }))],
    ['no subject', (n) => token(claims(n, { sub: undefined as never }))],
    ['a subject of two lines', (n) => token(claims(n, { sub: 'a\nb' }))],
    ['no expiry', (n) => token(claims(n, { exp: undefined as never }))],
    ['a key that is not the issuer’s', (n) => token(claims(n), { kid: 'other' })],
    ['a forged signature, under the kid of the issuer', (n) => forged(claims(n))],
    [
      'an HMAC made with the public key',
      (n) => new SignJWT(claims(n)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(JSON.stringify(jwk))),
    ],
    ['no signature', (n) => new UnsecuredJWT(claims(n)).encode()],
    ['no JWT form', () => 'abc'],
  ])('refuses an ID token with %s', async (_what, make) => {
    const { signIn } = loginWith();
    world.answer = async (nonce) => ({ status: 200, value: tokens(await make(nonce)) });
    expect((await signIn()).kind).toBe('unfit');
  });
});

describe('the provider', () => {
  it.each([
    ['refuses the code', 400, { error: 'invalid_grant' }, 'unfit'],
    ['gives no ID token', 200, {}, 'unfit'],
    ['fails', 503, {}, 'unavailable'],
    ['limits the requests', 429, {}, 'unavailable'],
    ["refuses the page's own secret", 401, { error: 'invalid_client' }, 'unavailable'],
    ['does not let the page sign in', 400, { error: 'unauthorized_client' }, 'unavailable'],
  ])('fails a sign-in if the provider %s', async (_what, status, value, kind) => {
    const failures: unknown[] = [];
    const { signIn } = loginWith({ failed: (error) => failures.push(error) });
    world.answer = async () => ({ status, value });
    expect((await signIn()).kind).toBe(kind);
    // Reports only failures that the visitor did not cause, with the provider's own code.
    expect(failures).toHaveLength(kind === 'unavailable' ? 1 : 0);
    if ('error' in value && kind === 'unavailable') expect(failures[0]).toMatchObject({ code: value.error });
  });

  it('signs people in again once the provider is back', async () => {
    world.down = true;
    const failures: unknown[] = [];
    const { login, signIn } = loginWith({ failed: (error) => failures.push(error) });
    expect(await login.begin(PLACE, 'if_needed')).toBeUndefined();
    expect(failures).toHaveLength(1);
    world.down = false;
    pass(60_000);
    expect((await signIn()).kind).toBe('signed_in');
  });

  it('reports a provider that goes down during the sign-in', async () => {
    const { signIn } = loginWith();
    world.answer = async (nonce) => {
      world.down = true;
      return { status: 200, value: tokens(await token(claims(nonce))) };
    };
    expect((await signIn()).kind).toBe('unavailable');
  });

  it('offers no sign-in if the provider has no authorization endpoint', async () => {
    world.metadata = { authorization_endpoint: undefined };
    expect(await loginWith().login.begin(PLACE, 'if_needed')).toBeUndefined();
  });
});

describe('cookies of the browser', () => {
  it('accepts a session for 15 minutes and on this server only', async () => {
    const { login, signIn } = loginWith();
    const { end } = await signIn();
    if (end.kind !== 'signed_in') throw new Error('not signed in');
    expect(await login.session(['rubbish', end.session])).toMatchObject({ places: [PLACE] });
    const other = loginWith({ redirect: 'https://other.example/approve/signed-in' }).login;
    expect(await other.session([end.session])).toBeUndefined();
    pass(901_000);
    expect(await login.session([end.session])).toBeUndefined();
  });

  it('keeps the places of the same person for 15 minutes each, and the last twelve', async () => {
    const { signIn } = loginWith();
    const sessions: string[] = [];
    const places = async (place: string) => {
      const { end, session } = await signIn({ code: 'c' }, place, sessions);
      if (end.kind === 'signed_in') sessions.splice(0, 1, end.session);
      return { places: session?.places, id: session?.id };
    };
    const first = await places('one');
    pass(600_000);
    expect(await places('two')).toEqual({ places: ['one', 'two'], id: first.id });
    pass(301_000);
    expect(await places('three')).toEqual({ places: ['two', 'three'], id: first.id });
    expect(await places('two')).toEqual({ places: ['three', 'two'], id: first.id });
    for (let n = 0; n < 12; n++) await places(`more${n}`);
    expect((await places('last')).places).toEqual([...Array.from({ length: 11 }, (_, n) => `more${n + 1}`), 'last']);
    world.answer = async (nonce) => ({ status: 200, value: tokens(await token(claims(nonce, { sub: 'eve' }))) });
    const other = await places('three');
    expect(other.places).toEqual(['three']);
    expect(other.id).not.toBe(first.id);
  });

  it('refuses a ticket as a session, and a session as a ticket', async () => {
    const { login, signIn } = loginWith();
    const { end, start } = await signIn();
    if (end.kind !== 'signed_in') throw new Error('not signed in');
    expect(await login.session([start.ticket])).toBeUndefined();
    expect((await login.end(new URLSearchParams({ code: 'c' }), [end.session], [])).kind).toBe('unfit');
  });

  it('refuses a sign-in ticket after ten minutes', async () => {
    const { login } = loginWith();
    const start = await login.begin(PLACE, 'if_needed');
    const state = new URL(start?.address ?? '').searchParams.get('state') ?? '';
    pass(601_000);
    const end = await login.end(new URLSearchParams({ code: 'c', state }), [start?.ticket ?? ''], []);
    expect(end.kind).toBe('unfit');
  });

  it('fail if the secret is unavailable, which is requested again on the next use', async () => {
    let tries = 0;
    const secret = async () => (tries++ === 0 ? Promise.reject(new Error('store')) : new Uint8Array(32));
    const { login, signIn } = loginWith({ secret });
    await expect(login.begin(PLACE, 'if_needed')).rejects.toThrow('store');
    expect((await signIn()).kind).toBe('signed_in');
  });

  it('finds the ticket of the sign-in that came back among several', async () => {
    const { login } = loginWith();
    const [one, two] = [await login.begin('one', 'if_needed'), await login.begin('two', 'if_needed')];
    const state = new URL(two?.address ?? '').searchParams.get('state') ?? '';
    const tickets = [one?.ticket ?? '', 'rubbish', two?.ticket ?? ''];
    const denied = await login.end(new URLSearchParams({ error: 'access_denied', state }), tickets, []);
    expect(denied).toEqual({ kind: 'denied', place: 'two' });
  });
});
