import { toFunctionSelector } from 'viem/utils'
import type { ChainConfig } from '../config/Config.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { type CheckResult, resultsOf } from './CheckResult.ts'
import { formatMessage } from './formatMessage.ts'

/** Functions that the contracts of each option have, and few others. */
const expected = [
  { option: 'wrappedNative', signature: 'decimals()' },
  { option: 'stablecoins', signature: 'decimals()' },
  { option: 'quoteTokens', signature: 'decimals()' },
  { option: 'uniswapV2Factories', signature: 'allPairsLength()' },
  { option: 'uniswapV3Factories', signature: 'owner()' },
  { option: 'marketplaces', signature: 'name()' },
] as const

/**
 * Checks that the configured contracts are there and are what they are configured as.
 *
 * @param endpoints - nodes that are of the chain.
 */
export async function checkContracts(
  chain: ChainConfig,
  endpoints: ChainConfig['rpcUrls'],
): Promise<CheckResult[]> {
  const { ok, warning, error } = resultsOf(`chain ${chain.id}, contracts`)
  const asked = expected.flatMap(({ option, signature }) =>
    [chain[option] ?? []].flat().map((to) => ({ option, to, signature })),
  )
  const findings: CheckResult[] = []
  if (chain.stablecoins.length === 0) {
    findings.push(warning('without stablecoins nothing has a price: configure some'))
  } else if (chain.uniswapV2Factories.length + chain.uniswapV3Factories.length === 0) {
    findings.push(warning('without factories of pools nothing but stablecoins has a price'))
  }
  if (asked.length === 0) {
    return findings
  }
  try {
    const node = new ChainNode(endpoints)
    const calls = asked.map(({ to, signature }) => ({ to, data: toFunctionSelector(signature) }))
    const outcomes = await node.multicall(calls, await node.getHead())
    const faults = asked.flatMap(({ option, to, signature }, index) => {
      const outcome = outcomes[index]
      if (outcome?.kind === 'failed') {
        return [error(`${option}: ${to} cannot be asked (${formatMessage(outcome.error)})`)]
      }
      return outcome?.kind === 'returned' && outcome.data !== '0x'
        ? []
        : [error(`${option} names ${to}, which has no ${signature}: correct it`)]
    })
    if (faults.length > 0) {
      return [...findings, ...faults]
    }
    return [...findings, ok(`all ${asked.length} are what they are said to be`)]
  } catch (reason) {
    return [...findings, error(`cannot be asked (${formatMessage(reason)})`)]
  }
}
