/** A thousand callers, interleaved, on two servers of one process: no caller gets another's reply. */
import { expect, it } from 'vitest';
import { inParallel } from '../../campaigns/support/pace.ts';
import { mcpCaller } from '../../support/mcp-http.ts';
import { callBody, messageIn } from './support/raw.ts';
import { serve, serveSigned } from './support/serve.ts';

it('gives each of a thousand callers their own replies', async () => {
  const one = await serveSigned();
  const two = await serve(
    { publicUrl: 'https://air.example', signIn: one.signIn },
    { ...one.tiny, close: async () => {} },
  );
  /** Every caller counts its messages from 1, so message ids cannot distinguish callers. */
  async function old(url: string, token: string, word: string) {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const reply = await fetch(url, { method: 'POST', headers, body: callBody('who_am_i', { word }) });
    return (messageIn(await reply.text()).result as { structuredContent: object }).structuredContent;
  }
  const crossed: unknown[] = [];
  await inParallel(Array.from(Array(1_000).keys()), 100, async (i) => {
    const token = await one.token({ sub: `caller-${i}`, scope: 'air:read' });
    const { url } = i % 4 < 2 ? one : two;
    const word = `word-${i}`;
    const modern = mcpCaller(url, token);
    const told = i % 2 === 0 ? (await modern.call('who_am_i', { word })).structured : await old(url, token, word);
    modern.close();
    if (told.id !== `oauth:caller-${i}:desk` || told.word !== word) crossed.push([i, told]);
  });
  expect(crossed).toEqual([]);
  await two.close();
  await one.close();
}, 60_000);
