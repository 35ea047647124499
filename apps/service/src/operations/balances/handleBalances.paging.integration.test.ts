import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import {
  requestBalances,
  chainEight,
  chainSeven,
  startWalletService,
  symbolsOf,
  wallet,
} from '../../../test/startWalletService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'

const { usd } = testTokens
const e18 = 10n ** 18n
const e6 = 10n ** 6n

describeEachStore('paging of balances', (openTestStore) => {
  it('returns every entry exactly once, in order, whatever the page size', async () => {
    const service = await startWalletService(await openTestStore())
    const all = await requestBalances(service, 'chain_ids=7,8')
    for (let limit = 1; limit <= all.balances.length + 1; limit++) {
      const paged: unknown[] = []
      let offset: string | undefined
      do {
        const cursor: string = offset ? `&offset=${offset}` : ''
        const page = await requestBalances(service, `chain_ids=7,8&limit=${limit}${cursor}`)
        expect(page.balances.length).toBeLessThanOrEqual(limit)
        paged.push(...page.balances)
        offset = page.next_offset
      } while (offset)
      expect(paged).toEqual(all.balances)
    }
  })

  it('returns an entry that does not change exactly once, whatever changes around it', async () => {
    const store = await openTestStore()
    await seedChain(store.db, chainEight)
    const service = await startTestService(store, [testChainConfig(7), testChainConfig(8)])
    const tokens = Array.from({ length: 8 }, (_, index) => testAddress(0x100 + index))
    // Prices move by moving what a wallet has: the value is the key of the order.
    const amount = fc.bigInt({ min: 0n, max: 5n })
    const world = fc.array(amount, { minLength: tokens.length, maxLength: tokens.length })
    let head = 3
    const seed = (amounts: bigint[]) =>
      seedChain(store.db, {
        ...chainSeven,
        blocks: { ...chainSeven.blocks, [++head]: 1_700_000_000 + head * 3600 },
        tokens: [{ address: usd, decimals: 6 }, ...tokens.map((address) => ({ address }))],
        balances: tokens.map((token, index) => ({
          holder: wallet,
          token,
          amount: (amounts[index] ?? 0n) * e18,
        })),
        // The last two are unpriced.
        pools: tokens.slice(0, -2).map((token, index) => ({
          address: testAddress(0x200 + index),
          token0: usd,
          token1: token,
          states: { 1: [e6, e18] as const },
        })),
      })
    await fc.assert(
      fc.asyncProperty(fc.array(world, { minLength: 2, maxLength: 4 }), async (worlds) => {
        const seen = new Map<string, number>()
        let offset: string | undefined
        for (let page = 0; page === 0 || offset; page++) {
          await seed(worlds[Math.min(page, worlds.length - 1)] ?? [])
          const cursor: string = offset ? `&offset=${offset}` : ''
          const answer = await requestBalances(
            service,
            `chain_ids=7&filters=erc20&limit=2${cursor}`,
          )
          for (const { address } of answer.balances) {
            seen.set(address, (seen.get(address) ?? 0) + 1)
          }
          offset = answer.next_offset
        }
        for (const [index, token] of tokens.entries()) {
          const amounts = new Set(worlds.map((amounts) => amounts[index]))
          if (amounts.size === 1) {
            expect(seen.get(token) ?? 0).toBe(amounts.has(0n) ? 0 : 1)
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  it('answers the first page to a cursor that is not of this listing', async () => {
    const service = await startWalletService(await openTestStore())
    const first = await requestBalances(service, 'limit=2')
    const offset = first.next_offset ?? ''
    expect(symbolsOf(await requestBalances(service, `limit=2&offset=${offset}`))).toEqual([
      'ETH',
      'DUST',
    ])
    // A larger page, other details and another way to name the same chains go on.
    for (const query of ['limit=1', 'historical_prices=1', 'metadata=logo', 'chain_ids=odd']) {
      expect(symbolsOf(await requestBalances(service, `${query}&offset=${offset}`))[0]).toBe('ETH')
    }
    for (const query of [
      'offset=made-up',
      'offset=',
      `offset=${offset.slice(0, -1)}`,
      `offset=${offset}&filters=erc20`,
      `offset=${offset}&exclude_spam_tokens=true`,
      `offset=${offset}&chain_ids=7,8`,
    ]) {
      expect(symbolsOf(await requestBalances(service, `limit=1&${query}`))).toEqual(['USD'])
    }
    const other = await requestBalances(service, `offset=${offset}`, testAddress(0xbb))
    expect(symbolsOf(other)).toEqual(['DEEP'])
  })

  it('returns 1000 entries a page by default and at most', async () => {
    const store = await openTestStore()
    const tokens = Array.from({ length: 1001 }, (_, index) => testAddress(0x1000 + index))
    await seedChain(store.db, {
      chainId: 7,
      blocks: { 3: 1_700_000_000 },
      tokens: [...tokens, usd].map((address) => ({ address, decimals: 0 })),
      balances: [usd, ...tokens].map((token) => ({ holder: wallet, token, amount: 1n })),
    })
    const service = await startTestService(store, [testChainConfig(7)])
    for (const query of ['', 'limit=1000', 'limit=1001', 'limit=99999999999999999999']) {
      const first = await requestBalances(service, `filters=erc20&${query}`)
      const addresses = first.balances.map(({ address }) => address)
      expect(addresses).toEqual([usd, ...tokens.slice(0, 999)])
      const rest = await requestBalances(
        service,
        `filters=erc20&${query}&offset=${first.next_offset}`,
      )
      expect(rest.balances.map(({ address }) => address)).toEqual(tokens.slice(999))
      expect(rest).not.toHaveProperty('next_offset')
    }
  })
})
