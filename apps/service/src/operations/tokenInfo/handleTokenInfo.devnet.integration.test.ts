import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BalancesResponse, Token, TokenInfoResponse } from '@headwater/contract'
import { type DevnetChain, devnetOne, devnetTwo, startChain } from '@headwater/devnet'
import { describeEachStore, openSharedStore } from '../../../test/describeEachStore.ts'
import { type ServedDevnet, serveDevnet } from '../../../test/serveDevnet.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startTestService } from '../../../test/startTestService.ts'
import { parseConfig } from '../../config/parseConfig.ts'

const erc20 = [
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
]

let chain: DevnetChain
let two: DevnetChain
beforeAll(async () => {
  const chains = [devnetOne, devnetTwo].map((scenario) =>
    startChain({ scenario, days: 2, live: false }),
  )
  ;[chain, two] = (await Promise.all(chains)) as [DevnetChain, DevnetChain]
})
afterAll(async () => {
  await chain.stop()
  await two.stop()
})

const past = 'historical_prices=24,1'

async function requestToken({ fetch }: ServedDevnet, address: string): Promise<Token> {
  const path = `/v1/evm/token-info/${address}?chain_ids=${chain.chainId}&${past}`
  const response = await fetch(path)
  expect(response.status).toBe(200)
  const { tokens } = (await response.json()) as TokenInfoResponse
  expect(tokens).toHaveLength(1)
  return tokens[0] as Token
}

/** Balances of all accounts, by token. */
async function requestBalances({ fetch }: ServedDevnet) {
  const found = new Map<string, Partial<Token>>()
  for (const { address } of chain.accounts) {
    const response = await fetch(`/v1/evm/balances/${address}?chain_ids=${chain.chainId}&${past}`)
    const { balances } = (await response.json()) as BalancesResponse
    for (const balance of balances) {
      found.set(balance.address, balance)
    }
  }
  return found
}

async function readUint(
  to: string,
  functionName: 'totalSupply' | 'balanceOf',
  ...args: string[]
): Promise<bigint> {
  const data = encodeFunctionData({ abi: parseAbi(erc20), functionName, args })
  return BigInt(await chain.rpc.call<Hex>('eth_call', { to, data }, 'latest'))
}

describeEachStore('token info of a real chain', (openTestStore) => {
  const getService = shareFixture(async () => await serveDevnet(await openTestStore(), [chain]))

  it('returns totalSupply(), and the metadata and prices of balances', async () => {
    const service = getService()
    const compare = async () => {
      const held = await requestBalances(service)
      const { price_usd, ...native } = await requestToken(service, 'native')
      expect(price_usd).toBe(held.get('native')?.price_usd)
      expect(price_usd).toBeGreaterThan(0)
      expect(native).not.toHaveProperty('total_supply')
      let priced = 0
      for (const [address, balance] of held) {
        if (address === 'native') {
          continue
        }
        const token = await requestToken(service, address)
        expect(token.total_supply).toBe(String(await readUint(address, 'totalSupply')))
        const fields = ['symbol', 'name', 'decimals', 'price_usd', 'pool_size'] as const
        for (const field of [...fields, 'historical_prices' as const]) {
          expect(token[field], `${field} of ${address}`).toEqual(balance[field])
        }
        if (token.price_usd === undefined) {
          expect(token).not.toHaveProperty('fully_diluted_value')
          continue
        }
        priced += 1
        const supply = Number(token.total_supply) / 10 ** (token.decimals ?? NaN)
        expect((token.fully_diluted_value ?? NaN) / (supply * token.price_usd)).toBeCloseTo(1, 12)
      }
      expect(priced).toBeGreaterThan(3)
    }
    await compare()

    // A deposit mints.
    const weth = chain.token('WETH').address
    const before = (await requestToken(service, weth)).total_supply
    const from = chain.accounts[3]!.address
    await chain.deposit({ from, amount: 10n ** 17n })
    await service.catchUp()
    const after = (await requestToken(service, weth)).total_supply
    expect(BigInt(after ?? 0) - BigInt(before ?? 0)).toBe(10n ** 17n)
    await compare()
  })

  it('names the only provider of the pool that prices a token, and copies of listed names', async () => {
    const { fetch } = getService()
    let providers = 0
    const { stablecoins, wrappedNative } = chain.config
    const trusted = new Set([...stablecoins, wrappedNative])
    for (const { address, symbol } of chain.tokens) {
      const path = `/v1/evm/token-info/${address}?chain_ids=${chain.chainId}&metadata=spam,pools`
      const { tokens } = (await (await fetch(path)).json()) as TokenInfoResponse
      const { pools, spam_signals = [] } = tokens[0]?.token_metadata ?? {}
      const named = spam_signals.find(({ code }) => code === 'SOLE_PROVIDER')?.address
      const [pool] = pools ?? []
      if (trusted.has(address) || pool?.type !== 'uniswap-v2') {
        expect([symbol, named]).toEqual([symbol, undefined])
        continue
      }
      const shares = await readUint(pool.address, 'balanceOf', named ?? pool.address)
      const total = await readUint(pool.address, 'totalSupply')
      expect([symbol, shares * 100n >= total * 95n]).toEqual([symbol, named !== undefined])
      providers += named === undefined ? 0 : 1
    }
    expect(providers).toBeGreaterThan(0)
    const plain = await fetch(`/v1/evm/token-info/native?chain_ids=${chain.chainId}&metadata=spam`)
    expect(await plain.json()).toMatchObject({ tokens: [{ token_metadata: { spam_signals: [] } }] })
  })

  it('responds 404 for a contract of NFTs and for an account', async () => {
    const [collection] = chain.collections
    for (const address of [collection?.address, chain.accounts[0]?.address]) {
      const path = `/v1/evm/token-info/${address}?chain_ids=${chain.chainId}`
      expect((await getService().fetch(path)).status).toBe(404)
    }
  })
})

it('has the same prices from nodes as from the index at the same block, of all tokens', async () => {
  const chains = [chain, two]
  const readPrices = async ({ fetch }: Pick<ServedDevnet, 'fetch'>) => {
    const requests = chains.flatMap(({ chainId, tokens, pools }) =>
      ['native', ...[...tokens, ...pools].map(({ address }) => address)].map(async (address) => {
        const response = await fetch(`/v1/evm/token-info/${address}?chain_ids=${chainId}`)
        const { tokens } = (await response.json()) as Partial<TokenInfoResponse>
        return {
          token: `${chainId}/${address}`,
          block: response.headers.get('x-block-numbers'),
          price: tokens?.[0]?.price_usd?.toPrecision(12),
        }
      }),
    )
    return await Promise.all(requests)
  }
  const configs = chains.map(({ config }) => ({ ...config, history: 'node' }))
  const fromNodes = await readPrices(
    await startTestService(
      await openSharedStore('pglite'),
      parseConfig(JSON.stringify({ chains: configs }), 'test').chains,
    ),
  )
  const fromIndex = await readPrices(await serveDevnet(await openSharedStore('pglite'), chains))
  expect(fromNodes).toEqual(fromIndex)
  for (const { chainId } of chains) {
    const priced = fromNodes.filter(({ token, price }) => token.startsWith(`${chainId}/`) && price)
    expect(priced.length).toBeGreaterThan(4)
  }
})
