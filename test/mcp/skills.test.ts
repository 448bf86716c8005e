/** Skills as hosts get them (SEP-2640): as files, and from the server by the client of the SDK, which verifies each. */
import { readdirSync, readFileSync } from 'node:fs';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, describe, expect, it } from 'vitest';
import { skillFiles } from '../../scripts/skills.ts';
import { toolAvailability } from '../../src/cli/runtime/offered-tools.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { openDesk, siblingOf } from '../clerk/calls/desk.ts';
import { asking, KINDS } from '../http/support/clients.ts';
import { serve, serveSigned } from '../http/support/serve.ts';

const ROOT = new URL('../../', import.meta.url);
const NAMES = ['book-a-trip', 'cancelled-train', 'change-or-cancel', 'morning-at-the-desk'];

const file = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const manifest = (name: string) => file(`skills/${name}/SKILL.md`);

const desk = await openDesk();
const local = await serve({}, desk);
const core = siblingOf(desk, { tools: CATALOG.filter(({ toolset }) => toolset === 'core') });
const coreAt = await serve({}, { clerk: core, close: async () => undefined });
const switches = { readOnly: false, toolsets: ['core', 'desk'], assumedOperations: true } as const;
/** As Node.js 22.19 offers it. */
const withoutSql = siblingOf(desk, { tools: toolAvailability(CATALOG, { ...switches, runsSql: false }).offered });
const withoutSqlAt = await serve({}, { clerk: withoutSql, close: async () => undefined });
const signed = await serveSigned({}, {}, { clerk: desk.clerk, close: async () => undefined });
afterAll(async () => {
  await signed.close();
  await coreAt.close();
  await withoutSqlAt.close();
  await local.close();
});

describe('the files', () => {
  it('are what `npm run write` makes of prompts and guides', () => {
    const made = skillFiles();
    for (const [path, text] of Object.entries(made)) expect(file(path), 'run: npm run write').toBe(text);
    expect(readdirSync(new URL('skills', ROOT)).sort()).toEqual(NAMES);
  });

  it.each(NAMES)('%s begins as the format wants it, and names only tools and fields that exist', (name) => {
    const text = manifest(name);
    const [, named, described = ''] = /^---\nname: (\S+)\ndescription: (".+")\n---\n\n# /.exec(text) ?? [];
    const description = JSON.parse(described) as string;
    expect(named).toBe(name);
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(name.length).toBeLessThanOrEqual(64);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(description).toContain('Use it ');
    // A skill stands alone: nothing of it is somewhere else.
    expect(text).not.toMatch(/\]\(|\.md\b|undefined|“”/);
    const tools = new Set(CATALOG.map((tool) => tool.name));
    const calls = [...text.matchAll(/\b(?:call|calls) `?([a-z]+_[a-z_]+)/gi)].map(([, tool]) => tool ?? '');
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter((tool) => !tools.has(tool))).toEqual([]);
  });
});

describe.each(KINDS.filter((kind) => kind !== 'v1'))('the server, to a %s client', (kind) => {
  it('lists four skills, gives each by its address, and every file is what its entry says', async () => {
    const client = await asking(kind, local);
    const skills = new SkillsClient(client);
    expect(skills.supported).toBe(true);
    const { skills: entries } = await skills.list();
    expect(entries.map(({ uri }) => uri).sort()).toEqual(NAMES.map((name) => `skill://${name}/SKILL.md`));
    for (const entry of entries) {
      const read = await skills.read(entry);
      expect(read).toMatchObject({ verified: true, mimeType: 'text/markdown', frontmatter: entry.frontmatter });
      expect(read.text).toBe(manifest(entry.frontmatter.name));
      expect((await skills.get(entry.uri)).skill).toEqual(entry);
    }
    await expect(skills.get('skill://no-such-skill/SKILL.md')).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'skill://book-a-trip/other.md' })).rejects.toThrow();
    await client.close();
  });
});

it('a v1 client reads a skill like any resource', async () => {
  const client = await asking('v1', local);
  const { contents } = await client.readResource({ uri: 'skill://book-a-trip/SKILL.md' });
  expect(contents).toMatchObject([{ text: manifest('book-a-trip'), mimeType: 'text/markdown' }]);
  await client.close();
});

it('where Node.js runs no SQL, the morning asks list_bookings, and nothing is there that needs query_ledger', async () => {
  for (const [at, runsSql] of [
    [local, true],
    [withoutSqlAt, false],
  ] as const) {
    const client = await asking('v2-2026', at);
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    expect([tools.includes('query_ledger'), tools.includes('list_bookings')]).toEqual([runsSql, true]);
    const prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
    expect(prompts.includes('ask_the_desk')).toBe(runsSql);
    const { skills } = await new SkillsClient(client).list();
    const morning = skills.find(({ uri }) => uri === 'skill://morning-at-the-desk/SKILL.md');
    expect(skills.some(({ uri }) => uri === 'skill://cancelled-train/SKILL.md')).toBe(runsSql);
    const prompt = JSON.stringify((await client.getPrompt({ name: 'check_desk' })).messages);
    const skill = morning && (await new SkillsClient(client).read(morning)).text;
    for (const text of [prompt, skill]) {
      expect(text).toContain('1. Call list_bookings with needs_attention');
      expect(text).toContain('2. If you have query_ledger, ');
      expect(text).toContain('If you do not have it, go on, and say that sums of the day are missing.');
    }
    await client.close();
  }
});

it('the core toolset has none, and does not say that it had', async () => {
  const client = await asking('v2-2026', coreAt);
  const skills = new SkillsClient(client);
  expect(skills.supported).toBe(false);
  expect((await skills.list()).skills).toEqual([]);
  await expect(client.readResource({ uri: 'skill://book-a-trip/SKILL.md' })).rejects.toThrow();
  await client.close();
});

it('offers no skill whose tools the token does not grant', async () => {
  const reader = await asking('v2-2026', {
    url: signed.url,
    token: await signed.token({ sub: 'rita', scope: 'air:read' }),
  });
  const skills = new SkillsClient(reader);
  const { skills: entries } = await skills.list();
  expect(entries.map(({ frontmatter }) => frontmatter.name).sort()).toEqual(['cancelled-train', 'morning-at-the-desk']);
  await expect(skills.get('skill://book-a-trip/SKILL.md')).rejects.toMatchObject({ code: -32602 });
  await reader.close();
});

it('the list of tools and the instructions have no word of skills', async () => {
  const client = await asking('v2-2026', local);
  expect(JSON.stringify(await client.listTools())).not.toMatch(/skill/i);
  expect(client.getInstructions() ?? '').not.toMatch(/skill/i);
  await client.close();
});
