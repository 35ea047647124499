/** A node in the configuration. */
export interface NodeEndpoint {
  /** JSON-RPC over HTTP. It may hold a secret and is never logged. */
  readonly url: string
  /** The most requests per second, each of a batch counted; unlimited by default. */
  readonly requestsPerSecond?: number
  /** Its WebSocket, on which it announces new blocks (`eth_subscribe`). It may hold a secret and is never logged. */
  readonly webSocketUrl?: string
  /** False for a node with unusable block receipts; logs are requested instead. */
  readonly blockReceipts?: boolean
}

/** @throws {Error} when the URL is invalid; its message omits the URL. */
export function parseUrl({ url }: NodeEndpoint): URL {
  const parsed = URL.parse(url)
  if (parsed) {
    return parsed
  }
  throw new Error('rpcUrls contains an invalid URL')
}
