import { type Kysely, sql } from 'kysely'
import type { CollectibleAttribute } from '@headwater/contract'
import { bytesArray, integerArray, numericArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import type { OwnedCollectible } from './loadOwned.ts'

/** Stored metadata of an NFT and its last sale. */
export interface CollectibleDetails {
  readonly standard: number | null
  /** Whether the standard depends on the events of the NFT, of any holder, instead of the contract. */
  readonly is_standard_of_nft?: boolean | null
  readonly symbol: string | null
  /** In smallest units of the native asset. */
  readonly sale_price: string | null
  readonly uri: string | null
  readonly name: string | null
  readonly description: string | null
  readonly attributes: readonly CollectibleAttribute[] | null
  readonly has_image: boolean
  /** Whether its document is neither loaded nor requested. */
  readonly is_unrequested: boolean
}

/** An NFT of a wallet with its details. */
export interface DetailedCollectible {
  readonly owned: OwnedCollectible
  readonly details: CollectibleDetails
}

/** Loads the details of NFTs, in their order. */
export async function loadDetails(
  db: Kysely<Database>,
  owned: readonly OwnedCollectible[],
): Promise<DetailedCollectible[]> {
  if (owned.length === 0) {
    return []
  }
  const { rows } = await sql<CollectibleDetails>`
    select
      -- A token with NFTs has them of either standard.
      case when tokens.standard <> 20 then tokens.standard
        when known.owner is null then 1155 else 721 end as standard,
      tokens.standard = 20 as is_standard_of_nft,
      tokens.symbol, sale.price as sale_price,
      known.uri, known.name, known.description, known.attributes,
      known.image is not null as has_image,
      known.metadata = 'pending' and known.requested_at is null as is_unrequested
    from unnest(
      ${integerArray(owned.map(({ chainId }) => chainId))},
      ${bytesArray(owned.map(({ contract }) => contract))},
      ${numericArray(owned.map(({ tokenId }) => BigInt(tokenId)))}
    ) with ordinality as listed (chain_id, contract, token_id, position)
    left join lateral (
      select * from tokens where chain_id = listed.chain_id and address = listed.contract offset 0
    ) as tokens on true
    left join lateral (
      select * from collectibles
      where chain_id = listed.chain_id and contract = listed.contract and token_id = listed.token_id
      offset 0
    ) as known on true
    left join lateral (
      select price from collectible_sales
      where chain_id = listed.chain_id and contract = listed.contract and token_id = listed.token_id
      order by block_number desc, log_index desc limit 1
    ) as sale on true
    order by listed.position`.execute(db)
  return owned.map((collectible, index) => ({
    owned: collectible,
    details: rows[index] as CollectibleDetails,
  }))
}
