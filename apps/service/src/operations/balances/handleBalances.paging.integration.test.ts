import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import {
  chainSeven,
  requestBalances,
  startWalletService,
  symbolsOf,
  wallet,
} from '../../../test/startWalletService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import { prepareReads } from '../../indexing/write/createReadIndexes.ts'

const { usd } = testTokens
const e18 = 10n ** 18n
const e6 = 10n ** 6n

/** All entries of a listing, page by page. */
async function fetchPages(service: TestService, query: string) {
  const pages: Awaited<ReturnType<typeof requestBalances>>['balances'][] = []
  let offset: string | undefined = ''
  while (offset !== undefined) {
    const page: Awaited<ReturnType<typeof requestBalances>> = await requestBalances(
      service,
      `${query}&offset=${offset}`,
    )
    pages.push(page.balances)
    offset = page.next_offset
  }
  return pages
}

describeEachStore('paging of balances', (openTestStore) => {
  const getService = shareFixture(async () => await startWalletService(await openTestStore()))

  it('returns every entry exactly once and in order, with any page size', async () => {
    const service = getService()
    const all = await requestBalances(service, 'chain_ids=7,8')
    expect(all.balances).toHaveLength(9)
    for (const limit of [1, 3, 8, 9, 10]) {
      const pages = await fetchPages(service, `chain_ids=7,8&limit=${limit}`)
      expect(pages.map(({ length }) => length).slice(0, -1)).toEqual(
        Array.from({ length: Math.ceil(9 / limit) - 1 }, () => limit),
      )
      expect(pages.flat()).toEqual(all.balances)
    }
  })

  it('returns the first page for a cursor of another listing', async () => {
    const service = getService()
    const first = await requestBalances(service, 'limit=2')
    const offset = first.next_offset ?? ''
    expect(symbolsOf(await requestBalances(service, `limit=2&offset=${offset}`))).toEqual([
      'ETH',
      'DUST',
    ])
    // Page size, extra fields and the notation of the chains do not change the listing.
    for (const query of ['limit=1', 'historical_prices=1', 'metadata=logo', 'chain_ids=odd']) {
      expect(symbolsOf(await requestBalances(service, `${query}&offset=${offset}`))[0]).toBe('ETH')
    }
    for (const query of [
      'offset=invented',
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

  it('returns an unchanged entry exactly once while others change', async () => {
    const { store } = getService()
    const service = await startTestService(store, [testChainConfig(9)])
    const tokens = Array.from({ length: 8 }, (_, index) => testAddress(0x100 + index))
    // Amounts change instead of prices: both change the value, which is the sort key.
    const amount = fc.bigInt({ min: 0n, max: 5n })
    const states = fc.array(amount, { minLength: tokens.length, maxLength: tokens.length })
    let head = 3
    const seed = (amounts: bigint[]) =>
      seedChain(store.db, {
        chainId: 9,
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
      fc.asyncProperty(fc.array(states, { minLength: 2, maxLength: 4 }), async (states) => {
        const counts = new Map<string, number>()
        let offset: string | undefined
        for (let page = 0; page === 0 || offset; page++) {
          await seed(states[Math.min(page, states.length - 1)] ?? [])
          const cursor: string = offset ? `&offset=${offset}` : ''
          const body = await requestBalances(service, `filters=erc20&limit=2${cursor}`)
          for (const { address } of body.balances) {
            counts.set(address, (counts.get(address) ?? 0) + 1)
          }
          offset = body.next_offset
        }
        for (const [index, token] of tokens.entries()) {
          const amounts = new Set(states.map((amounts) => amounts[index]))
          if (amounts.size === 1) {
            expect(counts.get(token) ?? 0).toBe(amounts.has(0n) ? 0 : 1)
          }
        }
      }),
      { numRuns: 10 },
    )
  })

  it('returns 1000 entries a page by default and at most', async () => {
    const { store } = getService()
    const tokens = Array.from({ length: 1001 }, (_, index) => testAddress(0x1000 + index))
    await seedChain(store.db, {
      chainId: 9,
      blocks: { 3: 1_700_000_000 },
      tokens: [...tokens, usd].map((address) => ({ address, decimals: 0 })),
      balances: [usd, ...tokens].map((token) => ({ holder: wallet, token, amount: 1n })),
    })
    const service = await startTestService(store, [testChainConfig(9)])
    for (const query of ['', '&limit=1001']) {
      const pages = await fetchPages(service, `filters=erc20${query}`)
      const addresses = pages.map((page) => page.map(({ address }) => address))
      expect(addresses).toEqual([[usd, ...tokens.slice(0, 999)], tokens.slice(999)])
    }
    const { balances } = await requestBalances(service, 'filters=erc20&limit=99999999999999999999')
    expect(balances).toHaveLength(1000)
  })

  it('prices the 5,000 oldest tokens of a wallet on a chain, and lists the others unpriced', async () => {
    const { store } = getService()
    // By address, the latest token is between the priced ones, and two without a pool are around them.
    const traded = Array.from({ length: 5001 }, (_, index) => testAddress(0x10_000 + index))
    const latest = traded[2500]!
    const first = testAddress(0x9_000)
    const last = testAddress(0x90_000)
    await seedChain(store.db, {
      chainId: 9,
      blocks: { 3: 1_700_000_000 },
      tokens: [...traded, first, last, usd].map((address) => ({
        address,
        decimals: 0,
        firstBlock: address === latest ? 2 : 1,
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
    // As after the initial indexing: without statistics the plans are much slower.
    await prepareReads(store.db, 9)
    const service = await startTestService(store, [testChainConfig(9)])
    const pages = await fetchPages(service, 'filters=erc20&limit=999')
    const listed = pages.flat().map(({ address, value_usd }) => [address, value_usd])
    const priced = traded
      .map((token, index) => [token, index + 1] as const)
      .filter(([token]) => token !== latest)
    expect(listed).toEqual([
      ...priced.toReversed(),
      [first, undefined],
      [latest, undefined],
      [last, undefined],
    ])
  })
})
