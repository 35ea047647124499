import { defineConfig } from 'tsdown'

export default defineConfig({
  // The files of `runtime` are part of the app, which Nuxt builds.
  entry: ['src/module.ts', 'src/runtime/plugin.ts', 'src/runtime/proxyHandler.ts'],
  format: 'esm',
  platform: 'neutral',
  deps: { neverBundle: [/^#/] },
  // With maps, so that "go to definition" leads to `src`, which the package contains.
  dts: { sourcemap: true },
  sourcemap: true,
  publint: false,
})
