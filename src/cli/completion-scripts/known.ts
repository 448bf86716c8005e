/** The words in a completion script. The script runs none of our code while somebody types. */
import type { Option } from '../commands/index.ts';

export interface Flag extends Option {
  /** `--limit` */
  readonly name: string;
}

export interface KnownCommand {
  readonly name: string;
  readonly says: string;
  /** The words that its first argument can be. */
  readonly words: readonly string[];
  /** The words that can follow one of them; `key=` goes on with a value. */
  readonly next: Readonly<Record<string, readonly string[]>>;
  readonly flags: readonly Flag[];
}

/** A value that is a path is completed as a file. */
export const wantsFile = ({ name, value }: Flag): boolean =>
  value !== undefined && /FILE|DIR|PATH/.test(`${value} ${name.toUpperCase()}`);

/** `'…'` for bash, zsh and, with its own escapes, fish. */
export function inQuotes(text: string, escaped: string): string {
  return `'${text.replaceAll("'", escaped)}'`;
}
