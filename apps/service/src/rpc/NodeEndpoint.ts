/** A node as the configuration names it. */
export interface NodeEndpoint {
  /** JSON-RPC over HTTP. It may hold a secret and is told to nobody. */
  readonly url: string
  /** The most questions to ask it in a second, each of a batch counted; no limit where absent. */
  readonly requestsPerSecond?: number
  /** False for a node whose whole-block receipts cannot be used; logs are asked instead. */
  readonly blockReceipts?: boolean
}

/** @throws an error that does not tell the URL. */
export function parseUrl({ url }: NodeEndpoint): URL {
  const parsed = URL.parse(url)
  if (parsed) return parsed
  throw new Error('A node is configured with a URL that is none')
}
