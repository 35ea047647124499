import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import type { CollectibleSource } from './readTokenUris.ts'

/** NFTs whose documents wait: those that somebody asked for, those never tried, and those to try again. */
export type Lane = 'requested' | 'fresh' | 'retry'

/** An NFT whose document is to be read now. */
export interface PickedCollectible extends CollectibleSource {
  /** Block in which it came to be. */
  readonly firstBlock: number
  /** How often it could not be read. */
  readonly attempts: number
}

const lanes = {
  requested: {
    waits: sql`metadata = 'pending' and retry_at is null and requested_at is not null`,
    order: sql`requested_at`,
  },
  fresh: {
    waits: sql`metadata = 'pending' and retry_at is null and requested_at is null`,
    order: sql`first_block desc`,
  },
  retry: {
    waits: sql`metadata = 'pending' and retry_at is not null and retry_at <= now()`,
    order: sql`retry_at`,
  },
}
const contractsAtOnce = 12
const perContract = 4

/**
 * Picks NFTs whose documents to read next: some of each contract, the contracts in turns, so that none is held up by
 * another, however many NFTs that has and however they fail.
 *
 * @param after - the contract that had the last turn; empty to begin anew.
 * @returns them, and who had the last turn; empty when all had theirs.
 */
export async function pickCollectibles(
  db: Kysely<Database>,
  chainId: number,
  lane: Lane,
  after: string,
): Promise<{ readonly picked: readonly PickedCollectible[]; readonly last: string }> {
  const { waits, order } = lanes[lane]
  const next = (contract: unknown) => sql`
    select contract from collectibles
    where chain_id = ${chainId}::bigint and ${waits} and contract > ${contract}
    order by contract limit 1`
  const { rows } = await sql<{
    contract: Uint8Array
    token_id: string | null
    first_block: number
    attempts: number
    standard: number
  }>`
    with recursive turns (contract, turn) as (
      select (${next(sql`${fromHex(after || '0x')}::bytea`)}), 1
      union all
      select (${next(sql`turns.contract`)}), turn + 1 from turns
      where contract is not null and turn < ${contractsAtOnce}::int
    )
    select turns.contract, waiting.*, coalesce(tokens.standard, 721) as standard
    from turns
    left join tokens on tokens.chain_id = ${chainId}::bigint and tokens.address = turns.contract
    left join lateral (
      select token_id, first_block, attempts from collectibles
      where chain_id = ${chainId}::bigint and contract = turns.contract and ${waits}
      order by ${order} limit ${perContract}::int
    ) waiting on true
    where turns.contract is not null
    order by turn`.execute(db)
  const contracts = new Set(rows.map(({ contract }) => toHex(contract)))
  return {
    picked: rows.flatMap(({ contract, token_id, first_block, attempts, standard }) =>
      token_id === null
        ? []
        : {
            contract: toHex(contract),
            tokenId: BigInt(token_id),
            firstBlock: first_block,
            attempts,
            standard,
          },
    ),
    last: contracts.size < contractsAtOnce ? '' : ([...contracts].at(-1) ?? ''),
  }
}
