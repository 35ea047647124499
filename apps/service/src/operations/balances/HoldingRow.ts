import { sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'

/** A token that a wallet has, as it comes from the store; the amount is null where only the chain tells it. */
export type HoldingRow = readonly [
  chainId: number,
  address: string,
  amount: string | null,
  name: string | null,
  symbol: string | null,
  decimals: number | null,
]

/**
 * Rows of `chain_id`, `address`, `amount`, `amounts_from`, `name`, `symbol` and `decimals` as one text: the embedded
 * database takes thrice as long to hand over a thousand rows one by one.
 */
export const holdingRows = sql<string | null>`json_agg(json_build_array(
  chain_id, '0x' || encode(address, 'hex'), case when amounts_from = 'ledger' then amount::text end,
  name, symbol, decimals
))::text`

/** Reads that text. */
export function parseHoldingRows(text: string | null | undefined): HoldingRow[] {
  return JSON.parse(text ?? '[]') as HoldingRow[]
}

/** The token of a row. */
export function toChainToken(
  chain: ChainConfig,
  [, address, , name, symbol, decimals]: HoldingRow,
): ChainToken {
  return {
    chain,
    address,
    name: name ?? undefined,
    symbol: symbol ?? undefined,
    decimals: decimals ?? undefined,
  }
}
