import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import type { Holding } from '../pricedTokens/Holding.ts'

type Row = readonly [
  chainId: number,
  address: string,
  amount: string,
  name: string | null,
  symbol: string | null,
  decimals: number | null,
]

/**
 * Loads what a wallet has of ERC20 tokens on some chains, from the ledger. What a contract of NFTs logs in the shape of
 * ERC20 makes no token of it.
 */
export async function loadTokenHoldings(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
  wallet: string,
): Promise<Holding[]> {
  const byId = new Map(chains.map((chain) => [chain.id, chain]))
  if (byId.size === 0) return []
  const answer = await db
    .selectFrom('balances')
    .innerJoin('tokens', (join) =>
      join
        .onRef('tokens.chain_id', '=', 'balances.chain_id')
        .onRef('tokens.address', '=', 'balances.token'),
    )
    // One text for a thousand rows: the embedded database takes thrice as long to hand them over one by one.
    .select(
      sql<string | null>`json_agg(json_build_array(
        balances.chain_id, '0x' || encode(balances.token, 'hex'), amount::text, name, symbol, decimals
      ))::text`.as('rows'),
    )
    .where('balances.chain_id', 'in', [...byId.keys()])
    .where('holder', '=', fromHex(wallet))
    .where('balances.standard', '=', 20)
    .where('tokens.standard', '=', 20)
    .where('amount', '>', '0')
    .executeTakeFirst()
  const rows = JSON.parse(answer?.rows ?? '[]') as Row[]
  return rows.flatMap(([chainId, address, amount, name, symbol, decimals]) => {
    const chain = byId.get(chainId)
    if (!chain) return []
    const token = {
      chain,
      address,
      name: name ?? undefined,
      symbol: symbol ?? undefined,
      decimals: decimals ?? undefined,
    }
    return { token, amount: BigInt(amount) }
  })
}
