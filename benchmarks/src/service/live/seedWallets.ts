import { sql } from 'kysely'
import { eventBits } from '../../../../apps/service/src/metadata/classifyContract.ts'
import type { Store } from '../../../../apps/service/src/store/Store.ts'
import { benchChainId } from '../history/startNode.ts'
import { seeded } from '../responses/seedStore.ts'

/**
 * How many wallets there are, how many tokens each of them holds, and of how many. Each token has a pool, so that a block with
 * 200 changed pools changes one of 500, as on a chain with many pools. The last wallet holds most tokens.
 */
export const seededWallets = { count: 10_000, tokensEach: 20, tokens: 100_000, large: 60_000 }
const firstWallet = 0xa00_000_000
/** Ids and addresses of tokens and pools, which no others have. */
const firstToken = 0x100_0000
const firstPool = 0x200_0000

/** The address of a seeded wallet. */
export function getWallet(index: number): `0x${string}` {
  return `0x${(firstWallet + index).toString(16).padStart(40, '0')}`
}

/** The wallet that holds most tokens. */
export const largeWallet = getWallet(seededWallets.count)

/** The number of a token of a wallet. */
export function getTokenNumber(wallet: number, index: number): number {
  return (wallet * 7919 + index * 104_729) % seededWallets.tokens
}

/** The amount of a token that a wallet holds before any block. */
export function getSeededAmount(wallet: number, index: number): bigint {
  return BigInt(wallet + index + 1) * 10n ** 15n
}

/** The addresses of a token and of its pool, and the reserves of the pool. */
export function getSeededPool(token: number) {
  return {
    token: toAddress(firstToken + token),
    pool: toAddress(firstPool + token),
    reserve0: BigInt(50_000 + token) * 1_000_000n,
    reserve1: BigInt(token + 1) * 10n ** 18n,
  }
}

/** Adds wallets, and the tokens that they hold, to a seeded store. */
export async function seedWallets({ db }: Pick<Store, 'db'>): Promise<void> {
  const { count, tokensEach, tokens, large } = seededWallets
  const chain = sql.lit(benchChainId)
  const bytes = (first: number, number: string) =>
    sql.raw(`decode(lpad(to_hex(${first}::bigint + ${number}), 40, '0'), 'hex')`)
  const usd = sql.raw(`'\\x${seeded.usd.slice(2)}'::bytea`)
  const all = sql`from generate_series(0, ${sql.lit(tokens - 1)}) n`
  const held = (holder: string, token: string) => sql`
    insert into balances (chain_id, holder, token, amount, first_in_block)
    select ${chain}, ${bytes(firstWallet, holder)}, ${sql.raw(`${firstToken} + ${token}`)},
      (${sql.raw(holder)} + n + 1)::numeric * 1e15, 5`
  for (const statement of [
    sql`insert into tokens (chain_id, id, address, standard, first_block, events, metadata, name, symbol, decimals)
      select ${chain}, ${sql.lit(firstToken)} + n, ${bytes(firstToken, 'n')}, 20, 1, ${sql.lit(eventBits[20])}, 'read', 'Token ' || n, 'T' || n, 18 ${all}`,
    sql`insert into pools (chain_id, address, kind, factory, token0, token1, first_block)
      select ${chain}, ${bytes(firstPool, 'n')}, 'uniswap-v2', ${usd}, ${usd}, ${bytes(firstToken, 'n')}, 1 ${all}`,
    sql`insert into pool_states (chain_id, pool, block_number, reserve0, reserve1)
      select ${chain}, ${bytes(firstPool, 'n')}, 300, (50000 + n)::numeric * 1000000, (n + 1)::numeric * 1e18 ${all}`,
    sql`insert into pool_ranks (chain_id, from_block, rank, pool, token)
      select ${chain}, 300, floor(log(2, side.reserve)), ${bytes(firstPool, 'n')}, side.token
      from generate_series(0, ${sql.lit(tokens - 1)}) n, lateral (values
        (${usd}, (50000 + n)::numeric * 1000000), (${bytes(firstToken, 'n')}, (n + 1)::numeric * 1e18)
      ) side (token, reserve)`,
    sql`${held('wallet', `(wallet * 7919 + n * 104729) % ${tokens}`)}
      from generate_series(0, ${sql.lit(count - 1)}) wallet, generate_series(0, ${sql.lit(tokensEach - 1)}) n`,
    sql`${held(`${count}`, 'n')} from generate_series(0, ${sql.lit(large - 1)}) n`,
    sql`analyze`,
  ]) {
    await sql`set statement_timeout = 0`.execute(db)
    await statement.execute(db)
  }
}

function toAddress(value: number): string {
  return `0x${value.toString(16).padStart(40, '0')}`
}
