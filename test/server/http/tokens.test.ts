/**
 * Which tokens are accepted. Every row is a request over a real socket, with its status and challenge.
 */
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callBody, goodHeaders, LIST, messageIn, raw } from './support/raw.ts';
import { ALL_SCOPES, type SignedServed, serveSigned } from './support/serve.ts';

let at: SignedServed;

beforeAll(async () => {
  const many = { burst: 10_000, perSecond: 1 };
  at = await serveSigned({ limits: { refusals: many, calls: many } }, { path: '/realms/air' });
});
afterAll(() => at.close());

const METADATA = 'resource_metadata="https://air.example/.well-known/oauth-protected-resource/mcp"';
const SCOPE = 'scope="air:read air:book"';
const now = () => Math.floor(Date.now() / 1000);

interface Row {
  readonly name: string;
  /** The Authorization header; undefined: none. */
  header?(): string | undefined | Promise<string | undefined>;
  /** Claims and header of a token that is otherwise good. */
  readonly claims?: object;
  readonly jwt?: Record<string, unknown>;
  readonly path?: string;
  readonly body?: string;
  readonly more?: readonly (readonly [string, string])[];
  readonly status: number;
  readonly error?: string;
  readonly words?: string;
  readonly scope?: string | null;
}

const good = (name: string, claims: object = {}, jwt: Record<string, unknown> = {}): Row => ({
  name,
  claims,
  jwt,
  status: 200,
});
const bad = (name: string, words: string, claims: object = {}, jwt: Record<string, unknown> = {}): Row => ({
  name,
  claims,
  jwt,
  status: 401,
  error: 'invalid_token',
  words,
});
const written = (name: string, header: Row['header'], rest: Partial<Row>): Row => ({
  name,
  ...(header && { header }),
  status: 401,
  ...rest,
});

const INVALID = { status: 401, error: 'invalid_token' } as const;
const MALFORMED = { status: 400, error: 'invalid_request', scope: null } as const;

async function edited(edit: (parts: string[]) => string[]): Promise<string> {
  return `Bearer ${edit((await at.token()).split('.')).join('.')}`;
}

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function strangersToken(header: Record<string, unknown> = {}): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  const claims = {
    iss: at.issuer.issuer,
    sub: 'ann',
    aud: 'https://air.example/mcp',
    exp: now() + 300,
    scope: ALL_SCOPES,
  };
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'ES256', ...header }).sign(privateKey);
}

/** A forged token: HMAC with the public key as the secret. */
async function hmacToken(): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(at.issuer.publicJwk('RS256')).padEnd(64));
  const claims = { iss: at.issuer.issuer, sub: 'ann', aud: 'https://air.example/mcp', exp: now() + 300 };
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'RS256' }).sign(secret);
}

