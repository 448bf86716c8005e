/**
 * Ways to the airline that lead nowhere: names, ports, certificates.
 */
import { createServer as createTcpServer } from 'node:net';
import { EXPIRED, GOOD, NOT_YET_VALID, OTHER_NAME } from '../certificates.ts';
import { startFront } from '../front.ts';
import { at, type Case, tlsFront } from '../world.ts';

export const REACHING: readonly Case[] = [
  {
    name: 'a misspelt variable',
    check: 'settings.FARECLERK_APIKEY',
    finding: 'setting_wrong',
    level: 'fail',
    advice: /FARECLERK_API_KEY/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_APIKEY: 'sandbox-api-key' } }),
  },
  {
    name: 'plain http to another machine',
    check: 'settings.FARECLERK_BASE_URL',
    finding: 'setting_wrong',
    level: 'fail',
    advice: /FARECLERK_ALLOW_HTTP=true/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_BASE_URL: 'http://ota.airline.example/v2015b/OTA' } }),
  },
  {
    name: 'no such host',
    check: 'address.base',
    finding: 'host_unknown',
    level: 'fail',
    advice: /FARECLERK_BASE_URL/,
    setUp: ({ env }) => ({ env: at(env, 'https://ota.airline.invalid') }),
  },
  {
    name: 'nothing listens there',
    check: 'address.base',
    finding: 'connection_refused',
    level: 'fail',
    advice: /host and port in FARECLERK_BASE_URL/,
    async setUp(world) {
      const front = await startFront(() => undefined);
      await front.close();
      return { env: at(world.env, front.origin) };
    },
  },
  {
    name: 'an expired certificate',
    check: 'address.base',
    finding: 'tls_expired',
    level: 'fail',
    advice: /renewed for FARECLERK_BASE_URL/,
    setUp: (world) => tlsFront(world, EXPIRED),
  },
  {
    name: 'a certificate that is not yet valid',
    check: 'address.base',
    finding: 'tls_not_yet_valid',
    level: 'fail',
    advice: /this machine's clock/,
    setUp: (world) => tlsFront(world, NOT_YET_VALID),
  },
  {
    name: 'a certificate for another name',
    check: 'address.base',
    finding: 'tls_wrong_name',
    level: 'fail',
    advice: /certificate name in FARECLERK_BASE_URL/,
    setUp: (world) => tlsFront(world, OTHER_NAME),
  },
  {
    name: 'an unknown certificate issuer',
    check: 'address.base',
    finding: 'tls_unknown_issuer',
    level: 'fail',
    advice: /NODE_EXTRA_CA_CERTS/,
    setUp: async (world) => ({ env: (await tlsFront(world, GOOD)).env }),
  },
  {
    name: 'https where http is spoken',
    check: 'address.base',
    finding: 'tls_not_spoken',
    level: 'fail',
    advice: /https in FARECLERK_BASE_URL/,
    async setUp(world) {
      const front = await world.front(() => undefined);
      return { env: at(world.env, front.origin.replace('http:', 'https:')) };
    },
  },
  {
    name: 'a connection that closes in the TLS handshake',
    check: 'address.base',
    finding: 'tls_failed',
    level: 'fail',
    advice: /firewall or proxy/,
    async setUp(world) {
      const server = createTcpServer((socket) => socket.once('data', () => socket.destroy()));
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      world.later(() => server.close());
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      return { env: at(world.env, `https://127.0.0.1:${port}`) };
    },
  },
];
