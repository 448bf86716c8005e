/**
 * Whose a file is in user namespaces, where the kernel shows all owners that the namespace does not map as one user. Only root can make
 * files of another user, and such namespaces.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderFor } from '../cli/program.ts';

/** The attacker. */
const ANN = 4711;
/** Where the namespaces of a container begin, and its group for volumes. */
const CONTAINER = 100_000;
const VOLUMES = 2000;

/** Reads each file, and uses each folder, by the rule of foreign.ts. */
const READER = `
import { ownFolder, readBelieved } from './files/own-files.ts';
for (const path of process.argv.slice(2)) {
  try {
    if (path.startsWith('folder-of-')) ownFolder(process.cwd() + '/' + path);
    else readBelieved(process.cwd() + '/' + path);
    console.log('yes');
  } catch (error) {
    console.log(error.brief ?? error.code);
  }
}`;

/**
 * What systemd and Kubernetes lay for a service, beside what they never would. `credentials/acl`: files of root that an access list opens
 * to the user, as LoadCredential makes them on tmpfs; `credentials/own`: the user's own, as it makes them on ramfs. `secret`: a volume of
 * a Secret with an fsGroup. `image`: of root and of the user that the image names.
 */
const LAID = `
tar --acls -xpf $archive && mount -o remount,ro credentials/acl
mount -t ramfs ramfs credentials/own && echo x >credentials/own/key && chmod 400 credentials/own/key
chmod 500 credentials/own; chown -R $outer:$outer credentials/own; mount -o remount,ro credentials/own
mkdir -p credentials/ann image secret && cp of-us credentials/ann/key
mount -t tmpfs -o mode=1777 tmpfs secret && mkdir secret/..2026_11_27 && cd secret && ln -s ..2026_11_27 ..data
echo x >..data/key; echo x >..data/shared; echo x >..data/open
ln -s ..data/key key; ln -s ..data/shared shared; ln -s ..data/open open; ln -s ..data/key of-ann
chmod 440 ..data/key; chmod 640 ..data/shared; chmod 660 ..data/open; chmod 2755 ..2026_11_27; cd ..
echo x >image/root; echo x >image/own; chmod 644 image/root; chmod 600 image/own
chown -hR $outerRoot:$group secret; chmod 3777 secret; chown -h ${ANN} secret/of-ann
chown $outer:$outer image/own; chown $outerRoot:$outerRoot credentials image image/root; chown ${ANN}:${ANN} credentials/ann
`;

