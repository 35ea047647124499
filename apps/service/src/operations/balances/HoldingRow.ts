import { sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'

/** A token of a wallet as the store returns it. The amount is null if it must be read from the chain. */
export type HoldingRow = readonly [
  chainId: number,
  address: string,
  amount: string | null,
  name: string | null,
  symbol: string | null,
  decimals: number | null,
]

/**
 * Aggregates rows of `chain_id`, `address`, `amount`, `amounts_from`, `name`, `symbol` and `decimals` into one text: the
 * embedded database takes three times as long to return a thousand rows separately.
 */
export const holdingRows = sql<string | null>`json_agg(json_build_array(
  chain_id, '0x' || encode(address, 'hex'), case when amounts_from = 'ledger' then amount::text end,
  name, symbol, decimals
))::text`

/** Parses the text of {@link holdingRows}. */
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
