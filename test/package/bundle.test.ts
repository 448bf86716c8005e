/**
 * What is published starts, answers, and loads no more than it must.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { inputJsonSchema, outputJsonSchema } from '../../src/server/schemas.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { VERSION } from '../../src/version.ts';
import { buildProgram, ended, folderFor, type Program } from '../cli/program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let program: Program;

beforeAll(async () => {
  program = await buildProgram();
});

const message = (fields: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`;
const INITIALIZE = message({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

interface Listed {
  readonly name: string;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
}

interface Sbom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: object };
  readonly components: readonly { purl: string; version?: string; licenses?: readonly object[] }[];
}

/** Speaks to `serve` until the tools are listed; then closes its input. */
async function listTools(
  env: Readonly<Record<string, string>> = {},
): Promise<{ tools: readonly Listed[]; code: number | null; stderr: string }> {
  const child = program.start([], env);
  const end = ended(child);
  child.stdin?.write(
    INITIALIZE + message({ method: 'notifications/initialized' }) + message({ id: 2, method: 'tools/list' }),
  );
  if (child.stdout === null) throw new Error('no stdout');
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as { id?: number; result?: { tools: readonly Listed[] } };
    if (id !== 2) continue;
    child.stdin?.end();
    const { code, stderr } = await end;
    return { tools: result?.tools ?? [], code, stderr };
  }
  throw new Error('the server ended without an answer');
}

describe('serve', () => {
  it('the bundle lists the same tools and schemas as the sources, and ends with its client', async () => {
    const { tools, code, stderr } = await listTools({ FARECLERK_PLANS: 'true' });
    expect(tools.map(({ name }) => name)).toEqual(CATALOG.map(({ name }) => name));
    for (const tool of CATALOG) {
      const listed = tools.find(({ name }) => name === tool.name);
      expect(listed?.inputSchema, tool.name).toMatchObject(JSON.parse(JSON.stringify(inputJsonSchema(tool))));
      expect(listed?.outputSchema, tool.name).toMatchObject(JSON.parse(JSON.stringify(outputJsonSchema(tool))));
    }
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Airline: the sandbox, nothing is real\. State: SQLite \S+\n$/);
  });

  it('the bundle creates no state folder when it lists tools', async () => {
    await listTools();
    expect(existsSync(join(program.env.HOME ?? '', '.local'))).toBe(false);
  });

  it('the bundle loads HTTP agents, state, sandbox, log and client only when needed', () => {
    const files = program.loadedAtStart();
    expect(files).toContain('src/server/mcp/stdio.ts');
    const heavy =
      /node_modules\/(?:undici|pino|pino-pretty|ajv|jose|hono|openid-client|oauth4webapi|@modelcontextprotocol\/(?:client|node))\/|ajvProvider|src\/(?:sandbox|store|ota)\/|^node:(?:sqlite|https?|http2|tls)$/;
    expect(files.filter((file) => heavy.test(file))).toEqual([]);
  });

  it('the bundle has ASCII alone, which Node reads in half the time', () => {
    expect(readFileSync(join(program.folder, 'dist', 'main.js'), 'utf8')).toMatch(/^[\0-\x7f]*$/);
  });
});

describe('serve --http', () => {
  it('the bundle answers at /mcp, prints the address on stderr, and stops on a signal', async () => {
    const child = program.start(['serve', '--http', '--port', '0']);
    const end = ended(child);
    if (child.stderr === null) throw new Error('no stderr');
    const [said] = (await once(child.stderr, 'data')) as [Buffer];
    const url = /http:\/\/\S+/.exec(said.toString())?.[0] ?? '';
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: message({ id: 1, method: 'tools/list' }),
    });
    expect(await reply.text()).toContain('"name":"search_fares"');
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('the bin', () => {
  it('the bundle keeps compiled code in a folder that only this user may read', async () => {
    expect((await program.run(['--version'])).stdout).toBe(`${VERSION}\n`);
    expect(readdirSync(join(program.env.XDG_CACHE_HOME ?? '', 'fareclerk')).length).toBeGreaterThan(0);
  });

  it('the bundle keeps nothing in the current folder, where HOME is relative', async () => {
    const home = folderFor('home');
    const { stdout } = await program.run(['--version'], { HOME: relative(process.cwd(), home), XDG_CACHE_HOME: '' });
    expect([stdout, readdirSync(home)]).toEqual([`${VERSION}\n`, []]);
  });

  it('the program reports a missing bundle', async () => {
    const bare = folderFor('bare');
    cpSync(join(program.folder, 'bin'), join(bare, 'bin'), { recursive: true });
    cpSync(join(program.folder, 'package.json'), join(bare, 'package.json'));
    const { code, stderr } = await runBin(bare, []);
    expect(code).toBe(1);
    expect(stderr).toContain('npm run build');
  });

  it('the program reports a Node version that is too old', async () => {
    const { code, stdout, stderr } = await runBin(program.folder, oldNode('20.20.2'));
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('needs Node.js 22.19 or newer');
  });

  it('the program starts the Node of the checkout', async () => {
    const own = join(program.folder, 'node_modules', 'node', 'bin');
    mkdirSync(own, { recursive: true });
    symlinkSync(process.execPath, join(own, 'node'));
    const { code, stdout } = await runBin(program.folder, oldNode('18.0.0'));
    rmSync(join(program.folder, 'node_modules'), { recursive: true });
    expect([code, stdout]).toEqual([0, `${VERSION}\n`]);
  });

  it.each(['22.19.0', '23.0.0', '24.1.0'])('takes Node %s', async (version) => {
    expect((await runBin(program.folder, oldNode(version))).stdout).toBe(`${VERSION}\n`);
  });
});

/** Makes this Node say that it is another; a child of it tells the truth again. */
function oldNode(version: string): string[] {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
}

async function runBin(folder: string, flags: readonly string[]) {
  const child = spawn(process.execPath, [...flags, join(folder, 'bin', 'fareclerk.js'), '--version'], {
    env: program.env,
    stdio: 'pipe',
  });
  child.stdin.end();
  return ended(child);
}

describe('a stack trace', () => {
  it('the stack trace of a failing run names files and lines of the sources', async () => {
    const main = join(program.folder, 'dist', 'main.js');
    const script = `const stdout = { on() {}, write() { throw new Error('disk full'); } };
      require(${JSON.stringify(main)}).main(['--version'], { env: {}, stdout, stderr: process.stderr });`;
    const { stderr } = await ended(spawn(process.execPath, ['-e', script], { env: program.env, stdio: 'pipe' }));
    expect(stderr).toContain('fareclerk: Error: disk full');
    const [, line = '0'] = /src\/main\.ts:(\d+)\)/.exec(stderr) ?? [];
    const source = readFileSync(join(ROOT, 'src', 'main.ts'), 'utf8').split('\n');
    expect(source[Number(line) - 1], stderr).toContain('terminal.stdout.write(');
    expect(stderr).not.toMatch(/dist[\\/][\w-]+\.js/);
  });

  it('the stack trace from a part that is loaded later names files and lines of the sources', async () => {
    const main = join(program.folder, 'dist', 'main.js');
    const script = `const env = new Proxy({}, { get() { throw new Error('no environment'); } });
      const { stdin, stdout, stderr } = process;
      require(${JSON.stringify(main)}).main(['serve'], { env, stdin, stdout, stderr });`;
    const { stderr } = await ended(spawn(process.execPath, ['-e', script], { env: program.env, stdio: 'pipe' }));
    expect(stderr).toContain('fareclerk: Error: no environment');
    const [, line = '0'] = /src\/cli\/commands\/serve\.ts:(\d+)\)/.exec(stderr) ?? [];
    const source = readFileSync(join(ROOT, 'src', 'cli', 'commands', 'serve.ts'), 'utf8').split('\n');
    expect(source[Number(line) - 1], stderr).toContain('readServerSettings(terminal');
    expect(stderr).not.toMatch(/dist[\\/][\w-]+\.js/);
  });
});

