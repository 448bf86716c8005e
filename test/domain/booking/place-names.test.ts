import { expect, test } from 'vitest';
import { placeNames, showPlace, showRoute } from '../../../src/domain/booking/place-names.ts';

const station = (code: string, name: string, city = name) => ({ code, name, city, cityCode: code, country: 'SA' });
const names = placeNames([
  { from: station('QCA', 'Makkah'), to: [station('XMD', 'XMD', 'Madinah'), station('XXX', '')] },
]);
const nameOf = (code: string) => names.get(code);

test('names a station before its code, and gives the code alone where no name is known', () => {
  expect(showPlace('QCA', nameOf)).toBe('Makkah (QCA)');
  expect(showPlace('JED', nameOf)).toBe('JED');
  expect(showPlace('QCA')).toBe('QCA');
});

test('takes the city where the station is named by its code', () => {
  expect(showRoute({ from: 'QCA', to: 'XMD' }, nameOf)).toBe('Makkah (QCA) → Madinah (XMD)');
});
