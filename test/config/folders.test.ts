/** The folders of state and second records that settings name, and their defaults. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { live } from './read.ts';

const OURS = '/nowhere';
const STATE = { FARECLERK_STATE_DIR: join(OURS, 'state') };

it('are those that settings name; second records of a sandbox or a database are in the state', () => {
  const set = live({ HOME: '/home/ann', ...STATE });
  const records = join(OURS, 'records');
  const state = { directory: STATE.FARECLERK_STATE_DIR, secondRecords: records };
  expect(readConfig({ ...set, FARECLERK_WITNESS_DIR: records }).state).toMatchObject(state);
  const database = { ...set, FARECLERK_DATABASE_URL: 'postgres://clerk:secret@db.example/clerk' };
  expect(readConfig(database).state.secondRecords).toBe(join(OURS, 'state', 'witness'));
  const sandbox = readConfig({ HOME: '/home/ann', ...STATE, FARECLERK_WITNESS_DIR: records });
  expect(sandbox.state.secondRecords).toBe(join(OURS, 'state', 'sandbox', 'witness'));
});
