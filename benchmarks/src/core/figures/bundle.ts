import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Figure } from '../Figure.ts'

/** What an app loads. */
export const figure: Figure = {
  title: 'Bundle of createClient, watchBalances and watchPrice, rxjs and query-core inside',
  contenders: {
    headwater: () =>
      measureBundle('@headwater/core', ['createClient', 'watchBalances', 'watchPrice']),
    'headwater without prices': () =>
      measureBundle('@headwater/core', ['createClient', 'watchBalances']),
    rxjs: () => measureBundle('rxjs', ['Observable']),
    'query-core': () => measureBundle('@tanstack/query-core', ['QueryClient']),
    'query-core with its observer': () =>
      measureBundle('@tanstack/query-core', ['QueryClient', 'QueryObserver']),
  },
  reach: [
    { of: ['headwater', 'gzipBytes'], atMost: 21_000 },
    { of: ['headwater', 'gzipBytesOfRxjsEs5'], atMost: 21_000 },
  ],
}

/** Minified, gzipped bytes: with the build of rxjs for ES2015, and with the one that bundlers take unless told. */
async function measureBundle(source: string, names: readonly string[]) {
  return {
    gzipBytes: await gzippedBytes(source, names, ['es2015']),
    gzipBytesOfRxjsEs5: await gzippedBytes(source, names, []),
  }
}

async function gzippedBytes(source: string, names: readonly string[], conditions: string[]) {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${names.join()} } from '${source}'`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@headwater/source', 'module', 'production', ...conditions],
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}
