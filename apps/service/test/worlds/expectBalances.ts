import { type Hex, numberToHex, zeroAddress } from 'viem'
import { expect } from 'vitest'
import type { BalancesResponse } from '@headwater/contract'
import type { TestService } from '../startTestService.ts'
import type { WorldChain } from './expectChainTruth.ts'
import type { Counted } from './Recount.ts'

/**
 * Expects the balances operation to return what a wallet holds at the indexed block: `eth_getBalance`, and every token of
 * the recount whose balances follow from its transfers.
 */
export async function expectBalances(
  { fetch }: TestService,
  chain: WorldChain,
  counted: Counted,
  wallet: string,
): Promise<void> {
  const query = `chain_ids=${chain.chainId}&limit=1000`
  const response = await fetch(`/v1/evm/balances/${wallet}?${query}`)
  const body = (await response.json()) as BalancesResponse
  expect(response.status, JSON.stringify(body)).toBe(200)
  expect(response.headers.get('x-block-numbers')).toBe(`${chain.chainId}=${counted.block}`)
  const returned = body.balances
    .map(({ address, amount }) => [address, BigInt(amount)] as const)
    .filter(([address]) => !chain.oddTokens.has(address))
  const [native] = await chain.rpc.batch([['eth_getBalance', [wallet, numberToHex(counted.block)]]])
  const held = [...counted.balances]
    .map(([key, { amount }]) => [...key.split(' '), amount] as [string, string, string, bigint])
    .filter(([holder, token, standard, amount]) => {
      return holder === wallet && standard === '20' && amount > 0n && !chain.oddTokens.has(token)
    })
    .map(([, token, , amount]) => [token, amount] as const)
  const expected = [['native', BigInt(native as Hex)] as const, ...held].filter(
    ([, amount]) => amount > 0n,
  )
  expect(wallet).not.toBe(zeroAddress)
  expect(new Map(returned)).toEqual(new Map(expected))
}
