/** When a response was requested, and what it reflects. */
export interface ResponseOrigin {
  /** Local time in milliseconds. The service generated the response after this time. */
  readonly sentAt: number
  /** Blocks by chain id, as in the header `X-Block-Numbers`; empty if they are unknown. */
  readonly blocks: ReadonlyMap<number, number>
}

const origins = new WeakMap<object, ResponseOrigin>()

/**
 * The origin of a response that arrived over the network, also of one that was written to the cache: a later response of the
 * same parameters may never be.
 */
export function getOrigin(response: unknown): ResponseOrigin | undefined {
  return origins.get(response as object)
}

export function setOrigin(response: object, origin: ResponseOrigin): void {
  origins.set(response, origin)
}

/** Reads the header `X-Block-Numbers`. */
export function parseBlocks(header: string | null): ResponseOrigin['blocks'] {
  const pairs = (header ?? '').matchAll(/(\d+)=(\d+)/g)
  return new Map([...pairs].map(([, chainId, block]) => [Number(chainId), Number(block)]))
}
