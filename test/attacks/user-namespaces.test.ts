/**
 * Whose a file is in user namespaces, where the kernel shows all owners that the namespace does not map as one user. Only root can make
 * files of another user, and such namespaces.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderFor } from '../cli/program.ts';
import { canBecomeAnother } from './other-user.ts';

/** The attacker. */
const ANN = 4711;
/** Where the namespaces of a container begin, and its group for volumes. */
const CONTAINER = 100_000;
const VOLUMES = 2000;

/** Reads each file, and uses each folder, by the rule of foreign.ts. `peers`: whether the owner of a connection can be known. */
const READER = `
import { ownFolder, readBelieved } from './files/own-files.ts';
import { knowsPeers } from './server/approval-page/peer.ts';
for (const path of process.argv.slice(2)) {
  try {
    if (path === 'peers') {
      if (!knowsPeers) throw { code: 'not known' };
    } else if (path.startsWith('folder-of-')) ownFolder(process.cwd() + '/' + path);
    else readBelieved(process.cwd() + '/' + path);
    console.log('yes');
  } catch (error) {
    console.log(error.brief ?? error.code);
  }
}`;

/** Lays the files in a mount that nobody else sees, makes the namespace, and reads them there as the user. */
const SCRIPT = `
map=$1 outer=$2 outerRoot=$3 inner=$4 group=$5; shift 5
mount -t tmpfs -o mode=755 tmpfs /run && mkdir -p /run/var/lib && cd /run/var/lib && mkdir -m 1777 tmp || exit 99
for name in of-us of-ann of-root of-host tmp/x; do echo x >$name; chmod 644 $name; done
mkdir folder-of-us folder-of-group folder-of-strange-group tmp/us tmp/ann
cp of-us tmp/us/of-us; cp of-us tmp/ann/of-us; ln -s of-us link-of-host
ln -s ../of-us tmp/link-of-ann; chown -h ${ANN} tmp/link-of-ann
chown -R $outer:$outer of-us folder-of-us tmp/us tmp/ann
chown ${ANN}:${ANN} of-ann tmp/ann
chown $outerRoot:$outerRoot of-root
chown $outerRoot:$group folder-of-group; chmod 2775 folder-of-group
chown $outerRoot:4712 folder-of-strange-group; chmod 2775 folder-of-strange-group
case $map in
  none) exec setpriv --reuid $inner --regid $inner --groups $group "$@";;
  empty) exec setpriv --reuid $outer --regid $outer --groups $group unshare -U "$@";;
esac
mkfifo go
setpriv --groups $group,4713 \
  unshare -U --keep-caps sh -c 'read go <go; exec setpriv --reuid "$0" --regid "$0" --keep-groups "$@"' $inner "$@" &
sleep 0.05
printf "$map" >/proc/$!/uid_map; printf "$map" >/proc/$!/gid_map; echo >go
wait $!`;

const UNMAPPED = 'may belong to another user: this user namespace does not map its owner';
const OTHERS = 'belongs to another user';

/** A folder of root that a group may write in which this user is not, or that the namespace does not map. */
const OF_GROUP = { 'folder-of-strange-group': 'can be written by other users (mode 2775)' };
/** What is refused where ann is not mapped. */
const STRANGE = {
  ...OF_GROUP,
  'of-ann': UNMAPPED,
  'tmp/ann/of-us': `is below a folder that ${UNMAPPED}`,
  'tmp/link-of-ann': UNMAPPED,
};
/** And where the machine's root is not: its folders and links lead further, its files are not believed. */
const OF_HOST = { 'of-host': UNMAPPED };
const OF_ROOT = { ...OF_HOST, 'of-root': UNMAPPED, 'folder-of-group': UNMAPPED, 'folder-of-strange-group': UNMAPPED };
const AS_ROOT = { ...STRANGE, ...OF_HOST, 'folder-of-group': 'can be written by other users (mode 2775)' };

const IN_CONTAINER = { map: `0 ${CONTAINER} 65536\n`, outerRoot: CONTAINER };

interface Place {
  /** Rows of uid_map and gid_map: first id inside, first outside, count. */
  readonly map: string;
  readonly us: number;
  readonly outer?: number;
  readonly outerRoot?: number;
}

function read({ map, us, outer = us, outerRoot = 0 }: Place, reader: string): Record<string, string> {
  const paths = [
    'of-us',
    'of-ann',
    'of-root',
    'of-host',
    'tmp/us/of-us',
    'tmp/ann/of-us',
    'tmp/link-of-ann',
    'link-of-host',
  ];
  const all = [...paths, 'folder-of-us', 'folder-of-group', 'folder-of-strange-group', 'peers'];
  const group = map.includes(String(CONTAINER)) ? CONTAINER + VOLUMES : outer;
  const places = [map, outer, outerRoot, us, group].map(String);
  const args = ['-m', 'sh', '-c', SCRIPT, 'sh', ...places, process.execPath, reader, ...all];
  const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  if (lines.length !== all.length) throw new Error(stderr);
  return Object.fromEntries(all.map((path, nth) => [path, lines[nth] ?? '']));
}

describe.skipIf(!canBecomeAnother)('user namespaces', () => {
  let reader: string;
  beforeAll(() => {
    const folder = folderFor('namespace');
    chmodSync(folder, 0o755);
    for (const name of [
      'files/foreign.ts',
      'files/own-files.ts',
      'files/user-namespace.ts',
      'server/approval-page/peer.ts',
    ]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      copyFileSync(join('src', name), join(folder, name));
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    reader = join(folder, 'reader.ts');
    writeFileSync(reader, READER);
  });

  it.each<[string, Place, Record<string, string>]>([
    [
      'outside of one',
      { map: 'none', us: 4300 },
      { ...OF_GROUP, 'of-ann': OTHERS, 'tmp/ann/of-us': `is below a folder that ${OTHERS}`, 'tmp/link-of-ann': OTHERS },
    ],
    ['that maps this user alone', { map: '4300 4300 1\n', us: 4300 }, { ...STRANGE, ...OF_ROOT }],
    ['that maps this user to root', { map: '0 4300 1\n', us: 0, outer: 4300, outerRoot: 4300 }, AS_ROOT],
    ['that maps root and this user, as systemd makes it', { map: '0 0 1\n4300 4300 1\n', us: 4300 }, STRANGE],
    [
      "of a container, as the image's user",
      { ...IN_CONTAINER, us: 1000, outer: CONTAINER + 1000 },
      { ...STRANGE, ...OF_HOST },
    ],
    [
      'of a container, as nobody',
      { ...IN_CONTAINER, us: 65_534, outer: CONTAINER + 65_534 },
      { ...STRANGE, ...OF_HOST, peers: 'not known' },
    ],
    ['that maps nobody', { map: 'empty', us: 4300 }, { ...STRANGE, ...OF_ROOT, peers: 'not known' }],
  ])(
    'a namespace %s: believes what belongs to this user or to a root that is mapped, and knows peers if it can',
    (_, place, refused) => {
      const answers = read(place, reader);
      expect(answers).toEqual({ ...Object.fromEntries(Object.keys(answers).map((path) => [path, 'yes'])), ...refused });
    },
  );
});