const ROWS: readonly Row[] = [
  good('RS256', {}, { alg: 'RS256' }),
  good('PS256', {}, { alg: 'PS256' }),
  good('ES256', {}, { alg: 'ES256' }),
  good('EdDSA', {}, { alg: 'EdDSA' }),
  good('typ JWT, as Keycloak writes it', {}, { typ: 'JWT' }),
  good('typ application/at+jwt', {}, { typ: 'application/at+jwt' }),
  good('no typ', {}, { typ: undefined }),
  good('Keycloak: typ Bearer in the body', { typ: 'Bearer' }),
  good('several audiences, ours among them', { aud: ['https://other.example', 'https://air.example/mcp'] }),
  good('expired 50 seconds ago: within the leeway', { exp: now() - 50 }),
  good('valid in 50 seconds: within the leeway', { nbf: now() + 50 }),
  good('issued 50 seconds from now', { iat: now() + 50 }),
  good('scp as a list', { scope: undefined, scp: ['air:read'] }),
  good('scp as a text', { scope: undefined, scp: 'air:read air:book' }),
  good('scopes of others beside ours', { scope: 'openid profile air:read' }),
  good('azp in place of client_id', { client_id: undefined, azp: 'desk' }),
  good('no client named', { client_id: undefined }),
  written('scheme in lower case', async () => `bearer ${await at.token()}`, { status: 200 }),
  written('two spaces before the token', async () => `Bearer  ${await at.token()}`, { status: 200 }),

  written('no header', undefined, { status: 401 }),
  written('an empty header', () => '', { status: 401 }),
  written('another scheme', () => 'Basic YW5uOnNlY3JldA==', { status: 401 }),
  written('a scheme that begins like ours', () => 'BearerToken abc', { status: 401 }),
  written('a token without a scheme', async () => at.token(), { status: 401 }),
  written('a scheme without a token', () => 'Bearer', MALFORMED),
  written('two tokens', async () => `Bearer ${await at.token()} ${await at.token()}`, MALFORMED),
  written('a token in quotes', async () => `Bearer "${await at.token()}"`, MALFORMED),
  written('a token with a comma', async () => `Bearer ${await at.token()},x`, MALFORMED),
  {
    name: 'a good token, and another in the address',
    path: '/mcp?access_token=abc',
    ...MALFORMED,
    words: 'a token in the address is refused',
  },
  { name: 'a token in the address, upper case', path: '/mcp?ACCESS_TOKEN=abc', ...MALFORMED },
  { name: 'a token in the address, encoded', path: '/mcp?access%5Ftoken=abc', ...MALFORMED },
  { name: 'a token in the address, second', path: '/mcp?a=1&access_token=abc', ...MALFORMED },
  { name: 'some other query', path: '/mcp?a=1', status: 200 },
  {
    name: 'two Authorization headers',
    more: [['authorization', 'Bearer abc']],
    status: 400,
  },

  written('not a JWT', () => 'Bearer opaque-token', { ...INVALID, words: 'not a signed JWT' }),
  written('three dots', () => 'Bearer a.b.c', { ...INVALID, words: 'not a signed JWT' }),
  written('an encrypted one (five parts)', () => 'Bearer a.b.c.d.e', INVALID),
  written('a cut signature', () => edited(([h = '', p = '', s = '']) => [h, p, s.slice(0, -4)]), INVALID),
  written('no signature', () => edited(([h = '', p = '']) => [h, p, '']), INVALID),
  written(
    'a changed signature',
    () => edited(([h = '', p = '', s = '']) => [h, p, s.startsWith('A') ? `B${s.slice(1)}` : `A${s.slice(1)}`]),
    {
      ...INVALID,
      words: 'signature',
    },
  ),
  written('changed claims', () => edited(([h = '', , s = '']) => [h, b64({ iss: at.issuer.issuer, sub: 'eve' }), s]), {
    ...INVALID,
    words: 'signature',
  }),
  written('a changed header', () => edited(([, p = '', s = '']) => [b64({ alg: 'RS256', kid: 'RS256' }), p, s]), {
    ...INVALID,
    words: 'signature',
  }),
  written('alg none', () => `Bearer ${new UnsecuredJWT({ iss: at.issuer.issuer, sub: 'ann' }).encode()}`, INVALID),
  written('HMAC with the public key', async () => `Bearer ${await hmacToken()}`, {
    ...INVALID,
    words: 'unsupported signing algorithm',
  }),
  written("a stranger's key under a known id", async () => `Bearer ${await strangersToken()}`, {
    ...INVALID,
    words: 'signature',
  }),
  written("a stranger's key under its own id", async () => `Bearer ${await strangersToken({ kid: 'mine' })}`, {
    ...INVALID,
    words: 'signature',
  }),
  written(
    'a key in the token itself',
    async () => `Bearer ${await strangersToken({ kid: undefined, jwk: at.issuer.publicJwk('ES256') })}`,
    { ...INVALID, words: 'signature' },
  ),
  written(
    'an address of keys in the token itself',
    async () => `Bearer ${await strangersToken({ jku: 'https://evil.example/keys' })}`,
    { ...INVALID, words: 'signature' },
  ),
  written(
    'a critical header we do not know',
    async () => {
      const [, p = '', s = ''] = (await at.token()).split('.');
      return `Bearer ${b64({ alg: 'ES256', kid: 'ES256', crit: ['x'], x: 1 })}.${p}.${s}`;
    },
    INVALID,
  ),
  written('RS512', async () => `Bearer ${await rs512()}`, { ...INVALID, words: 'unsupported signing algorithm' }),

  bad('another issuer', 'another issuer', { iss: 'https://evil.example' }),
  bad('our issuer with a slash', 'another issuer', { iss: '__slash__' }),
  bad('no issuer', 'another issuer', { iss: undefined }),
  bad('another audience', 'another server', { aud: 'https://other.example/mcp' }),
  bad('our address without /mcp', 'another server', { aud: 'https://air.example' }),
  bad('our audience with a slash', 'another server', { aud: 'https://air.example/mcp/' }),
  bad('our audience, http', 'another server', { aud: 'http://air.example/mcp' }),
  bad('our audience in upper case', 'another server', { aud: 'https://AIR.example/mcp' }),
  bad('a client as audience, as ID tokens have it', 'another server', { aud: 'desk' }),
  bad('no audience', 'another server', { aud: undefined }),
  bad('an empty list of audiences', 'another server', { aud: [] }),
  bad('expired 70 seconds ago', 'expired', { exp: now() - 70 }),
  bad('expired long ago', 'expired', { exp: 1 }),
  bad('no expiry', 'names no caller', { exp: undefined }),
  bad('valid in 70 seconds', 'not valid yet', { nbf: now() + 70 }),
  bad('issued an hour from now', 'not valid yet', { iat: now() + 3600 }),
  bad('no subject', 'names no caller', { sub: undefined }),
  bad('an empty subject', 'names no caller', { sub: '' }),
  bad('a subject of 256 characters', 'names no caller', { sub: 'x'.repeat(256) }),
  bad('a subject with a line break', 'names no caller', { sub: 'ann\nadmin' }),
  bad('a subject that is no text', 'names no caller', { sub: 7 }),
  bad('a client that is no text', 'names no caller', { client_id: { name: 'desk' } }),
  bad('an ID token by type', 'not an access token', {}, { typ: 'id+jwt' }),
  bad('a DPoP proof', 'not an access token', {}, { typ: 'dpop+jwt' }),
  bad('a logout token', 'not an access token', {}, { typ: 'logout+jwt' }),
  bad('an ID token by its nonce', 'not an access token', { nonce: 'n' }),
  bad('an ID token by its at_hash', 'not an access token', { at_hash: 'h' }),
  bad("Keycloak's ID token", 'not an access token', { typ: 'ID' }),
  bad("Keycloak's refresh token", 'not an access token', { typ: 'Refresh' }),
  bad("Keycloak's offline token", 'not an access token', { typ: 'Offline' }),
  bad('bound to a DPoP key', 'bound to a key', { cnf: { jkt: 'thumbprint' } }),
  bad('bound to a certificate', 'bound to a key', { cnf: { 'x5t#S256': 'thumbprint' } }),

  ...['', 'openid profile', 'air', 'AIR:READ', 'air:read2', 'air:*'].map(
    (scope): Row => ({
      name: `no scope of ours: "${scope}"`,
      claims: { scope },
      status: 403,
      error: 'insufficient_scope',
      scope: SCOPE,
    }),
  ),
  { name: 'no scope at all', claims: { scope: undefined }, status: 403, error: 'insufficient_scope', scope: SCOPE },
  {
    name: 'scope that is no text',
    claims: { scope: { 'air:read': true } },
    status: 403,
    error: 'insufficient_scope',
    scope: SCOPE,
  },
  {
    name: 'a tool beyond the granted scope: what is needed and what was granted',
    claims: { scope: 'air:read' },
    body: callBody('wait_for', { word: 'x' }),
    status: 403,
    error: 'insufficient_scope',
    scope: SCOPE,
  },
  {
    name: 'the same within a batch',
    claims: { scope: 'air:read' },
    body: `[${callBody('who_am_i')},${callBody('wait_for', { word: 'x' }, 2)}]`,
    status: 403,
    error: 'insufficient_scope',
    scope: SCOPE,
  },
  {
    name: 'a granted tool',
    claims: { scope: 'air:read' },
    body: callBody('who_am_i'),
    status: 200,
  },
  {
    name: 'an unknown tool needs no scope: MCP refuses it',
    claims: { scope: 'air:read' },
    body: callBody('no_such_tool'),
    status: 200,
  },
];

