import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * Minified, gzipped bytes of a module: with the ES2015 build of rxjs, and with the ES5 build that bundlers use by default.
 *
 * @param external - Packages that are not bundled.
 */
export async function measureBundle(contents: string, external: readonly string[] = []) {
  return {
    gzipBytes: await gzippedBytes(contents, external, ['es2015']),
    gzipBytesOfRxjsEs5: await gzippedBytes(contents, external, []),
  }
}

async function gzippedBytes(contents: string, external: readonly string[], conditions: string[]) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: [...external],
    conditions: ['@headwater/source', 'module', 'production', ...conditions],
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}
