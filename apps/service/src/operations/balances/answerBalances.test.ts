import { type BalancesResponse, isBalance, isBalancesResponse } from '@headwater/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { writeTokenMetadata } from '../../metadata/writeTokenMetadata.ts'
import { fromHex } from '../../store/hex.ts'
import type { Store } from '../../store/Store.ts'
import { describeEachStore } from '../../testing/describeEachStore.ts'
import { seedChain, type SeededChain, testAddress, testBlockHash } from '../../testing/seedChain.ts'
import { startBalanceNode } from '../../testing/startBalanceNode.ts'
import { startTestService, type TestService } from '../../testing/startTestService.ts'
import { testChainConfig, testTokens } from '../../testing/testChainConfig.ts'

const { usd, weth } = testTokens
const [deep, shallow, dust, unpriced, blank] = [0x30, 0x40, 0x50, 0x60, 0x70].map(testAddress) as [
  string,
  string,
  string,
  string,
  string,
]
const wallet = '0x00000000000000000000000000000000000000ab'
const e18 = 10n ** 18n
const e6 = 10n ** 6n
const hour = 3600
const start = 1_700_000_000

/** Block 3 is the head. WETH was at 1000 USD and is at 2000. */
const seven: SeededChain = {
  chainId: 7,
  blocks: { 0: start, 1: start + hour, 2: start + 2 * hour, 3: start + 3 * hour },
  tokens: [
    { address: usd, symbol: 'USD', name: 'Dollar', decimals: 6 },
    { address: weth, symbol: 'WETH', name: 'Wrapped Ether' },
    { address: deep, symbol: 'DEEP', name: 'Deep', decimals: 8 },
    { address: shallow, symbol: 'SHL', name: 'Shallow' },
    { address: dust, symbol: 'DUST', name: 'Dust', decimals: 0 },
    { address: unpriced, symbol: 'NONE', name: 'Unpriced' },
    { address: blank, decimals: null },
  ],
  balances: [
    { holder: wallet, token: usd, amount: 1500n * e6 },
    { holder: wallet, token: weth, amount: e18 / 2n },
    { holder: wallet, token: deep, amount: 1n },
    { holder: wallet, token: shallow, amount: 3n * e18 },
    { holder: wallet, token: dust, amount: 2n },
    { holder: wallet, token: unpriced, amount: 2n ** 256n - 1n },
    { holder: wallet, token: blank, amount: 5n },
    { holder: testAddress(0xbb), token: deep, amount: e18 },
  ],
  pools: [
    {
      address: testAddress(0x900),
      token0: usd,
      token1: weth,
      states: { 1: [50_000n * e6, 50n * e18], 3: [100_000n * e6, 50n * e18] },
    },
    {
      address: testAddress(0x901),
      token0: weth,
      token1: deep,
      states: { 2: [10n * e18, 20_000n * 10n ** 8n] },
    },
    {
      address: testAddress(0x902),
      token0: usd,
      token1: shallow,
      states: { 1: [9_999n * e6, 9_999n * e18] },
    },
    { address: testAddress(0x903), token0: usd, token1: dust, states: { 1: [99n * e6, 9n] } },
    // The contract tells no decimals: its unit has a worth, but no whole token has a price.
    { address: testAddress(0x904), token0: usd, token1: blank, states: { 1: [e6 * e6, e6] } },
  ],
}

const eight: SeededChain = {
  chainId: 8,
  blocks: { 0: start, 9: start + 9 },
  tokens: [{ address: usd, symbol: 'USD', name: 'Dollar', decimals: 6 }],
  balances: [
    { holder: wallet, token: usd, amount: 1500n * e6 },
    { holder: wallet, token: weth, amount: 0n },
  ],
}

async function start7and8(store: Store, native = e18 / 4n) {
  const node = await startBalanceNode({
    [testBlockHash(7, 3)]: { [wallet]: native },
    [testBlockHash(8, 9)]: {},
  })
  await seedChain(store.db, seven)
  await seedChain(store.db, eight)
  const chains = [
    testChainConfig(7, { rpcUrls: [node.url], tags: ['default', 'odd'] }),
    testChainConfig(8, { rpcUrls: [node.url], tags: ['even'] }),
  ]
  return { ...(await startTestService(store, chains)), chains, node }
}

