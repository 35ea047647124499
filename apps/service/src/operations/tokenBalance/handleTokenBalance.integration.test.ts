import { expect, it } from 'vitest'
import {
  type Balance,
  type BalancesResponse,
  isBalance,
  isBalancesResponse,
} from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startTestService, type TestService } from '../../../test/startTestService.ts'
import {
  chainSeven,
  notErc20,
  requestBalances,
  startWalletService,
  wallet,
} from '../../../test/startWalletService.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import { fromHex } from '../../store/hex.ts'

const { usd, weth } = testTokens

function pathOf(token: string, query = 'chain_ids=7', owner: string = wallet) {
  return `/v1/evm/balances/${owner}/token/${token}?${query}`
}

async function fetchBalance({ fetch }: TestService, ...path: Parameters<typeof pathOf>) {
  const response = await fetch(pathOf(...path))
  expect(response.status).toBe(200)
  const body = (await response.json()) as BalancesResponse
  expect(isBalancesResponse(body)).toBe(true)
  expect(body.balances).toHaveLength(1)
  const balance = body.balances[0] as Balance
  expect(isBalance(balance)).toBe(true)
  return { ...body, balance, headers: response.headers }
}

describeEachStore('handleTokenBalance', (openTestStore) => {
  const getService = shareFixture(async () => await startWalletService(await openTestStore()))

  it('returns the same entry as balances', async () => {
    const service = getService()
    const query = 'chain_ids=7&historical_prices=2,1,99&metadata=pools,logo'
    const { balances } = await requestBalances(service, query)
    expect(balances).toHaveLength(8)
    for (const expected of balances) {
      const { balance } = await fetchBalance(service, expected.address, query)
      expect(balance).toEqual(expected)
    }
  })

  it('reads one chain at its head block, for one unit', async () => {
    const { balance, headers, request_time, response_time } = await fetchBalance(
      getService(),
      usd,
      'chain_ids=8',
    )
    expect(balance).toMatchObject({ chain_id: 8, amount: '1500000000', value_usd: 1500 })
    expect(headers.get('x-compute-units-cost')).toBe('1')
    expect(headers.get('x-block-numbers')).toBe('8=9')
    expect(Date.parse(request_time ?? '')).toBeLessThanOrEqual(Date.parse(response_time ?? ''))
  })

  it('returns a zero balance with amount "0" and the price', async () => {
    const stranger = testAddress(0xcc)
    const token = await fetchBalance(getService(), weth, 'chain_ids=7', stranger)
    expect(token.wallet_address).toBe(stranger)
    expect(token.balance).toMatchObject({ amount: '0', price_usd: 2000, value_usd: 0 })
    const native = await fetchBalance(getService(), 'native', 'chain_ids=7', stranger)
    expect(native.balance).toMatchObject({ address: 'native', amount: '0', price_usd: 2000 })
  })

  it('has the block of the audit, here and in balances, unless the token is not audited', async () => {
    const service = getService()
    const setBlock = async (token: string, compared_block: number | null) =>
      await service.store.db
        .updateTable('tokens')
        .set({ compared_block })
        .where('chain_id', '=', 7)
        .where('address', '=', fromHex(token))
        .execute()
    await setBlock(weth, 2)
    const query = 'chain_ids=7&metadata=audit'
    const blockOf = async (token: string) => {
      const { balance } = await fetchBalance(service, token, query)
      const { balances } = await requestBalances(service, query)
      const listed = balances.find(({ address }) => address === token)
      expect(listed?.token_metadata).toEqual(balance.token_metadata)
      return balance.token_metadata
    }
    expect(await blockOf(weth)).toEqual({ audited_block: 2 })
    expect(await blockOf(usd)).toEqual({})
    // Without a new block.
    await setBlock(usd, 3)
    expect(await blockOf(usd)).toEqual({ audited_block: 3 })
    expect(await blockOf('native')).toEqual({ audited_block: 3 })
    await setBlock(usd, null)
    await setBlock(weth, null)
  })

  it('responds 404 for a token that the chain does not have', async () => {
    for (const path of [pathOf(testAddress(0xdead)), pathOf(weth, 'chain_ids=8')]) {
      const response = await getService().fetch(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({
        code: 'TOKEN_NOT_FOUND',
        param: 'token_address',
      })
      expect(response.headers.get('x-compute-units-cost')).toBe('0')
    }
  })

  it.each([
    ['ERC721', notErc20.erc721],
    ['ERC1155', notErc20.erc1155],
  ])('responds 404 for an %s contract, with its standard', async (standard, address) => {
    const response = await getService().fetch(pathOf(address))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      code: 'TOKEN_NOT_FOUND',
      message: expect.stringContaining(standard) as string,
    })
  })

  it('accepts addresses in any case and returns them in lower case', async () => {
    const { store } = getService()
    const token = '0x00000000000000000000000000000000000000fa'
    await seedChain(store.db, {
      chainId: 9,
      blocks: chainSeven.blocks,
      tokens: [{ address: token }],
      balances: [{ holder: wallet, token, amount: 7n }],
    })
    const service = await startTestService(store, [testChainConfig(9)])
    const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`
    const { balance, wallet_address } = await fetchBalance(
      service,
      upper(token),
      'chain_ids=9',
      upper(wallet),
    )
    expect(wallet_address).toBe(wallet)
    expect(balance).toMatchObject({ address: token, amount: '7' })
  })

  it('responds 503 for the native asset if no node returns its balance, and not for tokens', async () => {
    const { store, node } = getService()
    // The node has no blocks of this chain.
    await seedChain(store.db, { ...chainSeven, chainId: 9 })
    const service = await startTestService(store, [testChainConfig(9, { rpcUrls: [node.url] })])
    const response = await service.fetch(pathOf('native', 'chain_ids=9'))
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'NODES_UNAVAILABLE' })
    expect(response.headers.get('retry-after')).toBe('5')
    expect((await fetchBalance(service, usd, 'chain_ids=9')).balance.amount).toBe('1500000000')
  })

  it('responds 503 until the initial indexing is complete', async () => {
    const { store } = getService()
    await seedChain(store.db, { ...chainSeven, chainId: 9, synced: false })
    const service = await startTestService(store, [testChainConfig(9)])
    const response = await service.fetch(pathOf(usd, 'chain_ids=9'))
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'CHAIN_NOT_READY' })
  })
})
