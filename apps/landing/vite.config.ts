import { defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { frameworks, screens } from './build/screens.ts'
import { sources } from './build/sources.ts'

/** Only in the build: the development server needs inline scripts and styles. */
const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      injectTo: 'head-prepend',
      attrs: {
        'http-equiv': 'Content-Security-Policy',
        content:
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'",
      },
    },
  ],
}

const tabs: Plugin = {
  name: 'headwater-tabs',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replace(
          '<!-- screens -->',
          screens
            .map(
              ({ id, title }, index) =>
                `<button type="button" role="tab" aria-selected="${index === 0}" aria-controls="source-${id}" data-screen="${id}"${index === 0 ? '' : ' tabindex="-1"'}>${title}</button>`,
            )
            .join('\n'),
        )
        .replace(
          '<!-- frameworks -->',
          frameworks
            .map(
              ({ id, title }, index) =>
                `<button type="button" aria-pressed="${index === 0}" data-show="${id}">${title}</button>`,
            )
            .join('\n'),
        ),
  },
}

export default defineConfig({
  base: './',
  plugins: [sources, tabs, contentSecurityPolicy],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