describe('what is bundled', () => {
  it('the package contains the licences of its dependencies', () => {
    const text = readFileSync(join(program.folder, 'dist', 'licenses.txt'), 'utf8');
    for (const name of ['zod', 'undici', 'pino', '@modelcontextprotocol/server', '@modelcontextprotocol/client']) {
      expect(text).toContain(`\n${name} `);
    }
  });

  it('the bill of materials names every bundled package with version, licence and address', () => {
    const { bomFormat, metadata, components } = JSON.parse(
      readFileSync(join(program.folder, 'dist', 'sbom.cdx.json'), 'utf8'),
    ) as Sbom;
    expect(bomFormat).toBe('CycloneDX');
    expect(metadata.component).toMatchObject({ name: 'fareclerk', version: VERSION });
    const folders = Object.keys(program.metafile.inputs).flatMap(
      (file) => /^(?:.*:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
    );
    const bundled = [...new Set(folders)].map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      return `pkg:npm/${name.replace('@', '%40')}@${version}`;
    });
    expect(bundled.length).toBeGreaterThan(20);
    expect(components.map(({ purl }) => purl).sort()).toEqual(bundled.sort());
    expect(components.filter(({ version, licenses }) => !version || !licenses?.length)).toEqual([]);
  });

  it('the bundle has a source map of our own sources only, without their text', () => {
    const map = JSON.parse(readFileSync(join(program.folder, 'dist', 'main.js.map'), 'utf8'));
    expect(Object.keys(map)).toEqual(['version', 'sources', 'names', 'mappings']);
    expect(map.sources.length).toBeGreaterThan(500);
    expect(map.sources.filter((source: string) => !/^\.\.\/(?:\.\.\/)*.*src\//.test(source))).toEqual([]);
  });

  it('the bundle needs no package at run time', () => {
    const { outputs } = program.metafile;
    const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
    const packages = [...new Set(outside.map(({ path }) => path))].filter((name) => !name.startsWith('node:'));
    const { builtinModules } = process.getBuiltinModule('node:module');
    expect(packages.filter((name) => !builtinModules.includes(name))).toEqual([]);
  });
});

describe('the demo', () => {
  const narrow = (text: string): string[] => text.split('\n').filter((line) => line.length > 80);

  it('the bundle completes a whole trip, and the ledger of the airline agrees', async () => {
    const { code, stdout, stderr } = await program.run(['demo'], { FARECLERK_BASE_URL: 'https://never.example' });
    expect(stderr).toBe('');
    const line = /own ledger: paid SAR [\d,.]+; refunded SAR ([\d,.]+), as estimated\./.exec(
      stdout.replace(/\s+/g, ' '),
    );
    expect(line, stdout).not.toBeNull();
    expect(stdout).toContain(`SAR ${line?.[1]} comes back`);
    expect(narrow(stdout)).toEqual([]);
    expect(code).toBe(0);
  });

  it('the bundle neither guesses nor pays twice when an answer is lost', async () => {
    const { code, stdout } = await program.run(['demo', '--mishap']);
    expect(stdout).toContain('OUTCOME NOT KNOWN YET');
    expect(stdout).toMatch(/own ledger: paid SAR [\d,.]+; refunded nothing\./);
    expect(narrow(stdout)).toEqual([]);
    expect(code).toBe(0);
  });
});
