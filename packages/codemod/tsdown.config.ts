import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/cli.ts'],
  format: 'esm',
  platform: 'node',
  fixedExtension: false,
  target: 'node20.19',
  dts: false,
  sourcemap: true,
  publint: false,
})
