import type { Plugin } from 'vite'

/**
 * Puts a Content-Security-Policy into a page: its own scripts and styles, no inline ones, and what is added here. Only in
 * the build, as the development server needs inline scripts and styles.
 *
 * @param added - Directives beside those, such as `connect-src 'self'`.
 */
export const contentSecurityPolicy = (...added: string[]): Plugin => ({
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      injectTo: 'head-prepend',
      attrs: {
        'http-equiv': 'Content-Security-Policy',
        content: [...directives, ...added].join('; '),
      },
    },
  ],
})

const directives = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
]

/** What a wallet adds: the service may be anywhere, as its URL is configuration. */
export const anyService = ['img-src data: http: https:', "connect-src 'self' http: https:"]
