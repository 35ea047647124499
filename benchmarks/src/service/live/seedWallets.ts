import { sql } from 'kysely'
import type { Store } from '../../../../apps/service/src/store/Store.ts'
import { benchChainId } from '../history/startNode.ts'

/** How many wallets there are, and how many tokens each of them holds, of those that `seedStore` creates. */
export const seededWallets = { count: 10_000, tokensEach: 20, tokens: 2_000 }
const firstWallet = 0xa00_000_000

/** The address of a seeded wallet. */
export function getWallet(index: number): `0x${string}` {
  return `0x${(firstWallet + index).toString(16).padStart(40, '0')}`
}

/** The number of a token of a wallet: its id without the one of the stablecoin, and that of its pool. */
export function getTokenNumber(wallet: number, index: number): number {
  return 1 + ((wallet * 7919 + index * 104_729) % seededWallets.tokens)
}

/** Adds wallets to a seeded store. */
export async function seedWallets({ db }: Store): Promise<void> {
  const { count, tokensEach, tokens } = seededWallets
  await sql`
    insert into balances (chain_id, holder, token, amount, first_in_block)
    select ${sql.lit(benchChainId)},
      decode(lpad(to_hex(${sql.lit(firstWallet)} + wallet), 40, '0'), 'hex'),
      2 + (wallet * 7919 + n * 104729) % ${sql.lit(tokens)}, (wallet + n + 1)::numeric * 1e15, 5
    from generate_series(0, ${sql.lit(count - 1)}) wallet, generate_series(0, ${sql.lit(tokensEach - 1)}) n`.execute(
    db,
  )
}
