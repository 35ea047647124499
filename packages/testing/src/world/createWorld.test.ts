import { describe, expect, it } from 'vitest'
import { createFakeService } from '../createFakeService.ts'
import { advanceWorld } from './advanceWorld.ts'
import { createWorld } from './createWorld.ts'
import { defaultChains } from './FakeChain.ts'

const origin = { seed: '1', chains: defaultChains, now: 1_767_225_600 }

/** All that a world shows, as text. */
function dump(seed: string, blocks: number) {
  const world = createWorld({ ...origin, seed })
  if (blocks > 0) {
    advanceWorld(world, blocks)
  }
  const { tokens, ledger, prices, now, collectibles } = world
  const rows = tokens.map((token) => [
    token.address,
    prices.at(token, now),
    [...ledger.holdersOf(token)].map(([holder, { amount }]) => [holder, String(amount)]),
  ])
  return JSON.stringify([rows, collectibles.map(({ owner, tokenId }) => [owner, String(tokenId)])])
}

describe('a world', () => {
  it('is determined by the seed', () => {
    const initial = dump('1', 0)
    expect(dump('1', 50)).toBe(dump('1', 50))
    expect(dump('1', 0)).toBe(initial)
    expect(dump('1', 50)).not.toBe(dump('1', 0))
    expect(dump('1', 0)).not.toBe(dump('2', 0))
  })

  it('changes most prices with each block, by less than their swing', () => {
    const world = createWorld(origin)
    const priced = world.tokens.filter(({ usd }) => usd !== undefined)
    for (let block = 0; block < 20; block++) {
      const { now } = world
      advanceWorld(world, 1)
      const changes = priced.map((token) =>
        Math.abs(
          Number(world.prices.at(token, world.now)) / Number(world.prices.at(token, now)) - 1,
        ),
      )
      // The fast wave is a fifth of the swing.
      expect(priced.filter(({ swing }, index) => !(changes[index]! < swing))).toEqual([])
      expect(changes.filter((change) => change > 0).length).toBeGreaterThan(priced.length * 0.95)
    }
  })

  it('transfers amounts between wallets and keeps the supply', () => {
    const world = createWorld(origin)
    const supplies = () => world.tokens.map((token) => world.ledger.supplyOf(token))
    const before = supplies()
    const [everyday] = world.wallets
    const amounts = () =>
      [...world.ledger.tokensOf(everyday?.address ?? '')].map((token) =>
        world.ledger.amountOf(token, everyday?.address ?? ''),
      )
    const had = amounts()
    advanceWorld(world, 30)
    expect(supplies()).toEqual(before)
    expect(amounts()).not.toEqual(had)
  })

  it('has unique tokens, collections, NFTs and wallets', () => {
    const { tokens, collections, collectibles, wallets } = createWorld(origin)
    const places = [
      tokens.map(({ chainId, address }) => `${chainId}/${address}`),
      collections.map(({ chainId, address }) => `${chainId}/${address}`),
      collectibles.map(({ collection, tokenId }) => `${collection.address}/${tokenId}`),
      wallets.map(({ address }) => address),
    ]
    for (const all of places) {
      expect(new Set(all).size).toBe(all.length)
    }
  })
})

