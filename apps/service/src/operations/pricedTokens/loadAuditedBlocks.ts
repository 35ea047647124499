import { type Kysely, sql } from 'kysely'
import { bytesArray, integerArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import type { Head } from '../../store/Head.ts'
import type { ChainToken } from './ChainToken.ts'

/** Finds the block of the latest audit of a token; undefined while it is not audited, or if an amount differed. */
export type FindAuditedBlock = (token: ChainToken) => number | undefined

/**
 * Loads the blocks at which tokens were audited: the head for amounts that are read from the chain there; otherwise the
 * latest block at which amounts of the token's ledger were compared with its contract.
 */
export async function loadAuditedBlocks(
  snapshot: Kysely<Database>,
  tokens: readonly ChainToken[],
  heads: ReadonlyMap<number, Head>,
): Promise<FindAuditedBlock> {
  const contracts = tokens.filter(({ address }) => address !== 'native')
  const { rows } = await sql<{ chain_id: number; address: string; compared_block: number | null }>`
    select tokens.chain_id, '0x' || encode(tokens.address, 'hex') as address, compared_block
    from unnest(
      ${integerArray(contracts.map(({ chain }) => chain.id))},
      ${bytesArray(contracts.map(({ address }) => address))}
    ) as requested (chain_id, address)
    join tokens on tokens.chain_id = requested.chain_id and tokens.address = requested.address
    where amounts_from = 'ledger'`.execute(snapshot)
  const compared = new Map(
    rows.map(({ chain_id, address, compared_block }) => [`${chain_id}/${address}`, compared_block]),
  )
  return ({ chain, address }) => {
    const head = heads.get(chain.id)?.number
    const block = compared.get(`${chain.id}/${address}`)
    if (block === undefined || head === undefined) {
      return head
    }
    // After a reorg, the head may be below it for some seconds.
    return block === null ? undefined : Math.min(block, head)
  }
}
