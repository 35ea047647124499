import { build, defaultClientConditions, type Rolldown } from 'vite'

/**
 * Builds a page like Vite builds an app.
 *
 * @param entry - Path of the page's module.
 * @param isProduction - Whether it is a production build. Default false.
 * @returns The scripts by file name; the first one is `page.js`.
 */
export async function buildPage(
  entry: string,
  isProduction = false,
): Promise<ReadonlyMap<string, string>> {
  const mode = isProduction ? 'production' : 'development'
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    mode,
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
    build: {
      write: false,
      minify: isProduction,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        output: { entryFileNames: 'page.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })) as Rolldown.RolldownOutput
  return new Map(
    output.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])),
  )
}
