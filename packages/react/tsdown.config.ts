import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts'],
  format: 'esm',
  platform: 'neutral',
  dts: true,
  sourcemap: true,
  publint: false,
  // All of it is hooks and context, which a React server must not run.
  banner: { js: "'use client'" },
})
