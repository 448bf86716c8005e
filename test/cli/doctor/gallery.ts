/**
 * Writes what the doctor says: of a working set-up into docs/reference/doctor.md, of broken ones into test/golden/doctor.md. `npm run write`
 * runs it; a test compares both.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CASES, setUpOf } from './cases.ts';
import { doctorOn, withWorld } from './world.ts';

export const GUIDE = new URL('../../../docs/reference/doctor.md', import.meta.url);
export const GALLERY = new URL('../../golden/doctor.md', import.meta.url);
const SOUND = /(?<=<!-- sound -->\n)[\s\S]*(?=<!-- \/sound -->)/;

const fenced = (text: string): string => `\`\`\`\n${text.trimEnd()}\n\`\`\`\n`;

/** What is not as it should be, as it was printed. */
export function section(name: string, text: string): string {
  const troubles = text.match(/^ {2}(?:FAIL|warn) .*\n(?: {8,}.*\n)*/gm) ?? [];
  return `\n### ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${fenced(troubles.join(''))}`;
}

const DAY_MS = 86_400_000;

/** Ports, folders, references and days of this run: another run has others. */
function neutral(text: string): string {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return text
    .replace(/\/\S*fareclerk-doctor-\w+/g, '/home/ann/.local/state/fareclerk')
    .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:8770')
    .replace(/(127\.0\.0\.1|localhost) port \d+/g, '$1 port 8770')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '5d1c7e0a-93c4-4f7b-8a51-0c7d2e9b6f13')
    .replace(/\b20[2-9]\d-\d{2}-\d{2}\b/g, (day) => {
      const ahead = Date.parse(day) - today;
      if (Math.abs(ahead) >= 90 * DAY_MS) return day;
      return new Date(Date.parse('2026-12-01') + ahead).toISOString().slice(0, 10);
    });
}

/** Neutral, and without what depends on the day or on the breaking of lines. */
export function masked(text: string): string {
  return neutral(text.replace(/\b\d{4}-\d{2}-\d{2}\b/g, 'DAY'))
    .replace(/\s+/g, ' ')
    .replace(/fareclerk \d+\.\d+\.\d+/g, 'fareclerk N')
    .replace(/\d+ (pairs|offers|days|s\b|min\b)/g, 'N $1')
    .replace(/schema \d+, SQLite [\d.]+/g, 'schema N, SQLite N')
    .replace(/localhost \([\d.:]+\)/g, 'localhost (N)')
    .trim();
}

if (import.meta.main) {
  const sound = await withWorld(async ({ env }) => (await doctorOn({ env })).text);
  let broken = '';
  for (const [name, [, , change, argv]] of Object.entries(CASES)) {
    broken += await withWorld(async (world) =>
      section(name, (await doctorOn(await setUpOf(change, world), argv)).text),
    );
  }
  const guide = readFileSync(GUIDE, 'utf8').replace(SOUND, () => `\n${fenced(neutral(sound))}\n`);
  writeFileSync(GUIDE, guide);
  writeFileSync(GALLERY, neutral(broken).trimStart());
}
