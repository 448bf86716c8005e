/**
 * What a command is: one file each, loaded only when it is called.
 */

/** The terminal, as far as commands touch it. stdout is the protocol's, or the result asked for; words go to stderr. */
export interface Terminal {
  readonly env: Record<string, string | undefined>;
  /** The Node that runs, and what it was started with: how to start another of the same. */
  readonly execPath: string;
  readonly argv: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** 0 good, 1 failed, 2 bad usage or settings. */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  /** Usage, options and examples, ≤ 80 columns. */
  readonly help: string;
  run(argv: readonly string[], terminal: Terminal): Promise<ExitCode>;
}
