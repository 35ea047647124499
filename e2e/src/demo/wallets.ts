import type { BalancesResponse } from '@headwater/contract'
import { ask } from '../ask.ts'
import type { StackInfo } from '../Stack.ts'

export type Balance = BalancesResponse['balances'][number]

/** The address of a wallet of the devnet. */
export function walletOf(stack: StackInfo, name: string): string {
  const wallet = stack.wallets.find((each) => each.name === name)
  if (!wallet) {
    throw new Error(`No wallet of the devnet is called ${name}.`)
  }
  return wallet.address
}

/** What the service says now of a wallet's tokens. */
export async function balancesOf(stack: StackInfo, wallet: string): Promise<readonly Balance[]> {
  return (await ask(stack, wallet)).answer.balances
}

/** The first of a wallet's tokens that is as it has to be. */
export async function findBalance(
  stack: StackInfo,
  wallet: string,
  isIt: (balance: Balance) => boolean,
): Promise<Balance> {
  const balance = (await balancesOf(stack, wallet)).find(isIt)
  if (!balance) {
    throw new Error(`${wallet} holds no such token.`)
  }
  return balance
}

/** A token of a wallet by its chain and symbol. */
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
