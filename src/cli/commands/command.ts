/** stdout carries the protocol or the result; messages for people go to stderr. */
export interface Terminal {
  readonly env: Record<string, string | undefined>;
  /** The Node that runs, and its arguments: how to start this program again. */
  readonly execPath: string;
  readonly argv: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** 0 good, 1 failed, 2 bad usage or settings. */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  /** The beginning of its help: usage, description and examples, in 80 columns. The options follow. */
  readonly about: string;
  /** Help for what follows the command, such as a tool; undefined: the command's own help. */
  helpFor?(argv: readonly string[]): Promise<string | undefined>;
  run(argv: readonly string[], terminal: Terminal): Promise<ExitCode>;
}
