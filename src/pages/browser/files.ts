/**
 * Reads the style sheet and the scripts that all pages share. The program's own bundle has them ready made
 * (scripts/build/page-files.ts).
 */
import { readFileSync } from 'node:fs';

/** Each script uses what those before it define. The pages are complete without them: they keep a page current and save work. */
const SCRIPTS = ['countdown.js', 'renewal.js', 'plan-bar.js', 'pasted-list.js'];

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

export const STYLE = textOf('style.css');
export const SCRIPT = SCRIPTS.map(textOf).join('');
