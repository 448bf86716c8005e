/**
 * Takes the place of src/server/apps/documents.ts in the bundle: each view as one finished document, minified.
 */
import { join } from 'node:path';
import { type Plugin, transform } from 'esbuild';
import { viewParts } from '../src/server/apps/documents.ts';
import { joined, viewDocument } from '../src/server/apps/page.ts';
import { VIEWS, type View } from '../src/server/apps/ui.ts';

/** As browsers of hosts are: light-dark() and Map.groupBy stand since 2024. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

export async function preparedView(view: View): Promise<string> {
  const { title, scripts, styles } = viewParts(view);
  const minify = async (text: string, loader: 'js' | 'css') =>
    (
      await transform(text, {
        loader,
        minify: true,
        target: TARGET,
        ...(loader === 'js' && { format: 'esm' as const }),
      })
    ).code;
  return viewDocument(title, await minify(joined(scripts), 'js'), await minify(styles.join('\n'), 'css'));
}

async function moduleText(): Promise<string> {
  const documents = await Promise.all(VIEWS.map(async (view) => [view, await preparedView(view)] as const));
  return `const all = ${JSON.stringify(Object.fromEntries(documents))};\nexport const documentOf = (view) => all[view];`;
}

export function preparedViews(root: string): Plugin {
  const replaced = join(root, 'src', 'server', 'apps', 'documents.ts');
  return {
    name: 'prepared-views',
    setup(build) {
      build.onLoad({ filter: /[\\/]apps[\\/]documents\.ts$/ }, async ({ path }) =>
        path === replaced ? { contents: await moduleText(), loader: 'js' } : undefined,
      );
    },
  };
}
