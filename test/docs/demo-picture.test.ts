/**
 * The committed pictures of the demo, and those that would be made now: dates, prices and handles differ, what is said and
 * done does not.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoPictures, type Recordings, recordBoth } from '../../scripts/demo-picture.ts';
import { linesOf, plain } from '../../scripts/picture/recording.ts';
import { moments } from '../../scripts/picture/terminal-svg.ts';

const committed = (file: string): string => readFileSync(new URL(`../../docs/images/${file}`, import.meta.url), 'utf8');
const FILES = ['demo.svg', 'demo-still.svg', 'demo-disruption.svg'] as const;

let written: Recordings;
let fresh: Readonly<Record<string, string>>;
beforeAll(async () => {
  written = await recordBoth();
  fresh = demoPictures(written);
}, 60_000);

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The words of a picture in rows, left to right. */
function rowsOf(svg: string): string[] {
  const rows = new Map<string, string[]>();
  for (const [, y = '', text = ''] of svg.matchAll(/<text [^>]*y="([^"]+)" textLength[^>]*>([^<]*)</g))
    rows.set(y, [...(rows.get(y) ?? []), unescaped(text)]);
  return [...rows.values()].map((words) => words.join(' '));
}

/** What no date or price changes: who speaks, what is called, what is asked, and that the person said yes. */
function shapeOf(rows: readonly string[]): string[] {
  return rows.flatMap((row) => {
    const [who = ''] = row.split(/\s/);
    if (who === 'calls') return [row.replace(/\s+/g, ' ')];
    if (['traveller', 'assistant', '✔', 'airline', 'desk', 'clerk'].includes(who)) return [who];
    return row.includes('the host asks the person') || row.includes('your choice (')
      ? [row.replace(/[┌│─ ]+/g, ' ').trim()]
      : [];
  });
}

describe.each(FILES)('%s', (file) => {
  test('says what the demo says today', () => {
    const shape = shapeOf(rowsOf(committed(file)));
    expect(shape.length, 'run: node scripts/demo-picture.ts').toBeGreaterThan(4);
    expect(shape, 'run: node scripts/demo-picture.ts').toEqual(shapeOf(rowsOf(fresh[file] ?? '')));
  });

  test('is drawn as the script draws now', () => {
    const style = (svg: string) => /<style>[^@]*/.exec(svg)?.[0];
    expect(style(committed(file))).toBe(style(fresh[file] ?? ''));
  });

  test('is small, whole, loads nothing and runs nothing', () => {
    for (const svg of [committed(file), fresh[file] ?? '']) {
      expect(svg.length).toBeLessThan(60_000);
      expect(svg).not.toMatch(/<(?:script|image|use|foreignObject|a)[ >]|href|url\(|@import/);
      const open: string[] = [];
      for (const [, close, name = '', self] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
        if (close) expect(open.pop()).toBe(name);
        else if (!self) open.push(name);
      }
      expect(open).toEqual([]);
    }
  });

  test('every colour can be read on its ground, light and dark', () => {
    const grounds = [...committed(file).matchAll(/svg\{([^}]+)\}/g)].map(([, all = '']) =>
      Object.fromEntries(all.split(';').map((each) => each.replace('--', '').split(':') as [string, string])),
    );
    expect(grounds.length).toBe(2);
    for (const { ground = '', bar = '', edge: _, ...colours } of grounds)
      for (const [name, colour] of Object.entries(colours))
        for (const under of name === 'dim' ? [ground, bar] : [ground])
          expect(ratio(colour, under), `${name} ${colour} on ${under}`).toBeGreaterThanOrEqual(4.5);
  });
});

test('the still picture shows a whole question; the film holds still for whoever wants no motion, and ends on it', () => {
  const still = rowsOf(committed('demo-still.svg')).join('\n');
  expect(still).toMatch(
    /^traveller [\s\S]*the host asks the person[\s\S]*Pay SAR [\s\S]*Refund rule[\s\S]*1\) no\n2\) Pay SAR [\s\S]*your choice \(1-2\): 2\n[\s\S]*Paid SAR/,
  );
  const film = committed('demo.svg');
  const [, rest] = /\.film\{transform:([^;]+);animation:film [\d.]+s step-end 1\}/.exec(film) ?? [];
  expect(rest).toBeDefined();
  expect(film).toContain(`100%{transform:${rest}}}`);
  expect(film).toMatch(/@media ?\(prefers-reduced-motion:reduce\)\{\.film\{animation:none\}\}/);
});

test('the film stops at every question and at the end', () => {
  const lines = linesOf(written.trip).map(plain);
  const stops = new Set(moments(lines).map(({ lowest }) => lowest));
  expect(stops.has(lines.length - 1)).toBe(true);
  const questions = lines.flatMap((line, row) => (line.includes('your choice (') ? [row] : []));
  expect(questions.length).toBe(3);
  expect(questions.filter((row) => !stops.has(row))).toEqual([]);
});

function luminance(hex: string): number {
  const full = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of WCAG 2.2. */
function ratio(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
