/**
 * Which tokens are accepted, and what they grant. Every row is a request over a real socket, with its status and challenge.
 */
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callBody, goodHeaders, LIST, META, message, messageIn, raw } from './support/raw.ts';
import { ALL_SCOPES, type SignedServed, serve, serveSigned, UNLIMITED } from './support/serve.ts';

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
let at: SignedServed;
beforeAll(async () => {
  at = await serveSigned({ limits: UNLIMITED }, { path: '/realms/air', algorithms: ALGORITHMS });
});
afterAll(() => at.close());

const METADATA = 'resource_metadata="https://air.example/.well-known/oauth-protected-resource/mcp"';
const SCOPE = 'scope="air:read air:book"';
const now = () => Math.floor(Date.now() / 1000);

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = () => ({ iss: at.issuer.issuer, sub: 'ann', aud: 'https://air.example/mcp', exp: now() + 300 });

/** A good token with other parts. */
async function edited(edit: (header: string, payload: string, signature: string) => string[]): Promise<string> {
  const [h = '', p = '', s = ''] = (await at.token()).split('.');
  return edit(h, p, s).join('.');
}

/** Signed by a stranger, under a known kid. */
async function strangers(header: Record<string, unknown> = {}, alg = 'ES256'): Promise<string> {
  const { privateKey } = await generateKeyPair(alg);
  const claims = { ...claimsOf(), scope: ALL_SCOPES };
  return new SignJWT(claims).setProtectedHeader({ alg, kid: 'ES256', ...header }).sign(privateKey);
}

/** HMAC with the public key as the secret. */
function hmac(): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(at.issuer.publicJwk('RS256')).padEnd(64));
  return new SignJWT(claimsOf()).setProtectedHeader({ alg: 'HS256', kid: 'RS256' }).sign(secret);
}

interface Asked {
  readonly authorization?: string;
  readonly path?: string;
  readonly body?: string;
}

const ask = ({ authorization, path = '/mcp', body = LIST }: Asked, server = at) =>
  raw(server.port, {
    path,
    body,
    headers: [
      ...goodHeaders(server.port),
      ...(authorization === undefined ? [] : [['authorization', authorization] as const]),
    ],
  });
const bearing = async (claims: object = {}, header: Record<string, unknown> = {}, server = at) => ({
  authorization: `Bearer ${await server.token(claims, header)}`,
});

type Claims = [name: string, claims: object, header?: Record<string, unknown>];

describe('a good token', () => {
  it.each<Claims>([
    ...ALGORITHMS.map((alg): Claims => [alg, {}, { alg }]),
    ['typ JWT, as Keycloak writes it', {}, { typ: 'JWT' }],
    ['typ application/at+jwt', {}, { typ: 'application/at+jwt' }],
    ['no typ', {}, { typ: undefined }],
    ['Keycloak: typ Bearer in the body', { typ: 'Bearer' }],
    ['several audiences, ours among them', { aud: ['https://other.example', 'https://air.example/mcp'] }],
    ['expired 50 seconds ago: within the leeway', { exp: now() - 50 }],
    ['valid in 50 seconds: within the leeway', { nbf: now() + 50 }],
    ['issued 50 seconds from now', { iat: now() + 50 }],
    ['scp as a list', { scope: undefined, scp: ['air:read'] }],
    ['scp as a text', { scope: undefined, scp: 'air:read air:book' }],
    ['scopes of others beside ours', { scope: 'openid profile air:read' }],
    ['no client named', { client_id: undefined }],
  ])('is accepted: %s', async (_, claims, header) => {
    const reply = await ask(await bearing(claims, header));
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([200, undefined]);
  });

  it('is accepted after a scheme in lower case, two spaces, or with another query', async () => {
    const token = await at.token();
    for (const asked of [
      { authorization: `bearer ${token}` },
      { authorization: `Bearer  ${token}` },
      { authorization: `Bearer ${token}`, path: '/mcp?a=1' },
    ]) {
      expect((await ask(asked)).status).toBe(200);
    }
  });
});

