/**
 * Folders of another user: HOME and XDG_… that `su -m`, `setpriv` or `sudo -E` left as they were, an account without an
 * entry in the list of users, and a file system that cannot be written. Only root can become all of these.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/core/version.ts';
import { buildProgram, type Ended, ended, folderFor, type Program } from '../cli/program.ts';

/** The attacker: no process runs as this user, and no list of users knows it. */
const ANN = 4711;
const NOBODY = 65_534;
const WITHOUT_ENTRY = 4242;
const VICTIMS = [
  ['root', 0],
  ['a user without rights', NOBODY],
] as const;

/** A home folder that cannot be made. */
const NOWHERE = '/dev/null/home';

const LIVE = {
  FARECLERK_BASE_URL: 'https://never.example/ota',
  FARECLERK_CREDENTIALS: 'key',
  FARECLERK_API_KEY: 'a-key',
  FARECLERK_AGENT_ID: 'A1',
  FARECLERK_AGENCY_ID: 'Agency',
  FARECLERK_CURRENCY: 'SAR',
};

/** What a host asks first. */
const LIST = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((fields) => `${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`)
  .join('');

const isRoot = process.getuid?.() === 0;

if (!isRoot) {
  process.stderr.write(
    `NOT PLAYED: the attacks with folders of other users need root. .ci/run plays them with sudo.\n`,
  );
}

/** Who a pod runs as. */
function podOf(yaml: string): Record<'fsGroup' | 'runAsUser' | 'runAsGroup', number> {
  const id = (name: string) => Number(new RegExp(`^ *${name}: (\\d+)$`, 'm').exec(yaml)?.[1]);
  return { fsGroup: id('fsGroup'), runAsUser: id('runAsUser'), runAsGroup: id('runAsGroup') };
}

