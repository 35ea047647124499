import { createProxy, type Proxy } from '@headwater/proxy'

import type { RuntimeConfig } from '#imports'

let proxy: Proxy | undefined

/** The proxy, created by the first request, as some platforms have no environment variables before. */
export function getProxy({ headwater }: RuntimeConfig, basePath: string): Proxy {
  proxy ??= createProxy({
    baseUrl: headwater.url || undefined,
    apiKey: headwater.apiKey || undefined,
    ...(headwater.apiKeyHeader && { apiKeyHeader: headwater.apiKeyHeader }),
    operations: headwater.operations,
    changes: headwater.changes,
    basePath,
  })
  return proxy
}

/** Path of the proxy: the `baseUrl` of clients. */
export const getBasePath = ({ app, public: { headwater } }: RuntimeConfig): string =>
  app.baseURL.replace(/\/$/, '') + headwater.basePath
