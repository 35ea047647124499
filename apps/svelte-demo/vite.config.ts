import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

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
        // The service may be anywhere: its URL is configuration.
        content:
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: http: https:; connect-src 'self' http: https:; base-uri 'none'; form-action 'none'",
      },
    },
  ],
}

export default defineConfig({
  base: './',
  plugins: [svelte({ configFile: false }), contentSecurityPolicy],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
