/**
 * What a shell is told of: words only, no code of ours runs while somebody types.
 */
export interface Flag {
  /** `--limit` */
  readonly name: string;
  readonly says: string;
  /** What follows it; absent: nothing does. */
  readonly value?: string;
  /** The words that may follow, where they are few. */
  readonly choices?: readonly string[];
}

export interface KnownCommand {
  readonly name: string;
  readonly says: string;
  /** Words that may come first. */
  readonly words: readonly string[];
  readonly flags: readonly Flag[];
  readonly takesSettings: boolean;
}

export interface Known {
  readonly commands: readonly KnownCommand[];
  /** Settings that are flags of every command that takes settings. */
  readonly settings: readonly Flag[];
}

/** Flags of any command. */
export const EVERYWHERE: readonly Flag[] = [{ name: '--help', says: 'usage, options and examples' }];

export function flagsOf({ flags, takesSettings }: KnownCommand, { settings }: Known): readonly Flag[] {
  return [...flags, ...EVERYWHERE, ...(takesSettings ? settings : [])];
}

/** A file is meant where the value is a path. */
export const wantsFile = ({ name, value }: Flag): boolean =>
  value !== undefined && /FILE|DIR|PATH/.test(`${value} ${name.toUpperCase()}`);

/** `'…'` for bash, zsh and, with its own escapes, fish. */
export function inQuotes(text: string, escaped: string): string {
  return `'${text.replaceAll("'", escaped)}'`;
}
