import { describe, expect, it } from 'vitest';
import { readArguments, wholeNumber } from '../../../src/cli/terminal/arguments.ts';
import { UsageError } from '../../../src/config/load.ts';

const options = {
  port: { says: 'a port', value: 'N' },
  dialect: { says: 'a dialect', value: 'NAME', choices: ['rail', 'airline'] },
  yes: { says: 'the answer' },
};
const read = (...argv: string[]) => readArguments(argv, { options, takesSettings: true, positionals: 2 });

describe('flags of settings', () => {
  it('names the flag of a setting after its variable', () => {
    const { settings } = read('--base-url', 'https://a.example', '--limit-per-day=5');
    expect(settings).toEqual({ FARECLERK_BASE_URL: 'https://a.example', FARECLERK_LIMIT_PER_DAY: '5' });
  });

  it.each([
    [['--read-only'], 'true'],
    [['--read-only', 'false'], 'false'],
    [['--read-only=false'], 'false'],
    [['--read-only', '--locale', 'en'], 'true'],
  ])('reads a yes-or-no flag: %j is %s', (argv, expected) => {
    expect(read(...argv).settings.FARECLERK_READ_ONLY).toBe(expected);
  });

  it('offers no flag for secrets, and names the variables to use in the error', () => {
    expect(() => read('--api-key', 'k')).toThrow(/FARECLERK_API_KEY_FILE/);
    expect(() => read('--api-key=hunter2')).toThrow(UsageError);
    expect(() => read('--api-key=hunter2')).not.toThrow(/hunter2/);
  });

  it('refuses a setting flag for a command without settings', () => {
    expect(() => readArguments(['--locale', 'en'], { options, takesSettings: false })).toThrow(UsageError);
  });
});

describe('the arguments of a command', () => {
  it('reads options and positional arguments', () => {
    const { own: flags, positionals } = read('TOOL', '{}', '--yes', '--port', '9');
    expect(flags).toMatchObject({ yes: true, port: '9' });
    expect(positionals).toEqual(['TOOL', '{}']);
  });

  it('refuses an unknown option, with the nearest one', () => {
    expect(() => read('--prot', '9')).toThrow('Nearest: --port.');
    expect(() => read('--port')).toThrow(UsageError);
    expect(() => read('a', 'b', 'c')).toThrow('"c" is one argument too many.');
  });

  it('accepts only the words of a choice option', () => {
    expect(read('--dialect', 'rail').own.dialect).toBe('rail');
    expect(() => read('--dialect', 'bus')).toThrow('--dialect: expected rail or airline.');
  });

  it('accepts only whole numbers in range for a number option', () => {
    expect(wholeNumber('--port', undefined, 0, 9)).toBeUndefined();
    expect(wholeNumber('--port', '9', 0, 9)).toBe(9);
    for (const bad of ['10', '-1', '1.5', '', 'x']) expect(() => wholeNumber('--port', bad, 0, 9)).toThrow(UsageError);
  });
});
