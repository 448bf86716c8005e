import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Result } from '../../../src/cli/doctor/check.ts';
import { resultLines } from '../../../src/cli/doctor/print.ts';

const CHECKS: readonly Result[] = [
  { id: 'clock', level: 'ok', finding: 'as_it_should_be', title: 'clock', said: 'Within 1 s of the airline.' },
  {
    id: 'seat-map',
    level: 'fail',
    finding: 'setting_wrong',
    title: 'seat map address',
    said: 'Nothing takes seat map requests at the address derived from FARECLERK_BASE_URL, and the airline names no other.',
    advice: 'Ask the airline for the whole address of OTA_AirSeatMapRQ and set FARECLERK_SEAT_MAP_URL.',
  },
];

const shown = (window: object): readonly string[] =>
  resultLines(CHECKS, Object.assign(new PassThrough(), window) as unknown as NodeJS.WriteStream).map((line) =>
    stripVTControlCharacters(line),
  );
const widest = (lines: readonly string[]): number => Math.max(...lines.map((line) => line.length));

test('wraps texts to the width of the window', () => {
  const file = shown({ isTTY: false });
  expect(shown({ isTTY: true, columns: 200 })).toEqual(file);
  expect(widest(file)).toBeGreaterThan(80);
  expect(widest(shown({ isTTY: true, columns: 80 }))).toBeLessThanOrEqual(80);
});

test('puts texts below their titles in a narrow window', () => {
  const lines = shown({ isTTY: true, columns: 60 });
  expect(widest(lines)).toBeLessThanOrEqual(60);
  expect(lines.slice(0, 3)).toEqual([
    '  ok    clock',
    '        Within 1 s of the airline.',
    '  FAIL  seat map address',
  ]);
  expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain('→ Ask the airline for the whole address');
});
