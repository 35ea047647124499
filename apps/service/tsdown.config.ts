import { defineConfig } from 'tsdown'

export default defineConfig({
  // The program, and what it runs in threads and in a process of their own: all in one folder, where they find each other.
  entry: {
    main: 'src/main.ts',
    receiptThread: 'src/rpc/receipts/receiptThread.ts',
    pgliteThread: 'src/store/pgliteThread.ts',
    pgliteCreation: 'src/store/pgliteCreation.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  fixedExtension: false,
  dts: false,
  sourcemap: false,
  publint: false,
})
