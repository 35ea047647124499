import { type OperationName, operations } from '@headwater/contract'
import { createParameters } from '@headwater/contract/schemas'
import type { FakeService } from '@headwater/testing'
import * as entry from '../src/index.ts'

type Hook = (parameters: unknown) => { status: string; data: unknown }

/** Every hook that suspends, each with parameters that have different responses. */
export function createSuspenseHooks(service: FakeService) {
  /** Two wallets and tokens, with different responses. */
  const subjects = [
    [service.wallet('everyday'), service.token('USDC')] as const,
    [service.wallet('collector'), service.token('WETH')] as const,
  ].map(([{ address: wallet }, { chainId, address: token }]) => ({ wallet, token, chainId }))

  const tokens = subjects.map(({ chainId, token: address }) => ({ chainId, address }))

  const parameters: Readonly<Record<string, readonly unknown[]>> = {
    ...Object.fromEntries(
      (Object.keys(operations) as OperationName[]).map((name) => [
        `useSuspense${name[0]!.toUpperCase()}${name.slice(1)}`,
        subjects.map((subject) => createParameters(name, subject)),
      ]),
    ),
    useSuspensePrice: tokens,
    useSuspensePrices: tokens.map((token) => [token]),
    useSuspensePortfolio: subjects.map(({ wallet: address }) => ({ address })),
  }

  const hooks = Object.entries(entry)
    .filter(([name]) => name.startsWith('useSuspense') && name !== 'useSuspenseSnapshot')
    .map(([name, hook]) => {
      const [first, second] = parameters[name] ?? []
      return [name, hook as unknown as Hook, first, second] as const
    })
  return { hooks, tokens }
}
