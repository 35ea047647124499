import type { OperationName } from '@headwater/contract'
import type { Client } from '../client/Client.ts'
import { getPast } from '../polling/getPast.ts'
import type { Pollable } from '../polling/Pollable.ts'
import { createQueryKey, parseQueryKey } from '../queries/queryKey.ts'
import { type ResponseOrigin, responseOrigins } from '../requests/responseOrigins.ts'
import { getSubjects, type Subject } from './getSubjects.ts'

/** Entries of the poller that can be followed: queries of this tab and of others, and prices. */
export type Entry = Pollable & {
  readonly queryKey?: readonly unknown[]
  readonly operation?: { readonly name: OperationName }
  readonly parameters?: object
  readonly chainId?: number
  readonly address?: string
}

/** What is followed of one entry of the poller. */
export interface Followed {
  readonly subjects: readonly Subject[]
  /** The blocks of its response by chain id; 0 for a price, which any response may contain. */
  readonly blocks: ReadonlyMap<number, number>
}

/** Reads what the entries of the poller depend on from their latest responses. */
export class FollowedEntries {
  readonly #client: Client
  /** When blocks of a chain were replaced last, by chain id. */
  readonly #replacedAt = new Map<number, number>()

  constructor(client: Client) {
    this.#client = client
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#client.streams.poller.entries.keys() as Iterator<Entry>
  }

  /** What an entry depends on; undefined if it may change without an event. */
  getFollowed(entry: Entry): Followed | undefined {
    const { chainId, address } = entry
    if (chainId !== undefined && address !== undefined) {
      return { subjects: [`tokens/${chainId}:${address}`], blocks: new Map([[chainId, 0]]) }
    }
    const origin = this.getOrigin(entry)
    const queryKey = this.#getQueryKey(entry)
    const parsed = origin && queryKey && parseQueryKey(this.#client.scope, queryKey)
    if (!parsed) {
      return undefined
    }
    const { blocks } = origin
    const data = this.#getData(entry)
    const subjects = getSubjects(parsed.operation, parsed.parameters, data, [...blocks.keys()])
    return subjects && { subjects, blocks }
  }

  /** That of the cached response of an entry; undefined if other code wrote it. */
  getOrigin(entry: Entry): ResponseOrigin | undefined {
    const data = this.#getData(entry)
    return data && responseOrigins.get(data)
  }

  /**
   * The block of the latest response, of a price that of any response then; -1 if it may have been replaced: later blocks may
   * have lower numbers.
   */
  getBlock(entry: Entry, chainId: number): number | undefined {
    if (this.#isReplaced(entry, chainId)) {
      return -1
    }
    if (!isPrice(entry)) {
      return this.getOrigin(entry)?.blocks.get(chainId)
    }
    const { dataUpdatedAt = 0 } = entry.state ?? {}
    const blocks = this.#client.connection.origins.map(({ sentAt, blocks }) =>
      sentAt <= dataUpdatedAt ? (blocks.get(chainId) ?? 0) : 0,
    )
    return Math.max(...blocks)
  }

  /** Records that blocks of a chain were replaced, with those of all responses so far. */
  replaceBlocks(chainId: number): void {
    this.#replacedAt.set(chainId, Date.now())
  }

  #isReplaced(entry: Entry, chainId: number): boolean {
    const { sentAt = entry.state?.dataUpdatedAt ?? 0 } = this.getOrigin(entry) ?? {}
    const replacedAt = this.#replacedAt.get(chainId) ?? -Infinity
    const now = Date.now()
    if (replacedAt > now) {
      // The clock was set back: which responses are earlier is not known, so that all of them count as such.
      this.#replacedAt.set(chainId, now)
      return true
    }
    return getPast(sentAt, now) < replacedAt
  }

  #getData(entry: Entry): object | undefined {
    const queryKey = this.#getQueryKey(entry)
    return queryKey && this.#client.queryClient.getQueryData(queryKey)
  }

  /** The query of an entry; undefined for a price and for the tail of a listing. */
  #getQueryKey({ queryKey, operation, parameters }: Entry): readonly unknown[] | undefined {
    const { scope } = this.#client
    return (
      queryKey ?? (operation && parameters && createQueryKey(scope, operation.name, parameters))
    )
  }
}

/** Whether an entry is a price, which any response may contain. */
export function isPrice(entry: Entry): boolean {
  return 'tick' in entry
}
