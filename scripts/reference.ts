/**
 * Writes docs/reference/tools.md from the catalog and from real calls to the sandbox airline. `--check` compares only.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { playExamples } from './reference/examples.ts';
import { openOffice } from './reference/office.ts';
import { toolsPage } from './reference/tools-page.ts';

const PAGE = new URL('../docs/reference/tools.md', import.meta.url);

/** The page as it would be written now. */
export async function writtenNow(): Promise<string> {
  const office = await openOffice();
  try {
    return toolsPage(await playExamples(office));
  } finally {
    await office.close();
  }
}

if (import.meta.main) {
  const page = await writtenNow();
  if (process.argv.includes('--check')) {
    if (readFileSync(PAGE, 'utf8') !== page) throw new Error('docs/reference/tools.md is not as the tools are');
  } else {
    writeFileSync(PAGE, page);
  }
}
