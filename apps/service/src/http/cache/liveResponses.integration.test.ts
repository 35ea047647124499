import fc from 'fast-check'
import { sql } from 'kysely'
import { numberToHex, zeroAddress } from 'viem'
import { expect, it, onTestFinished, vi } from 'vitest'
import { buildUrl, operations } from '@headwater/contract'
import { arbitraryBlocks, arbitraryWorld } from '../../../test/arbitraryBlocks.ts'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { FakeChain, type FakeEvent } from '../../../test/FakeChain.ts'
import { itemTransfer, nftSold, nftTransfer } from '../../../test/fakeEvents.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { openEvents } from '../../../test/readEvents.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { startIndexedChain } from '../../../test/startIndexedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { writeTokenMetadata } from '../../metadata/writeTokenMetadata.ts'
import type { Store } from '../../store/Store.ts'

const { contracts, weth, factory, marketplace, holders } = arbitraryWorld
const chainId = 7
const [usd, token] = contracts.slice(1) as [`0x${string}`, `0x${string}`]
const behaviour = { supports721: false, supports1155: false, hasOwners: false, events: 1 }

const mint = { type: 'transfer', from: holders[0], to: testAddress(1), amount: 5n } as const
/** Pools of a token and of the wrapped native one. */
const pools = { [token]: testAddress(0x333), [weth]: testAddress(0x334) }
/** An event that changes the price of a token, in hundredths of a USD. */
const trade = (traded: string, cents: number): FakeEvent => ({
  type: 'sync',
  pool: pools[traded] ?? zeroAddress,
  reserve0: BigInt(cents) * 10n ** 23n,
  reserve1: 10n ** 25n,
})
/** Of an NFT that is sold. */
const collection = testAddress(0x500)
/** A block with a wallet of tokens with prices, and of an NFT. */
const firstBlock: FakeEvent[] = [
  nftTransfer(collection, mint, 1n),
  ...[usd, token, weth].map((minted) => ({ ...mint, token: minted })),
  ...[token, weth].flatMap((traded) => [
    {
      type: 'pair',
      factory,
      token0: usd,
      token1: traded,
      pool: pools[traded] ?? zeroAddress,
    } as const,
    trade(traded, 80),
  ]),
]

/** All requests whose responses the blocks may change. */
const paths = [
  ...holders
    .slice(1)
    .flatMap((address) => [
      buildUrl(operations.balances, { address }),
      buildUrl(operations.collectibles, { address }),
      buildUrl(operations.tokenBalance, { address, tokenAddress: token, chainIds: [chainId] }),
    ]),
  ...contracts.flatMap((address) => [
    buildUrl(operations.tokenInfo, { address, chainIds: [chainId] }),
    buildUrl(operations.tokenHolders, { address, chainId }),
  ]),
]

/** More seeds and steps find more: `LIVE_SEED=2 LIVE_STEPS=20`. */
const stepCount = Number(process.env['LIVE_STEPS'] ?? 2)

const extension = fc.record({ blocks: arbitraryBlocks(1, 2), depth: fc.constant(0) })
const replacement = fc.record({ blocks: arbitraryBlocks(2, 3), depth: fc.constantFrom(1, 2) })
const tradedBlock = fc
  .tuple(fc.constantFrom(token, weth), fc.integer({ min: 1, max: 95 }))
  .map(([traded, cents]) => ({ blocks: [[trade(traded, cents)]], depth: 0 }))
const soldBlock = fc
  .bigInt(1n, 10n ** 18n)
  .map((price) => ({ blocks: [[nftSold(marketplace, collection, 1n, price)]], depth: 0 }))
const description = fc.record({
  contract: fc.constantFrom(usd, token),
  decimals: fc.constantFrom(0, 6),
})
/**
 * Steps of a chain: blocks that extend it, or that replace as many of its latest, trades, sales of an NFT, and metadata of a
 * token. Each kind at least once.
 */
