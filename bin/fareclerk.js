#!/usr/bin/env node
// Checks the Node version before anything else loads; an old Node hands over to the one this checkout brought along.
// CommonJS, as the bundle is: an entry of the other kind would load a second loader first.
'use strict';

const { existsSync } = require('node:fs');
const nodeModule = require('node:module');
const { homedir } = require('node:os');
const { isAbsolute, join } = require('node:path');
const process = require('node:process');

const root = join(__dirname, '..');
/** Two semi-spaces of 16 MB: more saves no time. */
const ENOUGH_YOUNG_BYTES = 32 * 1024 * 1024;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// Node 22 warns that node:sqlite is experimental; what we use of it has been stable since 22.13.
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning' || !String(warning).includes('SQLite')) emitWarning(warning, ...rest);
};

function stop(message) {
  process.stderr.write(`fareclerk: ${message}\n`);
  process.exitCode = 1;
}

/** Same arguments, same terminal; signals are passed on, and the exit code comes back. */
function handOver(node) {
  const { spawn } = require('node:child_process');
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', () => stop(`could not start ${node}.`));
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** Where compiled code is kept. It runs like code, so the folder is this user's alone. @throws if it cannot be */
function cacheFolder() {
  const { env, platform } = process;
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'fareclerk', 'compile-cache');
  const set = platform === 'darwin' ? '' : (env.XDG_CACHE_HOME ?? '');
  const own = platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  const caches = isAbsolute(set) ? set : join(homedir(), own);
  // HOME may be empty or relative: then it would be in whatever folder this is started.
  if (!isAbsolute(caches)) return undefined;
  const { closedFolder, ownFolder } = require(join(root, 'dist', 'own-files.js'));
  return closedFolder(closedFolder(ownFolder(caches), 'fareclerk'), 'compile');
}

let isYoungSpaceBound = false;

/**
 * Keeps V8 from giving new objects 128 MB in the course of some thousand calls: looks after each. The image has the same bound, as a flag
 * of its Node.
 */
function boundYoungSpace() {
  if (isYoungSpaceBound) return;
  const { getHeapSpaceStatistics, setFlagsFromString } = require('node:v8');
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (young.space_size < ENOUGH_YOUNG_BYTES) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  isYoungSpaceBound = true;
}

async function start() {
  const bundle = join(root, 'dist', 'main.js');
  if (!existsSync(bundle)) return stop('dist/main.js is missing. In a clone, run `npm ci` or `npm run build` first.');
  const argv = process.argv.slice(2);
  const compiled = compiledBundle(bundle, argv);
  const { main } = compiled?.run() ?? require(bundle);
  const used = (use) => {
    compiled?.used(use);
    boundYoungSpace();
  };
  process.exitCode = await main(argv, process, used);
  compiled?.saveNow();
}

/** The bundle with the code of earlier runs; undefined where Node is to load and keep it, as for all but `serve` on stdio. */
function compiledBundle(bundle, argv) {
  try {
    const folder = cacheFolder();
    const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
    const isServe = !argv[0] || argv[0] === 'serve' || argv[0].startsWith('-');
    const isOther = argv.some((word) => ['--http', '--version', '-v', '--help', '-h'].includes(word));
    if (folder && isServe && !isOther && !NODE_COMPILE_CACHE && !NODE_DISABLE_COMPILE_CACHE) {
      // For the processes that answer questions in SQL. No start waits for it.
      setTimeout(() => nodeModule.enableCompileCache(folder), 400).unref();
      return require('./compiled-code.js').compileBundle(bundle, folder);
    }
    // Node's own default is a folder that all users share.
    if (folder) nodeModule.enableCompileCache(folder);
    // A host that kills its servers never lets Node write the cache at exit.
    for (const ms of [400, 10_000]) setTimeout(() => nodeModule.flushCompileCache(), ms).unref();
  } catch {
    // No home folder, one that cannot be written, or one that another user could change: it starts without a cache.
  }
}

if (major > 22 || (major === 22 && minor >= 19)) {
  start();
} else {
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) handOver(own);
  else stop(`needs Node.js 22.19 or newer; this is ${process.version}. Get one from https://nodejs.org`);
}
