import type { Plugin } from 'vite'

/**
 * Keeps the devtools in a build of the mode `demo`, which `npm start` serves. Any other build of a demo is a production build
 * like that of an app, and has none.
 */
export const demoDevtools = (): Plugin => ({
  name: 'demo-devtools',
  config: (_, { mode }) =>
    mode === 'demo'
      ? {
          resolve: {
            alias: [
              { find: /^@headwater\/devtools$/, replacement: '@headwater/devtools/production' },
            ],
          },
        }
      : {},
})
