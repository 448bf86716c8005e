import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodHeaders, messageIn, raw } from './support/raw.ts';
import { type SignedServed, serve, serveSigned } from './support/serve.ts';

let at: SignedServed;

beforeAll(async () => {
  const many = { burst: 10_000, perSecond: 1 };
  at = await serveSigned({ limits: { refusals: many, calls: many } }, { path: '/realms/air' });
});
afterAll(() => at.close());

describe('the metadata of the resource (RFC 9728)', () => {
  it.each(['', '/mcp'])('serves the metadata of the resource below the well-known path: "%s"', async (tail) => {
    const path = `/.well-known/oauth-protected-resource${tail}`;
    const reply = await raw(at.port, { method: 'GET', path, headers: [['host', `127.0.0.1:${at.port}`]] });
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toEqual({
      resource: 'https://air.example/mcp',
      authorization_servers: [at.issuer.issuer],
      scopes_supported: ['air:read', 'air:book'],
      bearer_methods_supported: ['header'],
      resource_name: 'fareclerk',
    });
  });
});

describe('the list of tools', () => {
  const list = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
  const modern = [
    ['mcp-protocol-version', '2026-07-28'],
    ['mcp-method', 'tools/list'],
  ] as const;

  it('marks the list of tools as private if it depends on the token, else as public', async () => {
    const authorization = ['authorization', `Bearer ${await at.token()}`] as const;
    const signed = await raw(at.port, { headers: [...goodHeaders(at.port), ...modern, authorization], body: list });
    expect(messageIn(signed.body).result).toMatchObject({ cacheScope: 'private' });
    const open = await serve();
    const anybody = await raw(open.port, { headers: [...goodHeaders(open.port), ...modern], body: list });
    expect(messageIn(anybody.body).result).toMatchObject({ cacheScope: 'public' });
    await open.close();
  });
});
