import { hash } from 'node:crypto'
import { createRedactor } from './createRedactor.ts'

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

/** Where requests to a node are sent. */
export interface NodeAddress {
  /** Without user name and password. */
  readonly url: URL
  /** With the user name and password, if the URL has them. */
  readonly headers: Readonly<Record<string, string>>
  /** Identifies the node without its URL. */
  readonly key: string
  /** Removes the secrets of the URL from a node's messages. */
  readonly redact: (text: string) => string
}

/** @throws {Error} when the URL is invalid; its message omits the URL. */
export function parseEndpoint(endpoint: NodeEndpoint): NodeAddress {
  const url = parseUrl(endpoint)
  const basic = [url.username, url.password].map(decodeURIComponent).join(':')
  url.username = url.password = ''
  return {
    url,
    headers:
      basic === ':' ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    key: hash('sha256', endpoint.url),
    redact: createRedactor(endpoint.url),
  }
}
