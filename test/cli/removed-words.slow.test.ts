/** A setting, an option or an action of 0.3.0 that is gone says so, and what to do in its place. */
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/terminal/command-table.ts';
import { readConfig } from '../../src/config/load.ts';
import { flagName, SETTING_NAMES } from '../../src/config/settings.ts';
import { fileOf } from '../config/read.ts';
import { expectRefused, freshState, ran } from './screen.ts';

/** What 0.3.0 took and this version does not, by the command; `git show 29b4fe88:src/cli/commands/index.ts`. */
const GONE: Readonly<Record<string, string>> = {
  demo: '--mishap --documents --dialect --verbose',
  init: '--project --url',
  doctor: '--report --no-report --from --to --date --airline --locator',
  approve: '--yes --no --lines',
  findings: '--all',
  journal: '--all --without-second-records --sql --tenant plan',
  events: '--follow --after show',
  forget: '--email --document',
  sandbox: '--inventory --url --list faults mishaps',
};
const GONE_SETTINGS = ['FARECLERK_PRICE_CHECK', 'FARECLERK_TICKETS_DIR'];

const ROWS = Object.entries(GONE).flatMap(([command, words]) =>
  words.split(' ').map((word) => [command, word] as const),
);

describe('what an earlier version took', () => {
  it.each(ROWS)('is refused by `%s %s` with what to do in its place', async (command, word) => {
    await expectRefused(
      freshState(),
      [command, word],
      new RegExp(`^fareclerk: ${word} was removed in 0\\.4\\.0: .{10}`),
    );
  });

  it.each(GONE_SETTINGS)('is refused as the setting %s: in the environment, a file, and as a flag', async (name) => {
    const words = new RegExp(`${name} was removed in 0\\.4\\.0: .{10}`);
    expect(() => readConfig({ [name]: '/tickets' })).toThrow(words);
    expect(() => readConfig({ [name]: '/tickets' })).not.toThrow(/FARECLERK_WITNESS_DIR/);
    const FARECLERK_SETTINGS_FILE = fileOf(`FARECLERK_CURRENCY=SAR\n${name}=/tickets\n`);
    expect(() => readConfig({ FARECLERK_SETTINGS_FILE })).toThrow(
      new RegExp(`line 2 has ${name}, which was removed in 0\\.4\\.0: .{10}`),
    );
    const flag = flagName(name);
    await expectRefused(freshState(), ['doctor', flag, '/tickets'], new RegExp(`${flag} \\(${name}\\) was removed`));
  });

  it('is no setting, option or action of this version', () => {
    for (const name of GONE_SETTINGS) expect(SETTING_NAMES).not.toContain(name);
    for (const [command, { options }] of Object.entries(COMMANDS))
      for (const word of (GONE[command] ?? '').split(' ')) expect(Object.keys(options)).not.toContain(word.slice(2));
  });
});

describe('a variable of OpenTelemetry that has no effect any more', () => {
  const IGNORED = {
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=hunter2',
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_TRACES_SAMPLER: 'always_on',
  };

  it('stops nothing, and doctor says what to use in its place', async () => {
    const { code, stdout } = await ran({ ...freshState(), ...IGNORED }, ['doctor', '--json']);
    expect(code).toBe(0);
    for (const name of Object.keys(IGNORED)) expect(stdout).toContain(`${name} is set, and has no effect since 0.4.0.`);
    expect(stdout).toContain('Use OTEL_EXPORTER_OTLP_HEADERS.');
    expect(stdout).not.toContain('hunter2');
  });

  it('is not named where it asks for what is done', () => {
    expect(readConfig({ OTEL_TRACES_EXPORTER: 'otlp' }).ignoredVariables).toEqual([]);
  });
});
