import { describe, expect, it } from 'vitest';
import { findPlace, looksLikeCode, stationsOf } from '../../../src/domain/booking/find-station.ts';

type Station = ReturnType<typeof stationsOf>[number];

const station = (code: string, name: string, city: string, cityCode = code, country = 'SA'): Station => ({
  code,
  name,
  city,
  cityCode,
  country,
});

const XJS = station('XJS', 'Jeddah Al Sulaymaniyah', 'Jeddah', 'JED');
const XJA = station('XJA', 'Jeddah Airport', 'Jeddah', 'JED');
const QCA = station('QCA', 'Makkah Al Rusayfah', 'Makkah');
const XMD = station('XMD', 'Madinah', 'Madinah', 'MED');
const CPH = station('CPH', 'Kastrup', 'København', 'CPH', 'DK');
const GOA = station('GOA', 'Cristoforo Colombo', 'Genoa', 'GOA', 'IT');
const GOI = station('GOI', 'Dabolim', 'Goa', 'GOI', 'IN');
const DXB = station('DXB', 'Dubai International', 'Dubai', 'DXB', 'AE');
const DWC = station('DWC', 'Al Maktoum', 'Dubai', 'DXB', 'AE');
const ALL = [XJS, XJA, QCA, XMD, CPH, GOA, GOI, DXB, DWC];

const codes = (text: string): string => {
  const found = findPlace(text, ALL);
  if (found.kind === 'one') return found.station.code;
  if (found.kind === 'several') return found.stations.map(({ code }) => code).join('+');
  return `none: ${found.nearest.map(({ code }) => code).join(',')}`;
};

describe('the station that a text names', () => {
  it.each([
    ['XJS', 'XJS'],
    ['xjs', 'XJS'],
    ['Makkah', 'QCA'],
    ['  makkah al-rusayfah ', 'QCA'],
    ['MED', 'XMD'],
    ['Kobenhavn', 'CPH'],
    ['KØBENHAVN', 'CPH'],
    ['Jeddah airport', 'XJA'],
    ['XJA Jeddah Airport', 'XJA'],
    ['Jeddah Al Sulaymaniyah (XJS)', 'XJS'],
    ['Goa, IN', 'GOI'],
  ])('finds for %s the station %s', (text, code) => expect(codes(text)).toBe(code));

  it.each([
    ['a city with two stations', 'Jeddah', 'XJS+XJA'],
    ['the code of a city with two stations', 'JED', 'XJS+XJA'],
    ['a city beside a station of its code', 'Dubai', 'DXB+DWC'],
    ['a city written like the code of another', 'Goa', 'GOA+GOI'],
  ])('finds several stations for %s', (_, text, found) => expect(codes(text)).toBe(found));

  it('finds the station of a code written in one case, even if another place has that name', () => {
    expect([codes('GOA'), codes('goa'), codes('DXB')]).toEqual(['GOA', 'GOA', 'DXB']);
    expect(['JED', 'jed', 'Jed', 'J3D', 'JEDD', ''].map(looksLikeCode)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['part of a name', 'Sulaymaniyah', 'none: XJS'],
    ['more than a name', 'Madinah Airport', 'none: XMD,XJA'],
    ['another spelling', 'Mecca', 'none: QCA,GOA'],
    ['another spelling', 'Medina', 'none: XMD'],
    ['no likeness', 'Ouagadougou', 'none: '],
    ['no letters', '—', 'none: '],
  ])('finds no station for %s, only the nearest ones', (_, text, found) => expect(codes(text)).toBe(found));

  it('lists each station of the routes once', () => {
    expect(
      stationsOf([
        { from: XJS, to: [QCA, XMD] },
        { from: QCA, to: [XJS] },
      ]),
    ).toEqual([XJS, QCA, XMD]);
    expect(stationsOf([])).toEqual([]);
  });
});
