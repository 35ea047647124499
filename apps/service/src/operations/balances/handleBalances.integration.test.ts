import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { readLedger } from '../../../test/readLedger.ts'
import { seedChain, testAddress, testBlockHash } from '../../../test/seedChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import {
  chainSeven,
  held,
  homePage,
  notErc20,
  publicUrl,
  requestBalances,
  startWalletService,
  symbolsOf,
  wallet,
} from '../../../test/startWalletService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import { writeTokenMetadata } from '../../metadata/writeTokenMetadata.ts'
import { fromHex } from '../../store/hex.ts'

const { usd, weth } = testTokens

describeEachStore('handleBalances', (openTestStore) => {
  const getService = shareFixture(async () => await startWalletService(await openTestStore()))

  it('returns amounts, metadata and values at the head block, by value', async () => {
    const { balances, wallet_address, request_time, response_time, headers } =
      await requestBalances(getService())
    expect(wallet_address).toBe(wallet)
    expect(headers.get('x-block-numbers')).toBe('7=3')
    expect(Date.parse(request_time ?? '')).toBeLessThanOrEqual(Date.parse(response_time ?? ''))
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
        address: held.dust,
        amount: '200',
        symbol: 'DUST',
        name: 'Dust',
        decimals: 2,
        price_usd: 11,
        value_usd: 22,
        pool_size: 99,
        low_liquidity: true,
      },
      {
        ...common,
        address: held.shallow,
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
        address: held.deep,
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
        address: held.unpriced,
        amount: String(2n ** 256n - 1n),
        symbol: 'NONE',
        name: 'Unpriced',
        decimals: 18,
      },
      { ...common, address: held.blank, amount: '5' },
    ])
  })

  it('merges chains by value, chain id and address, without zero balances', async () => {
    const service = getService()
    const both = await requestBalances(service, 'chain_ids=8,7')
    expect(both.headers.get('x-block-numbers')).toBe('7=3,8=9')
    expect(
      both.balances.map(({ chain_id, symbol }) => `${chain_id} ${symbol}`).slice(0, 3),
    ).toEqual(['7 USD', '8 USD', '7 WETH'])
    expect(symbolsOf(await requestBalances(service, 'chain_ids=8'))).toEqual(['USD'])
    expect(symbolsOf(await requestBalances(service, 'chain_ids=8', testAddress(0xcc)))).toEqual([])
  })

  it('returns a stablecoin without a pool at 1 USD, without a pool size, and as spam', async () => {
    const { balances } = await requestBalances(getService(), 'chain_ids=8')
    expect(balances[0]).toMatchObject({ price_usd: 1, value_usd: 1500 })
    expect(balances[0]).not.toHaveProperty('pool_size')
    expect(balances[0]).not.toHaveProperty('low_liquidity')
    const query = 'chain_ids=8&exclude_spam_tokens=true&filters=erc20'
    expect((await requestBalances(getService(), query)).balances).toEqual([])
  })

  it('excludes contracts of NFTs, even if they emit ERC20 transfers', async () => {
    const service = getService()
    const rows = await readLedger(service.store.db, chainSeven.chainId)
    expect(rows.filter(({ token }) => token === notErc20.erc721)).toHaveLength(2)
    const { balances } = await requestBalances(service)
    expect(balances.map(({ address }) => address)).not.toContain(notErc20.erc721)
  })

  it('accepts the address in any case', async () => {
    const upper = await requestBalances(getService(), '', `0x${wallet.slice(2).toUpperCase()}`)
    expect(upper.wallet_address).toBe(wallet)
    expect(upper.balances).toHaveLength(8)
  })

  it('selects chains by id and tag without duplicates, for one unit each', async () => {
    for (const [query, blocks, cost] of [
      ['', '7=3', '1'],
      ['chain_ids=odd', '7=3', '1'],
      ['chain_ids=7,%20default%20,7,odd', '7=3', '1'],
      ['chain_ids=even,7', '7=3,8=9', '2'],
      ['chain_ids=7,999', '7=3', '1'],
    ]) {
      const { headers } = await requestBalances(getService(), query)
      expect(headers.get('x-block-numbers')).toBe(blocks)
      expect(headers.get('x-compute-units-cost')).toBe(cost)
    }
  })

  it('warns of unsupported chain ids and returns the balances on the others', async () => {
    const service = getService()
    const mixed = await requestBalances(service, 'chain_ids=999,7,1000')
    expect(mixed.balances).toHaveLength(8)
    expect(mixed.warnings).toEqual([
      {
        code: 'UNSUPPORTED_CHAIN_IDS',
        message: expect.stringContaining('999, 1000') as string,
        chain_ids: [999, 1000],
      },
    ])
    const none = await requestBalances(service, 'chain_ids=999')
    expect(none.balances).toEqual([])
    expect(none.headers.get('x-compute-units-cost')).toBe('0')
    expect(await requestBalances(service)).not.toHaveProperty('warnings')
  })

  it('filters native assets and ERC20 tokens', async () => {
    const service = getService()
    expect(symbolsOf(await requestBalances(service, 'filters=native'))).toEqual(['ETH'])
    const erc20 = await requestBalances(service, 'filters=erc20')
    expect(erc20.balances).toHaveLength(7)
    expect(symbolsOf(erc20)).not.toContain('ETH')
  })

  it('excludes spam on request: tokens with less than 100 USD of liquidity, or none', async () => {
    const service = getService()
    const kept = ['USD', 'WETH', 'ETH', 'SHL', 'DEEP']
    expect(symbolsOf(await requestBalances(service, 'exclude_spam_tokens=true'))).toEqual(kept)
    expect((await requestBalances(service, 'exclude_spam_tokens=false')).balances).toHaveLength(8)
  })

  it('adds historical prices in the requested order', async () => {
    const { balances } = await requestBalances(getService(), 'historical_prices=2,1,99')
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
      [held.blank]: prices(null, null, null),
    })
  })

  it('adds logo and url to token_metadata if they are requested and known', async () => {
    const service = getService()
    const { balances } = await requestBalances(service, 'metadata=logo,%20url')
    const metadata = Object.fromEntries(
      balances.map(({ address, token_metadata }) => [address, token_metadata]),
    )
    expect(metadata).toEqual({
      native: { logo: `${publicUrl}/beta/token/logo/7` },
      [held.deep]: { logo: `${publicUrl}/beta/token/logo/7/${held.deep}`, url: homePage },
      ...Object.fromEntries(
        [usd, weth, held.shallow, held.dust, held.unpriced, held.blank].map((token) => [token, {}]),
      ),
    })
    for (const balance of (await requestBalances(service)).balances) {
      expect(balance).not.toHaveProperty('token_metadata')
    }
  })

  it('adds the pools of the route to USD with metadata=pools', async () => {
    const { store, chains } = getService()
    const service = await startTestService(store, chains)
    // Prices are known without the creation of pools.
    await requestBalances(service)
    const { balances } = await requestBalances(service, 'metadata=pools')
    const pools = Object.fromEntries(
      balances.map(({ address, token_metadata }) => [address, token_metadata?.pools]),
    )
    const type = 'uniswap-v2'
    const depths = {
      depth_usd: expect.any(Number) as number,
      past_depth_usd: expect.any(Number) as number,
      created_at: expect.stringMatching(/^20.*Z$/) as string,
    }
    const wethToUsd = { type, address: testAddress(0x900), tokens: [weth, usd], ...depths }
    expect(pools).toMatchObject({
      [usd]: [],
      [weth]: [wethToUsd],
      native: [wethToUsd],
      [held.deep]: [{ type, address: testAddress(0x901), tokens: [held.deep, weth] }, wethToUsd],
      [held.shallow]: [{ type, address: testAddress(0x902), tokens: [held.shallow, usd] }],
      [held.dust]: [{ type, address: testAddress(0x903), tokens: [held.dust, usd] }],
      [held.unpriced]: undefined,
      [held.blank]: undefined,
    })
  })

  it('requests a native balance at a block from the nodes once', async () => {
    const { store, chains, node } = getService()
    const service = await startTestService(store, chains)
    const before = node.requestCount()
    await Promise.all([requestBalances(service), requestBalances(service)])
    await requestBalances(service)
    expect(node.requestCount() - before).toBe(1)
  })

  it('returns the same from its caches as a service without any', async () => {
    const { store, chains } = getService()
    const content = async (service: TestService, query: string) => {
      const { headers, request_time, response_time, ...body } = await requestBalances(
        service,
        query,
      )
      expect(request_time && response_time && headers).toBeTruthy()
      return body
    }
    const cached = await startTestService(store, chains)
    for (const query of [
      '',
      'chain_ids=7,8',
      'filters=native',
      'filters=erc20',
      'exclude_spam_tokens=true',
    ]) {
      expect(await content(cached, query)).toEqual(
        await content(await startTestService(store, chains), query),
      )
      let offset: string | undefined = ''
      while (offset !== undefined) {
        const page = `${query}&limit=3&historical_prices=1,2&offset=${offset}`
        const body = await content(cached, page)
        expect(body).toEqual(await content(await startTestService(store, chains), page))
        offset = body.next_offset
      }
    }
  })

  // The tests below change chain 9, which no test above reads.
  const nine = testChainConfig(9)

  it('flags low_liquidity below 10,000 USD', async () => {
    const { store } = getService()
    const at = testAddress(0x31)
    const below = testAddress(0x32)
    const pool = (address: string, token1: string, reserve: bigint) => ({
      address,
      token0: usd,
      token1,
      states: { 1: [reserve, 10n ** 9n] as const },
    })
    await seedChain(store.db, {
      chainId: 9,
      blocks: { 1: 1_700_000_000 },
      tokens: [{ address: usd, decimals: 6 }, { address: at }, { address: below }],
      balances: [at, below].map((token) => ({ holder: wallet, token, amount: 1n })),
      pools: [
        pool(testAddress(0x901), at, 10_000_000_000n),
        pool(testAddress(0x902), below, 9_999_999_999n),
      ],
    })
    const { balances } = await requestBalances(
      await startTestService(store, [nine]),
      'filters=erc20',
    )
    const byToken = new Map(balances.map((balance) => [balance.address, balance]))
    expect(byToken.get(at)).toMatchObject({ pool_size: 10_000, low_liquidity: false })
    expect(byToken.get(below)).toMatchObject({ pool_size: 9_999.999999, low_liquidity: true })
  })

  it('returns errors for native balances that no node returns, and never excludes them as spam', async () => {
    const { store, node } = getService()
    await seedChain(store.db, { ...chainSeven, chainId: 9, pools: [] })
    // The node has no blocks of this chain.
    const service = await startTestService(store, [{ ...nine, rpcUrls: [node.url] }])
    const body = await requestBalances(service, 'exclude_spam_tokens=true')
    // The stablecoin has no pool.
    expect(symbolsOf(body)).toEqual([])
    expect(body.errors).toEqual({
      error_message: expect.any(String) as string,
      token_errors: [{ chain_id: 9, address: 'native', description: expect.any(String) as string }],
    })
    expect(JSON.stringify(body.errors)).not.toMatch(/127|header not found/)
    expect((await requestBalances(service, '')).balances).toHaveLength(7)
    const response = await service.fetch(`/v1/evm/balances/${wallet}?filters=native`)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.json()).toMatchObject({ code: 'NODES_UNAVAILABLE' })
  })

  it('responds 503 until the initial indexing of a requested chain is complete', async () => {
    const { store, chains } = getService()
    await seedChain(store.db, { ...chainSeven, chainId: 9, synced: false })
    const service = await startTestService(store, [...chains, nine])
    const response = await service.fetch(`/v1/evm/balances/${wallet}?chain_ids=9`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'CHAIN_NOT_READY' })
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(symbolsOf(await requestBalances(service, 'chain_ids=8'))).toEqual(['USD'])
  })

  it('caches prices at a head, and discards them at the next', async () => {
    const { store } = getService()
    await seedChain(store.db, { ...chainSeven, chainId: 9 })
    const service = await startTestService(store, [nine])
    const setAmount = (amount: bigint) =>
      store.db.updateTable('balances').set({ amount }).where('chain_id', '=', 9).execute()
    const amount = async () =>
      (await requestBalances(service, 'filters=erc20')).balances.find(
        ({ address }) => address === usd,
      )?.amount
    const before = await amount()
    // Amounts never change without a new head; here it shows what is computed again.
    await setAmount(5n)
    expect(await amount()).toBe(before)
    for (const hash of [testBlockHash(9, 4), testBlockHash(9, 5)]) {
      await store.db
        .updateTable('chains')
        .set({ indexed_hash: fromHex(hash) })
        .where('chain_id', '=', 9)
        .execute()
      expect(await amount()).toBe('5')
      await setAmount(6n)
      expect(await amount()).toBe('5')
      await setAmount(5n)
    }
  })

  it('discards cached balances at the same head when the metadata of a token is written', async () => {
    const { store } = getService()
    await seedChain(store.db, { ...chainSeven, chainId: 9 })
    const service = await startTestService(store, [nine])
    expect(symbolsOf(await requestBalances(service, 'filters=erc20'))).toContain('NONE')
    const texts = { name: 'New', symbol: 'NEW', decimals: 0 }
    const behaviour = { events: 1, supports721: false, supports1155: false, hasOwners: false }
    const read = { token: held.unpriced, ...texts, ...behaviour, firstHash: null }
    await writeTokenMetadata(store.db, 9, [read], [])
    expect(symbolsOf(await requestBalances(service, 'filters=erc20'))).toContain('NEW')
  })
})
