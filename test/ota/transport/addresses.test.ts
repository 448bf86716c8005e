import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../../src/domain/time-and-text/loopback-host.ts';
import { ClerkError } from '../../../src/errors.ts';
import { assertSecure, gatewayAddress, seatMapAddress } from '../../../src/ota/transport/addresses.ts';

describe('seatMapAddress', () => {
  it.each([
    ['https://api.example/ota', 'https://api.example/ota/v2015b/OTA_AirSeatMapRQ'],
    ['https://api.example', 'https://api.example/v2015b/OTA_AirSeatMapRQ'],
    ['https://api.example/', 'https://api.example/v2015b/OTA_AirSeatMapRQ'],
    ['https://api.example/x/v2015b', 'https://api.example/x/v2015b/OTA_AirSeatMapRQ'],
    ['https://api.example/v2015b/', 'https://api.example/v2015b/OTA_AirSeatMapRQ'],
    ['https://api.example/v2015b/OTA', 'https://api.example/v2015b/OTA_AirSeatMapRQ'],
    ['https://api.example/v2015b/OTA?key=1', 'https://api.example/v2015b/OTA_AirSeatMapRQ?key=1'],
    ['https://api.example/notv2015b', 'https://api.example/notv2015b/v2015b/OTA_AirSeatMapRQ'],
  ])('%s → %s', (base, expected) => {
    expect(seatMapAddress(base)).toBe(expected);
  });

  it('is what the operator says it is', () => {
    expect(seatMapAddress('https://api.example', 'https://seats.example/x')).toBe('https://seats.example/x');
  });
});

describe('gatewayAddress', () => {
  it('joins path and query', () => {
    expect(gatewayAddress('https://gw.example/api/', '/schedule/routes', { sales_channel: 'OTA' })).toBe(
      'https://gw.example/api/schedule/routes?sales_channel=OTA',
    );
    expect(gatewayAddress('https://gw.example', '/x', { a: 'b&c=d' })).toBe('https://gw.example/x?a=b%26c%3Dd');
  });

  it('without a gateway names the setting', () => {
    expect(() => gatewayAddress(undefined, '/x', {})).toThrow(
      expect.objectContaining({
        code: 'E_CONFIG',
        effect: 'none',
        next: expect.stringContaining('FARECLERK_GATEWAY_URL'),
      }),
    );
  });
});

describe('assertSecure', () => {
  const refused = (address: string, allowHttp = false): boolean => {
    try {
      assertSecure(address, 'FARECLERK_BASE_URL', allowHttp);
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(ClerkError);
      expect(error).toMatchObject({ code: 'E_CONFIG', message: expect.stringContaining('FARECLERK_BASE_URL') });
      return true;
    }
  };

  it.each(['https://a.example', 'http://127.0.0.1:8770/x', 'http://localhost', 'http://[::1]:1/'])(
    'takes %s',
    (address) => {
      expect(refused(address)).toBe(false);
    },
  );

  it.each([
    'http://a.example',
    'ftp://a.example',
    'not an address',
    'https://user:pass@a.example',
    'http://127.0.0.1.a.example',
    'http://user@localhost',
  ])('refuses %s', (address) => {
    expect(refused(address)).toBe(true);
  });

  it('takes plain http where it is allowed, and never credentials', () => {
    expect(refused('http://a.example', true)).toBe(false);
    expect(refused('http://user@a.example', true)).toBe(true);
  });

  it('knows loopback by its literal', () => {
    expect(['127.9.9.9', '::1', '[::1]', 'LOCALHOST', 'a.localhost'].every(isLoopback)).toBe(true);
    expect(['10.0.0.1', '127.0.0.1.example', 'localhost.example', '::2'].some(isLoopback)).toBe(false);
  });
});
