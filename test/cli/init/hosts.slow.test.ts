/** The files of Codex, Gemini CLI, Windsurf and Zed, and the address of a team's server in every host. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tomlLines } from '../../../src/cli/init/toml-servers.ts';
import { screen, temporary } from '../screen.ts';

const STARTED = ['/n/node', '/opt/f/bin/fareclerk.js'];
const FILES = {
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
  zed: '.config/zed/settings.json',
  cursor: '.cursor/mcp.json',
  'claude-code': '.claude.json',
  vscode: '.config/Code/User/mcp.json',
} as const;
type Named = keyof typeof FILES;

const ENV = { CODEX_HOME: '', GEMINI_CLI_HOME: '', CLAUDE_CONFIG_DIR: '', XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' };

/** Runs `init` in a home folder whose file of this host has this text. */
async function initiated(host: Named, text: string | undefined, ...flags: readonly string[]) {
  const home = temporary('hosts');
  const file = join(home, FILES[host]);
  if (text !== undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const run = async () => {
    const it = screen({ ...ENV, HOME: home });
    Object.assign(it.terminal, { execPath: STARTED[0], argv: STARTED });
    const what = flags.length === 0 ? ['--sandbox', '--no-check'] : flags;
    const code = await it.run('init', '--host', host, '--yes', ...what);
    const after = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    const copies = existsSync(dirname(file))
      ? readdirSync(dirname(file)).filter((name) => name.includes('.before-'))
      : [];
    return { code, after, shown: it.shown(), stderr: it.stderr(), stdout: it.stdout(), copies };
  };
  return { file, run, ...(await run()) };
}

const JSON_ENTRY = { command: '/n/node', args: ['/opt/f/bin/fareclerk.js', 'serve', '--sandbox'], env: {} };
const jsonEntry = (indent: string) => JSON.stringify(JSON_ENTRY, undefined, 2).replaceAll('\n', `\n${indent}`);
const TOML_ENTRY = `[mcp_servers.fareclerk]
command = "/n/node"
args = ["/opt/f/bin/fareclerk.js", "serve", "--sandbox"]`;

const CODEX = `# Codex of the desk. Ask Nadia first.
model = "gpt-5.5"   # the large one
approval_policy = 'on-request'

[mcp_servers.mail] # the mail desk
args = [
  "--port", "2525", # as in the runbook
]
command = "mail"
startup_timeout_sec = 20.50

[projects."/home/ann/desk"]
trust_level = "trusted"

# [mcp_servers.old]
# command = "old"
`;
const GEMINI = `{
  // Of the whole team.
  "theme": "GitHub",
  "mcpServers": {
    "mail": { "command": "mail", "timeout": 15000 } /* the mail desk */
  },
  "selectedAuthType": "gemini-api-key"
}
`;
const WINDSURF = `{
    "mcpServers": {
        "mail": {"serverUrl": "https://mail.example/mcp", "headers": {"Authorization": "Bearer \${env:MAIL}"}}
    }
}`;
const ZED = `// Zed settings
//
// For information on how to configure Zed, see the Zed
// documentation: https://zed.dev/docs/configuring-zed
{
  "ui_font_size": 16,
  "theme": {
    "mode": "system", // light by day
    "dark": "One Dark",
  },
  "buffer_font_size": 15.50,
}
`;

/** Files as people have them, and what they are afterwards, byte by byte. */
const CASES: readonly (readonly [Named, string, string])[] = [
  ['codex', CODEX, `${CODEX}\n${TOML_ENTRY}\n`],
  [
    'gemini-cli',
    GEMINI,
    GEMINI.replace(
      '15000 } /* the mail desk */',
      `15000 }, /* the mail desk */\n    "fareclerk": ${jsonEntry('    ')}`,
    ),
  ],
  ['windsurf', WINDSURF, WINDSURF.replace('MAIL}"}}', `MAIL}"}},\n        "fareclerk": FOUR`)],
  ['zed', ZED, ZED.replace('15.50,', `15.50,\n  "context_servers": {\n    "fareclerk": ${jsonEntry('    ')}\n  },`)],
].map(([host, before, after]) => [
  host as Named,
  before as string,
  (after as string).replace('FOUR', JSON.stringify(JSON_ENTRY, undefined, 4).replaceAll('\n', '\n        ')),
]);

describe('the file of', () => {
  it.each(CASES)('%s keeps comments, order and form of everything else, byte by byte', async (host, before, wanted) => {
    const { code, after, copies, run, file } = await initiated(host, before);
    expect([code, after]).toEqual([0, wanted]);
    expect(readFileSync(join(dirname(file), copies[0] ?? ''), 'utf8')).toBe(before);
    const again = await run();
    expect(again).toMatchObject({ code: 0, after: wanted, copies });
    expect(again.stderr).toContain(`${file} is up to date already.`);
  });

  it.each(CASES)('%s keeps its line ends, where they are those of Windows', async (host, before, wanted) => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    expect(await initiated(host, crlf(before))).toMatchObject({ code: 0, after: crlf(wanted) });
  });

  it.each<[Named, string]>([
    ['codex', `${TOML_ENTRY}\n`],
    ['gemini-cli', `{\n  "mcpServers": {\n    "fareclerk": ${jsonEntry('    ')}\n  }\n}\n`],
    ['windsurf', `{\n  "mcpServers": {\n    "fareclerk": ${jsonEntry('    ')}\n  }\n}\n`],
    ['zed', `{\n  "context_servers": {\n    "fareclerk": ${jsonEntry('    ')}\n  }\n}\n`],
  ])('%s is made where there is none, and shown first', async (host, wanted) => {
    const { code, after, shown, file } = await initiated(host, undefined);
    expect([code, after]).toEqual([0, wanted]);
    expect(shown).toContain(`--- (no such file yet)\n+++ ${file}\n`);
    for (const line of wanted.trimEnd().split('\n')) expect(shown).toContain(`+${line}\n`);
  });

  it.each<[Named, string, string]>([
    ['codex', '[mcp_servers.mail\ncommand = "mail"\n', 'TOML'],
    ['codex', 'model = "a"\nmodel = "b"\n', 'TOML'],
    ['codex', '[[mcp_servers]]\nname = "mail"\n', 'TOML'],
    ['gemini-cli', '{"mcpServers": {"mail": }}', 'JSON'],
    ['windsurf', '{"mcpServers": {', 'JSON'],
    ['zed', '{\n  // unfinished\n  "context_servers": [\n', 'JSON'],
  ])('%s stays as it is if it is broken: %j; the lines are printed', async (host, text, format) => {
    const { code, after, copies, stderr, stdout, file } = await initiated(host, text);
    expect([code, after, copies]).toEqual([1, text, []]);
    expect(stderr).toBe(`${file} cannot be read as ${format}, and stays as it is. Put these lines into it by hand:\n`);
    const field = host === 'zed' ? 'context_servers' : 'mcpServers';
    if (host === 'codex') expect(stdout).toBe(`${TOML_ENTRY}\n`);
    else expect(JSON.parse(stdout)).toEqual({ [field]: { fareclerk: JSON_ENTRY } });
  });
});

