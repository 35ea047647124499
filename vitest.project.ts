import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Resolves workspace packages to their sources, and others as Node.js does. */
const conditions = [
  '@headwater/source',
  'module',
  'node',
  'development|production',
  'import',
  'default',
]

/**
 * The Vitest configuration of a package whose tests run in Node.js.
 *
 * @param test - options in addition to the name; they replace the timeouts, which are generous for a busy machine.
 */
export const defineNodeProject = (test: ViteUserConfig['test'] & { readonly name: string }) =>
  defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 30_000 } },
      ...test,
    },
  })
