import { type Hex, numberToHex, padHex, zeroAddress } from 'viem'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type {
  BalancesResponse,
  CollectiblesResponse,
  TokenHoldersResponse,
  TokenInfoResponse,
} from '@headwater/contract'
import { emptyTables, openSharedStore } from '../../test/describeEachStore.ts'
import { FakeChain, type FakeEvent } from '../../test/FakeChain.ts'
import { nftTransfer } from '../../test/fakeEvents.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { mockBalanceOf } from '../../test/mockBalanceOf.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig, testTokens } from '../../test/testChainConfig.ts'
import { fillPendingTokens } from '../metadata/fillPendingTokens.ts'
import { fromHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { topics } from './decode/topics.ts'

const chainId = 1
const alice = testAddress(0xa11ce)
const factory = testAddress(0xfac)
const pool = testAddress(0x777)
const ether = 10n ** 18n

let store: Store
beforeAll(async () => {
  store = await openSharedStore('pglite')
})

/** Indexes and serves a chain on which every account has three of the native asset. */
async function start(blocks: FakeEvent[][], overrides: Parameters<typeof testChainConfig>[1] = {}) {
  await emptyTables(store)
  const chain = new FakeChain()
  for (const events of blocks) {
    chain.mine(events)
  }
  const node = await startFakeNode(chain, chainId)
  mockBalanceOf(node, ({ token, transferred }) =>
    // Like the legacy contract of OP Mainnet, which returns the native balance.
    token === overrides.nativeAliases?.[0] ? 3n * ether : transferred || undefined,
  )
  const mocked = node.transformResult
  node.transformResult = (method, params, result) =>
    method === 'eth_getBalance' ? numberToHex(3n * ether) : mocked(method, params, result)
  const config = testChainConfig(chainId, {
    rpcUrls: [node.url],
    pollIntervalMs: 10,
    uniswapV2Factories: [factory],
    ...overrides,
  })
  const indexer = indexTestChain(store, config)
  onTestFinished(async () => {
    await indexer.stop()
    await node.close()
  })
  await indexer.reaches(chain.head.hash)
  const service = await startTestService(store, [config])
  return {
    fillPending: () => fillPendingTokens(store.db, indexer.node, chainId),
    async mine(events: FakeEvent[]) {
      chain.mine(events)
      await indexer.reaches(chain.head.hash)
    },
    async reorg(blocks: FakeEvent[][]) {
      chain.reorg(blocks.length, blocks)
      await indexer.reaches(chain.head.hash)
    },
    async get<Body>(path: string) {
      const response = await service.fetch(`/v1/evm/${path}`)
      return { status: response.status, body: (await response.json()) as Body }
    },
  }
}

const transfer = (token: Hex, amount: bigint): FakeEvent => ({
  type: 'transfer',
  token,
  from: zeroAddress,
  to: alice,
  amount,
})

it('counts transfers without indexed fields', async () => {
  const token = testAddress(0x6012)
  const word = (value: Hex) => padHex(value, { size: 32 }).slice(2)
  const data: Hex = `0x${word(zeroAddress)}${word(alice)}${word('0x07')}`
  const { get } = await start([[{ type: 'raw', address: token, topics: [topics.transfer], data }]])
  const { body } = await get<TokenHoldersResponse>(`token-holders/${chainId}/${token}`)
  expect(body.holders).toMatchObject([{ wallet_address: alice, balance: '7' }])
})

it('does not classify an address by a pool that was created for it', async () => {
  const nft = testAddress(0x9999)
  const pair = { type: 'pair', factory, token0: nft, token1: testTokens.weth, pool } as const
  const { get, mine, fillPending } = await start([[pair]])
  await fillPending()
  expect(await get(`token-holders/${chainId}/${nft}`)).toMatchObject({ status: 404 })
  expect(await get(`token-info/${nft}?chain_ids=${chainId}`)).toMatchObject({ status: 404 })
  await mine([nftTransfer(nft, { from: zeroAddress, to: alice }, 1n)])
  await fillPending()
  expect(await get(`token-info/${nft}?chain_ids=${chainId}`)).toMatchObject({ status: 404 })
  const { body } = await get<TokenHoldersResponse>(`token-holders/${chainId}/${nft}`)
  expect(body.holders).toMatchObject([{ wallet_address: alice, balance: '1' }])
  const collectibles = await get<CollectiblesResponse>(`collectibles/${alice}?chain_ids=${chainId}`)
  expect(collectibles.body.entries).toMatchObject([{ token_standard: 'ERC721', token_id: '1' }])
})

it('does not classify a contract by events of blocks that a reorg undid', async () => {
  const nft = testAddress(0x9999)
  const pooled = testAddress(0x8888)
  const mint = (token: Hex) => nftTransfer(token, { from: zeroAddress, to: alice }, 1n)
  const pair = { type: 'pair', factory, token0: pooled, token1: testTokens.weth, pool } as const
  const { get, mine, reorg, fillPending } = await start([[mint(nft), pair]])
  const status = async () => {
    await fillPending()
    const token = await store.db
      .selectFrom('tokens')
      .select(['standard', 'events'])
      .where('address', '=', fromHex(nft))
      .executeTakeFirst()
    const holders = await get(`token-holders/${chainId}/${pooled}`)
    return [token?.standard, token?.events, holders.status]
  }
  expect(await status()).toEqual([721, 2, 404])
  await mine([{ ...transfer(nft, 1n), from: factory } as FakeEvent])
  await mine([mint(pooled)])
  expect(await status()).toEqual([20, 3, 200])
  await reorg([[mint(pooled)]])
  expect(await status()).toEqual([20, 3, 200])
  await reorg([[], []])
  expect(await status()).toEqual([721, 2, 404])
})

it('ignores the transfers of a native asset that its chain logs', async () => {
  const emitter: Hex = '0xfffffffffffffffffffffffffffffffffffffffe'
  const { get, fillPending } = await start([
    [{ type: 'transfer', token: emitter, from: testAddress(0xb0b), to: alice, amount: ether }],
  ])
  await fillPending()
  const { body } = await get<BalancesResponse>(`balances/${alice}?chain_ids=${chainId}`)
  expect(body.balances.map(({ address, amount }) => [address, amount])).toEqual([
    ['native', `${3n * ether}`],
  ])
  expect(body.warnings).toBeUndefined()
  expect(await get(`token-holders/${chainId}/${emitter}`)).toMatchObject({ status: 404 })
})

it('lists a native asset once that is an ERC20 token, too', async () => {
  const alias: Hex = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000'
  const { usd } = testTokens
  const { get } = await start(
    [
      [
        transfer(alias, ether),
        { type: 'pair', factory, token0: usd, token1: alias, pool },
        // 2 USD each.
        { type: 'sync', pool, reserve0: 2n * 10n ** 12n, reserve1: 10n ** 24n },
        transfer(usd, 10n ** 6n),
      ],
    ],
    { nativeAliases: [alias], wrappedNative: alias },
  )
  await store.db.updateTable('tokens').set({ decimals: 6, metadata: 'read' }).execute()
  const chainIds = `chain_ids=${chainId}`
  const listed = await get<BalancesResponse>(`balances/${alice}?${chainIds}`)
  expect(listed.body.balances.map(({ address, amount }) => [address, amount])).toEqual([
    ['native', `${3n * ether}`],
    [usd, '1000000'],
  ])
  expect(listed.body.warnings).toBeUndefined()
  const single = await get<BalancesResponse>(`balances/${alice}/token/${alias}?${chainIds}`)
  expect(single.body.balances).toEqual([{ ...listed.body.balances[0], address: alias }])
  expect(single.body.balances[0]).toMatchObject({ symbol: 'ETH', price_usd: 2, value_usd: 6 })
  const info = await get<TokenInfoResponse>(`token-info/${alias}?${chainIds}`)
  expect(info.body.contract_address).toBe(alias)
  const native = await get<TokenInfoResponse>(`token-info/native?${chainIds}`)
  expect(info.body.tokens).toEqual(native.body.tokens)
  expect(info.body.tokens).toMatchObject([{ symbol: 'ETH', price_usd: 2 }])
  expect(await get(`token-holders/${chainId}/${alias}`)).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('is the native asset') as string },
  })
})
