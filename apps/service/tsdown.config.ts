import { defineConfig } from 'tsdown'

export default defineConfig({
  // The program, and what it runs in threads and in a process of their own.
  entry: [
    'src/main.ts',
    'src/rpc/receipts/receiptThread.ts',
    'src/store/pgliteThread.ts',
    'src/store/pgliteCreation.ts',
  ],
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  // A module per file: commands load only the modules that they use, and stack traces name the source files.
  unbundle: true,
  fixedExtension: false,
  dts: false,
  sourcemap: false,
  publint: false,
})
