import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Balance, BalancesResponse } from '@headwater/contract'
import { type DevnetChain, devnetOne, startChain } from '@headwater/devnet'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { type ServedDevnet, serveDevnet } from '../../../test/serveDevnet.ts'

let chain: DevnetChain
beforeAll(async () => {
  chain = await startChain({ scenario: devnetOne, days: 2, live: false })
})
afterAll(() => chain.stop())

async function requestBalance(
  { fetch }: ServedDevnet,
  wallet: string,
  token: string,
): Promise<Balance> {
  const path = `/v1/evm/balances/${wallet}/token/${token}?chain_ids=${chain.chainId}`
  const response = await fetch(path)
  expect(response.status).toBe(200)
  const { balances } = (await response.json()) as BalancesResponse
  expect(balances).toHaveLength(1)
  return balances[0] as Balance
}

async function balanceOf(to: string, wallet: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
  return BigInt(await chain.rpc.call<Hex>('eth_call', { to, data }, 'latest'))
}

describeEachStore('a token balance of a real chain', (openTestStore) => {
  it('equals balanceOf and eth_getBalance, through a transfer and a reorg', async () => {
    const service = await serveDevnet(await openTestStore(), [chain])
    const [alice, bob] = [chain.actors[3]!.address, chain.actors[4]!.address]
    const stranger = `0x${'9'.repeat(40)}` as const
    const tokens = ['WETH', 'HUSD', 'SBTC'].map((symbol) => chain.token(symbol).address)
    const compare = async () => {
      await service.catchUp()
      for (const wallet of [alice, bob, stranger]) {
        const native = await chain.rpc.call<Hex>('eth_getBalance', wallet, 'latest')
        expect((await requestBalance(service, wallet, 'native')).amount).toBe(
          String(BigInt(native)),
        )
        for (const token of tokens) {
          expect((await requestBalance(service, wallet, token)).amount).toBe(
            String(await balanceOf(token, wallet)),
          )
        }
      }
    }
    await compare()
    expect((await requestBalance(service, alice, 'native')).amount).not.toBe('0')

    const token = chain.token('WETH').address
    await chain.deposit({ from: alice, amount: 10n ** 17n })
    await chain.transfer({ token, from: alice, to: bob, amount: 12_345n })
    await chain.send({ from: alice, to: bob, amount: 10n ** 15n })
    await compare()

    await chain.reorg(3)
    await chain.mine(1)
    await compare()
  })
})
