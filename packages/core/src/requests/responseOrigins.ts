/** When a response was requested, and what it reflects. */
export interface ResponseOrigin {
  /** Local time in milliseconds. The service generated the response after this time. */
  readonly sentAt: number
  /** Blocks by chain id, as in the header `X-Block-Numbers`; empty if they are unknown. */
  readonly blocks: ReadonlyMap<number, number>
}

/**
 * The origins of responses that arrived over the network, by response. Those in the cache are among them, while the latest
 * response of the same parameters may not be cached.
 */
export const responseOrigins = new WeakMap<object, ResponseOrigin>()
