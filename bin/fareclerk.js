#!/usr/bin/env node
// Checks the Node version before anything else loads; an old Node hands over to the one this checkout brought along.
// CommonJS, as the bundle is: an entry of the other kind would load a second loader first.
'use strict';

const { existsSync } = require('node:fs');
const nodeModule = require('node:module');
const { join } = require('node:path');
const process = require('node:process');

const root = join(__dirname, '..');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

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

/** A folder of this user's own: compiled code that others could write to would be their code run as us. */
function cacheFolder() {
  const { env, platform } = process;
  const { homedir } = require('node:os');
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'fareclerk', 'compile-cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'fareclerk', 'compile');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'fareclerk', 'compile');
}

async function start() {
  const bundle = join(root, 'dist', 'main.js');
  if (!existsSync(bundle)) return stop('dist/main.js is missing. In a clone, run `npm ci` or `npm run build` first.');
  try {
    nodeModule.enableCompileCache(cacheFolder() || undefined);
    // A host that kills its servers never lets Node write the cache at exit.
    for (const ms of [400, 10_000]) setTimeout(() => nodeModule.flushCompileCache(), ms).unref();
  } catch {
    // No home folder, or a read-only one: it starts without a cache.
  }
  process.exitCode = await require(bundle).main(process.argv.slice(2), process);
}

if (major > 22 || (major === 22 && minor >= 19)) {
  start();
} else {
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) handOver(own);
  else stop(`needs Node.js 22.19 or newer; this is ${process.version}. Get one from https://nodejs.org`);
}
