/** A process, and the database server, that are killed right behind a hold: none of their files has a card that the details id opens. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { hashId } from '../../src/details/seal.ts';
import { newFolder } from '../campaigns/support/folders.ts';
import type { Fields, McpCaller } from '../support/mcp-http.ts';
import { filesBelow, openable } from '../support/sealed-cards.ts';
import { enterCard, hold, instances } from './details/instances.ts';

const { cluster, fleet } = instances();

/** A form as a thief reads it in a copy of the state. */
function formIn(folder: string, idHash: string): Fields {
  const copy = newFolder('copy');
  cpSync(folder, copy, { recursive: true });
  const state = readdirSync(copy, { recursive: true }).find((name) => String(name).endsWith('.sqlite'));
  using db = new DatabaseSync(join(copy, String(state)));
  return db.prepare('select * from details where id_hash = ?').get(idHash) as Fields;
}

const callOf = ({ id_hash, tenant, caller, tool, args_digest }: Fields) => ({
  ...{ idHash: id_hash, tenant, caller, tool, argsDigest: args_digest },
});

test.each(['SQLite', 'PostgreSQL'] as const)('on %s', async (kind) => {
  const url = kind === 'SQLite' ? undefined : await cluster().database('killed');
  const { members, callers, folders } = await fleet(1, url);
  const [member, caller, folder = ''] = [members[0], callers[0] as McpCaller, folders[0]];
  const [{ data_directory: data } = {}] = await cluster().sql('postgres', 'show data_directory');
  const places = kind === 'SQLite' ? [folder] : [folder, String(data)];
  // The table of the cards is emptied at the next start; no log and no copy of the server ever has them.
  const copied = kind === 'SQLite' ? [folder] : [folder, join(String(data), 'pg_wal')];
  const args = await hold(caller, 49);
  const { id, url: page } = (await caller.call('create_booking', { ...args, details: 'page' })).structured.details;
  await enterCard(page, 1, 4);
  await enterCard(page, 2, 5);
  const form =
    kind === 'SQLite'
      ? formIn(folder, hashId(id))
      : ((await cluster().sql('killed', 'select * from fareclerk.details'))[0] as Fields);
  // Writes to the files what the server has in memory alone.
  const flush = (name: string) =>
    cluster().sql('postgres', `create database ${name} template template0 strategy file_copy`);
  await flush(`before_${kind.toLowerCase()}`);
  // The search finds what is there: until the details are used, the files and the id together open them.
  expect(openable(filesBelow(...places), id, callOf(form)).length).toBeGreaterThanOrEqual(1);
  const { structured } = await caller.call('create_booking', { ...args, details: id });
  await member?.kill();
  await cluster().crash();
  expect(structured.status).toBe('done');
  expect(openable(filesBelow(...copied), id, callOf(form))).toEqual([]);
  await cluster().start();
  await flush(`after_${kind.toLowerCase()}`);
  expect(openable(filesBelow(...places), id, callOf(form))).toEqual([]);
});