/** Checks a refusal with its challenge. */
function refuses(reply: Awaited<ReturnType<typeof raw>>, status: number, error?: string, words = '', scope = SCOPE) {
  expect(reply.status, reply.body).toBe(status);
  const challenge = reply.headers['www-authenticate'] ?? '';
  expect(challenge).toMatch(/^Bearer /);
  expect(challenge).toContain(METADATA);
  expect(challenge.includes(' scope=')).toBe(scope !== '');
  expect(challenge).toContain(scope);
  expect(challenge.includes('error=')).toBe(error !== undefined);
  if (error !== undefined) expect(challenge).toContain(`error="${error}"`);
  expect(challenge).toContain(words);
  expect(JSON.parse(reply.body).error).toBe(error ?? 'unauthorized');
}

describe('no token', () => {
  it.each<[string, Asked | (() => Promise<Asked>)]>([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: 'Basic YW5uOnNlY3JldA==' }],
    ['a scheme that begins like ours', { authorization: 'BearerToken abc' }],
    ['a token without a scheme', async () => ({ authorization: await at.token() })],
  ])('is challenged: %s', async (_, asked) => {
    refuses(await ask(typeof asked === 'function' ? await asked() : asked), 401);
  });

  it.each<[string, (token: string) => Asked]>([
    ['a scheme without a token', () => ({ authorization: 'Bearer' })],
    ['two tokens', (token) => ({ authorization: `Bearer ${token} ${token}` })],
    ['a token in quotes', (token) => ({ authorization: `Bearer "${token}"` })],
    ['a token with a comma', (token) => ({ authorization: `Bearer ${token},x` })],
  ])('is malformed: %s', async (_, asked) => {
    refuses(await ask(asked(await at.token())), 400, 'invalid_request', undefined, '');
  });

  it('is none in the address', async () => {
    refuses(await ask({ path: `/mcp?access_token=${await at.token()}` }), 401);
  });

  it('is refused with two Authorization headers', async () => {
    const authorization = ['authorization', `Bearer ${await at.token()}`] as const;
    const headers = [...goodHeaders(at.port), authorization, ['authorization', 'Bearer abc'] as const];
    expect((await raw(at.port, { headers, body: LIST })).status).toBe(400);
  });
});

