import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import type { CollectibleSource } from './fetchTokenUris.ts'
import { selectFirstHash } from './selectFirstHash.ts'

/** The NFTs with pending metadata: those that a client requested, those never tried, and those to retry. */
export type CollectibleQueue = 'requested' | 'fresh' | 'retry'

/** An NFT with metadata that is to be fetched now. */
export interface DueCollectible extends CollectibleSource {
  /** The block of its first event. */
  readonly firstBlock: number
  /** The hash of that block; null where the store does not have the block. */
  readonly firstHash: string | null
  /** The number of failed attempts. */
  readonly attempts: number
}

const queues = {
  requested: {
    isQueued: sql`metadata = 'pending' and retry_at is null and requested_at is not null`,
    order: sql`requested_at`,
  },
  fresh: {
    isQueued: sql`metadata = 'pending' and retry_at is null and requested_at is null`,
    order: sql`first_block desc`,
  },
  retry: {
    isQueued: sql`metadata = 'pending' and retry_at is not null and retry_at <= now()`,
    order: sql`retry_at`,
  },
}
const contractsPerRun = 12
const nftsPerContract = 4

/**
 * Loads the NFTs with metadata that is fetched next: some of each contract in turn, so that a contract with many NFTs,
 * or with failing ones, does not delay the others.
 *
 * @param after - the last contract of the previous run; empty to start with the first one.
 * @returns the NFTs and the last contract of this run; empty at the end of the contracts.
 */
export async function loadDueCollectibles(
  db: Kysely<Database>,
  chainId: number,
  queue: CollectibleQueue,
  after: string,
): Promise<{ readonly picked: readonly DueCollectible[]; readonly last: string }> {
  const { isQueued, order } = queues[queue]
  const next = (contract: unknown) => sql`
    select contract from collectibles
    where chain_id = ${chainId}::bigint and ${isQueued} and contract > ${contract}
    order by contract limit 1`
  const { rows } = await sql<{
    contract: Uint8Array
    token_id: string | null
    first_block: number
    first_hash: string | null
    attempts: number
    standard: number
  }>`
    with recursive turns (contract, turn) as (
      select (${next(sql`${fromHex(after || '0x')}::bytea`)}), 1
      union all
      select (${next(sql`turns.contract`)}), turn + 1 from turns
      where contract is not null and turn < ${contractsPerRun}::int
    )
    select turns.contract, queued.*, coalesce(tokens.standard, 721) as standard
    from turns
    left join tokens on tokens.chain_id = ${chainId}::bigint and tokens.address = turns.contract
    left join lateral (
      select token_id, first_block, ${selectFirstHash('collectibles')} as first_hash, attempts from collectibles
      where chain_id = ${chainId}::bigint and contract = turns.contract and ${isQueued}
      order by ${order} limit ${nftsPerContract}::int
    ) queued on true
    where turns.contract is not null
    order by turn`.execute(db)
  const contracts = new Set(rows.map(({ contract }) => toHex(contract)))
  return {
    picked: rows.flatMap(({ contract, token_id, first_block, first_hash, attempts, standard }) =>
      token_id === null
        ? []
        : {
            contract: toHex(contract),
            tokenId: BigInt(token_id),
            firstBlock: first_block,
            firstHash: first_hash,
            attempts,
            standard,
          },
    ),
    last: contracts.size < contractsPerRun ? '' : ([...contracts].at(-1) ?? ''),
  }
}
