import { toFunctionSelector } from 'viem/utils'
import type { ChainConfig } from '../config/Config.ts'
import { factoryOptions, venues } from '../pricing/venues/venues.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { type CheckResult, createResults, formatReason } from './CheckResult.ts'

/** A characteristic function of the contracts of each option. */
const expected = [
  { option: 'wrappedNative', signature: 'decimals()' },
  { option: 'nativeAliases', signature: 'decimals()' },
  { option: 'stablecoins', signature: 'decimals()' },
  { option: 'quoteTokens', signature: 'decimals()' },
  ...factoryOptions.map((option) => ({ option, signature: venues[option].factoryFunction })),
  { option: 'marketplaces', signature: 'name()' },
  { option: 'priceFeeds', signature: 'latestRoundData()' },
] as const

/**
 * Checks that the configured contracts exist and have the functions of their kind.
 *
 * @param endpoints - nodes of the chain.
 */
export async function checkContracts(
  chain: ChainConfig,
  endpoints: ChainConfig['rpcUrls'],
): Promise<CheckResult[]> {
  const { ok, warning, error } = createResults(`chain ${chain.id}, contracts`)
  const contracts = expected.flatMap(({ option, signature }) =>
    [chain[option] ?? []]
      .flat()
      .map((contract) => (typeof contract === 'string' ? contract : contract.address))
      .map((to) => ({ option, to, signature })),
  )
  const results: CheckResult[] = []
  if (chain.stablecoins.length === 0) {
    results.push(warning('no stablecoins are configured: no token has a price'))
  } else if (factoryOptions.every((option) => chain[option].length === 0)) {
    results.push(warning('no pool factories are configured: only stablecoins have a price'))
  }
  if (contracts.length === 0) {
    return results
  }
  try {
    const node = new ChainNode(endpoints)
    const calls = contracts.map(({ to, signature }) => ({
      to,
      data: toFunctionSelector(signature),
    }))
    const outcomes = await node.multicall(calls, await node.getHead())
    const errors = contracts.flatMap(({ option, to, signature }, index) => {
      const outcome = outcomes[index]
      if (outcome?.status === 'failed') {
        return [error(`${option}: ${to} cannot be called (${formatReason(outcome.error)})`)]
      }
      return outcome?.status === 'success' && outcome.data !== '0x'
        ? []
        : [error(`${option}: ${to} has no function ${signature}: correct the address`)]
    })
    if (errors.length > 0) {
      return [...results, ...errors]
    }
    return [...results, ok(`all ${contracts.length} have the expected functions`)]
  } catch (reason) {
    return [...results, error(`cannot be called (${formatReason(reason)})`)]
  }
}