const arbitrarySteps = fc
  .tuple(
    fc.tuple(tradedBlock, extension, soldBlock, description, tradedBlock, replacement),
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: extension },
        replacement,
        tradedBlock,
        soldBlock,
        description,
      ),
      {
        minLength: stepCount,
        maxLength: stepCount,
      },
    ),
  )
  .map(([each, more]) => [...each, ...more])

const read = async (response: Response) => {
  const { request_time, response_time, request_id, ...body } = (await response.json()) as Record<
    string,
    unknown
  >
  return {
    status: response.status,
    block: response.headers.get('x-block-numbers'),
    body,
  }
}

const epochs = [
  // Prices also depend on time: all are found again for each block, and compared.
  ['an epoch per block', 0, false],
  // Without a window, those that are carried equal those that are found again.
  ['a single epoch', 10_000, false],
  ['a stablecoin that lost its peg', 10_000, true],
] as const

it.each(epochs)(
  'equals a fresh response at the same block, with %s',
  async (_, epochSeconds, isDepegged) => {
    const seed = Number(process.env['LIVE_SEED'] ?? 1)
    const [steps = []] = fc.sample(arbitrarySteps, { numRuns: 1, seed })
    const chain = new FakeChain()
    chain.mine(firstBlock)
    const node = await startFakeNode(chain, chainId)
    const store = await openSharedStore('pglite')
    const config = testChainConfig(chainId, {
      rpcUrls: [node.url],
      wrappedNative: weth,
      stablecoins: isDepegged ? [usd, token] : [usd],
      uniswapV2Factories: [factory],
      uniswapV3Factories: [factory],
      marketplaces: [marketplace],
      pollIntervalMs: 10,
      verify: 'basic',
    })
    node.transformResult = (method, params, result) => {
      const subject = params[0] as string
      return method === 'eth_getBalance'
        ? numberToHex(BigInt(subject) + BigInt(Math.floor(chain.head.number / 4)))
        : method === 'eth_call'
          ? numberToHex(10n ** 9n, { size: 32 })
          : result
    }
    const indexer = indexTestChain(store, config)
    onTestFinished(async () => {
      await indexer.stop()
      await node.close()
    })
    await indexer.reaches(chain.head.hash)
    const describe = async (contract: string, decimals: number) => {
      const texts = { name: `of ${decimals}`, symbol: 'T', decimals }
      const row = { token: contract, ...texts, ...behaviour, firstHash: null }
      await writeTokenMetadata(store.db, chainId, [row], [])
    }
    for (const contract of [usd, token]) {
      await describe(contract, 18)
    }
    const prices = { epochSeconds, minChange: 0.000001 }
    const { counted, store: observed } = countReads(store)
    const live = await startTestService(observed, [config], { prices })
    // The wallets that blocks change are read before they are published.
    const followed = holders.slice(1).map((holder) => `${chainId}:${holder}`)
    const stream = await openEvents(live, `wallets=${followed.join()}`)
    onTestFinished(() => stream.cut())
    let reused = 0
    let depegs = 0
    for (const step of steps) {
      if ('contract' in step) {
        await describe(step.contract, step.decimals)
      } else {
        if (step.depth === 0) {
          step.blocks.forEach((events) => chain.mine(events))
        } else {
          chain.reorg(Math.min(step.depth, chain.blocks.length - 2), step.blocks)
        }
        await indexer.reaches(chain.head.hash)
      }
      const fresh = await startTestService(store, [config])
      for (const path of paths) {
        const readsBefore = counted.reads
        const response = await read(await live.fetch(path))
        reused += counted.reads === readsBefore ? 1 : 0
        depegs += JSON.stringify(response.body).includes('"DEPEGGED"') ? 1 : 0
        expect({ path, ...response }).toEqual({
          path,
          ...(await read(await fresh.fetch(path))),
        })
      }
    }
    expect(reused).toBeGreaterThan(steps.length)
    expect(depegs > 0).toBe(isDepegged)
  },
  120_000,
)

