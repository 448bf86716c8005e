/**
 * State that cannot be kept, and settings that deserve a second look.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import { startFront } from '../front.ts';
import type { Case } from '../world.ts';

export const STATE: readonly Case[] = [
  {
    name: 'a state folder that cannot be written',
    check: 'state',
    finding: 'state_unwritable',
    level: 'fail',
    advice: /FARECLERK_STATE_DIR/,
    setUp({ env, stateDir }) {
      const file = join(stateDir, 'not-a-folder');
      writeFileSync(file, '');
      return { env: { ...env, FARECLERK_STATE_DIR: join(file, 'state') } };
    },
  },
  {
    name: 'a damaged state file',
    check: 'state',
    finding: 'state_unwritable',
    level: 'fail',
    advice: /Keep the old file/,
    setUp({ env, stateDir }) {
      writeFileSync(join(stateDir, 'fareclerk.sqlite'), 'not a database, and long enough to be taken for one', {
        mode: 0o600,
      });
      return { env };
    },
  },
  {
    name: 'state of a newer version',
    check: 'state',
    finding: 'state_newer',
    level: 'fail',
    advice: /newer fareclerk/,
    async setUp({ env, stateDir }) {
      const file = join(stateDir, 'fareclerk.sqlite');
      await (await openSqliteState(file)).close();
      const database = new DatabaseSync(file);
      database.exec("update meta set value = '999' where key = 'schema_version'");
      database.close();
      return { env };
    },
  },
  {
    name: 'state of an older version',
    check: 'state',
    finding: 'state_older',
    level: 'fail',
    advice: /older fareclerk/,
    async setUp({ env, stateDir }) {
      const file = join(stateDir, 'fareclerk.sqlite');
      await (await openSqliteState(file)).close();
      const database = new DatabaseSync(file);
      database.exec("update meta set value = '1' where key = 'schema_version'");
      database.close();
      return { env };
    },
  },
  {
    name: "another airline's state",
    check: 'state',
    finding: 'state_of_another',
    level: 'fail',
    advice: /FARECLERK_STATE_DIR/,
    async setUp({ env, stateDir }) {
      await (await openSqliteState(join(stateDir, 'fareclerk.sqlite'), { airline: 'air.example/Another' })).close();
      return { env };
    },
  },
  {
    name: 'state that another program holds',
    check: 'state',
    finding: 'state_locked',
    level: 'fail',
    advice: /End that program/,
    async setUp({ env, stateDir, later }) {
      const file = join(stateDir, 'fareclerk.sqlite');
      await (await openSqliteState(file)).close();
      const holder = new DatabaseSync(file);
      holder.exec('begin immediate');
      later(() => holder.close());
      return { env };
    },
  },
  {
    name: 'a database that is not there',
    check: 'state',
    finding: 'state_unwritable',
    level: 'fail',
    advice: /FARECLERK_DATABASE_URL/,
    async setUp({ env }) {
      const front = await startFront(() => undefined);
      await front.close();
      const { host } = new URL(front.origin);
      return { env: { ...env, FARECLERK_DATABASE_URL: `postgres://clerk:hunter2@${host}/fareclerk` } };
    },
  },
  {
    name: 'state that others can read',
    check: 'state',
    finding: 'state_open_to_others',
    level: 'warn',
    advice: /chmod 600/,
    setUp({ env, stateDir }) {
      mkdirSync(stateDir, { recursive: true });
      writeFileSync(join(stateDir, 'fareclerk.sqlite'), '', { mode: 0o644 });
      return { env };
    },
  },
  {
    name: 'a proxy in the environment',
    check: 'proxy',
    finding: 'proxy_ignored',
    level: 'warn',
    advice: /without the proxy/,
    setUp: ({ env }) => ({ env: { ...env, HTTPS_PROXY: 'http://user:hunter2@proxy.example:3128' } }),
  },
  {
    name: 'a settings file that everybody can read',
    check: 'settings.open',
    finding: 'settings_open',
    level: 'warn',
    advice: /chmod 600/,
    setUp({ env, stateDir }) {
      const file = join(stateDir, 'fareclerk.env');
      writeFileSync(file, 'FARECLERK_LOCALE=en\n', { mode: 0o644 });
      return { env: { ...env, FARECLERK_SETTINGS_FILE: file } };
    },
  },
  {
    name: "the model's word taken for a yes",
    check: 'approval',
    finding: 'asked_by_the_model',
    level: 'warn',
    advice: /FARECLERK_APPROVAL=auto/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_APPROVAL: 'echo' } }),
  },
  {
    name: 'a client whose dialogs nobody sees',
    check: 'dialogs',
    finding: 'dialogs_unseen',
    level: 'warn',
    advice: /FARECLERK_DIALOG_FLOOR_MS/,
    async setUp({ env, stateDir }) {
      const state = await openSqliteState(join(stateDir, 'fareclerk.sqlite'));
      for (const tookMs of [4, 3]) {
        const unseen = { at: Date.now(), tookMs };
        await state.unseenDialogs.add({ tenant: 't', id: 'ann' }, { name: 'some-ide', version: '1.2' }, unseen, 0);
      }
      await state.close();
      return { env };
    },
  },
  {
    name: 'an address for events that leads into a private network',
    check: 'webhook',
    finding: 'webhook_private',
    level: 'warn',
    advice: /FARECLERK_WEBHOOK_PRIVATE_HOSTS/,
    setUp: ({ env }) => ({
      env: {
        ...env,
        FARECLERK_WEBHOOKS: 'https://127.0.0.1/hook',
        FARECLERK_WEBHOOK_SECRET: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      },
    }),
  },
  {
    name: 'an address for events that no setting allows',
    check: 'webhook',
    finding: 'webhook_never',
    level: 'warn',
    advice: /another address/,
    setUp: ({ env }) => ({
      env: {
        ...env,
        FARECLERK_WEBHOOKS: 'https://169.254.169.254/hook',
        FARECLERK_WEBHOOK_SECRET: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      },
    }),
  },
  {
    name: 'assumed operations on a real airline',
    check: 'assumed',
    finding: 'assumed',
    level: 'warn',
    advice: /test system/,
    setUp: ({ env }) => ({ env: { ...env, FARECLERK_ASSUMED_OPERATIONS: 'true' } }),
  },
];
