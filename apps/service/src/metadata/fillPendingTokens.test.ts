import { encodeAbiParameters, numberToHex, stringToHex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ChainNode } from '../rpc/ChainNode.ts'
import { toHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { describeEachStore } from '../testing/describeEachStore.ts'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { seedChain, testAddress } from '../testing/seedChain.ts'
import { HandmadeNodeError, startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { fillPendingTokens } from './fillPendingTokens.ts'

const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const whole = (value: number) => numberToHex(value, { size: 32 })
const selector = {
  name: toFunctionSelector('name()'),
  symbol: toFunctionSelector('symbol()'),
  decimals: toFunctionSelector('decimals()'),
}
const reverts = new HandmadeNodeError(3, 'execution reverted')

/** Contracts by address: what each answers, by selector; what is not there reverts. */
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
  let node: Awaited<ReturnType<typeof startHandmadeNode>>
  beforeAll(async () => {
    node = await startHandmadeNode(new HandmadeChain())
  })
  beforeEach(() => {
    node.status = undefined
    node.distort = (_method, [call]) => {
      const { to, data } = call as { to: string; data: string }
      const answer = contracts[to]?.[data]
      if (answer === undefined) throw reverts
      return answer
    }
  })
  afterAll(() => node.close())

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

  it('reads what contracts tell, and leaves out what is unusable', async () => {
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

  it('leaves tokens pending while the node is away or busy', async () => {
    const store = await seed()
    const chainNode = new ChainNode([node.url])
    node.status = 503
    await expect(fillPendingTokens(store.db, chainNode, 1)).rejects.toThrow('eth_call')
    node.status = undefined
    node.distort = () => {
      throw new HandmadeNodeError(-32005, 'limit exceeded')
    }
    await expect(fillPendingTokens(store.db, chainNode, 1)).rejects.toThrow('limit exceeded')
    expect((await read(store)).map(([, metadata]) => metadata)).toEqual(Array(5).fill('pending'))
  })
})