/** Lays the files in a mount that nobody else sees, makes the namespace, and reads them there as the user. */
const SCRIPT = `
map=$1 outer=$2 outerRoot=$3 inner=$4 group=$5 archive=$6; shift 6
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
mkdir -p credentials/acl credentials/own && mount -t tmpfs -o mode=755 tmpfs credentials/acl
${LAID}
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
/** Of what is laid for a service: a folder or a link of ann, and a file of root that a group may write. */
const LAID_BY_ANN = (why: string) => ({
  'credentials/ann/key': `is below a folder that ${why}`,
  'secret/open': 'can be written by other users (mode 660)',
  'secret/of-ann': why,
});
/** What is refused where ann is not mapped. */
const STRANGE = {
  ...OF_GROUP,
  ...LAID_BY_ANN(UNMAPPED),
  'of-ann': UNMAPPED,
  'tmp/ann/of-us': `is below a folder that ${UNMAPPED}`,
  'tmp/link-of-ann': UNMAPPED,
};
/** And where the machine's root is not: its folders and links lead further, its files are not believed. */
const OF_HOST = { 'of-host': UNMAPPED };
const OF_ROOT = {
  ...OF_HOST,
  ...Object.fromEntries(
    [
      ...['of-root', 'folder-of-group', 'folder-of-strange-group', 'image/root'],
      ...['credentials/acl/key', 'credentials/ann/key', 'secret/key', 'secret/shared', 'secret/open'],
    ].map((path) => [path, UNMAPPED]),
  ),
};
const AS_ROOT = { ...STRANGE, ...OF_HOST, 'folder-of-group': 'can be written by other users (mode 2775)' };

const IN_CONTAINER = { map: `0 ${CONTAINER} 65536\n`, outerRoot: CONTAINER };

/** An archive of `credentials/acl`, which only this user can read besides its owner: no other program of every system sets such lists. */
function credentials(reader: number, owner: number): Buffer {
  const list = (bits: string) =>
    `SCHILY.acl.access=user::${bits},user:${reader}:${bits},group::---,mask::${bits},other::---`;
  const entry = (name: string, type: string, mode: number, bits: string, content = '') => [
    tarEntry('list', 'x', 0o600, owner, paxRecord(list(bits))),
    tarEntry(name, type, mode, owner, content),
  ];
  const all = [
    ...entry('credentials/acl/key', '0', 0o400, 'r--', 'x\n'),
    ...entry('credentials/acl/', '5', 0o500, 'r-x'),
  ];
  return Buffer.concat([...all, Buffer.alloc(1024)]);
}

/** A record begins with its own length. */
function paxRecord(text: string): string {
  const short = text.length + 2;
  const length = short + String(short + 3).length;
  return `${length} ${text}\n`;
}

function tarEntry(name: string, type: string, mode: number, owner: number, content: string): Buffer {
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const head = Buffer.alloc(512);
  const fields = {
    0: name,
    100: octal(mode, 7),
    108: octal(owner, 7),
    116: octal(owner, 7),
    124: octal(content.length, 11),
  };
  const more = { 136: octal(0, 11), 148: ' '.repeat(8), 156: type, 257: 'ustar\x0000' };
  for (const [at, field] of Object.entries({ ...fields, ...more })) head.write(field, Number(at));
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${octal(sum, 6)} `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([head, body]);
}

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
    ...['acl', 'own', 'ann'].map((folder) => `credentials/${folder}/key`),
    ...['key', 'shared', 'open', 'of-ann'].map((name) => `secret/${name}`),
    ...['image/root', 'image/own'],
  ];
  const all = [...paths, 'folder-of-us', 'folder-of-group', 'folder-of-strange-group'];
  const group = map.includes(String(CONTAINER)) ? CONTAINER + VOLUMES : outer;
  const archive = join(dirname(reader), 'credentials.tar');
  writeFileSync(archive, credentials(outer, outerRoot));
  const places = [map, outer, outerRoot, us, group, archive].map(String);
  const args = ['-m', 'sh', '-c', SCRIPT, 'sh', ...places, process.execPath, reader, ...all];
  const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  if (lines.length !== all.length) throw new Error(stderr);
  return Object.fromEntries(all.map((path, nth) => [path, lines[nth] ?? '']));
}

describe.skipIf(process.getuid?.() !== 0)('user namespaces', () => {
  let reader: string;
  beforeAll(() => {
    const folder = folderFor('namespace');
    chmodSync(folder, 0o755);
    for (const name of ['files/foreign.ts', 'files/own-files.ts', 'files/user-namespace.ts']) {
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
      {
        ...OF_GROUP,
        ...LAID_BY_ANN(OTHERS),
        'of-ann': OTHERS,
        'tmp/ann/of-us': `is below a folder that ${OTHERS}`,
        'tmp/link-of-ann': OTHERS,
      },
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
      { ...STRANGE, ...OF_HOST },
    ],
    ['that maps nobody', { map: 'empty', us: 4300 }, { ...STRANGE, ...OF_ROOT }],
  ])('a namespace %s: believes what belongs to this user or to a root that is mapped', (_, place, refused) => {
    const answers = read(place, reader);
    expect(answers).toEqual({ ...Object.fromEntries(Object.keys(answers).map((path) => [path, 'yes'])), ...refused });
  });
});
