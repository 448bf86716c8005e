import { describe, expect, test } from 'vitest';
import { isLoopback } from '../../../src/domain/time-and-text/loopback-host.ts';

describe('hosts that are this machine', () => {
  test.each(['localhost', 'LOCALHOST', 'a.localhost', 'a.b-c.localhost', '127.0.0.1', '127.9.9.255', '::1', '[::1]'])(
    'recognises %s as this machine',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  test.each(
    [
      ['', '10.0.0.1', '128.0.0.1', '127.0.0', '127.0.0.256', '127.0.0.1.example', '127.0.0.01', '127.0.0.1:80'],
      ['localhost.example', 'notlocalhost', '.localhost', '0.0.0.0', '::', '::2', '[::]', '::ffff:127.0.0.1', '0x7f.1'],
    ].flat(),
  )('does not recognise %s as this machine', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
