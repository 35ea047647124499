import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { loadPrices, type PriceRequest } from './loadPriceBooks.ts'
import type { PointPrices } from './PointPrices.ts'

/** Tokens per step, between which requests are served. */
const maxTokens = 250

/** Runs a read on a snapshot of the store of a chain. */
export type ReadStore = <Result>(
  chainId: number,
  load: (db: Kysely<Database>) => Promise<Result>,
) => Promise<Result>

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
  for (const some of toParts(tokens.filter((token) => !prices.routes.has(token)))) {
    if (prices.find(some).size > 0) {
      unknown.push(...some.filter((token) => !prices.routes.has(token)))
    }
    await setImmediate()
  }
  for (const some of toParts(unknown)) {
    await read(chain.id, (db) => loadPrices(db, [{ chain, head, tokens: some, prices }]))
  }
}

function toParts(tokens: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(tokens.length / maxTokens) }, (_, index) =>
    tokens.slice(index * maxTokens, (index + 1) * maxTokens),
  )
}
