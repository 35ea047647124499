import { licensePlugin } from 'rolldown-license-plugin'
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
  // Loading their 420 modules took a fifth of the start, and an installation had 65 MB of them.
  deps: { onlyBundle: ['kysely', 'viem', 'abitype', '@noble/hashes'] },
  plugins: [
    licensePlugin({
      failOnUnlicensed: true,
      done(found, context) {
        const texts = found.map((each) => `${each.name} ${each.version}\n\n${each.licenseText}\n`)
        const fileName = 'THIRD-PARTY-LICENSES.txt'
        context.emitFile({ type: 'asset', fileName, source: texts.join('\n\n') })
      },
    }),
  ],
})
