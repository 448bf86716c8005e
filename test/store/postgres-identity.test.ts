import type { PeerCertificate } from 'node:tls';
import { expect, test } from 'vitest';
import { verifiedTls } from '../../src/store/postgres/pool.ts';

const certificate = (subjectaltname: string) => ({ subject: {}, subjectaltname }) as unknown as PeerCertificate;
const FULL = 'sslmode=verify-full';

/** As TLS asks: by the name that the driver gave, or `localhost` where it gave none. */
function taken(url: string, names: string, asked: string): boolean {
  return verifiedTls(url)?.checkServerIdentity(asked, certificate(names)) === undefined;
}

test.each([
  [`postgres://a:b@db.example/clerk?${FULL}`, 'DNS:db.example', 'db.example', true],
  [`postgres://a:b@db.example/clerk?${FULL}`, 'DNS:other.example', 'db.example', false],
  [`postgres://a:b@localhost/clerk?${FULL}`, 'DNS:localhost', 'localhost', true],
  [`postgres://a:b@10.0.0.7:5432/clerk?${FULL}`, 'IP Address:10.0.0.7', 'localhost', true],
  [`postgres://a:b@10.0.0.7:5432/clerk?${FULL}`, 'DNS:localhost', 'localhost', false],
  [`postgres://a:b@10.0.0.7/clerk?max=3&${FULL}`, 'IP Address:10.0.0.8', 'localhost', false],
  [`postgres://10.0.0.7,10.0.0.8:5433/clerk?${FULL}`, 'IP Address:10.0.0.8', 'localhost', true],
  [`postgres://a@[2001:db8::1]:5432/clerk?${FULL}`, 'IP Address:2001:DB8:0:0:0:0:0:1', 'localhost', true],
  [`postgres://a@[2001:db8::1]:5432/clerk?${FULL}`, 'DNS:localhost', 'localhost', false],
  [`postgres://localhost,10.0.0.8/clerk?${FULL}`, 'DNS:localhost', 'localhost', true],
])('checks the host in %s against a certificate for %s', (url, names, asked, good) => {
  expect(taken(url, names, asked)).toBe(good);
});

test('verifies a certificate only if the address requires it', () => {
  expect(verifiedTls('postgres://a@db.example/clerk')).toBeUndefined();
  expect(verifiedTls('postgres://a@db.example/clerk?sslmode=require')).toBeUndefined();
});
