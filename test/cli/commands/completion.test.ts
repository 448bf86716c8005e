/**
 * Completion scripts: bash runs its script; the other two are checked for the same words.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { SETTING_NAMES, SETTINGS } from '../../../src/config/settings.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { ran, temporary } from '../screen.ts';

const PAGE = readFileSync(new URL('../../../docs/reference/commands.md', import.meta.url), 'utf8');
const COMMANDS = [...PAGE.matchAll(/^## fareclerk (\w+)$/gm)].map(([, name = '']) => name);
const FLAGS = [...PAGE.matchAll(/^ {2}--([a-z-]+) /gm)].map(([, flag = '']) => flag);

async function script(shell: string): Promise<string> {
  const { code, stdout } = await ran({}, ['completion', shell]);
  expect(code).toBe(0);
  return stdout;
}

let bashFile: string;
beforeAll(async () => {
  bashFile = join(temporary('completion'), 'fareclerk.bash');
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
  it('completes commands', () => {
    expect(offered('')).toEqual(COMMANDS);
    expect(offered('jo')).toEqual(['journal']);
  });

  it("completes a command's words, its options, and the settings as flags", () => {
    const words = 'list show plan verify reconcile export archive resolve restored';
    expect(offered('journal', '')).toEqual(words.split(' '));
    expect(offered('journal', 'export', '--cs')).toEqual(['--csv']);
    expect(offered('call', 'pay')).toEqual(['pay_booking']);
    expect(offered('call', '--yes', 'pay')).toEqual(['pay_booking']);
    expect(offered('serve', '--read')).toEqual(['--read-only']);
    expect(offered('--base')).toEqual(['--base-url']);
    expect(offered('demo', '--')).toEqual(['--mishap', '--disruption', '--dialect', '--help']);
    expect(offered('journal', 'list', '')).toEqual([]);
  });

  it('completes the inputs of a tool, and the faults of the sandbox', () => {
    expect(offered('call', 'pay_booking', 'pay')).toEqual(['payment.type=', 'payment.holder_name=']);
    expect(offered('call', 'search_fares', 'legs.0.from', '=', 'QCA', 'legs.0.t')).toEqual(['legs.0.to=']);
    expect(offered('call', 'list_routes', 'from', '=', '')).toEqual([]);
    expect(offered('sandbox', 'tr')).toEqual(['trigger']);
    expect(offered('sandbox', 'trigger', 'lost')).toEqual(['lost-answer', 'lost-request']);
  });

  it('completes the value of an option: its words, a file, or nothing', () => {
    expect(offered('serve', '--credentials', '')).toEqual(['both', 'key', 'token']);
    expect(offered('serve', '--record-file', '/etc/host').length).toBeGreaterThan(0);
    expect(offered('serve', '--base-url', '')).toEqual([]);
    expect(offered('sandbox', '--dialect', 'a')).toEqual(['airline']);
    expect(offered('init', '--host', 'cl')).toEqual(['claude-desktop', 'claude-code']);
    expect(offered('serve', '--host', 'cl')).toEqual([]);
  });

  it('completes `--option=value`, which bash splits into three words', () => {
    expect(offered('serve', '--credentials', '=')).toEqual(['both', 'key', 'token']);
    expect(offered('serve', '--credentials', '=', 'k')).toEqual(['key']);
    expect(offered('call', '--locale', '=', 'en', 'pay')).toEqual(['pay_booking']);
  });

  it('does not take the value of an option for the command', () => {
    expect(offered('--port', '80', '--base')).toEqual(['--base-url']);
    expect(offered('--log-level', 'info', 'jo')).toEqual(['journal']);
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  it('knows every command, option and tool, and no secret as a flag', async () => {
    const text = await script(shell);
    expect(FLAGS.length).toBeGreaterThan(50);
    for (const command of COMMANDS) expect(text).toContain(command);
    for (const flag of FLAGS)
      expect(text.replaceAll('\n', ' ')).toContain(shell === 'fish' ? ` -l ${flag} ` : `--${flag}`);
    for (const { name } of CATALOG) expect(text).toContain(name);
    for (const name of SETTING_NAMES.filter((each) => SETTINGS[each].secret)) {
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
