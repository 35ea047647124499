import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts'],
  format: 'esm',
  platform: 'node',
  fixedExtension: false,
  // Bundled, as `npm create` installs the package for one run.
  deps: { alwaysBundle: ['@clack/prompts'], onlyBundle: false },
  dts: false,
  sourcemap: false,
  publint: false,
})
