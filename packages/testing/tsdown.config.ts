import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/msw.ts', 'src/node.ts', 'src/cli.ts'],
  format: 'esm',
  platform: 'neutral',
  // With maps, so that "go to definition" leads to `src`, which the package contains.
  dts: { sourcemap: true },
  sourcemap: true,
  publint: false,
})
