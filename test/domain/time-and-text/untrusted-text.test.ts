import { describe, expect, it } from 'vitest';
import { flightName } from '../../../src/domain/booking/flight-name.ts';
import { emailText, maskEmail } from '../../../src/domain/people/mask-personal-data.ts';
import { cleanCode, visibleText } from '../../../src/domain/time-and-text/clean-text.ts';
import { segment } from '../../support/bookings.ts';

describe('an e-mail address', () => {
  it.each([
    ["o'neil+x@example.com", "o'neil+x@example.com"],
    ['a_b@example.com', 'a_b@example.com'],
    ['<b>amal</b>@example.com', 'bamalb@example.com'],
    ['[x](https://evil.example)@a', 'xhttpsevil.example@a'],
    ['<script>', '‹script›'],
    ['\u202eamal@example.com', 'amal@example.com'],
  ])('shows the e-mail address %j as %j', (raw, shown) => {
    expect(emailText(raw)).toBe(shown);
  });

  it('masks an e-mail address except its first letter and domain', () => {
    expect(maskEmail('amal@<b>example.com')).toBe('a***@bexample.com');
    expect(maskEmail('<b>@')).toBe('b***@');
  });
});

describe('codes and flights', () => {
  it.each([
    ['FULLY_PAID', 'FULLY_PAID'],
    ['__proto__', '“proto”'],
    ['_x_', '“x”'],
    ['a__b', '“a b”'],
    ['<30>', '“‹30›”'],
  ])('shows the code %j as %j', (raw, shown) => {
    expect(cleanCode(raw)).toBe(shown);
  });

  it('names a flight only by a designator and a number', () => {
    expect(flightName(segment('1', { marketing: { carrier: 'www.evil' }, flightNumber: '_101_' }))).toBe('WWWE101');
  });
});

it('removes invisible characters and keeps visible ones', () => {
  expect(visibleText('Am\u200bal')).toBe('Amal');
  expect(visibleText('a\u0007b')).toBe('a b');
  expect(visibleText(' two  spaces ')).toBe(' two  spaces ');
});
