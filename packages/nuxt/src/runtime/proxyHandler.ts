import { getBasePath, getProxy } from './getProxy.ts'

import { defineEventHandler, toWebRequest, useRuntimeConfig } from '#imports'

/** The route of the proxy. */
export default defineEventHandler((event) => {
  const config = useRuntimeConfig(event)
  // The request of h3 has no signal.
  const controller = new AbortController()
  event.node.res.once('close', () => controller.abort())
  const request = new Request(toWebRequest(event), { signal: controller.signal })
  return getProxy(config, getBasePath(config))(request)
})