describe('a bad token', () => {
  it.each<[string, string, () => string | Promise<string>]>([
    ['not a JWT', 'not a signed JWT', () => 'opaque-token'],
    ['three dots', 'not a signed JWT', () => 'a.b.c'],
    ['an encrypted one (five parts)', '', () => 'a.b.c.d.e'],
    ['a cut signature', '', () => edited((h, p, s) => [h, p, s.slice(0, -4)])],
    ['no signature', '', () => edited((h, p) => [h, p, ''])],
    ['a changed signature', 'signature', () => edited((h, p, s) => [h, p, (s[0] === 'A' ? 'B' : 'A') + s.slice(1)])],
    ['changed claims', 'signature', () => edited((h, _, s) => [h, b64({ iss: at.issuer.issuer, sub: 'eve' }), s])],
    ['a changed header', 'signature', () => edited((_, p, s) => [b64({ alg: 'RS256', kid: 'RS256' }), p, s])],
    ['alg none', '', () => new UnsecuredJWT({ iss: at.issuer.issuer, sub: 'ann' }).encode()],
    ['HMAC with the public key', 'unsupported signing algorithm', hmac],
    ["a stranger's key under a known id", 'signature', () => strangers()],
    ["a stranger's key under its own id", 'signature', () => strangers({ kid: 'mine' })],
    ['a key in the token', 'signature', () => strangers({ kid: undefined, jwk: at.issuer.publicJwk('ES256') })],
    ['an address of keys in the token', 'signature', () => strangers({ jku: 'https://evil.example/keys' })],
    [
      'a critical header',
      '',
      () => edited((_, p, s) => [b64({ alg: 'ES256', kid: 'ES256', crit: ['x'], x: 1 }), p, s]),
    ],
    ['RS512', 'unsupported signing algorithm', () => strangers({ kid: 'RS256' }, 'RS512')],
  ])('is refused: %s', async (_, words, make) => {
    refuses(await ask({ authorization: `Bearer ${await make()}` }), 401, 'invalid_token', words);
  });

  it.each<[words: string, ...Claims[]]>([
    [
      'another issuer',
      ['another issuer', { iss: 'https://evil.example' }],
      ['our issuer with a slash', { iss: 'SLASH' }],
      ['no issuer', { iss: undefined }],
    ],
    [
      'another server',
      ...[
        ...['https://other.example/mcp', 'https://air.example', 'https://air.example/mcp/', 'http://air.example/mcp'],
        ...['https://AIR.example/mcp', 'desk', undefined, []],
      ].map((aud): Claims => [`audience ${aud}`, { aud }]),
    ],
    ['expired', ['70 seconds ago', { exp: now() - 70 }], ['long ago', { exp: 1 }]],
    ['not valid yet', ['in 100 seconds', { nbf: now() + 100 }], ['issued an hour from now', { iat: now() + 3600 }]],
    [
      'names no caller',
      ['no expiry', { exp: undefined }],
      ...[undefined, '', 'x'.repeat(256), 'ann\nadmin', 'a\u0000b', '\ud800', 7, null, { a: 1 }].map(
        (sub): Claims => [`subject ${JSON.stringify(sub)}`, { sub }],
      ),
      ['a client that is no text', { client_id: { name: 'desk' } }],
    ],
    [
      'not an access token',
      ...['id+jwt', 'dpop+jwt', 'logout+jwt'].map((typ): Claims => [typ, {}, { typ }]),
      ...['ID', 'Refresh', 'Offline'].map((typ): Claims => [`Keycloak's ${typ}`, { typ }]),
      ['an ID token by its nonce', { nonce: 'n' }],
      ['an ID token by its at_hash', { at_hash: 'h' }],
    ],
    ['bound to a key', ['DPoP', { cnf: { jkt: 'x' } }], ['a certificate', { cnf: { 'x5t#S256': 'x' } }]],
  ])('is refused because it is: %s', async (words, ...rows) => {
    for (const [, claims, header] of rows) {
      const iss = 'iss' in claims && claims.iss === 'SLASH' ? { iss: `${at.issuer.issuer}/` } : {};
      refuses(await ask(await bearing({ ...claims, ...iss }, header)), 401, 'invalid_token', words);
    }
  });
});

describe('what a token grants', () => {
  it.each([...['', 'openid profile', 'air', 'AIR:READ', 'air:read2', 'air:*', undefined, { 'air:read': true }]])(
    'is nothing with the scope %j',
    async (scope) => refuses(await ask(await bearing({ scope })), 403, 'insufficient_scope'),
  );

  it('is no tool beyond its scope, alone or in a batch', async () => {
    const token = await bearing({ scope: 'air:read' });
    const beyond = callBody('wait_for', { word: 'x' }, 2);
    for (const body of [beyond, `[${callBody('who_am_i')},${beyond}]`]) {
      refuses(await ask({ ...token, body }), 403, 'insufficient_scope');
    }
    // An unknown tool needs no scope: MCP refuses it.
    for (const name of ['who_am_i', 'no_such_tool']) {
      expect((await ask({ ...token, body: callBody(name) })).status).toBe(200);
    }
  });

  it('is a list of the tools of its scopes', async () => {
    const listed = async (scope: string) => {
      const { tools } = messageIn((await ask(await bearing({ scope }))).body).result as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    };
    expect(await listed('air:read')).toEqual(['who_am_i']);
    expect(await listed('air:book')).toEqual(['wait_for']);
    expect(await listed('air:read air:book')).toEqual(['who_am_i', 'wait_for']);
    expect(await listed('air:pay')).toEqual([]);
  });

  it('is a private list if it depends on the token, else a public one', async () => {
    const open = await serve();
    const list = message('tools/list', { _meta: META });
    const scopeAt = async (port: number, ...more: [string, string][]) => {
      const modern = [['mcp-protocol-version', '2026-07-28'] as const, ['mcp-method', 'tools/list'] as const];
      const { body } = await raw(port, { headers: [...goodHeaders(port), ...modern, ...more], body: list });
      return (messageIn(body).result as { cacheScope: string }).cacheScope;
    };
    const { authorization } = await bearing();
    expect([await scopeAt(at.port, ['authorization', authorization]), await scopeAt(open.port)]).toEqual([
      ...['private', 'public'],
    ]);
    await open.close();
  });
});