it('reads nothing for a wallet with changed amounts, nor for a followed one with a new token once that is delivered', async () => {
  const chain = new FakeChain()
  const holder = holders[1] as `0x${string}`
  chain.mine([{ ...mint, token: usd, to: holder }])
  const store = await openSharedStore('pglite')
  const config = await startIndexedChain(store, chain, chainId)
  const { counted, store: observed } = countReads(store)
  const prices = { epochSeconds: 10_000, minChange: 0.000001 }
  const service = await startTestService(observed, [config], { prices })
  const path = buildUrl(operations.balances, { address: holder })
  await service.fetch(path)
  const transferWithoutReads = async (
    transferred: `0x${string}`,
    waitUntilServed: () => Promise<void>,
  ) => {
    chain.mine([{ ...mint, token: transferred, to: holder }])
    await waitUntilServed()
    const readsBefore = counted.reads
    const response = await service.fetch(path)
    expect(response.headers.get('x-block-numbers')).toBe(`${chainId}=${chain.head.number}`)
    expect(counted.reads).toBe(readsBefore)
    const { balances } = (await response.json()) as {
      balances: { address: string; amount: string }[]
    }
    return balances.find(({ address }) => address === transferred)?.amount
  }
  const supply = buildUrl(operations.tokenInfo, { address: usd, chainIds: [chainId] })
  const untilServed = async () => {
    const isServed = async () => {
      const blocks = (await service.fetch(supply)).headers.get('x-block-numbers')
      expect(blocks).toBe(`${chainId}=${chain.head.number}`)
    }
    await vi.waitFor(isServed, { timeout: 60_000 })
    // The response may have been read before its block was published, which the next request waits for.
    await service.fetch(supply)
  }
  expect(await transferWithoutReads(usd, untilServed)).toBe('10')
  const stream = await openEvents(service, `wallets=${chainId}:${holder}`)
  onTestFinished(() => stream.cut())
  await stream.next()
  const untilDelivered = async () => {
    let received = await stream.next()
    while (received && received.event.wallets === undefined) {
      received = await stream.next()
    }
    // A slow read is kept after the event. The embedded database executes it before this one.
    await sql`select`.execute(store.reader)
  }
  expect(await transferWithoutReads(token, untilDelivered)).toBe('5')
})

it('outdates the NFTs of other wallets when an event shows their standard', async () => {
  const chain = new FakeChain()
  const [, holder, other] = holders as [`0x${string}`, `0x${string}`, `0x${string}`]
  // By its first event, the contract has no standard of NFTs.
  chain.mine([{ ...mint, token }])
  const item = { tokenId: 1n, amount: 1n }
  chain.mine([itemTransfer(token, { from: zeroAddress, to: holder }, [item])])
  const store = await openSharedStore('pglite')
  const config = await startIndexedChain(store, chain, chainId)
  const service = await startTestService(store, [config])
  const path = buildUrl(operations.collectibles, { address: holder })
  const expectStandard = async (standard: string) => {
    const response = await service.fetch(path)
    expect(response.headers.get('x-block-numbers')).toBe(`${chainId}=${chain.head.number}`)
    expect(await response.json()).toMatchObject({ entries: [{ token_standard: standard }] })
  }
  await expectStandard('ERC1155')
  chain.mine([nftTransfer(token, { from: zeroAddress, to: other }, item.tokenId)])
  await vi.waitFor(() => expectStandard('ERC721'), { timeout: 60_000 })
})

/** Counts the snapshots that responses are computed from. */
function countReads(store: Store) {
  const counted = { reads: 0 }
  const reader = new Proxy(store.reader, {
    get(db, name) {
      counted.reads += name === 'transaction' ? 1 : 0
      const value = Reflect.get(db, name, db) as unknown
      return typeof value === 'function' ? (value.bind(db) as unknown) : value
    },
  })
  return { store: { ...store, reader }, counted }
}
