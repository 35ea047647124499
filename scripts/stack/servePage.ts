import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { preview } from 'vite'
import { root } from './root.ts'

/** Where a page has its proxy: the `baseUrl` of its client. */
export const proxyPath = '/api'

/** Serves a built page, the `config.json` that it reads at startup, and a proxy, so that the page has no key. */
export async function servePage(
  app: string,
  port: number,
  config: object,
  proxy: (request: Request) => Promise<Response>,
) {
  const listener = getRequestListener(proxy)
  const listeners = process.listeners('SIGTERM')
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
          middlewares.use(proxyPath, (request, response) => void listener(request, response))
        },
      },
    ],
  })
  // On SIGTERM, Vite would exit the process before the other programs have stopped.
  for (const listener of process.listeners('SIGTERM')) {
    if (!listeners.includes(listener)) {
      process.off('SIGTERM', listener)
    }
  }
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
