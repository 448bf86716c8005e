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
  it('have the names of their variables', () => {
    const { settings } = read('--base-url', 'https://a.example', '--limit-per-day=5');
    expect(settings).toEqual({ FARECLERK_BASE_URL: 'https://a.example', FARECLERK_LIMIT_PER_DAY: '5' });
  });

  it.each([
    [['--read-only'], 'true'],
    [['--read-only', 'false'], 'false'],
    [['--read-only=false'], 'false'],
    [['--read-only', '--locale', 'en'], 'true'],
  ])('%j: a yes-or-no is %s', (argv, expected) => {
    expect(read(...argv).settings.FARECLERK_READ_ONLY).toBe(expected);
  });

  it('do not exist for secrets: the error names the variables to use', () => {
    expect(() => read('--api-key', 'k')).toThrow(/FARECLERK_API_KEY_FILE/);
    expect(() => read('--api-key=hunter2')).toThrow(UsageError);
    expect(() => read('--api-key=hunter2')).not.toThrow(/hunter2/);
  });

  it('are refused by a command that takes no settings', () => {
    expect(() => readArguments(['--locale', 'en'], { options, takesSettings: false })).toThrow(UsageError);
  });
});

describe('the arguments of a command', () => {
  it('are its options and positional arguments', () => {
    const { own: flags, positionals } = read('TOOL', '{}', '--yes', '--port', '9');
    expect(flags).toMatchObject({ yes: true, port: '9' });
    expect(positionals).toEqual(['TOOL', '{}']);
  });

  it('are refused if unknown, with the nearest option', () => {
    expect(() => read('--prot', '9')).toThrow('Nearest: --port.');
    expect(() => read('--port')).toThrow(UsageError);
    expect(() => read('a', 'b', 'c')).toThrow('"c" is one argument too many.');
  });

  it('accept only the words of a choice', () => {
    expect(read('--dialect', 'rail').own.dialect).toBe('rail');
    expect(() => read('--dialect', 'bus')).toThrow('--dialect: expected rail or airline.');
  });

  it('accept only whole numbers in range', () => {
    expect(wholeNumber('--port', undefined, 0, 9)).toBeUndefined();
    expect(wholeNumber('--port', '9', 0, 9)).toBe(9);
    for (const bad of ['10', '-1', '1.5', '', 'x']) expect(() => wholeNumber('--port', bad, 0, 9)).toThrow(UsageError);
  });
});
