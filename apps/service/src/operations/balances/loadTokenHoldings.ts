import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import type { Holding } from '../pricedTokens/Holding.ts'

/** Loads what a wallet has of ERC20 tokens on some chains, from the ledger. */
export async function loadTokenHoldings(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
  wallet: string,
): Promise<Holding[]> {
  const byId = new Map(chains.map((chain) => [chain.id, chain]))
  if (byId.size === 0) return []
  const rows = await db
    .selectFrom('balances')
    .leftJoin('tokens', (join) =>
      join
        .onRef('tokens.chain_id', '=', 'balances.chain_id')
        .onRef('tokens.address', '=', 'balances.token'),
    )
    .select(['balances.chain_id', 'amount', 'name', 'symbol', 'decimals'])
    .select(sql<string>`'0x' || encode(balances.token, 'hex')`.as('address'))
    .where('balances.chain_id', 'in', [...byId.keys()])
    .where('holder', '=', fromHex(wallet))
    .where('balances.standard', '=', 20)
    .where('amount', '>', '0')
    .execute()
  return rows.flatMap(({ chain_id, address, amount, name, symbol, decimals }) => {
    const chain = byId.get(chain_id)
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
