export { createProxy, type Proxy } from './createProxy.ts'
export type { ProxyOptions } from './ProxyOptions.ts'
export { createMemoryStore } from './rateLimit/createMemoryStore.ts'
export type { RateLimit, RateLimitStore } from './rateLimit/RateLimit.ts'
