// ERC20 balances with Subsquid's processor, written with one statement per batch through `pg`. Its TypeORM store depends on
// an unavailable package, and is slower.
import { EvmBatchProcessor } from '@subsquid/evm-processor'
import * as abi from '@subsquid/evm-abi'
import * as codec from '@subsquid/evm-codec'
import pg from 'pg'

const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const zero = `0x${'0'.repeat(40)}`
const transfer = abi.event(topic, 'Transfer(address,address,uint256)', {
  from: abi.indexed(codec.address),
  to: abi.indexed(codec.address),
  value: codec.uint256,
})
const requestsPerSecond = Number(process.env.BENCH_REQUESTS_PER_SECOND ?? 0)
const lastBlock = Number(process.env.BENCH_LAST_BLOCK)
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query(
  'create table balance (holder text, token text, amount numeric not null, primary key (holder, token))',
)
await client.query('create table status (height int)')

const database = {
  async connect() {
    return { height: -1, hash: '0x' }
  },
  async transact({ nextHead }, callback) {
    await client.query('begin')
    await callback(client)
    await client.query('insert into status values ($1)', [nextHead.height])
    await client.query('commit')
  },
}

new EvmBatchProcessor()
  .setRpcEndpoint({
    url: process.env.BENCH_RPC_URL,
    capacity: 10,
    // Batches that exceed the rate limit of the node would always be rejected.
    maxBatchCallSize: requestsPerSecond ? 10 : 100,
    ...(requestsPerSecond && { rateLimit: requestsPerSecond }),
  })
  .setFinalityConfirmation(0)
  .setBlockRange({ from: 0, to: lastBlock })
  .addLog({ topic0: [topic] })
  .setFields({ log: { topics: true, data: true } })
  .run(database, async ({ blocks, store }) => {
    const changes = new Map()
    const add = (holder, token, delta) => {
      if (holder === zero) return
      const key = holder + token
      const change = changes.get(key)
      if (change) change.delta += delta
      else changes.set(key, { holder, token, delta })
    }
    for (const { logs } of blocks)
      for (const log of logs) {
        if (log.topics[0] !== topic || log.topics.length !== 3) continue
        const { from, to, value } = transfer.decode(log)
        add(from, log.address, -value)
        add(to, log.address, value)
      }
    const rows = [...changes.values()]
    if (rows.length > 0)
      await store.query(
        `insert into balance select * from unnest($1::text[], $2::text[], $3::numeric[])
         on conflict (holder, token) do update set amount = balance.amount + excluded.amount`,
        [
          rows.map(({ holder }) => holder),
          rows.map(({ token }) => token),
          rows.map(({ delta }) => String(delta)),
        ],
      )
  })
