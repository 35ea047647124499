import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { describeEachStore } from '../testing/describeEachStore.ts'
import { dumpTables } from '../testing/dumpTables.ts'
import { indexTestChain } from '../testing/indexTestChain.ts'
import { testChainConfig } from '../testing/testChainConfig.ts'
import { testAddress } from '../testing/seedChain.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { HandmadeChain, type HandmadeEvent } from '../testing/HandmadeChain.ts'

const tokens = [1, 2, 3].map((number) => testAddress(0x100 + number))
const [weth = '0x'] = tokens
const factory = testAddress(0x200)
const pools = [1, 2].map((number) => testAddress(0x300 + number))
const holders = [0, 1, 2, 3].map(testAddress)
const finalityDepth = 8

const amount = fc.oneof(fc.bigInt(0n, 5n), fc.bigInt(0n, 2n ** 256n - 1n))
const token = fc.constantFrom(...tokens)
const holder = fc.constantFrom(...holders)
const pool = fc.constantFrom(...pools)
const event: fc.Arbitrary<HandmadeEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('transfer'),
      token,
      from: holder,
      to: holder,
      amount,
    }),
  },
  fc.record({ type: fc.constantFrom('deposit', 'withdrawal'), token, account: holder, amount }),
  fc.record({
    type: fc.constant('pair'),
    factory: fc.constantFrom(factory, testAddress(0x201)),
    token0: token,
    token1: token,
    pool,
  }),
  fc.record({ type: fc.constant('sync'), pool, reserve0: amount, reserve1: amount }),
)
const blocks = (minLength: number, maxLength: number) =>
  fc.array(fc.array(event, { maxLength: 4 }), { minLength, maxLength })

/** What the ledger must be: every event of every block, one after the other. */
function expectedBalances(chain: HandmadeChain): Record<string, bigint> {
  const balances: Record<string, bigint> = {}
  const add = (account: string, of: string, delta: bigint) => {
    const key = `${account} ${of}`
    if (account !== testAddress(0)) balances[key] = (balances[key] ?? 0n) + delta
  }
  for (const event of chain.blocks.flatMap(({ events }) => events)) {
    if (event.type === 'transfer') {
      add(event.from, event.token, -event.amount)
      add(event.to, event.token, event.amount)
    }
    if (event.type === 'deposit' && event.token === weth) add(event.account, weth, event.amount)
    if (event.type === 'withdrawal' && event.token === weth) add(event.account, weth, -event.amount)
  }
  return Object.fromEntries(Object.entries(balances).filter(([, sum]) => sum !== 0n))
}

async function storedBalances({ db }: Store): Promise<Record<string, bigint>> {
  const rows = await db.selectFrom('balances').selectAll().where('amount', '!=', '0').execute()
  return Object.fromEntries(
    rows.map((row) => [`${toHex(row.holder)} ${toHex(row.token)}`, BigInt(row.amount)]),
  )
}

describeEachStore('ChainIndexer', (openTestStore) => {
  let node: Awaited<ReturnType<typeof startHandmadeNode>>
  beforeAll(async () => {
    node = await startHandmadeNode(new HandmadeChain())
  })
  afterAll(() => node.close())

  it('ends, after any reorgs, in the tables of a clean run of the winning chain', async () => {
    const world = fc.record({
      past: blocks(0, 30),
      turns: fc.array(fc.record({ depth: fc.nat(finalityDepth), blocks: blocks(1, 12) }), {
        maxLength: 5,
      }),
    })
    await fc.assert(
      fc.asyncProperty(world, async ({ past, turns }) => {
        const chain = new HandmadeChain()
        for (const events of past) chain.mine(events)
        node.chain = chain
        const config = testChainConfig(1, {
          pollIntervalMs: 10,
          rpcUrls: [node.url],
          wrappedNative: weth,
          uniswapV2Factories: [factory],
          finalityDepth,
        })
        const store = await openTestStore()
        const indexer = indexTestChain(store, config)
        await indexer.reaches(chain.head.hash)
        let highest = chain.head.number
        for (const turn of turns) {
          // Blocks that were once final stay, also when the chain has become shorter.
          const deepest = chain.head.number - Math.max(0, highest - finalityDepth)
          chain.reorg(Math.min(turn.depth, deepest), turn.blocks)
          highest = Math.max(highest, chain.head.number)
          await indexer.reaches(chain.head.hash)
        }
        await indexer.stop()
        const followed = await dumpTables(store)
        expect(await storedBalances(store)).toEqual(expectedBalances(chain))

        await openTestStore()
        const clean = indexTestChain(store, config)
        await clean.reaches(chain.head.hash)
        await clean.stop()
        const expected = await dumpTables(store)
        if (highest > chain.head.number) delete followed['undo_balances']
        expect(expected).toMatchObject(followed)
      }),
      { numRuns: 12 },
    )
  }, 120_000)
})