describe('the caller', () => {
  const callerBy = async (claims: object, server = at) => {
    const asked = { ...(await bearing(claims, {}, server)), body: callBody('who_am_i') };
    const reply = await ask(asked, server);
    // The token goes neither to a tool nor to its result.
    expect(reply.body).not.toContain(asked.authorization.slice(7, 27));
    if (reply.status !== 200) return reply.headers['www-authenticate'];
    const { structuredContent } = messageIn(reply.body).result as { structuredContent: { tenant: string; id: string } };
    return structuredContent;
  };

  it("is named by the token's issuer, subject and client, so that no caller looks like another", async () => {
    expect(await callerBy({})).toMatchObject({ tenant: at.issuer.issuer, id: 'oauth:ann:desk' });
    const named = [
      [{ client_id: undefined, azp: 'desk' }, 'oauth:ann:desk'],
      [{ client_id: undefined }, 'oauth:ann:-'],
      [{ sub: 'ann:b/c', client_id: 'desk 1' }, 'oauth:ann%3Ab%2Fc:desk%201'],
      [{ sub: 'a:b', client_id: 'c' }, 'oauth:a%3Ab:c'],
      [{ sub: 'a', client_id: 'b:c' }, 'oauth:a:b%3Ac'],
      [{ sub: 'a%3Ab', client_id: 'c' }, 'oauth:a%253Ab:c'],
    ] as const;
    for (const [claims, id] of named) expect(await callerBy(claims)).toMatchObject({ id });
  });

  it('has the tenant of its claim, where one is set, and is refused without it', async () => {
    const other = await serveSigned({ tenantClaim: 'org' });
    expect(await callerBy({ org: 'acme' }, other)).toMatchObject({ tenant: `${other.issuer.issuer}#acme` });
    for (const claims of [{}, { org: ['acme'] }, { org: '' }]) {
      expect(await callerBy(claims, other)).toContain('names no caller');
    }
    await other.close();
  });
});

it('uses FARECLERK_AUDIENCE instead of the address', async () => {
  const other = await serveSigned({ audience: 'fareclerk-prod' });
  const statusOf = async (aud: string) => (await ask(await bearing({ aud }, {}, other), other)).status;
  expect([await statusOf('fareclerk-prod'), await statusOf('https://air.example/mcp')]).toEqual([200, 401]);
  await other.close();
});

it('answers 503 with a time to retry if the issuer is down', async () => {
  const down = await serveSigned({ fetch: () => Promise.reject(new Error('away')) });
  const { status, headers } = await ask({ authorization: `Bearer ${b64({ alg: 'ES256' })}.${b64({})}.AAAA` }, down);
  expect([status, headers['retry-after'], headers['www-authenticate']]).toEqual([503, '5', undefined]);
  await down.close();
});

it.each(['', '/mcp', '/mcp/'])(
  'serves the metadata of the resource (RFC 9728) below the well-known path: "%s"',
  async (tail) => {
    const path = `/.well-known/oauth-protected-resource${tail}`;
    const reply = await raw(at.port, { method: 'GET', path, headers: [['host', `127.0.0.1:${at.port}`]] });
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      200,
      {
        resource: 'https://air.example/mcp',
        authorization_servers: [at.issuer.issuer],
        scopes_supported: ['air:read', 'air:book'],
        bearer_methods_supported: ['header'],
        resource_name: 'fareclerk',
      },
    ]);
  },
);
