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
  // They have some 600 modules, which took a third of the start to load, and 65 MB in an installation.
  deps: {
    onlyBundle: [
      ...['kysely', 'viem', 'abitype', '@noble/hashes'],
      ...['undici', 'hono', '@hono/node-server', 'commander'],
      ...['ajv', 'fast-deep-equal', 'json-schema-traverse', 'fast-uri'],
    ],
  },
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
