/** docs/reference/commands.md: the help of every command, as `fareclerk COMMAND --help` prints it. */
import { PassThrough } from 'node:stream';
import type { Terminal } from '../../src/cli/terminal/command.ts';
import { COMMANDS } from '../../src/cli/terminal/command-table.ts';
import { main } from '../../src/main.ts';

const HEAD = `# Commands

Written by \`npm run write\` from the commands' own help. In a clone write \`npx fareclerk …\`. Commands that take
settings read them from the profile that \`fareclerk init\` wrote, or from the environment: [Settings](settings.md#where-settings-come-from). They say first,
on stderr, which airline and which state they work with.

stdout carries the protocol or the requested result. Messages go to stderr.

| exit code | meaning                                               |
| --------- | ----------------------------------------------------- |
| 0         | success                                               |
| 1         | failure: a tool error, a failed check, a broken chain |
| 2         | wrong usage or settings                               |
`;

/** What the command line prints, without the list of settings at its end. */
async function printed(argv: readonly string[]): Promise<string> {
  const stdout = new PassThrough();
  // As a program of the PATH: the page shows `fareclerk`.
  const started = { argv: ['node', '/usr/bin/fareclerk', ...argv], env: { PATH: '/usr/bin' } };
  const terminal = { ...process, ...started, stdout, stderr: stdout } as unknown as Terminal;
  await main(argv, terminal);
  const text = String(stdout.read() ?? '');
  return text.replace(/\nSettings \(flag[\s\S]*/, '').trimEnd();
}

const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\`\n`;

const SECTIONS: readonly string[] = await Promise.all(
  Object.keys(COMMANDS).map(async (name) => {
    const { takesSettings } = COMMANDS[name as keyof typeof COMMANDS];
    const settings = takesSettings ? 'It also takes the [settings](settings.md) as flags.\n' : '';
    return `## fareclerk ${name}\n\n${fence(await printed([name, '--help']))}${settings && `\n${settings}`}`;
  }),
);

const OVERVIEW = await printed(['--help']);

export function commandsPage(): string {
  return [HEAD, fence(OVERVIEW.replace(/^fareclerk \S+: .*\n\n/, '')), ...SECTIONS].join('\n');
}