describe.skipIf(!isRoot)('folders of another user', () => {
  let program: Program;
  beforeAll(async () => {
    program = await buildProgram();
    chmodSync(program.folder, 0o755);
  });

  function run(uid: number, argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
    const child = spawn(process.execPath, [program.bin, ...argv], { cwd: '/', uid, gid: uid, env, stdio: 'pipe' });
    child.stdin.end();
    return ended(child);
  }

  /** A new folder with its owner and mode. */
  function folderOf(uid: number, mode = 0o755): string {
    const folder = folderFor('owned');
    chownSync(folder, uid, uid);
    chmodSync(folder, mode);
    return folder;
  }

  describe.each(VICTIMS)('%s', (_, uid) => {
    /** Code of the attacker in the form in which Node keeps the program's own: it would run in place of it. */
    let planted: { readonly version: string; readonly name: string; readonly code: Buffer };
    beforeAll(async () => {
      const genuine = await keptCode(program.folder);
      const copy = folderFor('evil');
      cpSync(program.folder, copy, { recursive: true });
      chmodSync(copy, 0o755);
      const main = join(copy, 'dist', 'main.js');
      const evil = "process.stdout.write('STOLEN ');exports.main=async()=>0;";
      writeFileSync(main, evil.padEnd(readFileSync(main, 'utf8').length));
      const { code } = await keptCode(copy);
      // The size and the digest of the source that Node compares.
      for (const at of [1, 3]) code.writeUInt32LE(genuine.code.readUInt32LE(4 * at), 4 * at);
      planted = { ...genuine, code };
    });

    /** What Node keeps of the bundle in this folder, for this user. */
    async function keptCode(folder: string) {
      const cache = folderOf(uid);
      const bin = join(folder, 'bin', 'fareclerk.js');
      const env = { HOME: NOWHERE, XDG_CACHE_HOME: cache };
      await ended(spawn(process.execPath, [bin, '--version'], { cwd: '/', uid, gid: uid, env, stdio: 'pipe' }));
      const compile = join(cache, 'fareclerk', 'compile');
      const [version = ''] = readdirSync(compile);
      const files = readdirSync(join(compile, version)).map((name) => ({
        version,
        name,
        code: readFileSync(join(compile, version, name)),
      }));
      const [largest] = files.sort((a, b) => b.code.length - a.code.length);
      if (largest === undefined) throw new Error('nothing is kept');
      return largest;
    }

    function plant(cache: string, owner: number): void {
      const folder = join(cache, 'fareclerk', 'compile', planted.version);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, planted.name), planted.code);
      const made = ['fareclerk', 'compile', planted.version, planted.name];
      made.forEach((__, i) => {
        chownSync(join(cache, ...made.slice(0, i + 1)), owner, owner);
      });
    }

    const version = async (env: Readonly<Record<string, string>>) => (await run(uid, ['--version'], env)).stdout;

    it('runs the planted code from a folder of its own, so the attack is real', async () => {
      const cache = folderOf(uid);
      plant(cache, uid);
      expect(await version({ HOME: NOWHERE, XDG_CACHE_HOME: cache })).toBe('STOLEN ');
    });

    it("runs no code from another user's HOME or XDG_CACHE_HOME, and leaves nothing there", async () => {
      const [home, cache] = [folderOf(ANN), folderOf(ANN, 0o777)];
      mkdirSync(join(home, '.cache'));
      chownSync(join(home, '.cache'), ANN, ANN);
      plant(join(home, '.cache'), ANN);
      plant(cache, ANN);
      expect(await version({ HOME: home })).toBe(`${VERSION}\n`);
      expect(await version({ HOME: NOWHERE, XDG_CACHE_HOME: cache })).toBe(`${VERSION}\n`);
      const empty = folderOf(ANN, 0o777);
      expect(await version({ HOME: NOWHERE, XDG_CACHE_HOME: empty })).toBe(`${VERSION}\n`);
      expect(readdirSync(empty)).toEqual([]);
    });

    it('runs no code from a folder that others can write, or that lies in one of another user', async () => {
      const [open, openAbove, foreignAbove] = [folderOf(uid, 0o777), folderOf(0, 0o777), folderOf(ANN)];
      plant(open, uid);
      const inside = [openAbove, foreignAbove].map((above) => {
        const folder = join(above, 'mine');
        mkdirSync(folder);
        chownSync(folder, uid, uid);
        plant(folder, uid);
        return folder;
      });
      for (const cache of [open, ...inside])
        expect(await version({ HOME: NOWHERE, XDG_CACHE_HOME: cache })).toBe(`${VERSION}\n`);
    });

    it('keeps code in a new folder of its own below one that others write but cannot rename in', async () => {
      const sticky = folderOf(0, 0o1777);
      const cache = join(sticky, 'cache');
      expect(await version({ HOME: NOWHERE, XDG_CACHE_HOME: cache })).toBe(`${VERSION}\n`);
      const compile = join(cache, 'fareclerk', 'compile');
      expect(statSync(compile)).toMatchObject({ uid, mode: 0o40700 });
      expect(readdirSync(compile)).toEqual([planted.version]);
    });

    /** What a link could lead to: something of this user that others may read. */
    function victimOf(name: string) {
      const folder = folderOf(uid);
      const file = join(folder, name);
      writeFileSync(file, 'precious', { mode: 0o644 });
      chownSync(file, uid, uid);
      const seen = () => [modeOf(folder), readdirSync(folder), modeOf(file), readFileSync(file, 'utf8')];
      const before = seen();
      return { folder, file, isUntouched: () => expect(seen()).toEqual(before) };
    }
    const modeOf = (path: string) => statSync(path).mode & 0o7777;

    it('runs no code of another user that lies in a folder of its own, and keeps its own in place of it', async () => {
      const cache = folderOf(uid);
      const env = { HOME: NOWHERE, XDG_CACHE_HOME: cache, FARECLERK_STATE_DIR: folderOf(uid) };
      const compile = join(cache, 'fareclerk', 'compile');
      const list = async () => {
        const child = spawn(process.execPath, [program.bin], { cwd: '/', uid, gid: uid, env, stdio: 'pipe' });
        child.stdin.write(LIST);
        child.stdout.on('data', (chunk) => chunk.includes('"tools":[') && child.stdin.end());
        const { stdout } = await ended(child);
        expect(stdout).toContain('"search_fares"');
        return join(compile, readdirSync(compile)[0] ?? '');
      };
      const file = await list();
      const { ino } = statSync(file);
      await list();
      expect(statSync(file)).toMatchObject({ ino, uid });
      chownSync(file, ANN, ANN);
      await list();
      expect(statSync(file)).toMatchObject({ uid, mode: 0o100600 });
      expect(statSync(file).ino).not.toBe(ino);
    });

    it('changes no mode through a link in place of the folder of compiled code, whoever made the link', async () => {
      for (const owner of [ANN, uid]) {
        const { folder, isUntouched } = victimOf('hosts');
        for (const names of [['compile'], []]) {
          const home = folderOf(owner);
          const parts = ['.cache', 'fareclerk', ...names];
          mkdirSync(join(home, ...parts.slice(0, -1)), { recursive: true });
          symlinkSync(folder, join(home, ...parts));
          parts.forEach((_, i) => {
            lchownSync(join(home, ...parts.slice(0, i + 1)), owner, owner);
          });
          expect(await version({ HOME: home })).toBe(`${VERSION}\n`);
          isUntouched();
        }
      }
    });

    it('opens no state in a folder of another user or in one that others can write, and follows no link there', async () => {
      for (const [owner, mode, why] of [
        [ANN, 0o755, 'belongs to another user'],
        [ANN, 0o1777, 'belongs to another user'],
        [uid, 0o777, 'can be written by other users (mode 777)'],
      ] as const) {
        const [state, records, { file, isUntouched }] = [folderOf(owner, mode), folderOf(uid), victimOf('shadow')];
        symlinkSync(file, join(state, 'fareclerk.sqlite'));
        const env = { ...LIVE, FARECLERK_STATE_DIR: state, FARECLERK_WITNESS_DIR: records };
        for (const argv of [['journal'], ['pause', 'x'], ['call', 'list_bookings']]) {
          const { code, stdout, stderr } = await run(uid, argv, env);
          expect([code, argv, stdout + stderr]).toEqual([1, argv, expect.stringContaining(`The state folder ${why}`)]);
        }
        const doctor = await run(uid, ['doctor'], env);
        expect([doctor.code, doctor.stdout.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(state)]);
        isUntouched();
        expect([modeOf(state), readdirSync(state), readdirSync(records)]).toEqual([mode, ['fareclerk.sqlite'], []]);
      }
    });

    it('makes nothing through a link in place of the state file or the recording', async () => {
      const { file, isUntouched } = victimOf('shadow');
      const [state, records] = [folderOf(uid), folderOf(uid)];
      const env = { ...LIVE, FARECLERK_STATE_DIR: state, FARECLERK_WITNESS_DIR: records };
      const link = (name: string) => {
        symlinkSync(file, join(state, name));
        return join(state, name);
      };
      link('fareclerk.sqlite');
      const refused = await run(uid, ['pause', 'x'], env);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The state file is a link')]);
      const recorded = await run(uid, ['call', 'list_routes'], {
        ...{ FARECLERK_STATE_DIR: folderOf(uid), FARECLERK_RECORD_FILE: link('calls.jsonl') },
      });
      expect(recorded.stdout + recorded.stderr).toContain('FARECLERK_RECORD_FILE is a link');
      isUntouched();
    });

    it("keeps no second record in another user's folder that a setting names", async () => {
      const [state, records] = [folderOf(uid), folderOf(ANN, 0o777)];
      const env = { ...LIVE, FARECLERK_STATE_DIR: state, FARECLERK_WITNESS_DIR: records };
      const { code, stderr } = await run(uid, ['pause', 'x'], env);
      expect([code, stderr]).toEqual([1, expect.stringContaining('The folder of second records belongs to another')]);
      expect(stderr).toContain('FARECLERK_WITNESS_DIR');
      expect(readdirSync(records)).toEqual([]);
    });

    it("puts no second record in another user's folder, and says which setting names a folder", async () => {
      const [home, state, records] = [folderOf(ANN, 0o777), folderOf(uid), folderOf(uid)];
      const env = { ...LIVE, HOME: home, FARECLERK_STATE_DIR: state };
      const { code, stderr } = await run(uid, ['pause', 'emergency'], env);
      expect([code, readdirSync(home)]).toEqual([1, []]);
      expect(stderr).toContain('The folder of second records is below a folder that belongs to another user');
      expect(stderr).toContain('FARECLERK_WITNESS_DIR');
      const allowed = await run(uid, ['pause', 'emergency'], { ...env, FARECLERK_WITNESS_DIR: records });
      expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining('paused')]);
      expect(readdirSync(records).length).toBeGreaterThan(0);
      expect(readdirSync(home)).toEqual([]);
    });

    it("puts no state in another user's HOME or XDG_STATE_HOME, and says which setting names a folder", async () => {
      const home = folderOf(ANN, 0o777);
      const places: Record<string, string>[] = [{ HOME: home }, { HOME: NOWHERE, XDG_STATE_HOME: join(home, 'state') }];
      for (const env of places) {
        for (const settings of [{}, LIVE]) {
          const { code, stderr } = await run(uid, ['pause', 'emergency'], { ...env, ...settings });
          expect([code, readdirSync(home)]).toEqual([1, []]);
          expect(stderr).toContain('The state folder is below a folder that belongs to another user');
          expect(stderr).toContain('FARECLERK_STATE_DIR');
        }
      }
    });
  });

  it.each<[string, number, number, 'believed' | 'refused']>([
    ['of this user, as in a home with umask 002', 4300, 4300, 'believed'],
    ['that this user is in, with root as the owner', 0, 4777, 'believed'],
    ['that this user is not in', 4300, 4779, 'refused'],
    ['that this user is not in, with root as the owner', 0, 4779, 'refused'],
  ])('settings and a state that a group can write %s (owner %i, group %i) are %s', async (_, owner, gid, end) => {
    const us = 4300;
    const [state, records, place] = [folderOf(us), folderOf(us), folderOf(us)];
    const settings = join(place, 'settings.env');
    const lines = Object.entries(LIVE).map((pair) => `${pair.join('=')}\n`);
    writeFileSync(settings, lines.join(''));
    for (const [path, mode] of [
      [settings, 0o664],
      [place, 0o775],
      [state, 0o2775],
    ] as const) {
      chownSync(path, owner, gid);
      chmodSync(path, mode);
    }
    const env = {
      ...{ PATH: process.env.PATH, FARECLERK_STATE_DIR: state, FARECLERK_WITNESS_DIR: records },
      FARECLERK_SETTINGS_FILE: settings,
    };
    const ids = ['--reuid', us, '--regid', us, '--groups', `${us},4777`].map(String);
    const pause = [...ids, process.execPath, program.bin, 'pause', 'x'];
    const run = () => ended(spawn('setpriv', pause, { cwd: '/', env, stdio: 'pipe' }));
    const { code, stderr } = await run();
    if (end === 'believed') return expect([code, stderr]).toEqual([0, expect.anything()]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('can be written by other users (mode 775)')]);
    for (const path of [place, settings]) chmodSync(path, path === place ? 0o755 : 0o644);
    const refused = await run();
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`Found: ${state} can be written by other users (mode 2775).`),
    ]);
    expect(readdirSync(state)).toEqual([]);
    // Where it is root's, the doctor says first that this user cannot write it.
    if (owner === 0) return;
    const doctor = await ended(spawn('setpriv', [...pause.slice(0, -2), 'doctor'], { cwd: '/', env, stdio: 'pipe' }));
    expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toContain(`Run chmod go-w ${state}.`);
  });

  it('starts in the pod of deploy/kubernetes.yaml: user 1000, and its group for the volume and the secret', async () => {
    const { fsGroup, runAsUser, runAsGroup } = podOf(readFileSync('deploy/kubernetes.yaml', 'utf8'));
    const [volume, secret] = [folderOf(0, 0o2775), folderOf(0, 0o3777)];
    chownSync(volume, 0, fsGroup);
    chownSync(secret, 0, fsGroup);
    const version = join(secret, '..2026_11_27');
    mkdirSync(version);
    writeFileSync(join(version, 'api_key'), LIVE.FARECLERK_API_KEY);
    for (const [path, mode] of [
      [version, 0o2755],
      [join(version, 'api_key'), 0o440],
    ] as const) {
      chownSync(path, 0, fsGroup);
      chmodSync(path, mode);
    }
    symlinkSync('..2026_11_27', join(secret, '..data'));
    symlinkSync('..data/api_key', join(secret, 'api_key'));
    const { FARECLERK_API_KEY: _, ...live } = LIVE;
    const env = {
      ...live,
      PATH: process.env.PATH,
      FARECLERK_API_KEY_FILE: join(secret, 'api_key'),
      FARECLERK_STATE_DIR: join(volume, 'state'),
      FARECLERK_WITNESS_DIR: join(volume, 'records'),
    };
    const ids = ['--reuid', runAsUser, '--regid', runAsGroup, '--groups', fsGroup].map(String);
    const pause = [...ids, process.execPath, program.bin, 'pause', 'x'];
    const { code, stderr } = await ended(spawn('setpriv', pause, { cwd: '/', env, stdio: 'pipe' }));
    expect([code, stderr]).toEqual([0, expect.anything()]);
    expect(readdirSync(volume).sort()).toEqual(['records', 'state']);
  });

  it('keeps nothing in a folder that somebody made while this program was about to make it', async () => {
    const [sticky, target] = [folderOf(0, 0o1777), folderOf(ANN)];
    const [raced, race] = [join(sticky, 'new'), join(folderOf(0), 'race.cjs')];
    writeFileSync(
      race,
      `const fs = require('node:fs');
      const { mkdirSync } = fs;
      fs.mkdirSync = (path, options) => {
        if (String(path).startsWith('${raced}') && !fs.existsSync('${raced}')) {
          fs.symlinkSync('${target}', '${raced}');
          fs.lchownSync('${raced}', ${ANN}, ${ANN});
        }
        return mkdirSync(path, options);
      };`,
    );
    const state = join(raced, 'state');
    const places = { FARECLERK_STATE_DIR: state, FARECLERK_WITNESS_DIR: folderOf(0) };
    const { code, stderr } = await run(0, ['pause', 'x'], { ...LIVE, ...places, NODE_OPTIONS: `--require ${race}` });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Found: ${target} belongs to another user.`)]);
    expect(readdirSync(join(target, 'state'))).toEqual([]);
  });

  it('an account without a home folder works with a folder for its state, and says what is missing without', async () => {
    const state = folderOf(WITHOUT_ENTRY);
    const [version, missing, sandbox] = await Promise.all([
      run(WITHOUT_ENTRY, ['--version'], {}),
      run(WITHOUT_ENTRY, ['call', 'list_routes', '--sandbox'], {}),
      run(WITHOUT_ENTRY, ['call', 'list_routes'], { FARECLERK_STATE_DIR: state }),
    ]);
    expect(version).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('HOME is not set to an absolute path, and this user has no home folder.');
    expect(missing.stderr).toContain('FARECLERK_STATE_DIR');
    expect(sandbox).toMatchObject({ code: 0, stdout: expect.stringContaining('"total_found"') });
    expect(existsSync(join(state, 'sandbox'))).toBe(true);
    const live = await run(WITHOUT_ENTRY, ['pause', 'x'], { ...LIVE, FARECLERK_STATE_DIR: state });
    expect([live.code, live.stderr]).toEqual([2, expect.stringContaining('FARECLERK_WITNESS_DIR')]);
  });

  it('on a read-only file system it starts, works with a folder for its state, and says what is missing without', async () => {
    const script = `mount -o remount,bind,ro / || exit 99
      mount -t tmpfs tmpfs /mnt || exit 99
      node=$1; bin=$2; export HOME=/root
      $node $bin --version && ! $node $bin pause x && FARECLERK_STATE_DIR=/mnt $node $bin call list_routes`;
    const args = ['-m', 'sh', '-c', script, 'sh', process.execPath, program.bin];
    const { code, stdout, stderr } = await ended(
      spawn('unshare', args, { env: { PATH: process.env.PATH }, stdio: 'pipe' }),
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('FARECLERK_STATE_DIR')]);
    expect(stdout.startsWith(`${VERSION}\n`)).toBe(true);
    expect(stdout).toContain('"total_found"');
  });
});
