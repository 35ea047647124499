import { createProxy } from '@headwater/proxy'

const { headwaterUrl, headwaterApiKey } = useRuntimeConfig()
const proxy = createProxy({
  baseUrl: headwaterUrl,
  apiKey: headwaterApiKey,
  basePath: '/api/headwater',
  operations: ['balances'],
})

export default defineEventHandler((event) => {
  // The request of h3 has no signal.
  const controller = new AbortController()
  event.node.res.once('close', () => controller.abort())
  return proxy(new Request(toWebRequest(event), { signal: controller.signal }))
})
