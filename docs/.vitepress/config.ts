/** The docs as a site: `npm run docs` builds it into docs/.vitepress/dist, with llms.txt and llms-full.txt. */
import { defineConfig } from 'vitepress';
import { anchor } from './anchor.ts';
import { writeLlms } from './llms.ts';
import { LEFT_OUT, linkToRepository, REPOSITORY } from './repository.ts';
import { SEARCH } from './search.ts';
import { PARTS } from './sidebar.ts';

/** Of the menu at the side, above every page too. */
const IN_NAV = ['Start', 'Guides', 'Run a server', 'Reference'];

export default defineConfig({
  title: 'fareclerk',
  description: 'A booking clerk for AI assistants',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  srcExclude: [...LEFT_OUT],
  markdown: { anchor: { slugify: anchor }, config: linkToRepository },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  themeConfig: {
    logo: '/logo.svg',
    search: { provider: 'local', options: SEARCH },
    outline: [2, 3],
    nav: PARTS.filter(({ text }) => IN_NAV.includes(text)).map(({ text, items: [first] }) => ({
      text,
      link: first?.link ?? '/',
    })),
    sidebar: PARTS.map(({ text, open = false, items }) => ({
      text,
      collapsed: !open,
      items: items.map(({ text, link }) => ({ text, link })),
    })),
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page' },
  },
  // Vitepress would also name Safari 14.0, for which this esbuild cannot write destructuring.
  vite: { build: { target: 'es2020' } },
  buildEnd: ({ srcDir, outDir }) => writeLlms(srcDir, outDir),
});
