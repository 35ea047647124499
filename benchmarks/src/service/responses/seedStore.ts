import { sql } from 'kysely'
import { prepareReads } from '../../../../apps/service/src/indexing/write/createReadIndexes.ts'
import { createKey } from '../../../../apps/service/src/keys/createKey.ts'
import { createPartitions } from '../../../../apps/service/src/store/partitions.ts'
import type { Store } from '../../../../apps/service/src/store/Store.ts'
import { benchChainId } from '../history/startNode.ts'

/** Addresses that `seedStore` creates. */
export const seeded = {
  usd: address(0x1000),
  wrappedNative: address(0x1001),
  /** A token with many holders. */
  token: address(0x2000),
  /** A wallet with a thousand tokens and 2,500 NFTs. */
  wallet: address(0x900_000_000),
  head: { number: 1000, hash: `0x${'ab'.repeat(32)}` },
}

/** Numbers of seeded rows other than holders. */
const size = { wallets: 50, tokens: 1000, collectibles: 2500 }

/**
 * Fills a store with the holders of one token and wallets of a thousand tokens, as an indexer would.
 *
 * @returns A key without a rate limit.
 */
export async function seedStore({ db }: Store, holders: number): Promise<string> {
  const chain = sql.lit(benchChainId)
  const bytes = (number: string) =>
    sql.raw(`decode(lpad(to_hex((${number})::bigint), 40, '0'), 'hex')`)
  /** Over all addresses, as those of chains. */
  const holder = sql.raw(`decode(substr(md5(n::text) || md5(n::text), 1, 40), 'hex')`)
  const hex = (text: string) => sql.raw(`'\\x${text.slice(2)}'::bytea`)
  const statements = [
    sql`insert into chains (chain_id, genesis_hash, indexed_block, indexed_hash, indexed_time, synced_at)
      values (${chain}, ${hex(seeded.head.hash)}, 1000, ${hex(seeded.head.hash)}, 1700012000, now())`,
    sql`insert into blocks (chain_id, number, hash, time)
      select ${chain}, n, decode(lpad(to_hex(n), 64, '0'), 'hex'), 1700000000 + 12 * n
      from generate_series(0, 999) n`,
    sql`insert into blocks (chain_id, number, hash, time) values (${chain}, 1000, ${hex(seeded.head.hash)}, 1700012000)`,
    sql`insert into tokens (chain_id, id, address, standard, first_block, metadata, name, symbol, decimals)
      select ${chain}, n + 1, ${bytes('4096 + n')}, 20, 1, 'read', 'Token ' || n, 'T' || n,
        case when n = 0 then 6 else 18 end
      from generate_series(0, 4096 + ${sql.lit(size.tokens)}) n`,
    sql`insert into tokens (chain_id, id, address, standard, first_block, metadata, name, symbol)
      values (${chain}, 100000, ${bytes('65536')}, 721, 1, 'read', 'Art', 'ART')`,
    sql`insert into pools (chain_id, address, kind, factory, token0, token1, first_block)
      select ${chain}, ${bytes('1000000 + n')}, 'uniswap-v2', ${bytes('1')}, ${bytes('4096')}, ${bytes('4096 + n')}, 1
      from generate_series(1, 4096 + ${sql.lit(size.tokens)}) n`,
    sql`insert into pool_states (chain_id, pool, block_number, reserve0, reserve1)
      select ${chain}, ${bytes('1000000 + n')}, 100 * state, (50000 + n)::numeric * 1000000, n::numeric * 1e18 * state
      from generate_series(1, 4096 + ${sql.lit(size.tokens)}) n, generate_series(1, 3) state`,
    sql`insert into pool_ranks (chain_id, from_block, rank, pool, token)
      select ${chain}, 100, floor(log(2, side.reserve)), ${bytes('1000000 + n')}, side.token
      from generate_series(1, 4096 + ${sql.lit(size.tokens)}) n, lateral (values
        (${bytes('4096')}, (50000 + n)::numeric * 1000000), (${bytes('4096 + n')}, n::numeric * 3e18)
      ) side (token, reserve)`,
    // Many holders have equal amounts, as after an airdrop.
    sql`insert into balances (chain_id, holder, token, amount, first_in_block, initiated_block)
      select ${chain}, ${holder}, ${sql.lit(0x2000 - 0x1000 + 1)},
        case when n % 3 = 0 then 400e18 else (n::bigint * 7919 % 1000003)::numeric * 1e15 + 1 end,
        n % 1000, case when n % 5 = 0 then 999 end
      from generate_series(1, ${sql.lit(holders)}) n`,
    sql`insert into balances (chain_id, holder, token, amount, first_in_block)
      select ${chain}, ${bytes(`${0x900_000_000} + wallet`)}, 4096 + n + 1, (wallet * 1000 + n)::numeric * 1e15, 5
      from generate_series(0, ${sql.lit(size.wallets - 1)}) wallet, generate_series(1, ${sql.lit(size.tokens)}) n`,
    sql`insert into collectible_balances (chain_id, holder, contract, token_id, amount, last_in_block)
      select ${chain}, ${hex(seeded.wallet)}, ${bytes('65536')}, n, 1, n % 1000
      from generate_series(1, ${sql.lit(size.collectibles)}) n`,
    sql`insert into collectibles (chain_id, contract, token_id, first_block, metadata, name, description, attributes)
      select ${chain}, ${bytes('65536')}, n, 1, 'read', 'Art #' || n, 'A picture of the number ' || n,
        '[{"key": "Colour", "value": "Blue"}, {"key": "Size", "value": "Large"}]'::jsonb
      from generate_series(1, ${sql.lit(size.collectibles)}) n`,
  ]
  await createPartitions(db, benchChainId)
  for (const statement of statements) {
    await db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction)
      await statement.execute(transaction)
    })
  }
  await prepareReads(db, benchChainId)
  const rate = { requests: 900_000_000, seconds: 1 }
  return (await createKey(db, { name: 'bench', rate })).secret
}

function address(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`
}
