import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/production.ts'],
  format: 'esm',
  platform: 'neutral',
  // Inside of the package: an app that uses Lit has its own version.
  deps: { alwaysBundle: [/^(@?lit|lit-)/], onlyBundle: false },
  // With maps, so that "go to definition" leads to `src`, which the package contains.
  dts: { sourcemap: true },
  // Their sources would be outside of the package.
  sourcemap: false,
  publint: false,
})