describe('wallets', () => {
  const service = createFakeService()
  const headers = { 'X-Service-Api-Key': service.key }
  const getJson = async (path: string) => {
    const response = await service.fetch(service.url + path, { headers })
    expect(response.status).toBe(200)
    return (await response.json()) as Record<string, Record<string, unknown>[]>
  }
  const balancesOf = async (wallet: string, query = '') =>
    (await getJson(`/v1/evm/balances/${wallet}?chain_ids=1${query}`))['balances'] ?? []

  it('lists balances by value, unpriced last, then by chain and address', async () => {
    const rows = await balancesOf(service.wallet('whale').address)
    expect(rows).toHaveLength(1000)
    const key = ({ value_usd = -1, chain_id, address }: Record<string, unknown>) =>
      [-Number(value_usd), Number(chain_id), String(address)] as const
    const sorted = rows.toSorted((a, b) => {
      const left = key(a)
      const right = key(b)
      return left[0] - right[0] || left[1] - right[1] || (left[2] < right[2] ? -1 : 1)
    })
    expect(rows).toEqual(sorted)
  })

  it('lists holders by balance, and NFTs by acquisition', async () => {
    const { chainId, address } = service.token('CROWD')
    const holders = (await getJson(`/v1/evm/token-holders/${chainId}/${address}`))['holders'] ?? []
    const amounts = holders.map(({ balance }) => BigInt(String(balance)))
    expect(amounts).toEqual(amounts.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)))
    const collector = service.wallet('collector').address
    const entries = (await getJson(`/v1/evm/collectibles/${collector}`))['entries'] ?? []
    const times = entries.map(({ last_acquired }) => String(last_acquired))
    expect(times).toEqual(times.toSorted().toReversed())
    expect(new Set(entries.map(({ token_standard }) => token_standard))).toEqual(
      new Set(['ERC721', 'ERC1155']),
    )
  })

  it('has malformed tokens', async () => {
    const rows = await balancesOf(service.wallet('ugly').address)
    const lacking = (field: string) => rows.filter((row) => !(field in row)).length
    expect(['decimals', 'symbol', 'name', 'price_usd', 'pool_size'].map(lacking)).toEqual([
      1, 1, 1, 4, 4,
    ])
    expect(rows.map(({ decimals }) => decimals)).toEqual(expect.arrayContaining([0, 9, 18, 36]))
    expect(Math.max(...rows.map(({ name = '' }) => String(name).length))).toBe(256)
  })

  it('flags low liquidity, and excludes spam on request', async () => {
    const { address } = service.wallet('lowLiquidity')
    const symbols = (rows: Record<string, unknown>[]) => rows.map(({ symbol }) => symbol).sort()
    const rows = await balancesOf(address)
    expect(symbols(rows)).toEqual(['ETH', 'SPAM', 'THIN'])
    expect(symbols(rows.filter(({ low_liquidity }) => low_liquidity))).toEqual(['SPAM', 'THIN'])
    const clean = await balancesOf(address, '&exclude_spam_tokens=true')
    expect(symbols(clean)).toEqual(['ETH', 'THIN'])
  })

  it('returns null for times before the first price', async () => {
    const { address } = service.token('NEW')
    const { tokens } = await getJson(
      `/v1/evm/token-info/${address}?chain_ids=1&historical_prices=31,1`,
    )
    expect(tokens?.[0]?.['historical_prices']).toEqual([
      { offset_hours: 31, price_usd: null },
      { offset_hours: 1, price_usd: expect.any(Number) as number },
    ])
  })

  it('responds with amounts and prices set by a test', async () => {
    const mine = service.wallet('empty').address
    const yours = `0x${'Ab'.repeat(20)}`
    const usdc = service.token('USDC')
    service.setAmount(mine, { ...usdc, address: usdc.address.toUpperCase().replace('X', 'x') }, '7')
    service.setPrice(usdc, 2)
    expect(await balancesOf(mine)).toMatchObject([
      { amount: '7', price_usd: 2, value_usd: 0.000014 },
    ])
    service.advance(5)
    service.transfer({ token: usdc, from: mine, to: yours, amount: 7n })
    expect(await balancesOf(mine)).toEqual([])
    // Addresses are case-insensitive, and a price that was set is constant.
    expect(await balancesOf(yours)).toMatchObject([{ amount: '7', price_usd: 2 }])
    service.setPrice(usdc, undefined)
    expect((await balancesOf(yours))[0]).not.toHaveProperty('value_usd')
    const path = `/v1/evm/balances/${mine}/token/${usdc.address}?chain_ids=1`
    expect((await getJson(path))['balances']).toMatchObject([{ amount: '0' }])
  })

  it('throws for invalid arguments', () => {
    const token = service.token('USDC')
    const [from, to] = service.wallets.map(({ address }) => address)
    const unknown = { chainId: 1, address: `0x${'0'.repeat(40)}` }
    expect(() => service.setPrice(unknown, 1)).toThrow('Unknown token 1/0x0000')
    expect(() => service.setPrice(token, NaN)).toThrow(RangeError)
    expect(() => service.setAmount(from!, token, -1n)).toThrow(RangeError)
    expect(() => service.transfer({ token, from: to!, to: from!, amount: 1n })).toThrow(RangeError)
    expect(() => service.token('NONE')).toThrow(RangeError)
    expect(() => service.advance(0)).toThrow(RangeError)
    expect(() => service.advance(1.5)).toThrow(RangeError)
    expect(() => createFakeService({ chains: [] })).toThrow(RangeError)
  })

  it('supports other chains', async () => {
    const chain = { id: 31337, name: 'Devnet', tags: ['default'], symbol: 'ETH' }
    const { url, fetch, wallet } = createFakeService({ chains: [chain] })
    const response = await fetch(`${url}/v1/evm/balances/${wallet('everyday').address}`, {
      headers,
    })
    expect(await response.json()).toMatchObject({
      balances: [{ chain_id: 31337, chain: 'Devnet' }, {}, {}, {}, {}],
    })
  })
})
