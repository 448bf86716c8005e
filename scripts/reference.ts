/**
 * Writes docs/reference/tools.md, the page of each tool, and the conversations of the guides from the catalog and from real calls to the sandbox
 * airline. `--check` compares only.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { playExamples } from './reference/examples.ts';
import { openOffice } from './reference/office.ts';
import { playQuestions } from './reference/questions.ts';
import { playTalks, type TalkName, withTalk } from './reference/talks.ts';
import { steadily, toolPages } from './reference/tools-page.ts';

const TALK_PAGES: Readonly<Record<TalkName, string>> = {
  selling: 'docs/guides/agents.md',
  changing: 'docs/guides/support.md',
  watching: 'docs/guides/operations.md',
  disrupted: 'docs/guides/support.md',
};
const QUERIES_PAGE = 'docs/reference/queries.md';

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const isAsWritten = (file: string, page: string): boolean =>
  existsSync(new URL(`../${file}`, import.meta.url)) && read(file) === page;

async function inAnOffice<T>(play: (office: Awaited<ReturnType<typeof openOffice>>) => Promise<T>): Promise<T> {
  const office = await openOffice();
  try {
    return await play(office);
  } finally {
    await office.close();
  }
}

/** The pages as they are generated now, by file. */
export async function writtenNow(): Promise<Readonly<Record<string, string>>> {
  const [examples, questions] = await inAnOffice(async (office) => {
    const played = await playExamples(office);
    return [played, await playQuestions(office)] as const;
  });
  const tools = toolPages(examples);
  const talks = Object.entries(await inAnOffice(playTalks)) as [TalkName, string][];
  const pages: Record<string, string> = { ...tools };
  for (const [name, talk] of talks) {
    const file = TALK_PAGES[name];
    pages[file] = withTalk(pages[file] ?? read(file), name, talk);
  }
  pages[QUERIES_PAGE] = withTalk(read(QUERIES_PAGE), 'questions', steadily(examples)(questions));
  return pages;
}

if (import.meta.main) {
  const different = Object.entries(await writtenNow()).filter(([file, page]) => !isAsWritten(file, page));
  if (process.argv.includes('--check')) {
    if (different.length > 0) throw new Error(`not as the tools are: ${different.map(([file]) => file).join(', ')}`);
  } else {
    for (const [file, page] of different) writeFileSync(new URL(`../${file}`, import.meta.url), page);
  }
}
