/** The program as it is published, on stdio: prompts and resources for clients of both eras. */
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { asking, KINDS, saidBy, textOf } from '../http/support/clients.ts';

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});

describe.each(KINDS)('%s on stdio', (kind) => {
  it('a host requests prompts and resources', async () => {
    const env = { ...program.env, FARECLERK_LOG_LEVEL: 'error' };
    const client = await asking(kind, { command: process.execPath, args: [program.bin, 'serve'], env });
    expect((await client.listPrompts()).prompts).toHaveLength(4);
    expect(await saidBy(client, 'book_trip', { from: 'Makkah', to: 'XMD' })).toContain('From: “Makkah”\nTo: “XMD”');
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    await expect(textOf(client, 'fareclerk://tickets/ZZZ999/1/1')).rejects.toThrow(/E_NOT_FOUND/);
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow(/no prompt of this name/);
    expect(client.getServerVersion()?.icons?.[0]?.src.length).toBeLessThan(400);
    await client.close();
  });
});
