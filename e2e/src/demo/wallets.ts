import type { BalancesResponse } from '@headwater/contract'
import { fetchBalances } from '../fetchApi.ts'
import type { StackInfo } from '../Stack.ts'

export type Balance = BalancesResponse['balances'][number]

/** The address of a wallet of the devnet. */
export function walletOf(stack: StackInfo, name: string): string {
  const wallet = stack.wallets.find((each) => each.name === name)
  if (!wallet) {
    throw new Error(`The devnet has no wallet ${name}.`)
  }
  return wallet.address
}

/** The current balances of a wallet. */
export async function balancesOf(
  stack: StackInfo,
  wallet: string,
  query?: string,
): Promise<readonly Balance[]> {
  return (await fetchBalances(stack, wallet, query)).response.balances
}

/** The first matching balance of a wallet. */
export async function findBalance(
  stack: StackInfo,
  wallet: string,
  matches: (balance: Balance) => boolean,
): Promise<Balance> {
  const balance = (await balancesOf(stack, wallet)).find(matches)
  if (!balance) {
    throw new Error(`${wallet} has no matching balance.`)
  }
  return balance
}

/** The balance of a wallet in a token, by chain and symbol. */
export function holding(
  stack: StackInfo,
  wallet: string,
  chainId: number,
  symbol: string,
): Promise<Balance> {
  return findBalance(
    stack,
    wallet,
    (balance) => balance.chain_id === chainId && balance.symbol === symbol,
  )
}
