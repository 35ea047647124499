import { expect, it } from 'vitest'
import {
  isToken,
  isTokenInfoResponse,
  type Token,
  type TokenInfoResponse,
} from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress, testBlockHash } from '../../../test/seedChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startBalanceNode, totalSupplyIs } from '../../../test/startBalanceNode.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import {
  chainSeven,
  held,
  notErc20,
  publicUrl,
  requestBalances,
  startWalletService,
} from '../../../test/startWalletService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'

const { usd, weth } = testTokens

async function fetchToken({ fetch }: TestService, token: string, query = 'chain_ids=7') {
  const response = await fetch(`/v1/evm/token-info/${token}?${query}`)
  expect(response.status).toBe(200)
  const body = (await response.json()) as TokenInfoResponse
  expect(isTokenInfoResponse(body)).toBe(true)
  for (const token of body.tokens) {
    expect(isToken(token)).toBe(true)
  }
  return { ...body, token: body.tokens[0] as Token, headers: response.headers }
}

describeEachStore('handleTokenInfo', (openTestStore) => {
  const getService = shareFixture(async () => await startWalletService(await openTestStore()))

  it('requests the supply at a block from the nodes once', async () => {
    const service = getService()
    const before = service.node.requestCount()
    await Promise.all([fetchToken(service, held.deep), fetchToken(service, held.deep)])
    await fetchToken(service, held.deep)
    expect(service.node.requestCount() - before).toBe(1)
  })

  it('returns metadata, price, liquidity and supply of an ERC20 token at the head block', async () => {
    const { contract_address, tokens, headers } = await fetchToken(getService(), held.deep)
    expect(contract_address).toBe(held.deep)
    expect(tokens).toEqual([
      {
        chain_id: 7,
        chain: 'chain 7',
        price_usd: 1,
        symbol: 'DEEP',
        name: 'Deep',
        decimals: 8,
        logo: `${publicUrl}/beta/token/logo/7/${held.deep}`,
        pool_size: 20_000,
        total_supply: '3000000000000',
        fully_diluted_value: 30_000,
      },
    ])
    expect(headers.get('x-block-numbers')).toBe('7=3')
    expect(headers.get('x-compute-units-cost')).toBe('2')
  })

  it('adds the pools of the route to USD, and the audited block, with metadata', async () => {
    const query = 'chain_ids=7&metadata=pools,audit'
    const { token } = await fetchToken(getService(), held.deep, query)
    expect(token.token_metadata?.pools).toMatchObject([
      { type: 'uniswap-v2', tokens: [held.deep, weth], depth_usd: 20_000 },
      { type: 'uniswap-v2', tokens: [weth, usd] },
    ])
    const native = await fetchToken(getService(), 'native', query)
    expect(native.token.token_metadata).toMatchObject({
      pools: [{ tokens: [weth, usd] }],
      audited_block: 3,
    })
    const plain = await fetchToken(getService(), held.deep)
    expect(plain.token).not.toHaveProperty('token_metadata')
  })

  it('returns a native asset without liquidity and supply', async () => {
    const { contract_address, tokens } = await fetchToken(getService(), 'native')
    expect(contract_address).toBe('native')
    expect(tokens).toEqual([
      {
        chain_id: 7,
        chain: 'chain 7',
        price_usd: 2000,
        symbol: 'ETH',
        name: 'Ether',
        decimals: 18,
        logo: `${publicUrl}/beta/token/logo/7`,
      },
    ])
  })

  it('returns the same prices and liquidity as balances', async () => {
    const service = getService()
    const past = 'historical_prices=2,1,99'
    const { balances } = await requestBalances(service, `filters=erc20&${past}`)
    expect(balances).toHaveLength(7)
    const pick = ({ price_usd, pool_size, historical_prices }: Partial<Token>) => ({
      price_usd,
      pool_size,
      historical_prices,
    })
    for (const balance of balances) {
      const { token } = await fetchToken(service, balance.address, `chain_ids=7&${past}`)
      expect(pick(token)).toEqual(pick(balance))
    }
  })

  it('adds historical prices in the requested order, null before the first price', async () => {
    const service = getService()
    const prices = (...past: [number, number | null][]) =>
      past.map(([offset_hours, price_usd]) => ({ offset_hours, price_usd }))
    const query = 'chain_ids=7&historical_prices=2,99,1'
    expect((await fetchToken(service, held.deep, query)).token.historical_prices).toEqual(
      prices([2, null], [99, null], [1, 0.5]),
    )
    expect((await fetchToken(service, 'native', query)).token.historical_prices).toEqual(
      prices([2, 1000], [99, null], [1, 1000]),
    )
    expect((await fetchToken(service, weth)).token).not.toHaveProperty('historical_prices')
  })

  it('omits price, metadata and decimals of a token that has none', async () => {
    expect((await fetchToken(getService(), held.blank)).token).toEqual({
      chain_id: 7,
      chain: 'chain 7',
      total_supply: String(2n ** 256n - 1n),
    })
  })

  it('returns a supply of zero as "0", with a fully diluted value of zero', async () => {
    const { token } = await fetchToken(getService(), usd, 'chain_ids=8')
    expect(token).toMatchObject({ total_supply: '0', fully_diluted_value: 0, price_usd: 1 })
    expect(token).not.toHaveProperty('pool_size')
  })

  it('returns one entry, none for a limit of 0, and ignores the offset', async () => {
    const service = getService()
    for (const [query, length] of [
      ['limit=0', 0],
      ['limit=1', 1],
      ['limit=999', 1],
      ['offset=invented', 1],
    ] as const) {
      const page = await fetchToken(service, held.deep, `chain_ids=7&${query}`)
      expect(page.tokens).toHaveLength(length)
      expect(page.contract_address).toBe(held.deep)
      expect(page.next_offset).toBeUndefined()
    }
  })

  it('responds 404 for an address without a token on the chain', async () => {
    for (const path of [`${testAddress(0xdead)}?chain_ids=7`, `${weth}?chain_ids=8&limit=0`]) {
      const response = await getService().fetch(`/v1/evm/token-info/${path}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'TOKEN_NOT_FOUND', param: 'address' })
      expect(response.headers.get('x-compute-units-cost')).toBe('0')
    }
  })

  it.each([
    ['ERC721', notErc20.erc721],
    ['ERC1155', notErc20.erc1155],
  ])('responds 404 for an %s contract, with its standard', async (standard, address) => {
    const response = await getService().fetch(`/v1/evm/token-info/${address}?chain_ids=7`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      code: 'TOKEN_NOT_FOUND',
      message: expect.stringContaining(standard) as string,
    })
  })

  it('omits a supply that cannot be read, and returns it at the same head once a node does', async () => {
    const { store } = getService()
    const reverting = (await fetchToken(getService(), held.shallow)).token
    expect(reverting).toMatchObject({ symbol: 'SHL', price_usd: 1 })
    const states: Parameters<typeof startBalanceNode>[0] & object = {}
    const node = await startBalanceNode(states)
    await seedChain(store.db, { ...chainSeven, chainId: 9 })
    const service = await startTestService(store, [
      testChainConfig(9, { rpcUrls: [node.urlOf(9)] }),
    ])
    const fetchDeep = async () => (await fetchToken(service, held.deep, 'chain_ids=9')).token
    const unavailable = await fetchDeep()
    expect(unavailable).toMatchObject({ symbol: 'DEEP', price_usd: 1 })
    for (const token of [reverting, unavailable]) {
      expect(token).not.toHaveProperty('total_supply')
      expect(token).not.toHaveProperty('fully_diluted_value')
    }
    Object.assign(states, { [testBlockHash(9, 3)]: { [held.deep]: totalSupplyIs(5n) } })
    await expect.poll(async () => (await fetchDeep()).total_supply).toBe('5')
  })

  it('accepts the address in any case and returns it in lower case', async () => {
    const { store } = getService()
    const token = '0x00000000000000000000000000000000000000fa'
    await seedChain(store.db, {
      chainId: 9,
      blocks: chainSeven.blocks,
      tokens: [{ address: token, symbol: 'FA' }],
    })
    const service = await startTestService(store, [testChainConfig(9)])
    const upper = await fetchToken(service, `0x${token.slice(2).toUpperCase()}`, 'chain_ids=9')
    expect(upper.contract_address).toBe(token)
    expect(upper.token.symbol).toBe('FA')
  })

  it('responds 503 until the initial indexing is complete', async () => {
    const { store } = getService()
    await seedChain(store.db, { ...chainSeven, chainId: 9, synced: false })
    const service = await startTestService(store, [testChainConfig(9)])
    const response = await service.fetch(`/v1/evm/token-info/${weth}?chain_ids=9`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'CHAIN_NOT_READY' })
  })
})
