import type { Kysely } from 'kysely'
import { bytesToHex, hexToBytes } from 'viem'
import type { ChainConfig } from '../../config/Config.ts'
import type { Database } from '../../store/Database.ts'
import type { Holding } from './Holding.ts'

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
    .select(['balances.chain_id', 'token', 'amount', 'name', 'symbol', 'decimals'])
    .where('balances.chain_id', 'in', [...byId.keys()])
    .where('holder', '=', hexToBytes(wallet as `0x${string}`))
    .where('balances.standard', '=', 20)
    .where('amount', '>', '0')
    .execute()
  return rows.flatMap(({ chain_id, token, amount, name, symbol, decimals }) => {
    const chain = byId.get(chain_id)
    if (!chain) return []
    return {
      chain,
      address: bytesToHex(token),
      amount: BigInt(amount),
      name: name ?? undefined,
      symbol: symbol ?? undefined,
      decimals: decimals ?? undefined,
    }
  })
}
