/** Access lists of files that the doctor's settings name: real ones where the machine can make them, else what getfacl publishes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkAccessLists } from '../../../src/cli/doctor/examination.ts';
import { readConfig } from '../../../src/config/load.ts';
import { temporary } from '../screen.ts';
import { examined, withWorld } from './world.ts';

const isReal = spawnSync('setfacl', ['--version']).status === 0;

/** Gives files access lists, `{ 'name': 'u:5002:rw' }`, and returns a PATH whose getfacl knows them. */
function listed(entries: Readonly<Record<string, string>>): string {
  if (isReal) {
    for (const [file, list] of Object.entries(entries)) execFileSync('setfacl', ['-m', list, file]);
    return process.env.PATH ?? '';
  }
  // The published form of getfacl(1), with numbers; a restriction by the mask is a remark behind a tab.
  const blocks = Object.entries(entries).map(([file, list]) => {
    const rows = list.split(',').map((entry) => {
      const [kind, id, granted = ''] = entry.split(':');
      const letters = ['r', 'w', 'x'].map((letter) => (granted.includes(letter) ? letter : '-')).join('');
      const word = { u: 'user', g: 'group', m: 'mask' }[kind ?? ''];
      return `${word}:${id}:${letters}${kind !== 'm' && list.includes('m::---') ? '\t#effective:---' : ''}`;
    });
    const mask = list.includes('m::') ? [] : ['mask::rwx'];
    return `${file}) printf '%s\\n' '# file: ${file.slice(1)}' '# owner: 0' 'user::rw-' '${[...rows, ...mask].join("' '")}' 'other::---' '';;`;
  });
  const folder = temporary('doctor');
  const script = `#!/bin/sh\ncase "$2" in ${blocks.join(' ')} *) printf 'user::rw-\\ngroup::---\\nother::---\\n\\n';; esac\n`;
  writeFileSync(join(folder, 'getfacl'), script);
  chmodSync(join(folder, 'getfacl'), 0o755);
  return folder;
}

/** A set-up whose key and state are in files. */
function setUp() {
  const folder = temporary('doctor');
  const state = join(folder, 'state', 'sandbox');
  mkdirSync(state, { recursive: true });
  const [key, journal] = [join(folder, 'token'), join(state, 'fareclerk.sqlite')];
  for (const file of [key, journal]) writeFileSync(file, 'a-secret-token-of-many-signs-0123', { mode: 0o600 });
  const env = {
    FARECLERK_HTTP_TOKEN_FILE: key,
    FARECLERK_STATE_DIR: join(folder, 'state'),
    XDG_STATE_HOME: folder,
  };
  const said = (PATH: string) => checkAccessLists(readConfig({ ...env }), PATH);
  return { folder, state, key, journal, said };
}

it('names each file and what another may do with it, and how that ends', () => {
  const { folder, state, key, journal, said } = setUp();
  const PATH = listed({
    [key]: 'u:5002:r',
    [journal]: 'u:5002:rw,g:5003:r',
    [state]: 'u:5002:rwx',
    [folder]: 'u:5002:rx',
  });
  const grants = [
    `user 5002 can read ${key}`,
    `user 5002 can read and write, group 5003 can read ${journal}`,
    `user 5002 can write ${state}`,
  ].join('; ');
  expect(said(PATH)).toEqual({
    level: 'warn',
    finding: 'access_list',
    said: `Access lists let others in: ${grants}.`,
    advice: `Run setfacl -b ${key} ${journal} ${state}, unless they are meant to.`,
  });
});

it('passes over lists that let nobody else in, and works without getfacl', () => {
  const { key, journal, said } = setUp();
  const us = `u:${process.geteuid?.()}:r,u:0:r`;
  expect(said(listed({ [key]: us, [journal]: 'u:5002:rw,m::---' }))).toBeUndefined();
  listed({ [key]: 'u:5002:r' });
  expect(said(temporary('doctor'))).toBeUndefined();
});

it('is a warning of the whole examination, which ends well', async () => {
  await withWorld(async (world) => {
    const file = join(world.stateDir, 'key');
    writeFileSync(file, world.env.FARECLERK_API_KEY ?? '', { mode: 0o600 });
    const { FARECLERK_API_KEY: _, ...rest } = world.env;
    const env = { ...rest, FARECLERK_API_KEY_FILE: file, PATH: listed({ [file]: 'u:5002:r' }) };
    const { code, check } = await examined(world, { env });
    expect([code, check('access-lists')]).toMatchObject([0, { level: 'warn', finding: 'access_list' }]);
  });
});
