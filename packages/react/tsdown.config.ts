import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts'],
  format: 'esm',
  platform: 'neutral',
  dts: true,
  sourcemap: true,
  publint: false,
  // Hooks and context cannot run in React Server Components.
  banner: { js: "'use client'" },
})