describe('our entry in the file of Codex', () => {
  const OLD = `[mcp_servers.fareclerk] # ours
command = "old"
# a note inside
args = []
# a note behind

[mcp_servers.fareclerk.env]
FARECLERK_API_KEY = "sk-1"

[mcp_servers.mail]
command = "mail"
[mcp_servers.fareclerk.tools.pay_booking]
approval_mode = "approve"
# the end`;

  it('is replaced with its tables, in its place, and shown without secrets', async () => {
    const { after, shown } = await initiated('codex', OLD);
    expect(after).toBe(`${TOML_ENTRY}
# a note behind


[mcp_servers.mail]
command = "mail"
# the end`);
    expect(shown).toContain('… 1 other server, not touched');
    expect(shown).toContain('-env = { FARECLERK_API_KEY = "[not shown]" }\n');
    expect(shown).not.toContain('sk-1');
  });

  it.each([
    ['[mcp_servers]\nmail = { command = "mail" } # m\nfareclerk = { command = "old" } # ours\n'],
    ['mcp_servers.fareclerk = { command = "old" } # ours\nmcp_servers.mail.command = "mail"\n'],
  ])('is replaced in its row: %j', async (text) => {
    const row = '{ command = "/n/node", args = ["/opt/f/bin/fareclerk.js", "serve", "--sandbox"] }';
    expect(await initiated('codex', text)).toMatchObject({
      ...{ code: 0, after: text.replace('{ command = "old" }', row) },
    });
  });

  it.each([
    ['mcp_servers = { mail = { command = "mail" } }\n'],
    ['mcp_servers = { fareclerk = { command = "old" } }\n'],
    ['[mcp_servers]\nfareclerk.command = "old"\n'],
    ['[[mcp_servers.fareclerk]]\ncommand = "old"\n'],
  ])('is printed where the file takes no other entry in one place: %j', async (text) => {
    const { code, after, stderr, stdout, copies } = await initiated('codex', text);
    expect([code, after, stdout, copies]).toEqual([1, text, `${TOML_ENTRY}\n`, []]);
    expect(stderr).toContain('cannot be changed in one place, and stays as it is. Put these lines into it by hand:');
  });

  it('has values that a table of TOML must escape', async () => {
    const home = temporary('hosts');
    const it = screen({ ...ENV, HOME: home, FARECLERK_TICKETS_DIR: '/Ann "A"\\n\u00e9' });
    Object.assign(it.terminal, { execPath: STARTED[0], argv: STARTED });
    expect(await it.run('init', '--host', 'codex', '--yes', '--sandbox', '--no-check')).toBe(0);
    const text = readFileSync(join(home, FILES.codex), 'utf8');
    expect(text).toContain('env = { FARECLERK_TICKETS_DIR = "/Ann \\"A\\"\\\\n\u00e9" }\n');
    expect(tomlLines('mcp_servers', { 'a b': '\u0007\u007f' })).toEqual([
      ...['[mcp_servers.fareclerk]', String.raw`"a b" = "\u0007\u007f"`],
    ]);
  });
});

