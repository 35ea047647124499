import { getRequestListener } from '@hono/node-server'
import type { Connect, Plugin } from 'vite'
import { createProxy } from '@headwater/proxy'

/**
 * Serves the proxy, which adds the API key, in `vite dev` and `vite preview`. In production, mount `createProxy` on the server of
 * the app.
 */
export function headwaterProxy({
  HEADWATER_URL,
  HEADWATER_API_KEY,
}: Record<string, string>): Plugin {
  const basePath = '/api/headwater'
  const proxy = createProxy({
    baseUrl: HEADWATER_URL,
    apiKey: HEADWATER_API_KEY,
    publicUrl: basePath,
    // Prices also need tokenBalance and tokenInfo.
    operations: ['balances'],
    changes: true,
  })
  const listener = getRequestListener(proxy)
  const mount = ({ middlewares }: { middlewares: Connect.Server }) => {
    middlewares.use(basePath, (request, response) => void listener(request, response))
  }
  return { name: 'headwater-proxy', configureServer: mount, configurePreviewServer: mount }
}
