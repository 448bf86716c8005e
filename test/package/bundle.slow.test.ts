/**
 * What is published starts, answers, and loads no more than it must.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OnLoadArgs, Plugin } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../scripts/build.ts';
import { inputJsonSchema, outputJsonSchema } from '../../src/clerk/schemas.ts';
import { VERSION } from '../../src/core/version.ts';
import { CATALOG } from '../../src/tools/index.ts';
import { StdioClient } from '../campaigns/support/stdio-client.ts';
import { buildProgram, ended, folderFor, type Program } from '../cli/program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Metafile = Awaited<ReturnType<typeof bundle>>['metafile'];
type ImportRecord = Metafile['inputs'][string]['imports'][number];

let program: Program;
let metafile: Metafile;

beforeAll(async () => {
  program = await buildProgram();
  // A build of our own: only that says what is in it.
  ({ metafile } = await bundle(join(program.folder, 'dist')));
});

/** The files, and modules of Node, with all that they import when they run. What the bundle leaves out does not count. */
function importedBy(files: readonly string[], isFollowed: (it: ImportRecord) => boolean): string[] {
  const bundled = Object.assign({}, ...Object.values(metafile.outputs).map((output) => output.inputs));
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file) || bundled[file]?.bytesInOutput === 0) return;
    loaded.add(file);
    for (const it of metafile.inputs[file]?.imports ?? []) if (isFollowed(it)) load(it.path);
  };
  files.forEach(load);
  return [...loaded];
}

/** A host at `serve`, after the handshake. */
async function host(env: Readonly<Record<string, string>> = {}) {
  const child = program.start([], env);
  const end = ended(child);
  const client = new StdioClient(child);
  await client.initialize({});
  return { client, end };
}

/** Speaks to `serve` until the tools are listed; then closes its input. */
async function listTools(env?: Readonly<Record<string, string>>) {
  const { client, end } = await host(env);
  const { result } = await client.request('tools/list', {}).reply;
  await client.close();
  const tools: { name: string; inputSchema: object; outputSchema: object }[] = result.tools;
  return { tools, ...(await end) };
}

describe('serve', () => {
  it('the bundle lists the same tools and schemas as the sources, and ends with its client', async () => {
    const { tools, code, stderr } = await listTools();
    expect(tools.map(({ name }) => name)).toEqual(CATALOG.map(({ name }) => name));
    for (const tool of CATALOG) {
      const listed = tools.find(({ name }) => name === tool.name);
      expect(listed?.inputSchema, tool.name).toMatchObject(JSON.parse(JSON.stringify(inputJsonSchema(tool))));
      expect(listed?.outputSchema, tool.name).toMatchObject(JSON.parse(JSON.stringify(outputJsonSchema(tool))));
    }
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Airline: the sandbox, nothing is real\. State: SQLite \S+\n$/);
    // It lists them without a state folder.
    expect(existsSync(join(program.env.HOME ?? '', '.local'))).toBe(false);
  });

  it('the bundle loads HTTP agents, state, sandbox, prompts, log and client only when needed', () => {
    const files = importedBy(['src/main.ts', 'src/cli/commands/serve.ts'], ({ kind }) => kind !== 'dynamic-import');
    for (const file of ['stdio', 'server']) expect(files).toContain(`src/mcp/${file}.ts`);
    const heavy =
      /node_modules\/(?:undici|pino|pino-pretty|ajv|jose|hono|openid-client|oauth4webapi|@modelcontextprotocol\/(?:client|node))\/|ajvProvider|src\/(?:sandbox|store|ota|server\/mcp\/(?:prompts|resources|completions))\b|^node:(?:sqlite|https?|http2|tls)$/;
    expect(files.filter((file) => heavy.test(file))).toEqual([]);
  });

  it('the bundle loads no part of OpenTelemetry that sends, unless a collector is set', () => {
    const files = importedBy(['src/main.ts'], ({ path }) => path !== 'src/tracing/otlp.ts');
    expect(files.length).toBeGreaterThan(500);
    // The metrics of prom-client import the interfaces.
    expect(files.filter((file) => /@opentelemetry\/(?!api\/)/.test(file))).toEqual([]);
  });
});

