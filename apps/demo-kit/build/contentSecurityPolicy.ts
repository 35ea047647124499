import type { Plugin } from 'vite'

/**
 * Adds a Content-Security-Policy to a page that allows its own scripts and styles, and no inline ones. Applied to builds
 * only, because the development server uses inline scripts and styles.
 *
 * @param added - Additional directives, such as `connect-src 'self'`.
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

/** Additional directives of the demos: the URL of the service is configurable. */
export const anyService = ['img-src data: http: https:', "connect-src 'self' http: https:"]
