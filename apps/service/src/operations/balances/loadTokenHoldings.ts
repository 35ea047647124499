import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import type { Holding } from '../pricedTokens/Holding.ts'

type Row = readonly [
  chainId: number,
  address: string,
  amount: string | null,
  name: string | null,
  symbol: string | null,
  decimals: number | null,
]

/** The ERC20 tokens of a wallet. */
interface TokenHoldings {
  /** What it has by the ledger. */
  readonly held: readonly Holding[]
  /** Those that it may have, and whose amounts only the chain tells. */
  readonly unread: readonly ChainToken[]
}

/**
 * Loads what a wallet has of ERC20 tokens on some chains. What a contract of NFTs logs in the shape of ERC20 makes no
 * token of it. Of a token whose ledger disagreed with the chain the ledger tells only that the wallet met it: however
 * little it has by the ledger, it may have some.
 */
export async function loadTokenHoldings(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
  wallet: string,
): Promise<TokenHoldings> {
  const byId = new Map(chains.map((chain) => [chain.id, chain]))
  if (byId.size === 0) return { held: [], unread: [] }
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
        balances.chain_id, '0x' || encode(balances.token, 'hex'),
        case when amounts_from = 'ledger' then amount::text end, name, symbol, decimals
      ))::text`.as('rows'),
    )
    .where('balances.chain_id', 'in', [...byId.keys()])
    .where('holder', '=', fromHex(wallet))
    .where('balances.standard', '=', 20)
    .where('tokens.standard', '=', 20)
    .where(({ or, eb }) => or([eb('amount', '>', '0'), eb('amounts_from', '=', 'chain')]))
    .executeTakeFirst()
  const rows = JSON.parse(answer?.rows ?? '[]') as Row[]
  const held: Holding[] = []
  const unread: ChainToken[] = []
  for (const [chainId, address, amount, name, symbol, decimals] of rows) {
    const chain = byId.get(chainId)
    if (!chain) continue
    const token = {
      chain,
      address,
      name: name ?? undefined,
      symbol: symbol ?? undefined,
      decimals: decimals ?? undefined,
    }
    if (amount === null) unread.push(token)
    else held.push({ token, amount: BigInt(amount) })
  }
  return { held, unread }
}
