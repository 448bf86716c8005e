/** The docs as a site: `npm run docs` builds it into docs/.vitepress/dist. */
import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'fareclerk',
  description: 'A booking clerk for AI assistants',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Guide', link: '/guide' },
      { text: 'Tools', link: '/reference/tools' },
    ],
    sidebar: [
      {
        text: 'Use it',
        items: [
          { text: 'Five-minute start', link: '/' },
          { text: 'Add it to a host', link: '/hosts' },
          { text: 'Guide', link: '/guide' },
          { text: 'For travel agents', link: '/guide/agents' },
          { text: 'For customer support', link: '/guide/support' },
          { text: 'For the operations desk', link: '/guide/operations' },
          { text: 'For engineers', link: '/guide/engineers' },
          { text: 'Approvals', link: '/approvals' },
        ],
      },
      {
        text: 'Look it up',
        items: [
          { text: 'Tools', link: '/reference/tools' },
          { text: 'Errors', link: '/reference/errors' },
          { text: 'Dialects', link: '/dialects' },
          { text: 'Recordings', link: '/recording' },
        ],
      },
      {
        text: 'The wire',
        items: [
          { text: "The airline's interface", link: '/wire/interface' },
          { text: 'Notes to the interface', link: '/wire/notes' },
          { text: 'Every path', link: '/wire/paths' },
        ],
      },
      {
        text: 'Run it',
        items: [
          { text: 'Operations and settings', link: '/operations' },
          { text: 'Doctor', link: '/doctor' },
          { text: 'HTTP', link: '/http' },
          { text: 'Deployment', link: '/deploy' },
          { text: 'PostgreSQL', link: '/postgres' },
          { text: 'Keycloak', link: '/keycloak' },
          { text: 'Security', link: '/security' },
        ],
      },
      {
        text: 'Understand it',
        items: [
          { text: 'Architecture', link: '/architecture' },
          { text: 'Glossary', link: '/glossary' },
          { text: 'Decisions', link: '/decisions' },
          { text: 'Performance', link: '/performance' },
          { text: 'Proofs', link: '/proofs' },
          { text: 'Proofs over HTTP', link: '/proofs-http' },
        ],
      },
    ],
  },
});
