import { expect, it } from 'vitest'
import {
  isToken,
  isTokenInfoResponse,
  type Token,
  type TokenInfoResponse,
} from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress, testBlockHash } from '../../../test/seedChain.ts'
import { startBalanceNode, totalSupplyIs } from '../../../test/startBalanceNode.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import {
  requestBalances,
  chainSeven,
  held,
  notErc20,
  publicUrl,
  startWalletService,
} from '../../../test/startWalletService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'

const { usd, weth } = testTokens

async function ask({ fetch }: TestService, token: string, query = 'chain_ids=7') {
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
  it('answers texts, price, liquidity and supply of an ERC20 token at the head block', async () => {
    const service = await startWalletService(await openTestStore())
    const { contract_address, tokens, headers } = await ask(service, held.deep)
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

  it('tells the supply at the same head once a node tells it', async () => {
    const store = await openTestStore()
    const states: Parameters<typeof startBalanceNode>[0] & object = {}
    const node = await startBalanceNode(states)
    await seedChain(store.db, chainSeven)
    const service = await startTestService(store, [testChainConfig(7, { rpcUrls: [node.url] })])
    expect((await ask(service, held.deep)).token.total_supply).toBeUndefined()
    Object.assign(states, { [testBlockHash(7, 3)]: { [held.deep]: totalSupplyIs(5n) } })
    await expect.poll(async () => (await ask(service, held.deep)).token.total_supply).toBe('5')
  })

  it('answers a native asset without liquidity and supply', async () => {
    const service = await startWalletService(await openTestStore())
    const { contract_address, tokens } = await ask(service, 'native')
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

  it('tells the price and liquidity that the balances tell', async () => {
    const service = await startWalletService(await openTestStore())
    const { balances } = await requestBalances(service, 'filters=erc20&historical_prices=2,1,99')
    expect(balances).toHaveLength(7)
    for (const balance of balances) {
      const { token } = await ask(service, balance.address, 'chain_ids=7&historical_prices=2,1,99')
      const shown = ({ price_usd, pool_size, historical_prices }: Partial<Token>) => ({
        price_usd,
        pool_size,
        historical_prices,
      })
      expect(shown(token)).toEqual(shown(balance))
    }
  })

  it('adds prices of the past in the order asked, null where there was none yet', async () => {
    const service = await startWalletService(await openTestStore())
    const prices = (...past: [number, number | null][]) =>
      past.map(([offset_hours, price_usd]) => ({ offset_hours, price_usd }))
    const query = 'chain_ids=7&historical_prices=2,99,1'
    expect((await ask(service, held.deep, query)).token.historical_prices).toEqual(
      prices([2, null], [99, null], [1, 0.5]),
    )
    expect((await ask(service, 'native', query)).token.historical_prices).toEqual(
      prices([2, 1000], [99, null], [1, 1000]),
    )
    expect((await ask(service, weth)).token).not.toHaveProperty('historical_prices')
  })

  it('answers a token without price, texts or decimals by what is known, the supply among it', async () => {
    const service = await startWalletService(await openTestStore())
    expect((await ask(service, held.blank)).token).toEqual({
      chain_id: 7,
      chain: 'chain 7',
      total_supply: String(2n ** 256n - 1n),
    })
  })

  it('answers a supply of zero as "0", worth nothing', async () => {
    const service = await startWalletService(await openTestStore())
    const { token } = await ask(service, usd, 'chain_ids=8')
    expect(token).toMatchObject({ total_supply: '0', fully_diluted_value: 0, price_usd: 1 })
    expect(token).not.toHaveProperty('pool_size')
  })

  it('leaves the supply and its worth out when the contract or the nodes do not tell it', async () => {
    const service = await startWalletService(await openTestStore())
    const reverting = (await ask(service, held.shallow)).token
    expect(reverting).toMatchObject({ symbol: 'SHL', price_usd: 1 })
    // The nodes follow another fork.
    await seedChain(service.store.db, {
      ...chainSeven,
      blocks: { ...chainSeven.blocks, 4: 1_700_014_400 },
    })
    const untold = (await ask(service, held.deep)).token
    expect(untold).toMatchObject({ symbol: 'DEEP', price_usd: 1 })
    for (const token of [reverting, untold]) {
      expect(token).not.toHaveProperty('total_supply')
      expect(token).not.toHaveProperty('fully_diluted_value')
    }
  })

  it('asks the nodes once for the supply at one block', async () => {
    const service = await startWalletService(await openTestStore())
    await Promise.all([ask(service, held.deep), ask(service, held.deep)])
    await ask(service, held.deep)
    expect(service.node.requestCount()).toBe(1)
  })

  it('takes a limit of 0: an empty list', async () => {
    const service = await startWalletService(await openTestStore())
    const none = await ask(service, held.deep, 'chain_ids=7&limit=0')
    expect(none.tokens).toEqual([])
    expect(none.contract_address).toBe(held.deep)
    expect((await ask(service, held.deep, 'chain_ids=7&limit=1')).tokens).toHaveLength(1)
    expect((await ask(service, held.deep, 'chain_ids=7&limit=999')).tokens).toHaveLength(1)
  })

  it('lists one entry a chain, so that there is no next_offset and an offset has no effect', async () => {
    const service = await startWalletService(await openTestStore())
    const { tokens, next_offset } = await ask(service, held.deep, 'chain_ids=7&offset=made-up')
    expect(tokens).toHaveLength(1)
    expect(next_offset).toBeUndefined()
  })

  it('takes the address in any case and answers in lower case', async () => {
    const service = await startWalletService(await openTestStore())
    const token = '0x00000000000000000000000000000000000000fa'
    await seedChain(service.store.db, { ...chainSeven, tokens: [{ address: token, symbol: 'FA' }] })
    const upper = await ask(service, `0x${token.slice(2).toUpperCase()}`)
    expect(upper.contract_address).toBe(token)
    expect(upper.token.symbol).toBe('FA')
  })

  it('is 404 for an address that is no token of the chain', async () => {
    const { fetch } = await startWalletService(await openTestStore())
    for (const path of [`${testAddress(0xdead)}?chain_ids=7`, `${weth}?chain_ids=8&limit=0`]) {
      const response = await fetch(`/v1/evm/token-info/${path}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'TOKEN_NOT_FOUND', param: 'address' })
      expect(response.headers.get('x-compute-units-cost')).toBe('0')
    }
  })

  it.each([
    ['ERC721', notErc20.erc721],
    ['ERC1155', notErc20.erc1155],
  ])('is 404 for an %s contract, and says that it is one', async (standard, address) => {
    const { fetch } = await startWalletService(await openTestStore())
    const response = await fetch(`/v1/evm/token-info/${address}?chain_ids=7`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      code: 'TOKEN_NOT_FOUND',
      message: expect.stringContaining(standard) as string,
    })
  })

  it('is 503 until the first indexing is done', async () => {
    const service = await startWalletService(await openTestStore())
    await seedChain(service.store.db, { ...chainSeven, synced: false })
    const response = await service.fetch(`/v1/evm/token-info/${weth}?chain_ids=7`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'CHAIN_NOT_READY' })
  })
})