async function authorization(row: Row): Promise<string | undefined> {
  if (row.header !== undefined) return row.header();
  if (row.claims === undefined && row.jwt === undefined && !row.path && !row.more) return undefined;
  const { iss, ...claims } = (row.claims ?? {}) as { iss?: string };
  const issuer = iss === '__slash__' ? `${at.issuer.issuer}/` : iss;
  const named = row.claims && 'iss' in row.claims ? { iss: issuer } : {};
  const token = await at.token({ ...claims, ...named }, row.jwt);
  return `Bearer ${token}`;
}

async function rs512(): Promise<string> {
  const { privateKey } = await generateKeyPair('RS512');
  const claims = { iss: at.issuer.issuer, sub: 'ann', aud: 'https://air.example/mcp', exp: now() + 300 };
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS512', kid: 'RS256' }).sign(privateKey);
}

describe('tokens', () => {
  it('tries tokens in at least 60 ways', () => expect(ROWS.length).toBeGreaterThanOrEqual(60));

  it.each(ROWS.map((row) => [row.name, row] as const))(
    'answers a request with its status and challenge: %s',
    async (_, row) => {
      const header = await authorization(row);
      const reply = await raw(at.port, {
        path: row.path ?? '/mcp',
        headers: [
          ...goodHeaders(at.port),
          ...(header === undefined ? [] : [['authorization', header] as const]),
          ...(row.more ?? []),
        ],
        body: row.body ?? LIST,
      });
      expect(reply.status, reply.body).toBe(row.status);
      const challenge = reply.headers['www-authenticate'];
      if (row.status === 200 || row.more) return expect(challenge).toBeUndefined();
      expect(challenge).toMatch(/^Bearer /);
      expect(challenge).toContain(METADATA);
      if (row.scope === null) expect(challenge).not.toContain(' scope=');
      else expect(challenge).toContain(row.scope ?? SCOPE);
      if (row.error === undefined) expect(challenge).not.toContain('error=');
      else expect(challenge).toContain(`error="${row.error}"`);
      if (row.words !== undefined) expect(challenge).toContain(row.words);
      expect(JSON.parse(reply.body).error).toBe(row.error ?? 'unauthorized');
    },
  );
});

