import { expect, it } from 'vitest'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { createPoolCache } from '../../pricing/fetchRoutes.ts'
import { NodePastPrices } from './NodePastPrices.ts'
import type { NodeSource } from './NodeSource.ts'
import type { TokenReader } from './TokenReader.ts'

it('finds past prices again after no node returned the decimals of a stablecoin', async () => {
  const { db } = await openSharedStore('pglite')
  const usd = testAddress(1)
  const chain = testChainConfig(1, { stablecoins: [usd] })
  const token = { name: undefined, symbol: undefined, decimals: 6 }
  const known: (typeof token)[] = []
  const tokens = { read: () => Promise.resolve(new Map([[usd, known[0]]])) }
  const toHeader = (number: number) => ({ number, hash: `0x${number}`, time: 3600 * number })
  const node = {
    multicall: () => Promise.resolve([]),
    getHeader: (number: number) => Promise.resolve(toHeader(number)),
    getBlockTimes: (numbers: readonly number[]) =>
      Promise.resolve(new Map(numbers.map((number) => [number, 3600 * number]))),
  } as unknown as NodeSource
  const past = new NodePastPrices(
    { chain, node, db, logger: { warn: (error: unknown) => expect.fail(String(error)) } },
    tokens as unknown as TokenReader,
    createPoolCache(),
  )
  const load = async () => {
    const [loaded] = await past.load([], { ...toHeader(100), metadataVersion: 0 }, [1])
    return [...(loaded?.prices.keys() ?? [])]
  }
  expect(await load()).toEqual([])
  known.push(token)
  expect(await load()).toEqual([usd])
})