async function ask({ fetch }: Pick<TestService, 'fetch'>, query = '', address = wallet) {
  const response = await fetch(`/v1/evm/balances/${address}?${query}`)
  expect(response.status).toBe(200)
  const body = (await response.json()) as BalancesResponse
  expect(isBalancesResponse(body)).toBe(true)
  for (const balance of body.balances) expect(isBalance(balance)).toBe(true)
  return { ...body, headers: response.headers }
}

function symbols({ balances }: BalancesResponse) {
  return balances.map(({ symbol, address }) => symbol ?? address)
}

describeEachStore('answerBalances', (openTestStore) => {
  it('answers amounts, texts and worth at the head block, by value', async () => {
    const { balances, wallet_address, headers } = await ask(await start7and8(await openTestStore()))
    expect(wallet_address).toBe(wallet)
    expect(headers.get('x-block-numbers')).toBe('7=3')
    const common = { chain: 'chain 7', chain_id: 7 }
    expect(balances).toEqual([
      {
        ...common,
        address: usd,
        amount: '1500000000',
        symbol: 'USD',
        name: 'Dollar',
        decimals: 6,
        price_usd: 1,
        value_usd: 1500,
        pool_size: 100_000,
        low_liquidity: false,
      },
      {
        ...common,
        address: weth,
        amount: '500000000000000000',
        symbol: 'WETH',
        name: 'Wrapped Ether',
        decimals: 18,
        price_usd: 2000,
        value_usd: 1000,
        pool_size: 100_000,
        low_liquidity: false,
      },
      {
        ...common,
        address: 'native',
        amount: '250000000000000000',
        symbol: 'ETH',
        name: 'Ether',
        decimals: 18,
        price_usd: 2000,
        value_usd: 500,
        pool_size: 100_000,
        low_liquidity: false,
      },
      {
        ...common,
        address: dust,
        amount: '2',
        symbol: 'DUST',
        name: 'Dust',
        decimals: 0,
        price_usd: 11,
        value_usd: 22,
        pool_size: 99,
        low_liquidity: true,
      },
      {
        ...common,
        address: shallow,
        amount: '3000000000000000000',
        symbol: 'SHL',
        name: 'Shallow',
        decimals: 18,
        price_usd: 1,
        value_usd: 3,
        pool_size: 9999,
        low_liquidity: true,
      },
      {
        ...common,
        address: deep,
        amount: '1',
        symbol: 'DEEP',
        name: 'Deep',
        decimals: 8,
        price_usd: 1,
        value_usd: 1e-8,
        pool_size: 20_000,
        low_liquidity: false,
      },
      {
        ...common,
        address: unpriced,
        amount: String(2n ** 256n - 1n),
        symbol: 'NONE',
        name: 'Unpriced',
        decimals: 18,
      },
      { ...common, address: blank, amount: '5' },
    ])
  })

  it('joins chains in one order: value, chain id, address; zero balances are left out', async () => {
    const store = await openTestStore()
    const service = await start7and8(store)
    // The row that was written last does not come last.
    await seedChain(store.db, seven)
    const both = await ask(service, 'chain_ids=8,7')
    expect(both.headers.get('x-block-numbers')).toBe('7=3,8=9')
    expect(
      both.balances.map(({ chain_id, symbol }) => `${chain_id} ${symbol}`).slice(0, 3),
    ).toEqual(['7 USD', '8 USD', '7 WETH'])
    expect(symbols(await ask(service, 'chain_ids=8'))).toEqual(['USD'])
    expect(symbols(await ask(service, 'chain_ids=8', testAddress(0xcc)))).toEqual([])
  })

  it('shows a stablecoin that no pool trades at 1 USD, without a pool size, and not as spam', async () => {
    const service = await start7and8(await openTestStore())
    const [balance] = (await ask(service, 'chain_ids=8&exclude_spam_tokens=true')).balances
    expect(balance).toMatchObject({ price_usd: 1, value_usd: 1500 })
    expect(balance).not.toHaveProperty('pool_size')
    expect(balance).not.toHaveProperty('low_liquidity')
  })

  it('takes the address in any case', async () => {
    const service = await start7and8(await openTestStore())
    const upper = await ask(service, '', `0x${wallet.slice(2).toUpperCase()}`)
    expect(upper.wallet_address).toBe(wallet)
    expect(upper.balances).toHaveLength(8)
  })

  it('selects chains by id and tag, each once', async () => {
    const service = await start7and8(await openTestStore())
    for (const [query, blocks, cost] of [
      ['', '7=3', '1'],
      ['chain_ids=odd', '7=3', '1'],
      ['chain_ids=7,%20default%20,7,odd', '7=3', '1'],
      ['chain_ids=even,7', '7=3,8=9', '2'],
      ['chain_ids=7,999', '7=3', '1'],
    ]) {
      const { headers } = await ask(service, query)
      expect(headers.get('x-block-numbers')).toBe(blocks)
      expect(headers.get('x-compute-units-cost')).toBe(cost)
    }
  })

  it('warns of ids that it does not support, and answers the others', async () => {
    const service = await start7and8(await openTestStore())
    const mixed = await ask(service, 'chain_ids=999,7,1000')
    expect(mixed.balances).toHaveLength(8)
    expect(mixed.warnings).toEqual([
      {
        code: 'UNSUPPORTED_CHAIN_IDS',
        message: expect.stringContaining('999, 1000') as string,
        chain_ids: [999, 1000],
      },
    ])
    const none = await ask(service, 'chain_ids=999')
    expect(none.balances).toEqual([])
    expect(none.headers.get('x-compute-units-cost')).toBe('0')
    expect(await ask(service)).not.toHaveProperty('warnings')
  })

  it('filters', async () => {
    const service = await start7and8(await openTestStore())
    expect(symbols(await ask(service, 'filters=native'))).toEqual(['ETH'])
    const erc20 = await ask(service, 'filters=erc20')
    expect(erc20.balances).toHaveLength(7)
    expect(symbols(erc20)).not.toContain('ETH')
  })

  it('leaves spam out: less than 100 USD of liquidity, or none', async () => {
    const service = await start7and8(await openTestStore())
    const kept = ['USD', 'WETH', 'ETH', 'SHL', 'DEEP']
    expect(symbols(await ask(service, 'exclude_spam_tokens=true'))).toEqual(kept)
    expect((await ask(service, 'exclude_spam_tokens=false')).balances).toHaveLength(8)
  })

  it('never takes a native asset for spam', async () => {
    const store = await openTestStore()
    const service = await start7and8(store)
    await seedChain(store.db, { ...seven, pools: [] })
    expect(symbols(await ask(service, 'exclude_spam_tokens=true'))).toEqual(['USD', 'ETH'])
  })

  it('adds prices of the past in the order asked', async () => {
    const service = await start7and8(await openTestStore())
    const { balances } = await ask(service, 'historical_prices=2,1,99')
    const past = Object.fromEntries(
      balances.map(({ symbol, address, historical_prices }) => [
        symbol ?? address,
        historical_prices,
      ]),
    )
    const prices = (a: number | null, b: number | null, c: number | null) => [
      { offset_hours: 2, price_usd: a },
      { offset_hours: 1, price_usd: b },
      { offset_hours: 99, price_usd: c },
    ]
    expect(past).toEqual({
      USD: prices(1, 1, null),
      WETH: prices(1000, 1000, null),
      ETH: prices(1000, 1000, null),
      DUST: prices(11, 11, null),
      SHL: prices(1, 1, null),
      DEEP: prices(null, 0.5, null),
      NONE: prices(null, null, null),
      [blank]: prices(null, null, null),
    })
  })

  it('adds metadata when asked for', async () => {
    const service = await start7and8(await openTestStore())
    const { balances } = await ask(service, 'metadata=logo,%20url')
    for (const balance of balances) expect(balance.token_metadata).toEqual({})
    for (const balance of (await ask(service)).balances)
      expect(balance).not.toHaveProperty('token_metadata')
  })

  it('tells when it was asked and when it answered', async () => {
    const { request_time, response_time } = await ask(await start7and8(await openTestStore()))
    expect(Date.parse(request_time ?? '')).toBeLessThanOrEqual(Date.parse(response_time ?? ''))
  })

  it('answers the rest when the nodes do not tell the native balance', async () => {
    const store = await openTestStore()
    const service = await start7and8(store)
    // The nodes follow another fork.
    await seedChain(store.db, { ...seven, blocks: { ...seven.blocks, 4: start + 4 * hour } })
    const { balances, errors } = await ask(service)
    expect(balances).toHaveLength(7)
    expect(errors).toEqual({
      error_message: expect.any(String) as string,
      token_errors: [{ chain_id: 7, address: 'native', description: expect.any(String) as string }],
    })
    expect(JSON.stringify(errors)).not.toMatch(/127|header not found/)
    const nothing = await service.fetch(`/v1/evm/balances/${wallet}?filters=native`)
    expect(nothing.status).toBe(503)
    expect(nothing.headers.get('retry-after')).toBe('5')
  })

  it('asks the nodes once for a native balance at one block', async () => {
    const service = await start7and8(await openTestStore())
    await Promise.all([ask(service), ask(service)])
    await ask(service)
    expect(service.node.asked()).toBe(1)
  })

  it('is away until the first indexing of every asked chain is done', async () => {
    const store = await openTestStore()
    const service = await start7and8(store)
    await seedChain(store.db, { ...seven, synced: false })
    const response = await service.fetch(`/v1/evm/balances/${wallet}?chain_ids=7,8`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'CHAIN_NOT_READY' })
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(symbols(await ask(service, 'chain_ids=8'))).toEqual(['USD'])
  })
})

