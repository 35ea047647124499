import type { Query, QueryState } from '@tanstack/query-core'

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

/** The origin of a cached response, in the state of its query, of which `dehydrate` transfers all fields. */
interface TransferredOrigin {
  readonly blocks: readonly (readonly [number, number])[]
  /** That of the state with the response. Any later response, and what other code writes, has another one. */
  readonly dataUpdateCount: number
}

/** Records the origin of the response that a fetch is about to return, in the state of its query. */
export function transferOrigin(query: Query, { blocks }: ResponseOrigin): void {
  const dataUpdateCount = query.state.dataUpdateCount + 1
  const origin: TransferredOrigin = { blocks: [...blocks], dataUpdateCount }
  // The metadata of a fetch remain until the next one, and TanStack Query reads those of infinite queries only.
  query.setState({ fetchMeta: origin as never })
}

/**
 * Restores the origin of a response that a server has transferred.
 *
 * @returns Undefined without one, and if it was restored before.
 */
export function restoreOrigin(state: QueryState): ResponseOrigin | undefined {
  const data = state.data as object
  const { blocks, dataUpdateCount } = (state.fetchMeta ?? {}) as Partial<TransferredOrigin>
  if (!blocks || dataUpdateCount !== state.dataUpdateCount || responseOrigins.has(data)) {
    return undefined
  }
  // The time is that of another clock.
  const origin = { sentAt: 0, blocks: new Map(blocks) }
  responseOrigins.set(data, origin)
  return origin
}
