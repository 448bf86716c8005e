/**
 * Completion scripts: bash runs its own; the other two are held to the same words.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { optionsIn } from '../../../src/cli/commands/completion.ts';
import { COMMANDS } from '../../../src/cli/commands/index.ts';
import { flagsOf, type Known } from '../../../src/cli/completion-scripts/known.ts';
import { ABOUT, SETTING_NAMES } from '../../../src/config/settings.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { screen } from '../screen.ts';

async function script(shell: string): Promise<string> {
  const { run, stdout } = screen({});
  expect(await run('completion', shell)).toBe(0);
  return stdout();
}

let known: Known;
let bashFile: string;
beforeAll(async () => {
  known = await (await import('../../../src/cli/commands/completion.ts')).knownWords();
  bashFile = join(mkdtempSync(join(tmpdir(), 'fareclerk-completion-')), 'fareclerk.bash');
  writeFileSync(bashFile, await script('bash'));
});

/** What bash offers after these words; the last one is being typed. */
function offered(...words: string[]): string[] {
  const typed = ['fareclerk', ...words].map((word) => `'${word}'`).join(' ');
  const program = `set -u; source '${bashFile}'; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _fareclerk; printf '%s\\n' "\${COMPREPLY[@]:-}"`;
  return execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}

describe('bash', () => {
  it('commands, and those that begin as typed', () => {
    expect(offered('')).toEqual(Object.keys(COMMANDS));
    expect(offered('jo')).toEqual(['journal']);
  });

  it("a command's words, its own options, and the settings as flags", () => {
    expect(offered('journal', '')).toEqual(['list', 'show', 'verify', 'reconcile', 'export', 'resolve', 'restored']);
    expect(offered('journal', 'export', '--cs')).toEqual(['--csv']);
    expect(offered('call', 'pay')).toEqual(['pay_booking']);
    expect(offered('call', '--yes', 'pay')).toEqual(['pay_booking']);
    expect(offered('serve', '--read')).toEqual(['--read-only']);
    expect(offered('--base')).toEqual(['--base-url']);
    expect(offered('demo', '--')).toEqual(['--mishap', '--help']);
    expect(offered('journal', 'list', '')).toEqual([]);
  });

  it('after an option that takes a value: its words, a file, or nothing', () => {
    expect(offered('serve', '--credentials', '')).toEqual(['both', 'key', 'token']);
    expect(offered('serve', '--record-file', '/etc/host').length).toBeGreaterThan(0);
    expect(offered('serve', '--base-url', '')).toEqual([]);
    expect(offered('sandbox', '--dialect', 'a')).toEqual(['airline']);
    expect(offered('init', '--host', 'cl')).toEqual(['claude-desktop', 'claude-code']);
    expect(offered('serve', '--host', 'cl')).toEqual([]);
  });

  it('an option and its value in one: bash makes three words of it', () => {
    expect(offered('serve', '--credentials', '=')).toEqual(['both', 'key', 'token']);
    expect(offered('serve', '--credentials', '=', 'k')).toEqual(['key']);
    expect(offered('call', '--locale', '=', 'en', 'pay')).toEqual(['pay_booking']);
  });

  it('a value before the command is no command', () => {
    expect(offered('--port', '80', '--base')).toEqual(['--base-url']);
    expect(offered('--log-level', 'info', 'jo')).toEqual(['journal']);
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  it('knows every command, every option, every tool; and no secret as a flag', async () => {
    const text = await script(shell);
    const flag = (name: string) => (shell === 'fish' ? ` -l ${name.slice(2)} ` : name);
    for (const command of known.commands) {
      expect(text).toContain(command.name);
      for (const { name } of flagsOf(command, known)) expect(`${text} `.replaceAll('\n', ' ')).toContain(flag(name));
    }
    for (const { name } of CATALOG) expect(text).toContain(name);
    for (const name of SETTING_NAMES.filter((each) => ABOUT[each].secret)) {
      const secret = name.slice('FARECLERK_'.length).toLowerCase().replaceAll('_', '-');
      expect(text).not.toMatch(new RegExp(`(?:--| -l )${secret}(?![\\w-])`));
    }
  });

  it('leaves no quotation mark open', async () => {
    const text = await script(shell);
    const closed = shell === 'fish' ? /'(?:[^'\\]|\\.)*'/g : /'[^']*'|\\'/g;
    for (const line of text.split('\n')) expect(line.replace(closed, '').includes("'") ? line : '').toBe('');
  });
});

describe('options in a help text', () => {
  it('stand in rows of two spaces, before the settings; every row of every command is read', async () => {
    const help = `usage: x\n\n  fareclerk x --not-this-one\n\n  --limit N   how many (50)\n              of all\n  --yes, --no   the answer\n  --json      JSON\n\nSettings (flag):\n  --base-url\n      says\n`;
    expect(optionsIn(help)).toEqual([
      { name: '--limit', says: 'how many (50) of all', value: 'N' },
      { name: '--yes', says: 'the answer' },
      { name: '--no', says: 'the answer' },
      { name: '--json', says: 'JSON' },
    ]);
    for (const { load } of Object.values(COMMANDS)) {
      const [own = ''] = (await load()).help.split('\nSettings (');
      const rows = own.split('\n').filter((line) => /^ {2}--/.test(line)).length;
      const read = new Set(optionsIn(own).map(({ says }) => says)).size;
      expect(read).toBe(rows);
    }
  });
});