describeEachStore('what is remembered of balances', (openTestStore) => {
  const queries = [
    '',
    'chain_ids=7,8',
    'filters=native',
    'filters=erc20',
    'exclude_spam_tokens=true',
  ].flatMap((query) => [query, `${query}&limit=1`, `${query}&limit=3&historical_prices=1,2`])

  it('answers exactly what would be computed anew', async () => {
    const store = await openTestStore()
    const service = await start7and8(store)
    const content = async (asked: TestService, query: string) => {
      const { headers, request_time, response_time, ...body } = await ask(asked, query)
      expect(request_time && response_time && headers).toBeTruthy()
      return body
    }
    for (const query of [...queries, ...queries]) {
      const fresh = await startTestService(store, service.chains)
      let [page, expected] = [await content(service, query), await content(fresh, query)]
      expect(page).toEqual(expected)
      while (page.next_offset) {
        const next = `${query}&offset=${page.next_offset}`
        ;[page, expected] = [
          await content(service, next),
          await content(await startTestService(store, service.chains), next),
        ]
        expect(page).toEqual(expected)
      }
    }
  })

  it('is of one head: priced once there, and never shown at another', async () => {
    const store = await openTestStore()
    const service = await start7and8(store)
    const amount = async () =>
      (await ask(service, 'filters=erc20')).balances.find(({ address }) => address === usd)?.amount
    const before = await amount()
    // No block changes amounts without a new head; here it shows that nothing was computed again.
    await store.db.updateTable('balances').set({ amount: 5n }).execute()
    expect(await amount()).toBe(before)
    for (const hash of [testBlockHash(7, 4), testBlockHash(7, 5)]) {
      await store.db
        .updateTable('chains')
        .set({ indexed_hash: fromHex(hash) })
        .where('chain_id', '=', 7)
        .execute()
      expect(await amount()).toBe('5')
      await store.db.updateTable('balances').set({ amount: 6n }).execute()
      expect(await amount()).toBe('5')
      await store.db.updateTable('balances').set({ amount: 5n }).execute()
    }
  })

  it('is dropped when the texts of a token were read, at the same head', async () => {
    const store = await openTestStore()
    const service = await start7and8(store)
    expect(symbols(await ask(service, 'filters=erc20'))).toContain('NONE')
    const texts = { name: 'New', symbol: 'NEW', decimals: 0 }
    await writeTokenMetadata(store.db, 7, [{ token: unpriced, ...texts }], [])
    expect(symbols(await ask(service, 'filters=erc20'))).toContain('NEW')
  })
})

