/**
 * The committed pictures of the demo, and those that would be made now: dates, prices and handles differ, what is said and
 * done does not.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoPictures, recordBoth } from '../../scripts/demo-picture.ts';

const committed = (file: string): string => readFileSync(new URL(`../../docs/images/${file}`, import.meta.url), 'utf8');
const FILES = ['demo.svg', 'demo-still.svg', 'demo-disruption.svg'] as const;

let fresh: Readonly<Record<string, string>>;
beforeAll(async () => {
  fresh = demoPictures(await recordBoth());
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
});
