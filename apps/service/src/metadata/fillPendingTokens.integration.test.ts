import { encodeAbiParameters, numberToHex, stringToHex, toFunctionSelector } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { FakeChain } from '../../test/FakeChain.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { FakeNodeCrash, FakeNodeError, startFakeNode } from '../../test/startFakeNode.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { fromHex, toHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { fillPendingTokens } from './fillPendingTokens.ts'

const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const whole = (value: number) => numberToHex(value, { size: 32 })
const selector = {
  name: toFunctionSelector('name()'),
  symbol: toFunctionSelector('symbol()'),
  decimals: toFunctionSelector('decimals()'),
}
const reverts = new FakeNodeError(3, 'execution reverted')

/** The results of contracts, by address and selector; other calls revert. */
const contracts: Record<string, Record<string, string>> = {
  [testAddress(1)]: {
    [selector.name]: text('Dollar'),
    [selector.symbol]: text('USD'),
    [selector.decimals]: whole(6),
  },
  [testAddress(2)]: {
    [selector.name]: stringToHex('Maker', { size: 32 }),
    [selector.symbol]: stringToHex('MKR', { size: 32 }),
    [selector.decimals]: whole(18),
  },
  [testAddress(3)]: { [selector.symbol]: text('\u0000ODD'), [selector.decimals]: whole(300) },
  [testAddress(4)]: {},
  [testAddress(5)]: { [selector.name]: '0x', [selector.symbol]: '0x', [selector.decimals]: '0x' },
}

describeEachStore('fillPendingTokens', (openTestStore) => {
  let node: Awaited<ReturnType<typeof startFakeNode>>
  const callContract: typeof node.transformResult = (method, params, result) => {
    if (method !== 'eth_call') {
      return result
    }
    const { to, data } = params[0] as { to: string; data: string }
    const value = contracts[to]?.[data]
    if (value === undefined) {
      throw reverts
    }
    return value
  }
  beforeEach(async () => {
    node = await startFakeNode(new FakeChain())
    node.transformResult = callContract
  })
  afterEach(() => node.close())

  async function seed(): Promise<Store> {
    const store = await openTestStore()
    const tokens = Object.keys(contracts).map((address) => ({ address }))
    await seedChain(store.db, { chainId: 1, blocks: { 0: 0 }, tokens })
    await store.db
      .updateTable('tokens')
      .set({ metadata: 'pending', name: null, symbol: null, decimals: null })
      .execute()
    return store
  }

  const read = async ({ db }: Store) => {
    const rows = await db.selectFrom('tokens').selectAll().orderBy('address').execute()
    return rows.map(({ address, metadata, name, symbol, decimals }) => [
      Number(toHex(address)),
      metadata,
      name,
      symbol,
      decimals,
    ])
  }

  it('reads the metadata of contracts, without unusable values', async () => {
    const store = await seed()
    const chainNode = new ChainNode([node.url])
    expect(await fillPendingTokens(store.db, chainNode, 1)).toBe(5)
    expect(await read(store)).toEqual([
      [1, 'read', 'Dollar', 'USD', 6],
      [2, 'read', 'Maker', 'MKR', 18],
      [3, 'read', null, 'ODD', null],
      [4, 'failed', null, null, null],
      [5, 'failed', null, null, null],
    ])
    expect(await fillPendingTokens(store.db, chainNode, 1)).toBe(0)
  })

  it('leaves out names of megabytes, which many contracts would return together', async () => {
    const store = await seed()
    const long = text('x'.repeat(1_000_000))
    node.transformResult = (method, params, result) => {
      const { data } = (params[0] ?? {}) as { data?: string }
      return data === selector.name ? long : callContract(method, params, result)
    }
    expect(await fillPendingTokens(store.db, new ChainNode([node.url]), 1)).toBe(5)
    expect((await read(store)).slice(0, 2)).toEqual([
      [1, 'read', null, 'USD', 6],
      [2, 'read', null, 'MKR', 18],
    ])
  })

  it('reads a contract again that emitted events of another standard meanwhile', async () => {
    const { db } = await seed()
    const address = fromHex(testAddress(1))
    const nodes = new ChainNode([node.url])
    const multicall = nodes.multicall.bind(nodes)
    nodes.multicall = async (...args) => {
      const results = await multicall(...args)
      // As the indexer does at the first event of an NFT.
      await db.updateTable('tokens').set({ events: 2 }).where('address', '=', address).execute()
      return results
    }
    await fillPendingTokens(db, nodes, 1)
    const load = () =>
      db
        .selectFrom('tokens')
        .select(['metadata', 'standard'])
        .where('address', '=', address)
        .executeTakeFirst()
    expect(await load()).toEqual({ metadata: 'pending', standard: 20 })
    await fillPendingTokens(db, nodes, 1)
    expect(await load()).toMatchObject({ metadata: 'read' })
  })

  it('reads a contract again whose first block was replaced meanwhile, as another one may have its address', async () => {
    const { db } = await seed()
    const nodes = new ChainNode([node.url])
    const multicall = nodes.multicall.bind(nodes)
    nodes.multicall = async (...args) => {
      const results = await multicall(...args)
      await db
        .updateTable('blocks')
        .set({ hash: fromHex('0x12') })
        .execute()
      return results
    }
    const load = () =>
      db
        .selectFrom('tokens')
        .select(['metadata', 'decimals'])
        .where('address', '=', fromHex(testAddress(1)))
        .executeTakeFirst()
    await fillPendingTokens(db, nodes, 1)
    expect(await load()).toEqual({ metadata: 'pending', decimals: null })
    await fillPendingTokens(db, nodes, 1)
    expect(await load()).toEqual({ metadata: 'read', decimals: 6 })
  })

  it('reads no balances before the initial sync is complete, as no index has them by token', async () => {
    const { db } = await seed()
    await db.updateTable('chains').set({ synced_at: null }).execute()
    await db.schema.alterTable('balances').renameTo('elsewhere').execute()
    try {
      expect(await fillPendingTokens(db, new ChainNode([node.url]), 1)).toBe(5)
    } finally {
      await db.schema.alterTable('elsewhere').renameTo('balances').execute()
    }
    const { metadata_version } = await db
      .selectFrom('chains')
      .select('metadata_version')
      .executeTakeFirstOrThrow()
    expect(metadata_version).toBe(1)
  })

  it('leaves tokens pending while the node is unavailable', async () => {
    const store = await seed()
    node.status = 503
    await expect(fillPendingTokens(store.db, new ChainNode([node.url]), 1)).rejects.toThrow()
    expect((await read(store)).map(([, metadata]) => metadata)).toEqual(Array(5).fill('pending'))
  })

  it.each([
    [-32603, 'internal error'],
    [-32000, 'header not found'],
    [-32000, 'missing trie node 1a2b (path ) state is not available'],
  ])('leaves tokens pending when the node fails with %i %s', async (code, message) => {
    const store = await seed()
    const chainNode = new ChainNode([node.url], { retryDelayMs: 1 })
    node.transformResult = (method, _params, result) => {
      if (method !== 'eth_call') {
        return result
      }
      throw new FakeNodeError(code, message)
    }
    for (let run = 0; run < 2; run++) {
      await expect(fillPendingTokens(store.db, chainNode, 1)).rejects.toThrow(message)
    }
    expect((await read(store)).map(([, metadata]) => metadata)).toEqual(Array(5).fill('pending'))
    node.transformResult = callContract
    while ((await fillPendingTokens(store.db, chainNode, 1)) > 0) {
      // Until no token is pending.
    }
    expect((await read(store)).slice(0, 3)).toEqual([
      [1, 'read', 'Dollar', 'USD', 6],
      [2, 'read', 'Maker', 'MKR', 18],
      [3, 'read', null, 'ODD', null],
    ])
  })

  it.each([
    [3, 'execution reverted: no'],
    [-32000, 'execution reverted'],
    [-32603, 'VM Exception while processing transaction: revert'],
  ])('treats %i %s as a revert of the contract', async (code, message) => {
    const store = await seed()
    node.transformResult = (method, _params, result) => {
      if (method !== 'eth_call') {
        return result
      }
      throw new FakeNodeError(code, message)
    }
    expect(await fillPendingTokens(store.db, new ChainNode([node.url]), 1)).toBe(5)
    expect((await read(store)).map(([, metadata]) => metadata)).toEqual(Array(5).fill('failed'))
  })

  it('calls at the latest block of the node, and skips newer tokens', async () => {
    const store = await seed()
    await store.db.updateTable('tokens').set({ first_block: 1 }).execute()
    const chainNode = new ChainNode([node.url])
    expect(await fillPendingTokens(store.db, chainNode, 1)).toBe(0)
    node.chain.mine([])
    expect(await fillPendingTokens(store.db, chainNode, 1)).toBe(5)
    expect(node.rpcRequests.at(-1)?.params[1]).toEqual({ blockHash: node.chain.head.hash })
  })

  describe('with tokens whose calls make the node fail', () => {
    const hostile = new Set<string>()
    const fails = new FakeNodeError(-32603, 'internal error')
    beforeEach(() => {
      hostile.clear()
      node.transformResult = (method, params, result) => {
        if (method === 'eth_call' && hostile.has((params[0] as { to: string }).to)) {
          throw fails
        }
        return callContract(method, params, result)
      }
    })
    const statesOf = async (store: Store) =>
      Object.fromEntries((await read(store)).map(([address, metadata]) => [address, metadata]))
    const settled = { 2: 'read', 3: 'read', 4: 'failed', 5: 'failed' }

    it('writes the metadata of the others', async () => {
      const store = await seed()
      hostile.add(testAddress(1))
      expect(await fillPendingTokens(store.db, new ChainNode([node.url]), 1)).toBe(4)
      expect(await statesOf(store)).toEqual({ 1: 'pending', ...settled })
    })

    it('calls tokens one by one after a request of several failed', async () => {
      const store = await seed()
      const chainNode = new ChainNode([node.url])
      hostile.add(testAddress(1))
      const { transformResult } = node
      node.transformResult = (...call) => {
        try {
          return transformResult(...call)
        } catch (error) {
          throw error === fails ? new FakeNodeCrash() : error
        }
      }
      await expect(fillPendingTokens(store.db, chainNode, 1)).rejects.toThrow('eth_call')
      expect(await fillPendingTokens(store.db, chainNode, 1)).toBe(4)
      expect(await statesOf(store)).toEqual({ 1: 'pending', ...settled })
    })

    it('reads new tokens before them', async () => {
      const store = await seed()
      const many = Array.from({ length: 120 }, (_, index) => testAddress(1000 + index))
      for (const address of many) {
        hostile.add(address)
      }
      await store.db.updateTable('tokens').set({ first_block: 1 }).execute()
      await store.db
        .insertInto('tokens')
        .values(
          many.map((address, index) => ({
            chain_id: 1,
            id: 1000 + index,
            address: fromHex(address),
            standard: 20 as const,
            first_block: 0,
            metadata: 'pending' as const,
          })),
        )
        .execute()
      node.chain.mine([])
      const chainNode = new ChainNode([node.url])
      for (let run = 0; run < 4; run++) {
        await fillPendingTokens(store.db, chainNode, 1).catch(() => {})
      }
      expect(await statesOf(store)).toMatchObject({ 1: 'read', ...settled })
    })

    it('fails a token after repeated failures while the calls of others succeed', async () => {
      const store = await seed()
      const chainNode = new ChainNode([node.url])
      hostile.add(testAddress(1))
      await fillPendingTokens(store.db, chainNode, 1)
      for (let run = 0; run < 12; run++) {
        await expect(fillPendingTokens(store.db, chainNode, 1)).rejects.toThrow('internal error')
      }
      expect((await statesOf(store))[1]).toBe('pending')
      for (let run = 0; run < 10; run++) {
        await store.db
          .updateTable('tokens')
          .set({ metadata: 'pending', attempts: 0 })
          .where('address', '=', fromHex(testAddress(2)))
          .execute()
        await fillPendingTokens(store.db, chainNode, 1)
      }
      expect(await statesOf(store)).toEqual({ 1: 'failed', ...settled })
      expect(await fillPendingTokens(store.db, chainNode, 1)).toBe(0)
    })
  })
})