describe("the address of a team's server", () => {
  const ADDRESS = 'https://air.example/mcp';

  it.each<[Named, unknown]>([
    ['claude-code', { mcpServers: { fareclerk: { type: 'http', url: ADDRESS } } }],
    ['vscode', { servers: { fareclerk: { type: 'http', url: ADDRESS } } }],
    ['cursor', { mcpServers: { fareclerk: { url: ADDRESS } } }],
    ['codex', `[mcp_servers.fareclerk]\nurl = "${ADDRESS}"\n`],
    ['gemini-cli', { mcpServers: { fareclerk: { httpUrl: ADDRESS } } }],
    ['windsurf', { mcpServers: { fareclerk: { serverUrl: ADDRESS } } }],
    ['zed', { context_servers: { fareclerk: { url: ADDRESS } } }],
  ])('is the entry of %s, in place of a command; a second time nothing is written', async (host, wanted) => {
    const { code, after, shown, run, copies } = await initiated(host, undefined, '--url', ADDRESS);
    expect([code, host === 'codex' ? after : JSON.parse(after ?? '')]).toEqual([0, wanted]);
    expect(shown).toContain(ADDRESS);
    expect(copies).toEqual([]);
    expect(await run()).toMatchObject({ code: 0, after, copies: [] });
  });

  it('takes the place of an entry that starts this program', async () => {
    const before = `${TOML_ENTRY}\n# the end\n`;
    const { after, shown } = await initiated('codex', before, '--url', ADDRESS);
    expect(after).toBe(`[mcp_servers.fareclerk]\nurl = "${ADDRESS}"\n# the end\n`);
    expect(shown).toContain('Sign in with `codex mcp login fareclerk`.');
  });

  it('needs no settings, writes no profile, and hides the query of an address that was there', async () => {
    const before = '{"mcpServers": {"fareclerk": {"url": "https://old.example/mcp?key=sk-1"}}}';
    const { code, shown, file } = await initiated('cursor', before, '--url', ADDRESS);
    expect([code, shown.includes('sk-1')]).toEqual([0, false]);
    expect(existsSync(join(dirname(dirname(file)), '.config', 'fareclerk'))).toBe(false);
  });

  it('is printed for any other host, and is asked for no host that takes none from a file', async () => {
    const home = temporary('hosts');
    const generic = screen({ ...ENV, HOME: home });
    expect(await generic.run('init', '--host', 'generic', '--url', 'http://127.0.0.1:8765/mcp')).toBe(0);
    expect(JSON.parse(generic.stdout())).toEqual({ mcpServers: { fareclerk: { url: 'http://127.0.0.1:8765/mcp' } } });
    const asked = screen({ ...ENV, HOME: home }, { keyboard: true });
    const done = asked.run('init', '--url', ADDRESS);
    await asked.sees('1-8 [1]: ');
    expect(asked.shown()).not.toContain('Claude Desktop');
    asked.hangUp();
    expect(await done).toBe(1);
  });
});
