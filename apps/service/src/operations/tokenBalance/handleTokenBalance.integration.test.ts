import { expect, it } from 'vitest'
import {
  type Balance,
  type BalancesResponse,
  isBalance,
  isBalancesResponse,
} from '@headwater/contract'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../../test/seedChain.ts'
import type { TestService } from '../../../test/startTestService.ts'
import {
  requestBalances,
  chainSeven,
  held,
  notErc20,
  startWalletService,
  wallet,
} from '../../../test/startWalletService.ts'
import { testTokens } from '../../../test/testChainConfig.ts'

const { usd, weth } = testTokens

function pathOf(token: string, query = 'chain_ids=7', of: string = wallet) {
  return `/v1/evm/balances/${of}/token/${token}?${query}`
}

async function ask({ fetch }: TestService, ...path: Parameters<typeof pathOf>) {
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
  it('answers what the list of balances says of the same token', async () => {
    const service = await startWalletService(await openTestStore())
    const details = 'historical_prices=2,1,99&metadata=pools,logo'
    const { balances } = await requestBalances(service, `chain_ids=7&${details}`)
    expect(balances).toHaveLength(8)
    for (const expected of balances) {
      expect((await ask(service, expected.address, `chain_ids=7&${details}`)).balance).toEqual(
        expected,
      )
    }
  })

  it('answers of exactly one chain for one unit, at its head block', async () => {
    const service = await startWalletService(await openTestStore())
    const { balance, headers } = await ask(service, usd, 'chain_ids=8')
    expect(balance).toMatchObject({ chain_id: 8, amount: '1500000000', value_usd: 1500 })
    expect(headers.get('x-compute-units-cost')).toBe('1')
    expect(headers.get('x-block-numbers')).toBe('8=9')
  })

  it('answers a zero balance with amount "0" and the price', async () => {
    const service = await startWalletService(await openTestStore())
    const nobody = testAddress(0xcc)
    const token = await ask(service, weth, 'chain_ids=7', nobody)
    expect(token.wallet_address).toBe(nobody)
    expect(token.balance).toMatchObject({ amount: '0', price_usd: 2000, value_usd: 0 })
    const native = await ask(service, 'native', 'chain_ids=7', nobody)
    expect(native.balance).toMatchObject({ address: 'native', amount: '0', price_usd: 2000 })
  })

  it('takes the addresses in any case and answers in lower case', async () => {
    const service = await startWalletService(await openTestStore())
    const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`
    const token = '0x00000000000000000000000000000000000000fa'
    await seedChain(service.store.db, {
      ...chainSeven,
      tokens: [{ address: token }],
      balances: [{ holder: wallet, token, amount: 7n }],
    })
    const { balance, wallet_address } = await ask(
      service,
      upper(token),
      'chain_ids=7',
      upper(wallet),
    )
    expect(wallet_address).toBe(wallet)
    expect(balance).toMatchObject({ address: token, amount: '7' })
  })

  it('is 404 for a token that the chain does not have', async () => {
    const { fetch } = await startWalletService(await openTestStore())
    for (const path of [pathOf(testAddress(0xdead)), pathOf(weth, 'chain_ids=8')]) {
      const response = await fetch(path)
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
  ])('is 404 for an %s contract, and says that it is one', async (standard, address) => {
    const { fetch } = await startWalletService(await openTestStore())
    const response = await fetch(pathOf(address))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      code: 'TOKEN_NOT_FOUND',
      message: expect.stringContaining(standard) as string,
    })
  })

  it('tells when it was asked and when it answered', async () => {
    const service = await startWalletService(await openTestStore())
    const { request_time, response_time } = await ask(service, held.deep)
    expect(Date.parse(request_time ?? '')).toBeLessThanOrEqual(Date.parse(response_time ?? ''))
  })

  it('is 503 for the native asset when no node tells, and answers tokens all the same', async () => {
    const service = await startWalletService(await openTestStore())
    // The nodes follow another fork.
    await seedChain(service.store.db, {
      ...chainSeven,
      blocks: { ...chainSeven.blocks, 4: 1_700_014_400 },
    })
    const response = await service.fetch(pathOf('native'))
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'NODES_UNAVAILABLE' })
    expect(response.headers.get('retry-after')).toBe('5')
    expect((await ask(service, usd)).balance.amount).toBe('1500000000')
  })

  it('is 503 until the first indexing is done', async () => {
    const service = await startWalletService(await openTestStore())
    await seedChain(service.store.db, { ...chainSeven, synced: false })
    const response = await service.fetch(pathOf(usd))
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'CHAIN_NOT_READY' })
  })
})
