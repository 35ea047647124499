import { toHex } from '../src/store/hex.ts'
import type { Store } from '../src/store/Store.ts'
import { readLedger } from './readLedger.ts'
import type { Replayed } from './replayChain.ts'

/** The rows of the only chain of a store in the format of `replayChain`. */
export async function readReplayed({ db }: Store): Promise<Replayed> {
  const { chain_id } = await db.selectFrom('chains').select('chain_id').executeTakeFirstOrThrow()
  const balances = await readLedger(db, chain_id)
  const owned = await db.selectFrom('collectible_balances').selectAll().execute()
  const collectibles = await db.selectFrom('collectibles').selectAll().execute()
  const tokens = await db.selectFrom('tokens').selectAll().execute()
  const states = await db.selectFrom('pool_states').selectAll().execute()
  const sales = await db.selectFrom('collectible_sales').selectAll().execute()
  return {
    balances: Object.fromEntries(
      balances.map((row) => [
        `${row.standard} ${row.token} ${row.holder}`,
        {
          amount: BigInt(row.amount),
          firstIn: row.first_in_block,
          initiated: row.initiated_block,
        },
      ]),
    ),
    collectibles: Object.fromEntries(
      owned.map((row) => [
        `${toHex(row.contract)} ${row.token_id} ${toHex(row.holder)}`,
        { amount: BigInt(row.amount), lastIn: row.last_in_block },
      ]),
    ),
    collectiblesSeen: Object.fromEntries(
      collectibles.map((row) => [`${toHex(row.contract)} ${row.token_id}`, row.first_block]),
    ),
    tokens: Object.fromEntries(
      tokens.map((row) => [toHex(row.address), `${row.standard} since ${row.first_block}`]),
    ),
    poolStates: Object.fromEntries(
      states.map((row) => [
        `${toHex(row.pool)} ${row.block_number}`,
        `${row.reserve0} ${row.reserve1} ${row.sqrt_price}`,
      ]),
    ),
    sales: Object.fromEntries(
      sales.map((row) => [
        `${toHex(row.contract)} ${row.token_id} ${row.block_number} ${row.log_index}`,
        BigInt(row.price),
      ]),
    ),
  }
}
