import path from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { precompile } from './precompile.ts'

const names = ['react', 'vue', 'svelte']

// The pages that run the code of the playgrounds, each in an iframe.
export default defineConfig({
  base: './',
  publicDir: false,
  plugins: [precompile, svelte({ configFile: false })],
  define: {
    'process.env.NODE_ENV': '"production"',
    __VUE_OPTIONS_API__: 'true',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  resolve: { conditions: ['@headwater/source', 'browser', 'module', 'import', 'default'] },
  build: {
    outDir: path.resolve(import.meta.dirname, '../public/playground'),
    emptyOutDir: true,
    // The compiler of Svelte.
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
    rolldownOptions: {
      input: names.map((name) => path.resolve(import.meta.dirname, `${name}.html`)),
    },
  },
  logLevel: 'warn',
})
