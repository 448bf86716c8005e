/** What is for programs beside a result, such as its view, goes as `_meta`, in both eras, and in neither half. */
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { asking, KINDS } from '../http/support/clients.ts';
import { serve } from '../http/support/serve.ts';
import { openTinyClerk, schemas } from '../http/support/tiny-clerk.ts';

const noted = {
  ...{ name: 'noted', title: 'Noted', description: 'Notes.', toolset: 'core', effect: 'read' },
  ...schemas({}, { word: z.string() }),
  view: 'fares',
  run: async () => ({ summary: 'It is noted.', word: 'yes' }),
  text: ({ word }: { word: string }) => word,
};
const at = await serve({}, await openTinyClerk({ tools: [noted] as never }));
afterAll(() => at.close());

test.each(KINDS)('a %s client gets what is for programs as _meta only', async (kind) => {
  const client = await asking(kind, at);
  const { _meta, content, structuredContent } = await client.callTool({ name: 'noted', arguments: {} });
  expect(_meta).toMatchObject({ 'io.github.fareclerk/view': { vehicle: 'train' } });
  expect(structuredContent).toEqual({ environment: 'sandbox', summary: 'It is noted.', word: 'yes' });
  expect(content).toEqual([{ type: 'text', text: '[sandbox] It is noted.\nyes' }]);
  await client.close();
});