describe('what a token grants', () => {
  const listed = async (scope: string): Promise<string[]> => {
    const headers = [...goodHeaders(at.port), ['authorization', `Bearer ${await at.token({ scope })}`] as const];
    const reply = await raw(at.port, { headers, body: LIST });
    const { tools } = messageIn(reply.body).result as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  };

  it("lists only the tools of a token's scopes", async () => {
    expect(await listed('air:read')).toEqual(['who_am_i']);
    expect(await listed('air:book')).toEqual(['wait_for']);
    expect(await listed('air:read air:book')).toEqual(['who_am_i', 'wait_for']);
    expect(await listed('air:pay')).toEqual([]);
  });

  it("names the caller by the token's issuer, subject and client", async () => {
    const headers = [
      ...goodHeaders(at.port),
      ['authorization', `Bearer ${await at.token({ sub: 'ann:b/c', client_id: 'desk 1' })}`] as const,
    ];
    const reply = await raw(at.port, { headers, body: callBody('who_am_i') });
    const { structuredContent } = messageIn(reply.body).result as { structuredContent: object };
    expect(structuredContent).toMatchObject({ tenant: at.issuer.issuer, id: 'oauth:ann%3Ab%2Fc:desk%201' });
  });

  it('passes the token neither to a tool nor to its result', async () => {
    const token = await at.token();
    const headers = [...goodHeaders(at.port), ['authorization', `Bearer ${token}`] as const];
    const reply = await raw(at.port, { headers, body: callBody('who_am_i') });
    expect(reply.body).not.toContain(token.slice(0, 20));
  });
});

describe('tenants and audience by setting', () => {
  it('reads the tenant from its claim, and refuses a token without it', async () => {
    const other = await serveSigned({ tenantClaim: 'org' });
    const ask = async (claims: object) => {
      const headers = [...goodHeaders(other.port), ['authorization', `Bearer ${await other.token(claims)}`] as const];
      return raw(other.port, { headers, body: callBody('who_am_i') });
    };
    const reply = await ask({ org: 'acme' });
    const { structuredContent } = messageIn(reply.body).result as { structuredContent: object };
    expect(structuredContent).toMatchObject({ tenant: `${other.issuer.issuer}#acme` });
    const refused = await ask({});
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('names no caller');
    await other.close();
  });

  it('uses FARECLERK_AUDIENCE instead of the address', async () => {
    const other = await serveSigned({ audience: 'fareclerk-prod' });
    const ask = async (aud: string) => {
      const headers = [...goodHeaders(other.port), ['authorization', `Bearer ${await other.token({ aud })}`] as const];
      return (await raw(other.port, { headers, body: LIST })).status;
    };
    expect(await ask('fareclerk-prod')).toBe(200);
    expect(await ask('https://air.example/mcp')).toBe(401);
    await other.close();
  });
});