describeEachStore('paging of balances', (openTestStore) => {
  it('returns every entry exactly once, in order, whatever the page size', async () => {
    const service = await start7and8(await openTestStore())
    const all = await ask(service, 'chain_ids=7,8')
    for (let limit = 1; limit <= all.balances.length + 1; limit++) {
      const paged: unknown[] = []
      let offset: string | undefined
      do {
        const cursor: string = offset ? `&offset=${offset}` : ''
        const page = await ask(service, `chain_ids=7,8&limit=${limit}${cursor}`)
        expect(page.balances.length).toBeLessThanOrEqual(limit)
        paged.push(...page.balances)
        offset = page.next_offset
      } while (offset)
      expect(paged).toEqual(all.balances)
    }
  })

  it('returns an entry that does not change exactly once, whatever changes around it', async () => {
    const store = await openTestStore()
    await seedChain(store.db, eight)
    const service = await startTestService(store, [testChainConfig(7), testChainConfig(8)])
    const tokens = Array.from({ length: 8 }, (_, index) => testAddress(0x100 + index))
    // Prices move by moving what a wallet has: the value is the key of the order.
    const amount = fc.bigInt({ min: 0n, max: 5n })
    const world = fc.array(amount, { minLength: tokens.length, maxLength: tokens.length })
    let head = 3
    const seed = (amounts: bigint[]) =>
      seedChain(store.db, {
        ...seven,
        blocks: { ...seven.blocks, [++head]: start + head * hour },
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
          const answer = await ask(service, `chain_ids=7&filters=erc20&limit=2${cursor}`)
          for (const { address } of answer.balances) seen.set(address, (seen.get(address) ?? 0) + 1)
          offset = answer.next_offset
        }
        for (const [index, token] of tokens.entries()) {
          const amounts = new Set(worlds.map((amounts) => amounts[index]))
          if (amounts.size === 1) expect(seen.get(token) ?? 0).toBe(amounts.has(0n) ? 0 : 1)
        }
      }),
      { numRuns: 15 },
    )
  })

  it('answers the first page to a cursor that is not of this listing', async () => {
    const service = await start7and8(await openTestStore())
    const first = await ask(service, 'limit=2')
    const offset = first.next_offset ?? ''
    expect(symbols(await ask(service, `limit=2&offset=${offset}`))).toEqual(['ETH', 'DUST'])
    // A larger page, other details and another way to name the same chains go on.
    for (const query of ['limit=1', 'historical_prices=1', 'metadata=logo', 'chain_ids=odd'])
      expect(symbols(await ask(service, `${query}&offset=${offset}`))[0]).toBe('ETH')
    for (const query of [
      'offset=made-up',
      'offset=',
      `offset=${offset.slice(0, -1)}`,
      `offset=${offset}&filters=erc20`,
      `offset=${offset}&exclude_spam_tokens=true`,
      `offset=${offset}&chain_ids=7,8`,
    ])
      expect(symbols(await ask(service, `limit=1&${query}`))).toEqual(['USD'])
    const other = await ask(service, `offset=${offset}`, testAddress(0xbb))
    expect(symbols(other)).toEqual(['DEEP'])
  })

  it('reduces a limit above the maximum', async () => {
    const service = await start7and8(await openTestStore())
    for (const limit of ['1001', '99999999999999999999'])
      expect((await ask(service, `limit=${limit}`)).balances).toHaveLength(8)
  })
})
