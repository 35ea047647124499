import path from 'node:path'
import { preview } from 'vite'
import { root } from './root.ts'

/** What a demo page reads at its start, from `config.json` beside it. */
export interface PageConfig {
  readonly apiUrl: string
  readonly apiKey: string
  readonly wallets: readonly { name: string; address: string }[]
  readonly chains: readonly { id: number; name: string; tags: readonly string[] }[]
}

/** Serves a built demo page and its configuration. */
export async function servePage(app: string, port: number, config: PageConfig) {
  const server = await preview({
    root: path.join(root, 'apps', app),
    configFile: false,
    logLevel: 'error',
    preview: { port, strictPort: true, host: '127.0.0.1' },
    plugins: [
      {
        name: 'headwater-config',
        configurePreviewServer: ({ middlewares }) => {
          middlewares.use('/config.json', (_, response) => {
            response.setHeader('Content-Type', 'application/json')
            response.setHeader('Cache-Control', 'no-store')
            response.end(JSON.stringify(config))
          })
        },
      },
    ],
  })
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
