import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { startTestService } from '../../../test/startTestService.ts'
import {
  requestBalances,
  chainSeven,
  held,
  homePage,
  notErc20,
  publicUrl,
  startWalletService,
  symbolsOf,
  wallet,
} from '../../../test/startWalletService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import { fromHex } from '../../store/hex.ts'

const { usd, weth } = testTokens

describeEachStore('handleBalances', (openTestStore) => {
  it('answers amounts, texts and worth at the head block, by value', async () => {
    const { balances, wallet_address, headers } = await requestBalances(
      await startWalletService(await openTestStore()),
    )
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

  it('joins chains in one order: value, chain id, address; zero balances are left out', async () => {
    const store = await openTestStore()
    const service = await startWalletService(store)
    // The row that was written last does not come last.
    await seedChain(store.db, chainSeven)
    const both = await requestBalances(service, 'chain_ids=8,7')
    expect(both.headers.get('x-block-numbers')).toBe('7=3,8=9')
    expect(
      both.balances.map(({ chain_id, symbol }) => `${chain_id} ${symbol}`).slice(0, 3),
    ).toEqual(['7 USD', '8 USD', '7 WETH'])
    expect(symbolsOf(await requestBalances(service, 'chain_ids=8'))).toEqual(['USD'])
    expect(symbolsOf(await requestBalances(service, 'chain_ids=8', testAddress(0xcc)))).toEqual([])
  })

  it('flags low_liquidity below 10,000 USD and not at it', async () => {
    const store = await openTestStore()
    const [at, below] = [testAddress(0x31), testAddress(0x32)]
    const pool = (address: string, token1: string, reserve: bigint) => ({
      ...{ address, token0: usd, token1 },
      states: { 1: [reserve, 10n ** 9n] as const },
    })
    await seedChain(store.db, {
      chainId: 7,
      blocks: { 1: 1_700_000_000 },
      tokens: [{ address: usd, decimals: 6 }, { address: at }, { address: below }],
      balances: [at, below].map((token) => ({ holder: wallet, token, amount: 1n })),
      pools: [
        pool(testAddress(0x901), at, 10_000_000_000n),
        pool(testAddress(0x902), below, 9_999_999_999n),
      ],
    })
    const service = await startTestService(store, [testChainConfig(7)])
    const { balances } = await requestBalances(service, 'filters=erc20')
    const told = new Map(balances.map((entry) => [entry.address, entry]))
    expect(told.get(at)).toMatchObject({ pool_size: 10_000, low_liquidity: false })
    expect(told.get(below)).toMatchObject({ pool_size: 9_999.999999, low_liquidity: true })
  })

  it('shows a stablecoin that no pool trades at 1 USD, without a pool size, and not as spam', async () => {
    const service = await startWalletService(await openTestStore())
    const [balance] = (await requestBalances(service, 'chain_ids=8&exclude_spam_tokens=true'))
      .balances
    expect(balance).toMatchObject({ price_usd: 1, value_usd: 1500 })
    expect(balance).not.toHaveProperty('pool_size')
    expect(balance).not.toHaveProperty('low_liquidity')
  })

  it('lists ERC20 tokens only, whatever a contract of NFTs logs', async () => {
    const service = await startWalletService(await openTestStore())
    const rows = await service.store.db
      .selectFrom('balances')
      .select('amount')
      .where('token', '=', fromHex(notErc20.erc721))
      .execute()
    expect(rows).toHaveLength(2)
    const { balances } = await requestBalances(service)
    expect(balances.map(({ address }) => address)).not.toContain(notErc20.erc721)
  })

  it('takes the address in any case', async () => {
    const service = await startWalletService(await openTestStore())
    const upper = await requestBalances(service, '', `0x${wallet.slice(2).toUpperCase()}`)
    expect(upper.wallet_address).toBe(wallet)
    expect(upper.balances).toHaveLength(8)
  })

  it('selects chains by id and tag, each once', async () => {
    const service = await startWalletService(await openTestStore())
    for (const [query, blocks, cost] of [
      ['', '7=3', '1'],
      ['chain_ids=odd', '7=3', '1'],
      ['chain_ids=7,%20default%20,7,odd', '7=3', '1'],
      ['chain_ids=even,7', '7=3,8=9', '2'],
      ['chain_ids=7,999', '7=3', '1'],
    ]) {
      const { headers } = await requestBalances(service, query)
      expect(headers.get('x-block-numbers')).toBe(blocks)
      expect(headers.get('x-compute-units-cost')).toBe(cost)
    }
  })

  it('warns of ids that it does not support, and answers the others', async () => {
    const service = await startWalletService(await openTestStore())
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

  it('filters', async () => {
    const service = await startWalletService(await openTestStore())
    expect(symbolsOf(await requestBalances(service, 'filters=native'))).toEqual(['ETH'])
    const erc20 = await requestBalances(service, 'filters=erc20')
    expect(erc20.balances).toHaveLength(7)
    expect(symbolsOf(erc20)).not.toContain('ETH')
  })

  it('leaves spam out: less than 100 USD of liquidity, or none', async () => {
    const service = await startWalletService(await openTestStore())
    const kept = ['USD', 'WETH', 'ETH', 'SHL', 'DEEP']
    expect(symbolsOf(await requestBalances(service, 'exclude_spam_tokens=true'))).toEqual(kept)
    expect((await requestBalances(service, 'exclude_spam_tokens=false')).balances).toHaveLength(8)
  })

  it('never takes a native asset for spam', async () => {
    const store = await openTestStore()
    const service = await startWalletService(store)
    await seedChain(store.db, { ...chainSeven, pools: [] })
    expect(symbolsOf(await requestBalances(service, 'exclude_spam_tokens=true'))).toEqual([
      'USD',
      'ETH',
    ])
  })

  it('adds prices of the past in the order asked', async () => {
    const service = await startWalletService(await openTestStore())
    const { balances } = await requestBalances(service, 'historical_prices=2,1,99')
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

  it('adds logo and url to token_metadata when asked for and known', async () => {
    const service = await startWalletService(await openTestStore())
    const { balances } = await requestBalances(service, 'metadata=logo,%20url')
    const known = Object.fromEntries(
      balances.map(({ address, token_metadata }) => [address, token_metadata]),
    )
    expect(known).toEqual({
      native: { logo: `${publicUrl}/beta/token/logo/7` },
      [held.deep]: { logo: `${publicUrl}/beta/token/logo/7/${held.deep}`, url: homePage },
      ...Object.fromEntries(
        [usd, weth, held.shallow, held.dust, held.unpriced, held.blank].map((token) => [token, {}]),
      ),
    })
    const [shown] = (await requestBalances(service, 'metadata=url&filters=native')).balances
    expect(shown?.token_metadata).toEqual({})
    for (const balance of (await requestBalances(service)).balances) {
      expect(balance).not.toHaveProperty('token_metadata')
    }
  })

  it('explains a price by metadata=pools: the pools from the token to USD', async () => {
    const service = await startWalletService(await openTestStore())
    const { balances } = await requestBalances(service, 'metadata=pools')
    const pools = Object.fromEntries(
      balances.map(({ address, token_metadata }) => [address, token_metadata?.pools]),
    )
    const type = 'uniswap-v2'
    const wethToUsd = { type, address: testAddress(0x900), tokens: [weth, usd] }
    expect(pools).toEqual({
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

  it('tells when it was asked and when it answered', async () => {
    const { request_time, response_time } = await requestBalances(
      await startWalletService(await openTestStore()),
    )
    expect(Date.parse(request_time ?? '')).toBeLessThanOrEqual(Date.parse(response_time ?? ''))
  })

  it('answers the rest when the nodes do not tell the native balance', async () => {
    const store = await openTestStore()
    const service = await startWalletService(store)
    // The nodes follow another fork.
    await seedChain(store.db, { ...chainSeven, blocks: { ...chainSeven.blocks, 4: 1_700_014_400 } })
    const { balances, errors } = await requestBalances(service)
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
    const service = await startWalletService(await openTestStore())
    await Promise.all([requestBalances(service), requestBalances(service)])
    await requestBalances(service)
    expect(service.node.requestCount()).toBe(1)
  })

  it('is away until the first indexing of every asked chain is done', async () => {
    const store = await openTestStore()
    const service = await startWalletService(store)
    await seedChain(store.db, { ...chainSeven, synced: false })
    const response = await service.fetch(`/v1/evm/balances/${wallet}?chain_ids=7,8`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'CHAIN_NOT_READY' })
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(symbolsOf(await requestBalances(service, 'chain_ids=8'))).toEqual(['USD'])
  })
})
