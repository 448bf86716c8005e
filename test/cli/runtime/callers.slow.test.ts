/**
 * `fareclerk serve --http` in this process, with an issuer and a file of callers: the point of sale that requests carry for
 * each caller, and what the operator reads when the server starts.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/addresses/start.ts';
import { startIssuer } from '../../auth/callers/issuer.ts';
import { connectHttp } from '../../http/support/clients.ts';
import { freePort } from '../../http/support/openid.ts';
import { dateIn } from '../../support/people.ts';
import { LIVE } from '../desk.ts';
import { startFront } from '../doctor/front.ts';
import { freshState, ran, screen } from '../screen.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const CALLERS = [
  { subject: 'ann', client: 'desk', agent_id: 'A9', agency_id: 'Ann', currency: 'USD', country: 'US' },
  { tenant: 'north', agent_id: 'A7', agency_id: 'North', currency: 'eur' },
  { client: 'kiosk', agent_id: 'K1', agency_id: 'Kiosk', currency: 'SAR' },
];
const OWN = ['A1', 'Own', 'SAR'];

/** Returns how a caller with these claims appears in a search: agent, agency and currency; undefined if nothing was sent. */
async function serving(others?: 'refused') {
  const [airline, issuer, port] = [await startSandbox(), await startIssuer(), await freePort()];
  const front = await startFront(() => undefined, { to: airline.url });
  closing.push(() => Promise.all([airline.close(), issuer.close(), front.close()]));
  const publicUrl = `http://127.0.0.1:${port}`;
  const state = freshState();
  const file = join(state.FARECLERK_STATE_DIR, 'callers.json');
  writeFileSync(file, JSON.stringify({ tenant_claim: 'agency', callers: CALLERS, others }));
  const env = {
    ...airline.settings,
    ...state,
    ...{ FARECLERK_BASE_URL: `${front.origin}/v2015b/OTA`, FARECLERK_AGENT_ID: 'A1', FARECLERK_AGENCY_ID: 'Own' },
    ...{ FARECLERK_PUBLIC_URL: publicUrl, FARECLERK_ISSUER: issuer.issuer },
    ...{ FARECLERK_CALLERS_FILE: file, FARECLERK_LOG_LEVEL: 'silent' },
  };
  const server = screen(env);
  const done = server.run('serve', '--http', '--port', String(port));
  await server.sees(`:${port}/mcp`);
  closing.push(async () => {
    process.emit('SIGTERM');
    expect(await done).toBe(0);
  });
  const toldFor = async (claims: object) => {
    const token = await issuer.sign({ aud: `${publicUrl}/mcp`, scope: 'air:read', agency: 'south', ...claims });
    const client = await connectHttp('v2-2026', `${publicUrl}/mcp`, { token });
    const before = front.calls.length;
    const legs = [{ from: 'QCA', to: 'XMD', date: dateIn(Date.now(), 20) }];
    const { structuredContent } = await client.call('search_fares', { legs, passengers: { adults: 1 } });
    await client.close();
    const sent = front.calls.slice(before).findLast(({ body }) => body.includes('"pos"'));
    if (sent === undefined) return structuredContent.error.code;
    const [{ requestorID, isocurrency, isoCurrency }] = JSON.parse(sent.body).pos.source;
    return [requestorID.id, requestorID.name, isocurrency ?? isoCurrency];
  };
  return { toldFor };
}

it('uses the point of sale of the first matching row, by subject and client, tenant or client, else its own', async () => {
  const { toldFor } = await serving();
  expect(await toldFor({})).toEqual(['A9', 'Ann', 'USD']);
  expect(await toldFor({ sub: 'bob', agency: 'north' })).toEqual(['A7', 'North', 'EUR']);
  expect(await toldFor({ sub: 'bob', client_id: 'kiosk' })).toEqual(['K1', 'Kiosk', 'SAR']);
  for (const other of [{ client_id: 'other' }, { sub: 'bob' }, { sub: 'a%6en' }])
    expect(await toldFor(other)).toEqual(OWN);
});

it('refuses other callers if the file says so', async () => {
  const { toldFor } = await serving('refused');
  expect(await toldFor({})).toEqual(['A9', 'Ann', 'USD']);
  expect(await toldFor({ sub: 'bob' })).toBe('E_NOT_PERMITTED');
});

const ANN = { subject: 'ann', agent_id: 'A7', agency_id: 'North', currency: 'sar' };

it.each([
  ['{', 'is not JSON'],
  ['{}', 'expected: callers, or tenant_claim'],
  ['{"callers": []}', 'expected: callers, or tenant_claim'],
  [[{ ...ANN, subject: undefined }], 'whom it is for'],
  [[{ ...ANN, agent: 'x' }], 'at callers.0'],
  [[{ ...ANN, currency: 'riyal' }], 'at callers.0.currency'],
  [undefined, 'cannot be read'],
])('does not start with the callers %j', async (callers, words) => {
  const state = freshState();
  const file = join(state.FARECLERK_STATE_DIR, 'callers.json');
  if (callers) writeFileSync(file, typeof callers === 'string' ? callers : JSON.stringify({ callers }));
  const signed = { FARECLERK_PUBLIC_URL: 'http://127.0.0.1:1', FARECLERK_ISSUER: 'https://id.example' };
  const env = { ...LIVE, ...state, ...signed, FARECLERK_CALLERS_FILE: file };
  const { code, stderr } = await ran(env, ['serve', '--http', '--port', '0']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});

it.skipIf(process.platform === 'win32')(
  'starts no server with a file of callers that other users can write',
  async () => {
    const state = freshState();
    const file = join(state.FARECLERK_STATE_DIR, 'callers.json');
    writeFileSync(file, JSON.stringify({ tenant_claim: 'agency' }));
    chmodSync(file, 0o666);
    const issuer = { FARECLERK_ISSUER: 'https://id.example', FARECLERK_PUBLIC_URL: 'https://air.example' };
    const refused = await ran({ ...LIVE, ...state, ...issuer, FARECLERK_CALLERS_FILE: file }, [
      'serve',
      '--http',
      '--port',
      '0',
    ]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'FARECLERK_CALLERS_FILE names a file that can be written by other users (mode 666).',
    );
    expect(refused.stderr).toContain(`own ${file} and \`chmod 600 ${file}\``);
  },
);
