import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Address, type Hex, parseAbi, toEventSelector } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { compileContracts, seededRandom } from '@headwater/devnet'
import { curveAbi } from '@headwater/devnet/venues'
import { createContractClient } from '../../../test/createContractClient.ts'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { dumpTables } from '../../../test/dumpTables.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startAnvil } from '../../../test/startAnvil.ts'
import { startBalanceVenues } from '../../../test/startBalanceVenues.ts'
import { startHostedNode } from '../../../test/startHostedNode.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import type { VenuePool } from '../../../test/VenuePool.ts'
import { loadPools } from '../../pricing/loadPools.ts'
import type { CallContracts } from '../../pricing/venues/Venue.ts'
import { getPoolModel, getSpotPrice, mapVenues } from '../../pricing/venues/venues.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import { deleteChain } from '../../store/partitions.ts'
import { toStoredScope } from '../decode/StoredScope.ts'
import { loadCursor } from '../follow/Cursor.ts'
import { PoolReader } from './PoolReader.ts'

const finalityDepth = 64

async function startWorld() {
  const node = await startAnvil('--gas-limit', '1000000000', '--base-fee', '0')
  const [sender] = (await node.call<Address[]>('eth_accounts')) as [Address]
  const client = createContractClient(node, sender)
  const pools = await startBalanceVenues(client, sender)
  const chain = testChainConfig(31_337, {
    rpcUrls: [node.url],
    pollIntervalMs: 10,
    finalityDepth,
    ...mapVenues((option) => [
      ...new Set(pools.filter((pool) => pool.option === option).map(({ factory }) => factory)),
    ]),
  })
  const change = async (seed: string) => {
    const random = seededRandom(seed)
    const unique = new Map(pools.map((pool) => [pool.pool, pool]))
    for (const pool of unique.values()) {
      await pool.change(random)
    }
  }
  const getHead = async () => {
    const head = await node.call<{ number: string; hash: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    return { number: Number(head.number), hash: head.hash }
  }
  return { node, sender, client, pools, chain, change, getHead }
}

/**
 * A token whose functions return 384 bytes to contracts, and fail where the caller is the zero address, as in `eth_call`: by
 * a revert with a reason, or by the opcode INVALID.
 */
function createFailingToken(reason: string | undefined): Hex {
  const result = '6012600052' + '6101806000f3'
  const text = Buffer.from(reason ?? '')
    .toString('hex')
    .padEnd(64, '0')
  const size = (reason?.length ?? 0).toString(16).padStart(2, '0')
  const selector = '08c379a0'.padEnd(64, '0')
  const revert =
    `7f${selector}600052` + '6020600452' + `60${size}602452` + `7f${text}604452` + '60646000fd'
  const runtime = `3315601057${result}5b${reason === undefined ? 'fe' : revert}`
  const length = (runtime.length / 2).toString(16).padStart(2, '0')
  return `0x60${length}80600b6000396000f3${runtime}`
}

describeEachStore('pools whose state is read', (openTestStore, kind) => {
  const getWorld = shareFixture(startWorld)

  it('have the states of a clean run after reorgs and restarts, and price each pair', async () => {
    const { node, pools, chain, change, getHead } = getWorld()
    const store = await openTestStore()
    await change('first')
    let indexer = indexTestChain(store, chain)
    await indexer.reaches((await getHead()).hash)
    const snapshot = await node.call<string>('evm_snapshot')
    await change('replaced')
    await indexer.reaches((await getHead()).hash)
    await indexer.stop()
    await node.call('evm_revert', snapshot)
    await change('canonical')
    await change('longer')
    indexer = indexTestChain(store, chain)
    const head = await getHead()
    await indexer.reaches(head.hash)
    await indexer.stop()
    const followed = await dumpTables(store)

    const reader = new PoolReader(new ChainNode(chain.rpcUrls))
    const point = { chainId: chain.id, index: 0, block: head.number, time: 2 ** 33 }
    const window = { windowBlock: head.number, windowTime: 2 ** 33 }
    for (const { pool: address, type, factory, tokens } of pools) {
      const request = {
        point: { ...point, ...window },
        token: tokens[0],
        quoteTokens: new Set<string>(),
      }
      const [loaded] = await loadPools(store.db, [request])
      const pair = loaded?.pools
        .map(({ pool }) => pool)
        .find(
          (each) =>
            each.address === address && each.token0 === tokens[0] && each.token1 === tokens[1],
        )
      const ofPool = [
        ...new Set(
          pools.filter((each) => each.pool === address).flatMap((each) => [...each.tokens]),
        ),
      ]
      const [read] = await reader.read([
        {
          block: head,
          isPrunable: false,
          run: async (call) =>
            await getPoolModel(type).readBalances?.({ address, factory, tokens: ofPool }, call, {
              time: 0,
            }),
        },
      ])
      const [first, second] = tokens.map((token) => ofPool.indexOf(token)) as [number, number]
      expect(pair && { type, reserves: [pair.reserve0, pair.reserve1] }).toEqual({
        type,
        reserves: [read?.balances[first], read?.balances[second]],
      })
      expect(pair && getSpotPrice(pair)).toEqual({
        numerator: read?.prices[first],
        denominator: read?.prices[second],
      })
    }

    await openTestStore()
    const clean = indexTestChain(store, chain)
    await clean.reaches(head.hash)
    await clean.stop()
    expect(await dumpTables(store)).toEqual(followed)
  })

  it('are unknown at blocks that nodes discarded, final or not, until the next event', async () => {
    const { node, pools, chain, change, getHead } = getWorld()
    const store = await openTestStore()
    const follow = async (options: Partial<typeof chain> = {}) => {
      const indexer = indexTestChain(store, { ...chain, ...options })
      await indexer.reaches((await getHead()).hash)
      await indexer.stop()
    }
    await follow()
    const { number: first } = await getHead()
    await change('discarded')
    await node.call('anvil_mine', '0xc8')
    await change('kept')
    const hosted = await startHostedNode(node.url, { stateBlocks: 128 })
    await follow({ rpcUrls: [hosted.url], finalityDepth: 1000, undoDepth: 1000 })
    const rows = await store.db
      .selectFrom('pool_states')
      .select(['block_number', 'prices'])
      .where('block_number', '>', first)
      .execute()
    const isUnknown = ({ prices }: (typeof rows)[number]) =>
      prices?.every((price) => String(price) === '0')
    const discarded = rows.filter(({ block_number }) => Number(block_number) <= first + 100)
    const kept = rows.filter(({ block_number }) => Number(block_number) > first + 100)
    expect(discarded.map(isUnknown)).toEqual(discarded.map(() => true))
    expect(kept.map(isUnknown)).toEqual(kept.map(() => false))
    const count = new Set(pools.map(({ pool }) => pool)).size
    expect([discarded.length, kept.length].map((length) => length >= count)).toEqual([true, true])
  })

  it('that were created in discarded blocks are found at the head, also after a reorg', async () => {
    const { node, pools, chain, change, getHead } = getWorld()
    await change('before')
    await node.call('anvil_mine', '0xc8')
    const hosted = await startHostedNode(node.url, { stateBlocks: 128 })
    const store = await openTestStore()
    const follow = async () => {
      const indexer = indexTestChain(store, { ...chain, rpcUrls: [hosted.url] })
      await indexer.reaches((await getHead()).hash)
      await indexer.stop()
    }
    const readPools = async () => {
      const { rows } = await sql<{ pool: string; has_emitter: boolean; balances: string[] }>`
        select distinct '0x' || encode(address, 'hex') as pool, emitter is not null as has_emitter,
          balances::text[] as balances
        from pools join pool_states on pool = address and pool_states.chain_id = pools.chain_id
        order by pool`.execute(store.db)
      return rows
    }
    const reader = new PoolReader(new ChainNode([node.url]))
    const block = await getHead()
    // A vault registers with its next deposit.
    const byAddress = Map.groupBy(
      pools.filter(({ type }) => type !== 'erc4626'),
      ({ pool }) => pool,
    )
    const expected = await Promise.all(
      [...byAddress].sort().map(async ([address, [first, ...others]]) => {
        const { type, factory } = first as VenuePool
        const tokens = [...new Set([first, ...others].flatMap((pair) => pair?.tokens ?? []))]
        const run = async (call: CallContracts) =>
          await getPoolModel(type).readBalances?.({ address, factory, tokens }, call, { time: 0 })
        const [state] = await reader.read([{ block, isPrunable: false, run }])
        const balances = (state?.balances ?? tokens.map(() => 0n)).map(String)
        return { pool: address, has_emitter: type.startsWith('balancer'), balances }
      }),
    )
    await follow()
    const snapshot = await node.call<string>('evm_snapshot')
    await node.call('anvil_mine', '0x2')
    await follow()
    expect(await readPools()).toEqual(expected)
    await node.call('evm_revert', snapshot)
    await node.call('anvil_mine', '0x3', '0x5')
    await follow()
    expect(await readPools()).toEqual(expected)
    const unread = await store.db.selectFrom('unread_pools').select('read_block').execute()
    expect(unread.map(({ read_block }) => read_block === null)).not.toContain(true)
  })

  // What follows does not depend on the database.
  it.runIf(kind === 'postgres')(
    'are added from facts without fetching their blocks again',
    async () => {
      const { node, chain, change, getHead } = getWorld()
      await change('facts')
      await node.call('anvil_mine', '0x50')
      const { hash } = await getHead()
      const hosted = await startHostedNode(node.url)
      const folder = mkdtempSync(join(tmpdir(), 'headwater-facts-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const facts = { folder, blocksPerChunk: 20, memoryLimit: '256MB' }
      const configured = { ...chain, rpcUrls: [hosted.url] }
      const store = await openTestStore()
      const index = async (config: typeof chain, options = {}) => {
        const indexer = indexTestChain(store, config, options)
        await indexer.reaches(hash)
        const loadScope = async () => (await loadCursor(store.db, config.id))?.scope
        await expect.poll(loadScope).toEqual(toStoredScope(config))
        await indexer.stop()
        return await dumpTables(store)
      }
      await index({ ...configured, ...mapVenues(() => []) }, { facts })
      const last = Math.max(...hosted.headers) - finalityDepth - facts.blocksPerChunk
      expect(last).toBeGreaterThan(facts.blocksPerChunk)
      hosted.headers.length = 0
      const added = await index(configured, { facts })
      // The nodes hash the latest final blocks as Ethereum does, which is detected by their headers.
      expect(hosted.headers.filter((number) => number > 0 && number <= last)).toEqual([])
      await deleteChain(store.db, chain.id)
      expect(added).toEqual(await index(configured))
      expect(new Set(added['pool_states']).size).toBeGreaterThan(10)
    },
  )

  it.each(['header not found', 'missing trie node', undefined])(
    'do not stop the chain when a token of theirs fails with %j',
    async (reason) => {
      const { node, sender, client, pools, chain, getHead } = getWorld()
      const { factory } = pools.find(({ type }) => type === 'curve-stable') as VenuePool
      const { DevnetToken } = await compileContracts()
      const honest = await client.deploy(
        DevnetToken,
        ['string', 'string', 'uint8', 'uint256', 'address'],
        ['Token', 'TOK', 18, 2n ** 250n, sender],
      )
      const failing = await client.deploy(createFailingToken(reason))
      const coins = [honest, failing]
      await client.execute(factory, curveAbi, 'deploy_plain_pool', [coins, 200n, 4_000_000n])
      await node.call('anvil_mine', '0x2')
      const store = await openTestStore()
      const indexer = indexTestChain(store, chain)
      const head = await getHead()
      await indexer.reaches(head.hash)
      await indexer.stop()
      expect(await loadCursor(store.db, chain.id)).toMatchObject({ block: head })
    },
  )

  it('are read for events of their own vault only, and written when they changed', async () => {
    const { node, sender, client, pools, chain, change, getHead } = getWorld()
    await change('deposits')
    const store = await openTestStore()
    const hosted = await startHostedNode(node.url, {})
    const follow = async () => {
      hosted.methods.length = 0
      const indexer = indexTestChain(store, { ...chain, rpcUrls: [hosted.url] })
      await indexer.reaches((await getHead()).hash)
      await indexer.stop()
      const { states } = await store.db
        .selectFrom('pool_states')
        .select(({ fn }) => fn.countAll<number>().as('states'))
        .executeTakeFirstOrThrow()
      return { states, calls: hosted.methods.filter((method) => method === 'eth_call').length }
    }
    const { states } = await follow()
    const balancer = pools.find(({ type }) => type === 'balancer-weighted')
    const vault = pools.find(({ type }) => type === 'erc4626')
    // Emits `Swap` of Balancer's vault with the first word of the data as id of the pool.
    const swap = toEventSelector('Swap(bytes32,address,address,uint256,uint256)').slice(2)
    const emitter = await client.deploy(`0x6027600a5f3960275ff35f357f${swap}5f5fa200`)
    const data = balancer?.pool
    await client.send(emitter, data as Hex)
    expect(await follow()).toEqual({ states, calls: 0 })
    const depositAbi = parseAbi(['function deposit(uint256 assets, address receiver)'])
    await client.execute(vault?.pool as Address, depositAbi, 'deposit', [0n, sender])
    expect(await follow()).toEqual({ states, calls: expect.any(Number) })
  })

  it('are read in one request, and their prices compared in another', async () => {
    const { node, pools, getHead } = getWorld()
    const hosted = await startHostedNode(node.url, {})
    const head = await getHead()
    const unique = new Map(pools.map((each) => [each.pool, each]))
    const counts = []
    for (const { pool: address, type, factory } of unique.values()) {
      const tokens = [
        ...new Set(pools.flatMap((each) => (each.pool === address ? each.tokens : []))),
      ]
      const reader = new PoolReader(new ChainNode([hosted.url]))
      hosted.methods.length = 0
      await reader.read([
        {
          block: head,
          isPrunable: false,
          run: async (call) =>
            await getPoolModel(type).readBalances?.({ address, factory, tokens }, call, {
              time: 0,
            }),
        },
      ])
      counts.push([type, hosted.methods.filter((method) => method === 'eth_call').length])
    }
    expect(counts.filter(([, count]) => Number(count) > 2)).toEqual([])
  })
})
