/*
 * Keeps what V8 compiled of the bundle, with every function that a run has used, for the next start. Node's own compile cache leaves out
 * functions that are compiled on their first use, which is most of a start. The code runs like the program, so it is read and written by
 * the rule of foreign.ts, and used only for the bundle that it was made of. V8 rejects that of another version, or of other flags.
 *
 * The file: JSON padded to a length, then V8's data.
 */
'use strict';

const { isAscii } = require('node:buffer');
const { hash } = require('node:crypto');
const { readFileSync, renameSync, unlinkSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');
const { readOwn, writeOwn } = require('../dist/own-files.js');

/** V8 copies data that does not begin at a multiple of 8. */
const HEADER_BYTES = 512;
/** Saving takes tens of milliseconds, so that it waits until nobody has asked for so long. */
const IDLE_MS = 250;
/** What Node writes around a module. */
const [BEFORE, AFTER] = Module.wrap('\0')
  .split('\0')
  .map((text) => Buffer.from(text));

/**
 * Compiles a bundle, with the kept code if there is one.
 * @param folder this user's alone
 * @throws if it cannot be read, or is not ASCII. Bad code is not an error: it is made anew.
 */
function compileBundle(path, folder) {
  const bytes = readFileSync(path);
  if (!isAscii(bytes)) throw new Error(`${path} is not ASCII`);
  const bundle = sha256(bytes);
  // One for each place and version of Node: a newer bundle takes the place of an older one.
  const file = join(folder, `${sha256(`${path}\n${process.version}\n${process.arch}`).slice(0, 16)}.code`);
  const kept = readKept(file, bundle);
  const script = new Script(Buffer.concat([BEFORE, bytes, AFTER]).toString('latin1'), {
    filename: path,
    // Positions in stack traces are those of the file.
    columnOffset: -BEFORE.length,
    cachedData: kept?.code,
  });
  const uses = new Set(script.cachedDataRejected === false ? kept?.uses : []);
  let timer;

  /** Keeps at once what would be kept soon: the process ends. */
  function saveNow() {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    try {
      keep(file, bundle, { uses: [...uses], code: script.createCachedData() });
    } catch {
      // A full disk, or a folder that changed: the next start compiles.
    }
  }

  return {
    /** Runs the bundle, once. Returns its exports. */
    run() {
      const module = new Module(path);
      const require = Module.createRequire(path);
      // The packs beside it require it, and are to find this one.
      require.cache[require.resolve(path)] = module;
      script.runInThisContext()(module.exports, require, module, path, dirname(path));
      module.loaded = true;
      return module.exports;
    },
    /** Hears that something was used, and keeps the code soon if the kept one was made without it. */
    used(use) {
      if (uses.has(use) && timer === undefined) return;
      uses.add(use);
      clearTimeout(timer);
      timer = setTimeout(saveNow, IDLE_MS).unref();
    },
    saveNow,
  };
}

const sha256 = (data) => hash('sha256', data, 'hex');

/** The code, and the uses that ran before it was kept. Undefined if there is none, or it is of another bundle, damaged or foreign. */
function readKept(file, bundle) {
  try {
    const bytes = readOwn(file);
    const header = JSON.parse(bytes.toString('latin1', 0, HEADER_BYTES));
    const code = bytes.subarray(HEADER_BYTES);
    return header.bundle === bundle && header.code === sha256(code) ? { uses: header.uses, code } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the whole file or nothing. */
function keep(file, bundle, { uses, code }) {
  const header = JSON.stringify({ bundle, code: sha256(code), uses }).padEnd(HEADER_BYTES);
  if (header.length > HEADER_BYTES) return;
  const fresh = `${file}-${process.pid}`;
  try {
    writeOwn(fresh, Buffer.concat([Buffer.from(header, 'latin1'), code]));
    renameSync(fresh, file);
  } catch (error) {
    unlinkSync(fresh);
    throw error;
  }
}

module.exports = { compileBundle };
