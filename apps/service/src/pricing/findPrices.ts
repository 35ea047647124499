import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { toChunks } from '../toChunks.ts'
import { loadPrices, type PriceRequest } from './loadPriceBooks.ts'
import type { PointPrices } from './PointPrices.ts'

/** Tokens per step, between which requests are served. */
const maxTokens = 250

/** Runs a read on a snapshot of the store of a chain. */
export type ReadStore = <Result>(load: (db: Kysely<Database>) => Promise<Result>) => Promise<Result>

/** Finds the routes of tokens at a head; loads the pools that are not known, together for all. */
export async function findPrices(
  read: ReadStore,
  {
    chain,
    head,
    prices,
    tokens,
  }: Pick<PriceRequest, 'chain' | 'head'> & {
    readonly prices: PointPrices
    readonly tokens: readonly string[]
  },
): Promise<void> {
  const unknown: string[] = []
  // Those of most followed tokens are known at each block.
  const missing = tokens.filter((token) => !prices.routes.has(token))
  for (const some of toChunks(missing, maxTokens)) {
    if (prices.find(some).size > 0) {
      unknown.push(...some.filter((token) => !prices.routes.has(token)))
    }
    await setImmediate()
  }
  for (const some of toChunks(unknown, maxTokens)) {
    await read((db) => loadPrices(db, [{ chain, head, tokens: some, prices }]))
  }
}
