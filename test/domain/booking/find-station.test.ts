/** Which station a text names, as list_routes takes it: never by a guess, and with the nearest ones where none has that name. */
import { expect, it } from 'vitest';
import { openDesk } from '../../tools/support/desk.ts';

const station = (code: string, name: string, city: string, cityCode = code, country = 'SA') => ({
  ...{ code, name, city, cityCode, country },
});

const STATIONS = [
  station('XJS', 'Jeddah Al Sulaymaniyah', 'Jeddah', 'JED'),
  station('XJA', 'Jeddah Airport', 'Jeddah', 'JED'),
  station('QCA', 'Makkah Al Rusayfah', 'Makkah'),
  station('XMD', 'XMD', 'Madinah', 'MED'),
  station('CPH', 'Kastrup', 'København', 'CPH', 'DK'),
  station('GOA', 'Cristoforo Colombo', 'Genoa', 'GOA', 'IT'),
  station('GOI', 'Dabolim', 'Goa', 'GOI', 'IN'),
  station('DXB', 'Dubai International', 'Dubai', 'DXB', 'AE'),
  station('DWC', 'Al Maktoum', 'Dubai', 'DXB', 'AE'),
  station('ZZQ', 'ZZQ', 'ZZQ'),
];
const RUH = station('RUH', 'King Khalid', 'Riyadh');

/** What list_routes says of a text as a station. */
async function asked(text: string) {
  const desk = await openDesk({ airline: { routes: async () => STATIONS.map((from) => ({ from, to: [RUH] })) } });
  const { structured } = await desk.result('list_routes', { from: text });
  return structured as { routes: { from: string }[]; error?: { message: string } };
}

/** The stations that it may mean, or the nearest ones in the error. */
async function meant(text: string): Promise<string> {
  const { routes, error } = await asked(text);
  if (error === undefined) return routes.map(({ from }) => from).join('+');
  return `none: ${(error.message.match(/\b(?:XJ[SA]|QCA|XMD|CPH|GO[AI]|DXB|DWC)\b/g) ?? []).join()}`;
}

const NAMED = {
  ...{ XJS: 'XJS', xjs: 'XJS', Makkah: 'QCA', '  makkah al-rusayfah ': 'QCA', MED: 'XMD', Kobenhavn: 'CPH' },
  ...{ KØBENHAVN: 'CPH', 'Jeddah airport': 'XJA', 'XJA Jeddah Airport': 'XJA', 'Jeddah Al Sulaymaniyah (XJS)': 'XJS' },
  ...{ 'Goa, IN': 'GOI' },
  // A city with several stations, its code, a station of that code, and a city written like the code of another.
  ...{ Jeddah: 'XJS+XJA', JED: 'XJS+XJA', Dubai: 'DXB+DWC', Goa: 'GOA+GOI' },
  // A code in one case is that station.
  ...{ GOA: 'GOA', goa: 'GOA', DXB: 'DXB' },
  // Other spellings of a city; a name as it is comes before them.
  ...{
    Mecca: 'QCA',
    'Makkah al-Mukarramah': 'QCA',
    Medina: 'XMD',
    'al-Madīnah': 'XMD',
    Jiddah: 'XJS+XJA',
    Dubay: 'DXB+DWC',
  },
  // A part of a name, more than a name, other spellings, no likeness, no letters.
  ...{
    Sulaymaniyah: 'none: XJS',
    'Madinah Airport': 'none: XMD,XJA',
    Makah: 'none: QCA,XMD',
    Madinnah: 'none: XMD,QCA',
  },
  ...{ Ouagadougou: 'none: ', '—': 'none: ' },
};
it.each(Object.entries(NAMED))('%j is %s', async (text, codes) => expect(await meant(text)).toBe(codes));

it('shows the city where a station is named by its code, and the code alone where no name is known', async () => {
  expect((await asked('Madinnah')).error?.message).toContain('Madinah (XMD)');
  const { error } = await asked('Zzqq');
  expect(error?.message).toMatch(/\bZZQ\b(?! \()/);
  expect(error?.message).not.toContain('(ZZQ)');
});