describe('serve --http', () => {
  it('the bundle answers at /mcp, prints the address on stderr, and stops on a signal', async () => {
    const token = 'let-me-in-0123456789abcdef-01234';
    const child = program.start(['serve', '--http', '--port', '0'], { FARECLERK_HTTP_TOKEN: token });
    const end = ended(child);
    if (child.stderr === null) throw new Error('no stderr');
    const [said] = (await once(child.stderr, 'data')) as [Buffer];
    const url = /http:\/\/\S+/.exec(said.toString())?.[0] ?? '';
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
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

  it('serve keeps its own, after the list and after a call, and starts from it, also where it is killed or the code is broken', async () => {
    const home = folderFor('kept');
    const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
    const compile = join(home, 'cache', 'fareclerk', 'compile');
    const file = () => join(compile, readdirSync(compile).find((name) => name.endsWith('.code')) ?? 'none');
    const uses = () => JSON.parse(readFileSync(file(), 'latin1').slice(0, 512)).uses;
    await listTools(env);
    expect(uses()).toEqual(['sandbox list']);
    expect([statSync(file()).mode & 0o777, statSync(compile).mode & 0o777]).toEqual([0o600, 0o700]);
    const first = statSync(file()).ino;
    await listTools(env);
    expect(statSync(file()).ino).toBe(first);
    const called = await host(env);
    called.client.request('tools/call', { name: 'list_routes', arguments: {} });
    await expect.poll(uses).toEqual(['sandbox list', 'sandbox call']);
    called.client.kill();
    await called.end;
    writeFileSync(file(), readFileSync(file()).subarray(0, 100_000));
    const { tools, code } = await listTools(env);
    expect([tools.length > 10, code, uses()]).toEqual([true, 0, ['sandbox list']]);
    expect(readdirSync(compile).filter((name) => name.endsWith('.code'))).toHaveLength(1);
  });

  it('the process of a question in SQL keeps its own for the next one', async () => {
    const home = folderFor('asked');
    const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
    const compile = join(home, 'cache', 'fareclerk', 'compile');
    const large = () =>
      readdirSync(compile, { recursive: true, withFileTypes: true })
        .map((entry) => (entry.name.endsWith('.code') ? 0 : statSync(join(entry.parentPath, entry.name)).size))
        .filter((bytes) => bytes > 100_000);
    const { client, end } = await host(env);
    const params = { name: 'query_ledger', arguments: { sql: 'select count(*) from operation' } };
    // The folder is there soon after the start.
    await expect
      .poll(
        () => {
          client.request('tools/call', params);
          return large();
        },
        { timeout: 10_000, interval: 300 },
      )
      .toHaveLength(1);
    client.kill();
    await end;
  });

  it('serve keeps none of its own where the environment says where Node keeps it, or that it keeps none', async () => {
    const [home, folder] = [folderFor('told'), folderFor('node')];
    const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
    await listTools({ ...env, NODE_COMPILE_CACHE: folder });
    await listTools({ ...env, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(readdirSync(join(home, 'cache', 'fareclerk', 'compile'))).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(1);
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
    expect(await runBin(bare, [])).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run build') });
  });

  it('takes Node 22.19 and newer, starts the Node of the checkout, and reports one that is too old', async () => {
    const taken = await Promise.all(
      ['22.19.0', '23.0.0', '24.1.0'].map((version) => runBin(program.folder, oldNode(version))),
    );
    expect(taken.map(({ stdout }) => stdout)).toEqual(taken.map(() => `${VERSION}\n`));
    expect(await runBin(program.folder, oldNode('20.20.2'))).toMatchObject({
      ...{ code: 1, stdout: '', stderr: expect.stringContaining('needs Node.js 22.19 or newer') },
    });
    const own = join(program.folder, 'node_modules', 'node', 'bin');
    mkdirSync(own, { recursive: true });
    symlinkSync(process.execPath, join(own, 'node'));
    const { code, stdout } = await runBin(program.folder, oldNode('18.0.0'));
    rmSync(join(program.folder, 'node_modules'), { recursive: true });
    expect([code, stdout]).toEqual([0, `${VERSION}\n`]);
  });
});

describe('warnings', () => {
  it('does not print that SQLite is experimental, which Node 22 says, and prints every other warning', async () => {
    const warn = `process.once('beforeExit', () => {
      process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning');
      process.emitWarning('this one stays', 'ExperimentalWarning');
    })`;
    const { stderr } = await runBin(program.folder, ['--import', `data:text/javascript,${encodeURIComponent(warn)}`]);
    expect(stderr).toContain('this one stays');
    expect(stderr).not.toContain('SQLite');
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
  const failing = `const env = {}, stdout = { on() {}, write() { throw new Error('it broke'); } }`;
  const later = `const { stdout } = process, env = new Proxy({}, { get() { throw new Error('it broke'); } })`;

  it.each([
    ['of a failing run', failing, '--version', 'src/main.ts', 'terminal.stdout.write('],
    ['from a part that is loaded later', later, 'serve', 'src/cli/commands/serve.ts', 'readServerSettings(terminal'],
    ['from a pack beside', later, 'doctor', 'src/cli/commands/doctor.ts', 'systemBrowser({ env'],
  ])('%s names files and lines of the sources', async (_, given, command, file, source) => {
    const main = JSON.stringify(join(program.folder, 'dist', 'main.js'));
    const script = `${given}; const { stdin, stderr } = process;
      require(${main}).main(['${command}'], { env, stdin, stdout, stderr });`;
    const { stderr } = await ended(spawn(process.execPath, ['-e', script], { env: program.env, stdio: 'pipe' }));
    expect(stderr).toContain('fareclerk: Error: it broke');
    const [, line = '0'] = new RegExp(`${file}:(\\d+)\\)`).exec(stderr) ?? [];
    expect(readFileSync(join(ROOT, file), 'utf8').split('\n')[Number(line) - 1], stderr).toContain(source);
    expect(stderr).not.toMatch(/dist[\\/][\w-]+\.js/);
  });
});

describe('what is bundled', () => {
  it('the bill of materials names every bundled package with version, licence and address, and its licence is there', () => {
    const { bomFormat, metadata, components } = JSON.parse(
      readFileSync(join(program.folder, 'dist', 'sbom.cdx.json'), 'utf8'),
    );
    const listed: { purl: string; version?: string; licenses?: object[] }[] = components;
    expect(bomFormat).toBe('CycloneDX');
    expect(metadata.component).toMatchObject({ name: 'fareclerk', version: VERSION });
    const folders = Object.keys(metafile.inputs).flatMap(
      (file) => /^(?:.*:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
    );
    const bundled = [...new Set(folders)].map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
      return `pkg:npm/${name.replace('@', '%40')}@${version}`;
    });
    expect(bundled.length).toBeGreaterThan(20);
    expect(listed.map(({ purl }) => purl).sort()).toEqual(bundled.sort());
    const licences = readFileSync(join(program.folder, 'dist', 'licenses.txt'), 'utf8');
    for (const { purl } of listed)
      expect(licences).toContain(`\n${decodeURIComponent(purl).replace(/^pkg:npm\/(.*)@.*/, '$1')} `);
    const texts = licences.split(`\n${'='.repeat(72)}\n\n`).map((part) => part.slice(part.indexOf('\n\n')));
    expect(texts.length).toBeGreaterThan(10);
    expect(new Set(texts).size).toBe(texts.length);
    expect(listed.filter(({ version, licenses }) => !version || !licenses?.length)).toEqual([]);
  });

  it('is refused with a character beyond ASCII, by file and character', async () => {
    const outdir = folderFor('quote');
    const quote = (given: OnLoadArgs) => ({
      contents: `${readFileSync(given.path, 'utf8')}\nexport const QUOTE = /\u2019/.test(process.title);`,
      loader: 'ts' as const,
    });
    const withQuote: Plugin = {
      name: 'quote',
      setup: (esbuild) => esbuild.onLoad({ filter: /src[\\/]ledger-reader\.ts$/ }, quote),
    };
    await expect(bundle(outdir, [withQuote])).rejects.toThrow(/ledger-reader\.js has \u2019 \(U\+2019\)/);
    expect(readdirSync(outdir)).toEqual([]);
  });

  it('the bundle needs no package at run time', () => {
    const { outputs } = metafile;
    const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
    const packages = [...new Set(outside.map(({ path }) => path))].filter((name) => !name.startsWith('node:'));
    const { builtinModules } = process.getBuiltinModule('node:module');
    const scripts = Object.keys(outputs).filter((file) => file.endsWith('.js'));
    const others = packages.filter((name) => !builtinModules.includes(name));
    expect(scripts.map((file) => `./${basename(file)}`)).toEqual(expect.arrayContaining(others));
  });

  it('no module is in two packs, and the largest has what a call runs', () => {
    const modules = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
    const sources = modules.filter((path) => /^(?:src|node_modules)\//.test(path));
    expect(sources.length).toBeGreaterThan(900);
    expect(sources.filter((path, i) => sources.indexOf(path) !== i)).toEqual([]);
    const [, main] = Object.entries(metafile.outputs).find(([file]) => file.endsWith('main.js')) ?? [];
    for (const file of ['tools/search-fares', 'ota/transport/http', 'store/sqlite/state', 'watching/store-findings'])
      expect(Object.keys(main?.inputs ?? {})).toContain(`src/${file}.ts`);
  });

  it('a pack of another build is not run: an update may replace files under a program', async () => {
    const folder = folderFor('updated');
    cpSync(program.folder, folder, { recursive: true });
    const pack = join(folder, 'dist', 'commands.js');
    const [[id = ''] = []] = readFileSync(pack, 'utf8').matchAll(/(?<=")[0-9a-f]{64}(?=")/g);
    writeFileSync(pack, readFileSync(pack, 'utf8').replaceAll(id, id.replaceAll(/./g, '0')));
    const child = spawn(process.execPath, [join(folder, 'bin', 'fareclerk.js'), 'doctor'], { env: program.env });
    expect(await ended(child)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('fareclerk was updated while it ran. Start it again.'),
    });
  });
});
