/** Files that name the journal of a place, so that a lost journal does not seem new. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { writeOwn } from '../../files/own-files.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class JournalMarker {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** The other ids in these files. */
  others(known?: string): readonly string[] {
    return [...new Set(this.#paths.flatMap((path) => readId(path) ?? []))].filter((id) => id !== known);
  }

  /** The id for a new journal: that of the journal before it, or a random one. */
  idOfFresh(): string {
    return this.others()[0] ?? randomUUID();
  }

  /** Ignores failures: a journal that is lost later may then seem new. */
  write(id: string): void {
    for (const path of this.#paths) {
      if (readId(path) === id) continue;
      const draft = `${path}.${process.pid}`;
      try {
        writeOwn(draft, `${id}\n`);
        renameSync(draft, path);
      } catch {
        // If the disk is full, acts cannot be recorded or sent either.
      }
    }
  }
}

function readId(path: string): string | undefined {
  try {
    const id = readFileSync(path, 'utf8').trim();
    return ID.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The path of a place's marker in the folder of witnesses. */
export function markerFor(folder: string, place: string): string {
  const name = createHash('sha256').update(place).digest('hex').slice(0, 24);
  return join(folder, `at-${name}.id`);
}
