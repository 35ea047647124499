import { createProxy } from '@headwater/proxy'

import { defineEventHandler, toWebRequest, useRuntimeConfig } from '#imports'

let proxy: ReturnType<typeof createProxy> | undefined

/** The proxy, created by the first request, as some platforms have no environment variables before. */
export default defineEventHandler((event) => {
  if (!proxy) {
    const { app, headwater, public: shared } = useRuntimeConfig(event)
    proxy = createProxy({
      baseUrl: headwater.url || undefined,
      apiKey: headwater.apiKey || undefined,
      operations: headwater.operations,
      basePath: app.baseURL.replace(/\/$/, '') + shared.headwater.basePath,
    })
  }
  // The request of h3 has no signal.
  const controller = new AbortController()
  event.node.res.once('close', () => controller.abort())
  return proxy(new Request(toWebRequest(event), { signal: controller.signal }))
})
