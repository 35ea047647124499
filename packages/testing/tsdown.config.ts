import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/msw.ts', 'src/node.ts'],
  format: 'esm',
  platform: 'neutral',
  dts: true,
  sourcemap: true,
  publint: false,
})
