import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { toChunks } from '../toChunks.ts'
import { loadPrices, type PriceRequest } from './loadPriceBooks.ts'
import { addRoutesInParts } from './loadRoutes.ts'
import type { PointPrices } from './PointPrices.ts'

/** Tokens per read. */
const maxTokens = 250

/** Runs a read on a snapshot of the store of a chain. */
export type ReadStore = <Result>(load: (db: Kysely<Database>) => Promise<Result>) => Promise<Result>

/** Adds the routes of tokens at a head; loads the pools that are not known, together for all. */
export async function extendPrices(
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
  const isUnknown = (token: string) => !prices.routes.has(token)
  // Most followed tokens are known at each block.
  await addRoutesInParts(prices, tokens.filter(isUnknown))
  const unknown = tokens.filter(isUnknown)
  for (const some of toChunks(unknown, maxTokens)) {
    await read((db) => loadPrices(db, [{ chain, head, tokens: some, prices }]))
  }
}
