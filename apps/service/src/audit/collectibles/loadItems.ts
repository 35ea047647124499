import { type Kysely, sql } from 'kysely'
import { collectibleBalancesTable, selectImages } from '../../indexing/undo/undoTables.ts'
import type { Database, TokenStandard } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import type { AuditedBlock } from '../AuditedBlock.ts'

/** The key of a row of the ledger of NFTs. */
export interface ItemKey {
  readonly holder: string
  readonly contract: string
  readonly tokenId: bigint
}

/** A holder's amount of an NFT in the ledger. */
export interface LedgerItem extends ItemKey {
  readonly amount: bigint
  /** The last block in which the holder received it. */
  readonly lastInBlock: number
  /** The owner by transfers of ERC721, the zero address for none; null without any, as for ERC1155. */
  readonly owner: string | null
  /** The standard of the contract; 20 for a token with NFTs. */
  readonly standard: TokenStandard
  /** False for a contract with events of NFTs that it does not have. */
  readonly isCollectible: boolean
}

/** Limits of the changed rows that are read, as a block may have any number of transfers. */
const maxChangedBlocks = 32
const maxChangedRows = 500

export function getItemKey({ holder, contract, tokenId }: ItemKey): string {
  return `${contract} ${tokenId} ${holder}`
}

/** Loads the rows that blocks above `seenBlock` changed, in random order. */
export async function loadChangedItems(
  snapshot: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  seenBlock: number,
  limit: number,
): Promise<LedgerItem[]> {
  const range = { chainId, above: seenBlock, upTo: number, maxBlocks: maxChangedBlocks }
  return await loadItems(
    snapshot,
    chainId,
    sql`
      select holder, contract, token_id from (
        select distinct holder, contract, token_id from (
          ${selectImages(collectibleBalancesTable, range)} limit ${sql.lit(maxChangedRows)}
        ) image
      ) changed order by random() limit ${sql.lit(limit)}`,
  )
}

/** Loads the rows that follow a key, in the order of the primary key. */
export async function loadNextItems(
  snapshot: Kysely<Database>,
  chainId: number,
  after: ItemKey,
  limit: number,
): Promise<LedgerItem[]> {
  return await loadItems(
    snapshot,
    chainId,
    sql`
      select holder, contract, token_id from collectible_balances
      where chain_id = ${chainId}::bigint and (holder, contract, token_id)
        > (${fromHex(after.holder)}, ${fromHex(after.contract)}, ${String(after.tokenId)}::numeric)
      order by holder, contract, token_id limit ${sql.lit(limit)}`,
  )
}

/** Loads the current rows of some keys, without those that no longer exist. */
export async function loadSuspectedItems(
  snapshot: Kysely<Database>,
  chainId: number,
  keys: readonly ItemKey[],
): Promise<LedgerItem[]> {
  if (keys.length === 0) {
    return []
  }
  const rows = keys.map(({ holder, contract, tokenId }) => ({
    holder: holder.slice(2),
    contract: contract.slice(2),
    token_id: String(tokenId),
  }))
  return await loadItems(
    snapshot,
    chainId,
    sql`
      select decode(holder, 'hex') as holder, decode(contract, 'hex') as contract, token_id
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as suspect (holder text, contract text, token_id numeric)`,
  )
}

/** @param keys - a query of the columns `holder`, `contract` and `token_id`. */
async function loadItems(
  snapshot: Kysely<Database>,
  chainId: number,
  keys: ReturnType<typeof sql>,
): Promise<LedgerItem[]> {
  // Lateral joins with limit 1 force an index lookup per row, whatever the statistics are.
  const { rows } = await sql<{
    holder: string
    contract: string
    token_id: string
    amount: string
    last_in_block: number
    owner: string | null
    standard: TokenStandard
    has_collectibles: boolean
  }>`
    select '0x' || encode(key.holder, 'hex') as holder, '0x' || encode(key.contract, 'hex') as contract,
      key.token_id, held.amount, held.last_in_block, '0x' || encode(known.owner, 'hex') as owner,
      token.standard, token.has_collectibles
    from (${keys}) key
    cross join lateral (
      select amount, last_in_block from collectible_balances
      where chain_id = ${chainId}::bigint and holder = key.holder
        and contract = key.contract and token_id = key.token_id
      limit 1
    ) held
    cross join lateral (
      select owner from collectibles
      where chain_id = ${chainId}::bigint and contract = key.contract and token_id = key.token_id
      limit 1
    ) known
    cross join lateral (
      select standard, has_collectibles from tokens
      where chain_id = ${chainId}::bigint and address = key.contract
      limit 1
    ) token
    order by key.holder, key.contract, key.token_id`.execute(snapshot)
  return rows.map(({ token_id, amount, last_in_block, has_collectibles, ...row }) => ({
    ...row,
    tokenId: BigInt(token_id),
    amount: BigInt(amount),
    lastInBlock: last_in_block,
    isCollectible: has_collectibles,
  }))
}
