import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { TimedBlock } from '../../rpc/methods/BlockHeader.ts'
import { recordChange } from '../../store/changes.ts'
import { fromHex } from '../../store/hex.ts'
import { ChangeFeed } from './ChangeFeed.ts'

const chainId = 7
const [wallet, other, token] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [
  ...[string, string, string],
]
const subjects = new Map([
  [
    chainId,
    { wallets: new Set([wallet, other]), tokens: new Set([token, 'native']), holders: new Set() },
  ],
]) as Parameters<ChangeFeed['open']>[1]

/** A chain with recorded blocks, and feeds of processes that start after some of them. */
async function start(isIndexed = true) {
  const { db, reader } = await openSharedStore('pglite')
  await db
    .insertInto('chains')
    .values({ chain_id: chainId, genesis_hash: fromHex('0x00') })
    .execute()
  let block: TimedBlock | undefined
  let mined = 0
  /** Adds a block, and publishes it. */
  const mine = async (holders: readonly string[] = [], feed?: ChangeFeed) => {
    const number = (block?.number ?? 0) + 1
    block = { number, hash: `0x${(++mined).toString(16).padStart(64, '0')}`, time: 0 }
    await db
      .updateTable('chains')
      .set({ indexed_block: number, indexed_hash: fromHex(block.hash) })
      .execute()
    const keys = { holders, ledgers: [], contracts: [], pooled: [] }
    await recordChange(db, chainId, keys)
    const change = { version: number, block, metadataVersions: [0, 0], deltas: [], keys } as const
    const update = {
      chainId,
      block,
      metadataVersion: 0,
      changeVersion: number,
      sequence: number,
      before: undefined,
      changes: [{ ...change, ancestor: undefined }],
      keys,
    }
    feed?.publish(update, 'all')
  }
  /** Indexes the chain up to its first block, which is not recorded as a change. */
  const index = () => {
    block = { number: 0, hash: `0x${(++mined).toString(16).padStart(64, '0')}`, time: 0 }
  }
  /** Loses the latest commits, as a failover to a replica may. */
  const lose = async (commits: number) => {
    const number = (block?.number ?? 0) - commits
    const { rows } = await sql<{ hash: string }>`
      with lost as (delete from changes where version > ${number})
      update chains set change_version = ${number}, indexed_block = ${number},
        indexed_hash = (select block_hash from changes where version = ${number})
      returning '0x' || encode(indexed_hash, 'hex') as hash`.execute(db)
    block = { number, hash: rows[0]?.hash ?? '', time: 0 }
  }
  if (isIndexed) {
    await mine()
  }
  const amounts = new Map([wallet, other].map((each) => [each, 5n]))
  /** What the reads of the nodes wait for. */
  let reading: Promise<void> = Promise.resolve()
  const createFeed = (refresh = () => Promise.resolve()) =>
    new ChangeFeed(
      {
        config: { chains: [testChainConfig(chainId)] } as never,
        watch: {
          get: () => ({
            chainId,
            sequence: 1,
            metadataVersion: 0,
            changeVersion: block?.number ?? 0,
            block,
            confirmedAt: Infinity,
            stoppedReason: undefined,
            isStopped: false,
            hold: undefined,
          }),
          refresh,
        } as never,
        stores: { of: () => ({ reader }) } as never,
      },
      {
        read: async (_, wallets) => {
          await reading
          return new Map(wallets.map((each) => [each, amounts.get(each) ?? 0n]))
        },
      },
    )
  return {
    amounts,
    mine,
    index,
    lose,
    createFeed,
    /** Stops the nodes until the returned function is called. */
    stopNodes: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      reading = promise
      return resolve
    },
  }
}

it('opens while the nodes do not respond, and reports the native balances that a client does not know', async () => {
  const { amounts, createFeed, stopNodes } = await start()
  const known = (await createFeed().open(1, subjects, undefined)).writePosition()
  const startNodes = stopNodes()
  const feed = createFeed()
  const [opened, resumed] = await Promise.all([
    feed.open(1, subjects, undefined),
    feed.open(1, subjects, known),
  ])
  expect(opened.take()).toBeUndefined()
  expect(resumed.take()).toBeUndefined()
  amounts.set(other, 6n)
  startNodes()
  await expect.poll(() => opened.isReady).toBe(true)
  expect(opened.take()?.event).toMatchObject({ type: 'change', wallets: [wallet, other] })
  expect(resumed.take()?.event).toMatchObject({ type: 'change', wallets: [other] })
})

it('states the block of its position in an event, also with a native balance that was read late', async () => {
  const { amounts, createFeed, mine, stopNodes } = await start()
  const feed = createFeed()
  const subscription = await feed.open(1, subjects, undefined)
  const startNodes = stopNodes()
  await mine([], feed)
  amounts.set(other, 6n)
  await mine([wallet], feed)
  startNodes()
  await setImmediate()
  expect(subscription.take()).toMatchObject({
    event: { block_number: 3, wallets: [wallet, other] },
    id: expect.stringMatching(/^7:3:/),
  })
})

it('resets a client that was connected before the initial indexing of its chain was complete', async () => {
  const { createFeed, mine } = await start(false)
  const before = (await createFeed().open(1, subjects, undefined)).writePosition()
  await mine()
  expect((await createFeed().open(1, subjects, before)).take()?.event.type).toBe('reset')
})

it('resets a client of a chain that was replaced before its first change', async () => {
  const { createFeed, index } = await start(false)
  index()
  const before = (await createFeed().open(1, subjects, undefined)).writePosition()
  expect((await createFeed().open(1, subjects, before)).take()).toBeUndefined()
  index()
  expect((await createFeed().open(1, subjects, before)).take()?.event.type).toBe('reset')
})

it('resets a client at a position that a failover lost, as other changes have its version', async () => {
  const { createFeed, mine, lose } = await start()
  const open = async (position?: string) => await createFeed().open(1, subjects, position)
  const kept = (await open()).writePosition()
  await mine()
  await mine()
  const lost = (await open()).writePosition()
  await lose(2)
  await mine([wallet])
  await mine([other])
  expect((await open(lost)).take()?.event.type).toBe('reset')
  await mine()
  expect((await open(lost)).take()?.event.type).toBe('reset')
  expect((await open(kept)).take()?.event).toMatchObject({ wallets: [wallet, other] })
})

it('names all followed tokens after any missed block, as time changes their prices, too', async () => {
  const { createFeed, mine } = await start()
  const known = (await createFeed().open(1, subjects, undefined)).writePosition()
  expect((await createFeed().open(1, subjects, known)).take()).toBeUndefined()
  await mine()
  expect((await createFeed().open(1, subjects, known)).take()?.event).toEqual({
    type: 'change',
    chain_id: chainId,
    block_number: 2,
    block_hash: expect.any(String),
    tokens: [token, 'native'],
  })
})

it('holds nothing of a subscription that could not be opened', async () => {
  const { createFeed } = await start()
  const feed = createFeed(() => Promise.reject(new Error('failed')))
  await expect(feed.open(1, subjects, '7:9:0x9:')).rejects.toThrow('failed')
  expect(feed.count).toBe(0)
})
