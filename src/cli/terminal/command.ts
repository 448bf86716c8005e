/** What a command is: its help and how it runs, and the terminal it gets. */

/** stdout carries the protocol or the result; messages for people go to stderr. */
export interface Terminal {
  readonly env: Record<string, string | undefined>;
  /** Path of the Node that runs. It and `argv` tell how to start this program again. */
  readonly execPath: string;
  /** `process.argv`: the path of Node, that of the program, and its arguments. */
  readonly argv: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Takes what was used, such as the list of tools, whose compiled code is then kept for the next start. */
export type Used = (use: string) => void;

/** 0: the command succeeded; 1: it failed; 2: wrong usage or settings. */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  /** The beginning of its help: usage, description and examples, in 80 columns. The options follow. */
  readonly about: string;
  /** Returns help for what follows the command, such as a tool; undefined for the command's own help. */
  helpFor?(argv: readonly string[]): Promise<string | undefined>;
  run(argv: readonly string[], terminal: Terminal, used?: Used): Promise<ExitCode>;
}
