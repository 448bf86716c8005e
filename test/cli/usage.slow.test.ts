/** Help, bad usage, and the commands that our own texts name. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { flagName, SETTING_NAMES, SETTINGS } from '../../src/config/settings.ts';
import { VERSION } from '../../src/core/version.ts';
import { main } from '../../src/main.ts';
import { LIVE } from './desk.ts';
import { freshState, ran, screen, temporary } from './screen.ts';

const PAGE = readFileSync(new URL('../../docs/reference/commands.md', import.meta.url), 'utf8');
const COMMANDS = [...PAGE.matchAll(/^## fareclerk (\w+)$/gm)].map(([, name = '']) => name);
const wide = (text: string): readonly string[] => text.split('\n').filter((line) => line.length > 80);

describe('help', () => {
  it.each(COMMANDS)('prints for %s what the page of commands shows, in one screen of 80 columns', async (command) => {
    const { code, stdout, stderr } = await ran({}, [command, '--help']);
    expect([code, stderr, wide(stdout)]).toEqual([0, '', []]);
    expect(PAGE).toContain(`## fareclerk ${command}\n\n\`\`\`text\n${stdout}`);
    expect(stdout).toMatch(new RegExp(`^  (?:FARECLERK_\\S+ )?fareclerk ${command}`, 'm'));
    expect(stdout.split('\n').length).toBeLessThanOrEqual(40);
    expect((await ran({}, ['help', command])).stdout).toBe(stdout);
  });

  it('lists every command, and prints the version', async () => {
    const { code, stdout } = await ran({}, ['--help']);
    expect([code, wide(stdout)]).toEqual([0, []]);
    expect(PAGE).toContain(stdout.slice(stdout.indexOf('usage: ')));
    const listed = [...stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name]) => name);
    expect(listed.filter((name) => name !== 'fareclerk')).toEqual(COMMANDS);
    expect(await ran({}, ['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
  });

  it('lists in `help settings` every setting, in 80 columns', async () => {
    const { code, stdout } = await ran({}, ['help', 'settings']);
    expect([code, wide(stdout)]).toEqual([0, []]);
    const listed = stdout.split('\n').flatMap((line) => /^ {2}(--[\w-]+|FARECLERK_\w+)$/.exec(line)?.[1] ?? []);
    expect(listed.toSorted()).toEqual(
      SETTING_NAMES.map((name) => (SETTINGS[name].secret ? name : flagName(name))).toSorted(),
    );
  });
});

const NOT_MINE = { ...LIVE, FARECLERK_BASE_URL: 'https://air.example/ota' };

describe('exit code 2', () => {
  it.each<[string, RegExp, Record<string, string>?]>([
    ['jurnal', /Nearest: journal\./],
    ['docter', /Nearest: doctor\./],
    ['help docter', /Nearest: doctor\./],
    ['serach_fares from=QCA', /Nearest: call search_fares\./],
    ['read_bookng', /Nearest: call read_booking\./],
    ['srve', /Nearest: serve\./],
    ['zzzzzzzz', /no command "zzzzzzzz"\.(?! Nearest)/],
    ['serve --base-ulr https://x.example', /Unknown option '--base-ulr'/],
    ['--toolse', /Unknown option '--toolse'/],
    ['--read-only', /Unknown option '--read-only'/],
    ['serve --password hunter2', /Unknown option '--password'/],
    ['serve --api-key=hunter2', /Unknown option '--api-key'/],
    ['serve --webhooks hunter2', /Unknown option '--webhooks'/],
    ['serve', /FARECLERK_BASE_URL/, { FARECLERK_BASEURL: 'x' }],
    ['serve', /FARECLERK_BASE_URL/, { FARECLERK_API_KEY: 'hunter2' }],
    ['call list_routes', /FARECLERK_BASE_URL/, { FARECLERK_CARRIER: 'HHR' }],
    ['serve --port 9', /go with --http/],
    ['serve --http --host 0.0.0.0', /FARECLERK_ISSUER/],
    ['serve --http --host 127.0.0', /FARECLERK_ISSUER/],
    ['serve --http --host 127.0.0.256', /FARECLERK_ISSUER/],
    ['serve --http --host 127.0.0.01', /FARECLERK_ISSUER/],
    ['serve --http --host 127.0.0.1:80', /FARECLERK_ISSUER/],
    ['serve --http --host .localhost', /FARECLERK_ISSUER/],
    ['serve --http --host 0x7f.1', /FARECLERK_ISSUER/],
    ['serve --port', /--port/],
    ['call', /expected a tool/],
    ['call list_route from=QCA', /no such tool\. Nearest: list_routes\./],
    ['call pay from=QCA', /Nearest: pay_booking\./],
    ['call cancel locator=K7PL2M', /Nearest: cancel_(?:segment|booking)\./],
    ['call zzzzzzzz from=QCA', /no such tool\.(?! Nearest)/],
    ['doctor --route Madinah', /--route: expected two stations/],
    ['pause one two', /"two" is one argument too many/],
    ['journal burn', /expected list, show ID, verify, reconcile, export, resolve ID or restored/],
    ['journal --limt 5', / journal --help` lists/],
    ['call search_fares legs', / call search_fares --help` lists/],
    ['journal --limit 0', /--limit: expected a whole number from 1 to /],
    ['journal --limit 1.5', /--limit: expected a whole number/],
    ['journal list --csv', /goes with journal export/],
    ['journal list --note x', /--note: goes with journal resolve\./],
    ['journal list --state open', /--state/],
    ['journal show', /expected one operation id/],
    ['journal export --from monday', /--from: expected a day/],
    ['journal export --from 2026-02-30', /--from: expected a day/],
    ['journal export --to 2026-12-01T08:00:00', /--to: expected a day/],
    ['journal export --from 2026-12-02 --to 2026-12-01', /not before --from/],
    ['events what', /expected list, resend or test/],
    ['events resend a', /"a" is one argument too many/],
    ['events test --dead', /takes no --dead/],
    ['events test', /FARECLERK_WEBHOOKS and FARECLERK_NOTIFY are not set/],
    ['findings open', /findings/],
    ['forget', /--locator, --name or --customer/],
    ['forget --name Jane', /at least two words/],
    ['forget --name DOE/JANE --tenant desk', /--tenant: expected with --customer/],
    ['init --no-check --yes', /--host must say which/],
    ['init --no-check --yes --host netscape', /--host: expected claude-desktop/],
    ['init --no-check --yes --host cursor --agent-id A1', /FARECLERK_BASE_URL/],
    ['serve --rehearsal 0', /--rehearsal: expected a whole number from 1 to 600/],
    ['serve --rehearsal 6', /an airline on this machine, and FARECLERK_BASE_URL is on another/, NOT_MINE],
    ['serve --rehearsal 6 --base-url http://air.localhost/ota', /FARECLERK_BASE_URL is on another/, NOT_MINE],
    ['serve --backlog 511', /Unknown option '--backlog'/],
    ['sandbox --currency SAR', /Unknown option '--currency'/],
    ['sandbox --dialect bus', /rail or airline/],
    ['sandbox --port x', /--port: expected a whole number from 0 to /],
    ['sandbox --inventory /nowhere', /--inventory was removed in 0\.4\.0: /],
    ['sandbox fault', /expected trigger FAULT, mishap KIND/],
    ['sandbox trigger lost-anser', /expected lost-answer, sold-out or airline-down\./],
    ['sandbox trigger', /expected lost-answer, sold-out or/],
    ['sandbox trigger lost-answer --for fly', /--for: expected .*search_fares/],
    ['sandbox trigger lost-answer --state /nowhere', /--state: there is no file/],
    ['sandbox trigger lost-answer --url http://127.0.0.1:8770', /--url was removed in 0\.4\.0: /],
    ['sandbox trigger lost-answer --times 0', /from 1 to 1000/],
    ['sandbox trigger lost-answer', /has not run yet/],
    ['sandbox trigger lost-answer', /names another airline/, NOT_MINE],
    ['sandbox mishap cancle K7PL2M', /expected cancel, retime or delay\./],
    ['sandbox mishap', /expected cancel, retime or delay/],
    ['sandbox mishap cancel', /expected the locator of a booking/],
    ['sandbox mishap delay 0101 tomorrow', /expected the locator of a booking/],
    ['sandbox mishap delay K7PL2M minutes=90', /expected the locator of a booking/],
    ['sandbox mishap delay K7PL2M --minutes soon', /--minutes: expected a whole number from 1/],
    ['sandbox mishap delay --list', /--list was removed in 0\.4\.0: /],
    ['sandbox mishap cancel K7PL2M', /has not run yet/],
  ])('is the end of `%s`, and stdout stays empty: %s', async (line, words, more = {}) => {
    const { code, stdout, stderr } = await ran({ ...freshState(), ...more }, line.split(' '));
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(words)]);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('a command in our own texts', () => {
  /** A link as npx makes it to start the clone in whose folder it is called. */
  function npxLink(): string {
    const folder = join(temporary('npx'), '_npx', '1a2b', 'node_modules', '.bin');
    mkdirSync(folder, { recursive: true });
    const link = join(folder, 'fareclerk');
    symlinkSync(join(process.cwd(), 'bin', 'fareclerk.js'), link);
    return link;
  }

  /** Runs a command line as the program that this file starts. */
  async function startedAs(file: string, command: readonly string[], env: Record<string, string> = {}) {
    const it = screen(env);
    Object.assign(it.terminal, { execPath: '/n/bin/node', argv: ['/n/bin/node', file, ...command] });
    await it.run(...command);
    return it.stderr() + it.stdout();
  }

  it.each([
    ['from a file', () => '/opt/f f/bin/fareclerk.js', {}, "/n/bin/node '/opt/f f/bin/fareclerk.js'"],
    [
      'from a file, with node on the PATH',
      () => '/opt/bin/fareclerk.js',
      { PATH: dirname(process.execPath) },
      'node /opt/bin/fareclerk.js',
    ],
    ['from the PATH', () => '/opt/bin/fareclerk', { PATH: '/opt/bin' }, 'fareclerk'],
    [
      'by npx, from the registry',
      () => '/home/ann/_npx/1a2b/node_modules/.bin/fareclerk',
      {},
      `npx -y fareclerk@${VERSION}`,
    ],
    ['by npx, in a clone', npxLink, {}, 'npx fareclerk'],
  ])('starts the program as it was started %s', async (_, file, env, program) => {
    const mistyped = await startedAs(file(), ['journal', '--limt'], env);
    expect(mistyped).toContain(`\`${program} journal --help\` lists what there is.`);
  });

  it('is written out by a server in a clone, whose reader is in another folder', async () => {
    const file = join(process.cwd(), 'bin', 'fareclerk.js');
    const refused = await startedAs(npxLink(), ['serve', '--limt']);
    expect(refused).toContain(`\`/n/bin/node ${file} serve --help\` lists what there is.`);
  });

  const PRINTING: readonly (readonly string[])[] = [
    ['help'],
    ['help', 'settings'],
    ...COMMANDS.map((name) => [name, '--help']),
    ['call', 'search_fares', '--help'],
    ['call', '--list'],
    ['call'],
    ['doctor', '--profile', 'none'],
    ['doctor'],
    ['journal', 'show', '1f2e3d4c'],
  ];

  it.each(PRINTING.map((command) => [command.join(' '), command] as const))(
    'is the one that runs here in what `%s` prints',
    async (_, command) => {
      const file = '/opt/f/bin/fareclerk.js';
      const text = (await startedAs(file, command, freshState())).replaceAll(/\s+/g, ' ');
      expect(text).not.toMatch(/(?<![\w./-])fareclerk (?!0\.)(?=COMMAND|\[|--|[a-z]+\b(?= [A-Z[-]| *`))/);
      expect(text).toContain(`/n/bin/node ${file} `);
    },
  );

  it('reads the settings of this run: the sandbox, with its folder where one is set', async () => {
    const { FARECLERK_STATE_DIR: folder } = freshState();
    const approvals = async (more: Record<string, string>) => {
      const { stdout } = await ran({ XDG_STATE_HOME: folder, ...more }, ['doctor']);
      return / approve( --[^`]*)`/.exec(stdout.replaceAll(/\s+/g, ' '))?.[1];
    };
    expect(await approvals({})).toBe(' --sandbox');
    const spaced = `${folder}/s t`;
    expect(await approvals({ FARECLERK_STATE_DIR: spaced })).toBe(` --sandbox --state-dir '${spaced}'`);
  });
});

it('ends quietly when the reader of stdout closes the pipe', async () => {
  const stdout = new PassThrough();
  await main(['--version'], { ...process, stdout } as never);
  expect(() => stdout.emit('error', Object.assign(new Error('broken pipe'), { code: 'EPIPE' }))).not.toThrow();
});
