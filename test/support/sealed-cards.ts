/** What somebody opens who has files of a state, or of its database server, and the details id, which is in the conversation. */
import { createDecipheriv } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openCard } from '../../src/details/seal.ts';

type Call = Parameters<typeof openCard>[1];

/** Every file below these folders, as it lies on the disk. */
export function filesBelow(...folders: readonly string[]): readonly Buffer[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
  );
  return paths.filter((path) => statSync(path).isFile() && !path.includes('/cache')).map((path) => readFileSync(path));
}

/** How long a card is that is sealed by the id: nonce, 512 bytes and tag, base64url. Once more with the key of its form it has 998. */
const ONCE = 720;

/** Every text in these files that could be a card sealed by the id alone, wherever it may begin; also within a card that a key there opens. */
function candidates(files: readonly Buffer[]): ReadonlySet<string> {
  const found = new Set<string>();
  const [texts, keys] = [files.map((file) => file.toString('latin1')), keysIn(files)];
  for (const [run] of texts.flatMap((text) => [...text.matchAll(/[A-Za-z0-9_-]{720,}/g)])) {
    for (let at = 0; at + ONCE <= run.length; at++) found.add(run.slice(at, at + ONCE));
  }
  const twice = texts.flatMap((text) => [...text.matchAll(/k\.([A-Za-z0-9_-]{998})/g)].map(([, card = '']) => card));
  for (const card of new Set(twice)) for (const key of keys) for (const text of openedWith(card, key)) found.add(text);
  return found;
}

/** All that can be the key of a form: a file, or 64 hexadecimal digits in one. */
function keysIn(files: readonly Buffer[]): readonly Buffer[] {
  const digits = files.flatMap((file) => [...file.toString('latin1').matchAll(/[0-9a-f]{64,}/g)].map(([run]) => run));
  const runs = [...new Set(digits)].flatMap((run) =>
    Array.from({ length: run.length - 63 }, (_, at) => run.slice(at, at + 64)),
  );
  return [...files.filter(({ length }) => length === 32), ...[...new Set(runs)].map((run) => Buffer.from(run, 'hex'))];
}

function* openedWith(card: string, key: Uint8Array): Generator<string> {
  const bytes = Buffer.from(card, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
  try {
    yield Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
  } catch {
    // Of another key.
  }
}

/** The cards of this form that can be opened. */
export function openable(files: readonly Buffer[], id: string, call: Call): readonly unknown[] {
  const found: unknown[] = [];
  for (const text of candidates(files)) {
    for (const card of [0, 1]) {
      try {
        found.push(openCard(id, call, card, text));
      } catch {
        // It is no card, or another one.
      }
    }
  }
  return found;
}
