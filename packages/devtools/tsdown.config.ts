import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/production.ts'],
  format: 'esm',
  platform: 'neutral',
  // Inside of the package: an app that uses Lit has its own version.
  deps: { alwaysBundle: [/^(@?lit|lit-)/], onlyBundle: false },
  dts: true,
  // The sources of Lit would be outside of the package.
  sourcemap: false,
  publint: false,
})
