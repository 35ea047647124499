// Portfolios of several wallets.
import { beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { balance, balancesResponse, numberedAddress } from '../../test/balances.ts'
import { advance, record } from '../../test/clientsInFakeTime.ts'
import { json, rejectWith } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import type { Balance, PortfolioHolding, PortfolioWallet } from '../index.ts'
import { watchBalances } from '../operations/balances.ts'
import { watchPortfolio } from './watchPortfolio.ts'

const { service, create } = serviceInFakeTime()

const [alice, bob, carol] = [0xa, 0xb, 0xc].map(numberedAddress) as [string, string, string]
const usdc = numberedAddress(1)
const token = (address: string, amount: string, price_usd = 1): Balance =>
  balance({ address, amount, price_usd, value_usd: Number(amount) * price_usd, decimals: 0 })

let wallets: Record<string, Balance[]> = {}
let respond: (wallet: string) => Response | Promise<Response>
const walletOf = (url: string) => new URL(url).pathname.split('/').at(-1)!

beforeEach(() => {
  wallets = {
    [alice]: [token(usdc, '100'), token('native', '2', 2000)],
    [bob]: [token(usdc, '50')],
    [carol]: [],
  }
  respond = (wallet) => json({ ...balancesResponse(...wallets[wallet]!), wallet_address: wallet })
  service.respond = () => respond(walletOf(service.requests.at(-1)!.url))
})

describe('a portfolio of several wallets', () => {
  it('has a total over all wallets, totals of each, and merged holdings', async () => {
    const stream = watchPortfolio(create(), { address: [alice, bob, carol] })
    const { emitted } = record(stream)
    await advance(0)
    expect(service.requests).toHaveLength(3)
    const { data } = emitted.at(-1)!
    expect(data).toMatchObject({ value_usd: 4150, tokens: 3, complete: true, warnings: [] })
    expect(data?.wallets).toMatchObject([
      { address: alice, value_usd: 4100, tokens: 2, share: 4100 / 4150, complete: true },
      { address: bob, value_usd: 50, tokens: 1, share: 50 / 4150, chains: [{ value_usd: 50 }] },
      { address: carol, value_usd: 0, tokens: 0, share: 0, chains: [], complete: true },
    ])
    expect(data?.holdings).toMatchObject([
      { address: 'native', amount: '2', value_usd: 4000, wallets: [{ address: alice }] },
      {
        address: usdc,
        amount: '150',
        value_usd: 150,
        wallets: [
          { address: alice, amount: '100' },
          { address: bob, amount: '50' },
        ],
      },
    ])
    expectTypeOf(data!.wallets).toEqualTypeOf<readonly PortfolioWallet[]>()
    expectTypeOf(data!.holdings).toEqualTypeOf<readonly PortfolioHolding[]>()
  })

  it('is the same stream for any order, case and repetition of the addresses', () => {
    const client = create()
    const upper = `0x${alice.slice(2).toUpperCase()}`
    const stream = watchPortfolio(client, { address: [alice, bob] })
    expect(watchPortfolio(client, { address: [bob, upper, alice] })).toBe(stream)
    expect(watchPortfolio(client, { address: [bob] })).not.toBe(stream)
  })

  it('shares its requests with the listings and portfolios of single wallets', async () => {
    const client = create()
    record(watchBalances(client, { address: alice }))
    record(watchPortfolio(client, { address: bob }))
    const { emitted } = record(watchPortfolio(client, { address: [alice, bob] }))
    await advance(20_300)
    expect(service.requests).toHaveLength(6)
    expect(emitted.at(-1)?.data?.value_usd).toBe(4150)
    wallets[bob] = [token(usdc, '60')]
    await advance(10_000)
    expect(emitted.at(-1)?.data?.value_usd).toBe(4160)
    const [native, merged] = emitted.at(-1)!.data!.holdings
    expect(native).toBe(emitted.at(-2)!.data!.holdings[0])
    expect(merged).toMatchObject({ amount: '160' })
  })

  it('is incomplete while a wallet is awaited', async () => {
    const fast = respond
    respond = async (wallet) => {
      await new Promise((resolve) => setTimeout(resolve, wallet === bob ? 500 : 100))
      return fast(wallet)
    }
    const { emitted } = record(watchPortfolio(create(), { address: [alice, bob] }))
    await advance(600)
    expect(emitted.map(({ status, data }) => [status, data?.value_usd, data?.complete])).toEqual([
      ['pending', undefined, undefined],
      ['success', 4100, false],
      ['success', 4150, true],
    ])
    expect(emitted[1]?.data?.wallets[1]).toMatchObject({ address: bob, complete: false })
    expect(emitted[1]?.data?.warnings).toEqual([])
  })

  it('is incomplete, with a warning, while one wallet fails, and keeps its last balances', async () => {
    const { emitted, stream } = record(watchPortfolio(create(), { address: [alice, bob] }))
    await advance(0)
    const works = respond
    respond = (wallet) => (wallet === bob ? rejectWith(404)() : works(wallet))
    wallets[alice] = [token(usdc, '10')]
    await advance(10_100)
    expect(emitted.at(-1)).toMatchObject({
      status: 'success',
      error: null,
      data: { value_usd: 60, complete: false, warnings: [{ code: 'WALLET_FAILED' }] },
    })
    expect(emitted.at(-1)?.data?.warnings[0]?.message).toContain(bob)
    expect(emitted.at(-1)?.data?.wallets).toMatchObject([
      { address: bob, value_usd: 50, complete: false },
      { address: alice, value_usd: 10, complete: true },
    ])
    respond = () => rejectWith(404)()
    await advance(10_100)
    expect(emitted.at(-1)).toMatchObject({
      status: 'error',
      error: { status: 404 },
      data: { value_usd: 60, complete: false },
    })
    respond = works
    await stream.getSnapshot().refetch()
    expect(emitted.at(-1)).toMatchObject({
      status: 'success',
      data: { value_usd: 60, complete: true, warnings: [] },
    })
  })

  it('has no data before the first response, and an error if no wallet has any', async () => {
    respond = (wallet) => (wallet === bob ? rejectWith(404)() : new Promise(() => undefined))
    const { emitted } = record(watchPortfolio(create(), { address: [alice, bob] }))
    await advance(100)
    expect(emitted.at(-1)).toMatchObject({ status: 'pending', data: undefined })
    const invalid = record(watchPortfolio(create(), { address: ['me', 'you'] }))
    expect(invalid.emitted.at(-1)).toMatchObject({ error: { name: 'InvalidParameterError' } })
    const mixed = record(watchPortfolio(create(), { address: ['me', bob] }))
    respond = () => json(balancesResponse(...wallets[bob]!))
    await advance(30_000)
    expect(mixed.emitted.at(-1)).toMatchObject({
      status: 'success',
      data: { value_usd: 50, complete: false, warnings: [{ code: 'WALLET_FAILED' }] },
    })
  })

  it('of no wallets is worth nothing, without a request', async () => {
    const { emitted } = record(watchPortfolio(create(), { address: [] }))
    await advance(0)
    expect(emitted).toMatchObject([
      { status: 'success', data: { value_usd: 0, wallets: [], holdings: [], complete: true } },
    ])
    expect(service.requests).toHaveLength(0)
  })

  it('sends nothing while it is disabled, and releases everything', async () => {
    const idle = record(watchPortfolio(create(), { address: [alice, bob] }, { enabled: false }))
    await advance(20_000)
    expect(service.requests).toHaveLength(0)
    expect(idle.emitted).toMatchObject([{ status: 'pending' }])
    idle.subscription.unsubscribe()
    const { subscription } = record(
      watchPortfolio(create(), { address: [alice, bob] }, { gcTime: 0 }),
    )
    await advance(100)
    subscription.unsubscribe()
    await advance(1000)
    expect(vi.getTimerCount()).toBe(0)
    expect(service.requests).toHaveLength(2)
  })
})
