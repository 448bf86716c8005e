/**
 * Takes the place of src/server/app-views/documents.ts in the bundle: each view as one finished document, minified.
 */
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { viewParts } from '../src/server/app-views/documents.ts';
import { joined, viewDocument } from '../src/server/app-views/page.ts';
import { VIEWS, type View } from '../src/server/app-views/ui.ts';

/** As browsers of hosts are: light-dark() and Map.groupBy stand since 2024. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

export async function preparedView(view: View): Promise<string> {
  const { title, scripts, styles } = viewParts(view);
  return viewDocument(title, await minified(joined(scripts), 'js'), await minified(styles.join('\n'), 'css'));
}

/** Without what this view does not use. */
async function minified(contents: string, loader: 'js' | 'css'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader },
    bundle: true,
    format: 'esm',
    minify: true,
    target: TARGET,
    legalComments: 'none',
    write: false,
  });
  return outputFiles[0]?.text.trim() ?? '';
}

async function moduleText(): Promise<string> {
  const documents = await Promise.all(VIEWS.map(async (view) => [view, await preparedView(view)] as const));
  return `const all = ${JSON.stringify(Object.fromEntries(documents))};\nexport const documentOf = (name) => (Object.hasOwn(all, name) ? all[name] : undefined);`;
}

export function preparedViews(root: string): Plugin {
  const replaced = join(root, 'src', 'server', 'app-views', 'documents.ts');
  return {
    name: 'prepared-views',
    setup(own) {
      own.onLoad({ filter: /[\\/]apps[\\/]documents\.ts$/ }, async ({ path }) =>
        path === replaced ? { contents: await moduleText(), loader: 'js' } : undefined,
      );
    },
  };
}
