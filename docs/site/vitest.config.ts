import { svelte } from '@sveltejs/vite-plugin-svelte'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

const conditions = [
  '@headwater/source',
  'module',
  'browser',
  'development|production',
  'import',
  'default',
]

export default defineConfig({
  plugins: [vue(), svelte({ configFile: false })],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'site',
    // The files that open the site share its build.
    fileParallelism: false,
    sequence: { groupOrder: 3 },
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
})
