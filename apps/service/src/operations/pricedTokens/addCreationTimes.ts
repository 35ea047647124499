import { type Kysely, sql } from 'kysely'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import { integerArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { type ChainToken, getPricedAddress } from './ChainToken.ts'

/** Adds when the pools of tokens were created, which prices do not depend on, to their books where pools are requested. */
export async function addCreationTimes(
  snapshot: Kysely<Database>,
  tokens: readonly ChainToken[],
  books: ReadonlyMap<number, PriceBook>,
  metadata: readonly string[] | undefined,
): Promise<ReadonlyMap<number, PriceBook>> {
  if (!metadata?.includes('pools')) {
    return books
  }
  const blocks = new Map<number, Set<number>>()
  for (const token of tokens) {
    const { id } = token.chain
    const book = books.get(id)
    const address = getPricedAddress(token)
    const ofChain = blocks.get(id) ?? new Set()
    blocks.set(id, ofChain)
    for (const { assessed } of [
      ...(book?.now.get(address)?.legs ?? []),
      ...(book?.rejected.get(address) ?? []),
    ]) {
      if (assessed.createdBlock !== undefined) {
        ofChain.add(assessed.createdBlock)
      }
    }
  }
  const wanted = [...blocks].flatMap(([chainId, ofChain]) =>
    [...ofChain].map((block) => ({ chainId, block })),
  )
  const { rows } = await sql<{ chain_id: number; number: number; time: number }>`
    select blocks.chain_id, number, time
    from unnest(
      ${integerArray(wanted.map(({ chainId }) => chainId))},
      ${integerArray(wanted.map(({ block }) => block))}
    ) as wanted (chain_id, block)
    join blocks on blocks.chain_id = wanted.chain_id and number = wanted.block`.execute(snapshot)
  const times = Map.groupBy(rows, ({ chain_id }) => chain_id)
  return new Map(
    [...books].map(([chainId, book]) => {
      const ofChain = times.get(chainId)?.map(({ number, time }) => [number, time] as const)
      return [chainId, { ...book, creationTimes: new Map(ofChain) }]
    }),
  )
}
