/** Reads settings as a start does. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readConfig, SettingsError } from '../../src/config/load.ts';

export type Env = Record<string, string | undefined>;

/** The settings that a live airline needs; the currency in small letters, as an operator may write it. */
export const LIVE: Readonly<Record<string, string>> = {
  FARECLERK_BASE_URL: 'https://air.example/ota',
  FARECLERK_API_KEY: 'key-0123456789',
  FARECLERK_AUTH_URL: 'https://id.example/auth/realms/air/',
  FARECLERK_CLIENT_ID: 'app',
  FARECLERK_CLIENT_SECRET: 'shh-client',
  FARECLERK_USERNAME: 'desk',
  FARECLERK_PASSWORD: 'shh-password',
  FARECLERK_AGENT_ID: 'A1',
  FARECLERK_AGENCY_ID: 'Agency',
  FARECLERK_CURRENCY: 'sar',
};

/** A copy of LIVE with changes. */
export const live = (more: Env = {}): Env => ({ ...LIVE, ...more });

export function without(...names: string[]): Env {
  return Object.fromEntries(Object.entries(LIVE).filter(([name]) => !names.includes(name)));
}

/** What a start says of wrong settings. */
export function problems(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('the settings were accepted');
}

/** Refuses the settings in these words, and never repeats a secret: each one in these tests has one of these words. */
export function expectRefused(env: Env, ...words: readonly string[]): void {
  const told = problems(() => readConfig({ ...env }));
  for (const word of words) expect(told).toContain(word);
  expect(told).not.toMatch(/shh|key-0123|hunter2|AAAA/);
}

export const folderOf = (purpose: string): string => mkdtempSync(join(tmpdir(), `fareclerk-${purpose}-`));

export function fileOf(text: string): string {
  const path = join(folderOf('config'), 'file');
  writeFileSync(path, text);
  return path;
}
