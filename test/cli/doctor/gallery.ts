/**
 * The guide's gallery of broken set-ups: the doctor's own words, as it said them. `node test/cli/doctor/gallery.ts`
 * writes it into docs/reference/doctor.md; a test holds the guide to it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Result } from '../../../src/cli/doctor/check.ts';
import { resultLines } from '../../../src/cli/doctor/print.ts';
import { addDays, daysBetween } from '../../../src/domain/time-and-text/times.ts';
import { CASES } from './cases.ts';
import { doctorOn, runCase, type Spoken } from './run-case.ts';
import { withWorld } from './world.ts';

export const GUIDE = new URL('../../../docs/reference/doctor.md', import.meta.url);
const PART = (name: string) => new RegExp(`(?<=<!-- ${name} -->\n)[\\s\\S]*(?=<!-- /${name} -->)`);

const fenced = (lines: readonly string[]): string => `\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;

/** What is not as it should be, as it was printed. */
function troubles(checks: readonly Result[]): readonly string[] {
  const plain = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.WriteStream;
  return resultLines(
    checks.filter(({ level }) => level === 'fail' || level === 'warn'),
    plain,
  );
}

export const section = (name: string, { checks }: Spoken): string =>
  `\n### ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${fenced(troubles(checks))}`;

/** Ports, folders, references and days of this run: another run has others. */
export function neutral(text: string): string {
  return text
    .replace(/\/\S*fareclerk-doctor-\w+/g, '/home/ann/.local/state/fareclerk')
    .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:8770')
    .replace(/(127\.0\.0\.1|localhost) port \d+/g, '$1 port 8770')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '5d1c7e0a-93c4-4f7b-8a51-0c7d2e9b6f13')
    .replace(/\b20[2-9]\d-\d{2}-\d{2}\b/g, (day) => {
      const ahead = daysBetween(new Date().toISOString().slice(0, 10), day);
      return Math.abs(ahead) < 90 ? addDays('2026-12-01', ahead) : day;
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

async function gallery(): Promise<string> {
  const sections: string[] = [];
  for (const broken of CASES) {
    sections.push(await withWorld(async (world) => section(broken.name, await runCase(broken, world))));
  }
  return neutral(`${sections.join('')}\n`);
}

export async function soundOutput(): Promise<string> {
  return withWorld(async ({ env }) => (await doctorOn({ env })).text);
}

if (import.meta.main) {
  const [sound, broken] = [fenced([neutral(await soundOutput()).trimEnd()]), await gallery()];
  const guide = readFileSync(GUIDE, 'utf8')
    .replace(PART('sound'), () => `\n${sound}\n`)
    .replace(PART('gallery'), () => broken);
  writeFileSync(GUIDE, guide);
}
