import { fallback, http } from 'viem'

/** Asks a JSON-RPC question. Rejects with viem's errors. */
export type Request = (method: string, params: unknown[], signal?: AbortSignal) => Promise<unknown>

/** Questions asked in the same moment travel together; hosted nodes commonly refuse more than this in one body. */
const batchSize = 100
const timeoutMs = 20_000
const maxResponseBytes = 256 * 1024 * 1024

/** Connects to a chain's nodes. The first is asked, the next one when it fails, and all of them once more. */
export function connectNodes(rpcUrls: readonly string[]): Request {
  const transports = rpcUrls.map((url) =>
    http(url, {
      batch: { batchSize },
      retryCount: 0,
      timeout: timeoutMs,
      maxResponseBodySize: maxResponseBytes,
    }),
  )
  const { request } = fallback(transports, { retryCount: 1 })({})
  const ask = request as (
    body: { method: string; params: unknown[] },
    options?: { signal: AbortSignal },
  ) => Promise<unknown>
  return (method, params, signal) => ask({ method, params }, signal && { signal })
}
