/** What somebody opens who has files of a state, or of its database server, and the details id, which is in the conversation. */
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

/** How long a card is: nonce, 512 bytes and tag, base64url. */
const LENGTH = 720;

/** Every text in these files that could be a card, wherever it may begin. */
function candidates(files: readonly Buffer[]): ReadonlySet<string> {
  const found = new Set<string>();
  const runs = files.flatMap((file) => [...file.toString('latin1').matchAll(/[A-Za-z0-9_-]{720,}/g)]);
  for (const [run] of runs) {
    for (let at = 0; at + LENGTH <= run.length; at++) found.add(run.slice(at, at + LENGTH));
  }
  return found;
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
