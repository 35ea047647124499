import { defineConfig, mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'

// The same tests on the oldest React that the package claims.
export default mergeConfig(
  config,
  defineConfig({
    resolve: { alias: [{ find: /^(react|react-dom)(?=$|\/)/, replacement: '$1-18' }] },
    test: {
      name: 'react-18',
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: './vitest.react-18.setup.mjs',
    },
  }),
)
