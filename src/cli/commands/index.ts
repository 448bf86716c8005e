/**
 * The commands, in the order of the overview. Each is loaded when it is called, so that none pays for another's code.
 */
import type { Command } from './command.ts';

export interface Entry {
  /** One line for the overview. */
  readonly says: string;
  /** Words that may come first, where the command takes one of a list. */
  readonly actions?: readonly string[];
  load(): Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: {
    says: 'MCP server on stdio (the default command)',
    load: async () => (await import('./serve.ts')).serve,
  },
  sandbox: {
    says: 'the sandbox airline alone, over HTTP',
    load: async () => (await import('./sandbox.ts')).sandbox,
  },
  demo: {
    says: 'a whole trip in the terminal, in the sandbox',
    load: async () => (await import('./demo.ts')).demo,
  },
  call: {
    says: 'one tool call from the shell, result as JSON',
    load: async () => (await import('./call.ts')).call,
  },
  approve: {
    says: 'what waits for a person, and the answer to it',
    load: async () => (await import('./approve.ts')).approve,
  },
  doctor: {
    says: 'checks settings, addresses, credentials and state',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  init: {
    says: 'asks for the settings, checks them, and sets up a host',
    load: async () => (await import('./init.ts')).init,
  },
  journal: {
    says: 'the operations journal: list, show, verify, reconcile and more',
    actions: ['list', 'show', 'verify', 'reconcile', 'export', 'resolve', 'restored'],
    load: async () => (await import('./journal.ts')).journal,
  },
  pause: {
    says: 'stops all sending to the airline; reading goes on',
    load: async () => (await import('./pause.ts')).pause,
  },
  resume: {
    says: 'allows sending again after a pause',
    load: async () => (await import('./pause.ts')).resume,
  },
  completion: {
    says: 'completion for bash, zsh or fish',
    actions: ['bash', 'zsh', 'fish'],
    load: async () => (await import('./completion.ts')).completion,
  },
};
