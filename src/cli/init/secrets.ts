/** Stores secrets in files that only this user can read. A host's configuration names those files. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileVariable, SETTING_NAMES, SETTINGS } from '../../config/settings.ts';
import { writeWhole } from './host-file.ts';
import type { Answers } from './interview.ts';

/**
 * Separates secrets (`files`, by path) from other settings (`env`); writes nothing.
 * @param folder where the files of this airline go
 */
export function apart(answers: Answers, folder: string) {
  const env: Record<string, string> = {};
  const files = new Map<string, string>();
  for (const name of SETTING_NAMES) {
    const [value, elsewhere] = [answers[name], answers[fileVariable(name)]];
    if (value !== undefined && SETTINGS[name].secret) {
      const path = join(folder, name.toLowerCase().replace('fareclerk_', '').replaceAll('_', '-'));
      env[fileVariable(name)] = path;
      files.set(path, value);
    } else if (value !== undefined) env[name] = value;
    else if (elsewhere !== undefined) env[fileVariable(name)] = elsewhere;
  }
  return { env, files };
}

/** Writes files of mode 0600 in a folder of mode 0700. */
export function writeSecrets(folder: string, files: ReadonlyMap<string, string>): void {
  if (files.size === 0) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  for (const [path, secret] of files) writeWhole(path, secret, 0o600);
}
