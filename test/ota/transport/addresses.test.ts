import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../../src/domain/time-and-text/loopback-host.ts';
import { ClerkError } from '../../../src/errors.ts';
import { assertSecure, gatewayAddress, messageAddress, seatMapAddress } from '../../../src/ota/transport/addresses.ts';

describe('messageAddress', () => {
  it.each([
    ['https://a.example/v2015b/OTA', 'https://a.example/v2015b/OTA_ReadRQ'],
    ['https://a.example/v2015b/', 'https://a.example/v2015b/OTA_ReadRQ'],
    ['https://a.example/ota/', 'https://a.example/ota/OTA_ReadRQ'],
    ['https://a.example', 'https://a.example/OTA_ReadRQ'],
    ['https://a.example/x?key=1', 'https://a.example/x/OTA_ReadRQ?key=1'],
  ])('builds the address of a message from the base %s', (base, expected) => {
    expect(messageAddress(base, 'OTA_ReadRQ')).toBe(expected);
  });
});

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
  ])('derives the seat map address from the base: %s → %s', (base, expected) => {
    expect(seatMapAddress(base)).toBe(expected);
  });

  it('prefers the seat map address that the operator sets', () => {
    expect(seatMapAddress('https://api.example', 'https://seats.example/x')).toBe('https://seats.example/x');
  });
});

describe('gatewayAddress', () => {
  it('joins the gateway, the path and the query', () => {
    expect(gatewayAddress('https://gw.example/api/', '/schedule/routes', { sales_channel: 'OTA' })).toBe(
      'https://gw.example/api/schedule/routes?sales_channel=OTA',
    );
    expect(gatewayAddress('https://gw.example', '/x', { a: 'b&c=d' })).toBe('https://gw.example/x?a=b%26c%3Dd');
  });

  it('names the setting if no gateway address is set', () => {
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
    'accepts the address %s',
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
  ])('rejects the address %s', (address) => {
    expect(refused(address)).toBe(true);
  });

  it('accepts plain HTTP if it is allowed, but never credentials in an address', () => {
    expect(refused('http://a.example', true)).toBe(false);
    expect(refused('http://user@a.example', true)).toBe(true);
  });

  it('recognises loopback only by its literal name or address', () => {
    expect(['127.9.9.9', '::1', '[::1]', 'LOCALHOST', 'a.localhost'].every(isLoopback)).toBe(true);
    expect(['10.0.0.1', '127.0.0.1.example', 'localhost.example', '::2'].some(isLoopback)).toBe(false);
  });
});
