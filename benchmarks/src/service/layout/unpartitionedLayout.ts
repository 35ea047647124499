import { type RawBuilder, sql } from 'kysely'
import { bytesArray } from '../../../../apps/service/src/store/arrays.ts'
import type { Pair } from './createTransfers.ts'
import type { Layout } from './Layout.ts'

const tables = [
  `create table chains (chain_id bigint primary key, indexed_block bigint)`,
  `create table blocks (
     chain_id bigint not null,
     number bigint not null,
     hash bytea not null,
     time bigint not null,
     primary key (chain_id, number)
   )`,
  `create index blocks_by_time on blocks (chain_id, time, number)`,
  `create table balances (
     chain_id bigint not null,
     holder bytea not null,
     token bytea not null,
     standard smallint not null,
     amount numeric not null,
     first_in_block bigint,
     initiated_block bigint,
     primary key (chain_id, holder, token, standard)
   ) with (fillfactor = 80)`,
  `create table undo_balances (
     chain_id bigint not null,
     block_number bigint not null,
     holder bytea not null,
     token bytea not null,
     standard smallint not null,
     existed boolean not null,
     amount numeric,
     first_in_block bigint,
     initiated_block bigint,
     primary key (chain_id, block_number, holder, token, standard)
   )`,
]

/**
 * The layout before partitions and ranks, to compare with: one table for all chains, whose index contains the amounts. Its
 * statements are those that the service executed for the balances of a block.
 */
export const unpartitionedLayout: Layout = {
  name: 'unpartitioned',
  table: 'balances',
  async create(db, pairs) {
    for (const table of tables) {
      await sql.raw(table).execute(db)
    }
    await sql`insert into chains values (1, 0)`.execute(db)
    await sql`
      insert into balances (chain_id, holder, token, standard, amount, first_in_block)
      select 1, holder, token, 20, amount, 0 from ${unnest(pairs)} order by holder`.execute(db)
    await sql`
      create index holders_by_amount on balances (chain_id, token, standard, amount desc, holder)`.execute(
      db,
    )
  },
  async commit(db, block, changes, undoBlock) {
    await db.transaction().execute(async (transaction) => {
      await sql`update chains set indexed_block = ${block}::bigint where chain_id = 1`.execute(
        transaction,
      )
      await sql`
        insert into blocks values (1, ${block}::bigint, ${Buffer.alloc(32, block)}, ${12 * block}::bigint)`.execute(
        transaction,
      )
      const change = sql`${unnest(changes)}`
      await sql`
        insert into undo_balances (chain_id, block_number, holder, token, standard, existed, amount,
          first_in_block, initiated_block)
        select 1, ${block}::bigint, change.holder, change.token, 20, stored.chain_id is not null, stored.amount,
          stored.first_in_block, stored.initiated_block
        from ${change} left join balances stored on stored.chain_id = 1 and stored.holder = change.holder
          and stored.token = change.token and stored.standard = 20`.execute(transaction)
      await sql`
        merge into balances stored using ${change}
        on stored.chain_id = 1 and stored.holder = change.holder and stored.token = change.token
          and stored.standard = 20
        when matched then update set amount = stored.amount + change.amount
        when not matched then insert (chain_id, holder, token, standard, amount, first_in_block)
          values (1, change.holder, change.token, 20, change.amount, ${block}::bigint)`.execute(
        transaction,
      )
      await sql`
        delete from undo_balances where chain_id = 1 and block_number <= ${undoBlock}::bigint`.execute(
        transaction,
      )
    })
  },
  async readTopHolders(db, token) {
    await sql`
      select holder, amount, first_in_block, initiated_block from balances
      where chain_id = 1 and token = ${Buffer.from(token.slice(2), 'hex')} and standard = 20 and amount > 0
      order by amount desc, holder limit 500`.execute(db)
  },
}

/** Pairs as a `from` item `change`. */
function unnest(pairs: readonly Pair[]): RawBuilder<unknown> {
  return sql`unnest(
    ${bytesArray(pairs.map(({ holder }) => holder))}, ${bytesArray(pairs.map(({ token }) => token))},
    ${`{${pairs.map(({ amount }) => amount).join(',')}}`}::text[]::numeric[]
  ) as change (holder, token, amount)`
}
