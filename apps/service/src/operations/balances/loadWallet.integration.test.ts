import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { requestBalances, wallet } from '../../../test/startWalletService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import { prepareReads } from '../../indexing/write/createReadIndexes.ts'

const { usd } = testTokens

describeEachStore('balances of a wallet that was sent very many tokens', (openTestStore) => {
  it('are priced up to 5,000 tokens of a chain, those that were there first; the others are listed unpriced', async () => {
    const store = await openTestStore()
    // As addresses go, the one without a price is amid the priced ones, and two that no pool trades are around them.
    const traded = Array.from({ length: 5001 }, (_, index) => testAddress(0x10_000 + index))
    const late = traded[2500]!
    const [first, last] = [testAddress(0x9_000), testAddress(0x90_000)]
    await seedChain(store.db, {
      chainId: 7,
      blocks: { 3: 1_700_000_000 },
      tokens: [...traded, first, last, usd].map((address) => ({
        address,
        decimals: 0,
        firstBlock: address === late ? 2 : 1,
      })),
      balances: [...traded, first, last].map((token, index) => ({
        holder: wallet,
        token,
        amount: BigInt(index + 1),
      })),
      pools: traded.map((token, index) => ({
        address: testAddress(0x100_000 + index),
        token0: usd,
        token1: token,
        states: { 1: [1000n, 1000n] },
      })),
    })
    // As when a first indexing is done: without statistics the planner plans much worse.
    await prepareReads(store.db)
    const service = await startTestService(store, [testChainConfig(7)])
    const listed: (readonly [string, number | undefined])[] = []
    let offset: string | undefined
    do {
      const cursor: string = offset ? `&offset=${offset}` : ''
      const page = await requestBalances(service, `filters=erc20&limit=999${cursor}`)
      listed.push(...page.balances.map(({ address, value_usd }) => [address, value_usd] as const))
      offset = page.next_offset
    } while (offset)
    const priced = traded
      .map((token, index) => [token, index + 1] as const)
      .filter(([token]) => token !== late)
    expect(listed).toEqual([
      ...priced.toReversed(),
      [first, undefined],
      [late, undefined],
      [last, undefined],
    ])
  })
})
