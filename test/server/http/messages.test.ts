import { describe, expect, it } from 'vitest';
import { toolsCalled } from '../../../src/server/http/messages.ts';
import { goodHeaders, LIST, messageIn, raw } from './support/raw.ts';
import { serve } from './support/serve.ts';

const call = (name: string) => ({ method: 'tools/call', params: { name } });

describe('the tools that a request calls', () => {
  it('names them if the request only calls tools', () => {
    expect(toolsCalled([call('read_booking'), call('list_routes')])).toEqual(['read_booking', 'list_routes']);
    expect(toolsCalled([{ method: 'tools/list' }])).toBeUndefined();
    expect(toolsCalled([call('read_booking'), { method: 'tools/list' }])).toBeUndefined();
  });

  it('answers calls and lists on one connection, and a call of an unknown tool, as with all tools', async () => {
    const at = await serve();
    const post = async (body: string) => messageIn((await raw(at.port, { headers: goodHeaders(at.port), body })).body);
    const asked = (name: string) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
    expect(await post(asked('no_such_tool'))).toMatchObject({
      error: { message: expect.stringContaining('no_such_tool') },
    });
    expect((await post(LIST)).result).toMatchObject({ tools: expect.arrayContaining([expect.anything()]) });
    await at.close();
  });
});
