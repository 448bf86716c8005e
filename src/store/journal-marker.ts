/**
 * Files that name the journal of a place, so that a lost journal does not look new.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class JournalMarker {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** The ids in these files, without `known`. */
  others(known?: string): readonly string[] {
    return [...new Set(this.#paths.flatMap((path) => readId(path) ?? []))].filter((id) => id !== known);
  }

  /** The id for a journal that has none yet: that of the one before it, or a new one. */
  idOfFresh(): string {
    return this.others()[0] ?? randomUUID();
  }

  /** If this fails, a journal that is lost later may look new. */
  write(id: string): void {
    for (const path of this.#paths) {
      if (readId(path) === id) continue;
      const draft = `${path}.${process.pid}`;
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(draft, `${id}\n`, { mode: 0o600 });
        renameSync(draft, path);
      } catch {
        // A disk that takes no file takes no act either.
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

/** The marker of a place in the folder of witnesses. */
export function markerFor(folder: string, place: string): string {
  const name = createHash('sha256').update(place).digest('hex').slice(0, 24);
  return join(folder, `at-${name}.id`);
}
