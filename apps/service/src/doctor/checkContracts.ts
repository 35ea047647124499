import type { ChainConfig } from '../config/Config.ts'
import { formatReason } from '../formatReason.ts'
import { hasWords } from '../indexing/decode/words.ts'
import { encodeCall } from '../pricing/venues/calls.ts'
import type { Venue } from '../pricing/venues/Venue.ts'
import { factoryOptions, venues } from '../pricing/venues/venues.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { decodeWord } from '../rpc/methods/Call.ts'
import { type CheckResult, createResults } from './CheckResult.ts'

/** The functions of the contracts of each option, by which these are recognized, and those that none of them has. */
const expected = [
  ...(['wrappedNative', 'nativeAliases', 'stablecoins', 'quoteTokens'] as const).map((option) => ({
    option,
    functions: ['decimals()'],
    foreignFunctions: [],
  })),
  ...factoryOptions.map((option) => {
    const venue: Venue = venues[option]
    const { factoryFunction, furtherFunctions = [], foreignFunctions = [] } = venue
    return { option, functions: [factoryFunction, ...furtherFunctions], foreignFunctions }
  }),
  { option: 'marketplaces', functions: ['name()'], foreignFunctions: [] },
  { option: 'priceFeeds', functions: ['latestRoundData()'], foreignFunctions: [] },
] as const

/**
 * Checks that the configured contracts exist and are of their kind, by the functions that they have.
 *
 * @param endpoints - nodes of the chain.
 */
export async function checkContracts(
  chain: ChainConfig,
  endpoints: ChainConfig['rpcUrls'],
): Promise<CheckResult[]> {
  const { ok, warning, error } = createResults(`chain ${chain.id}, contracts`)
  const { decimals: nativeDecimals } = chain.nativeCurrency
  const contracts = expected.flatMap(({ option, functions, foreignFunctions }) =>
    [chain[option] ?? []]
      .flat()
      .map((contract) => (typeof contract === 'string' ? contract : contract.address))
      .map((to) => ({ option, to, functions, foreignFunctions })),
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
    const calls = contracts.flatMap(({ to, functions, foreignFunctions }) =>
      [...functions, ...foreignFunctions].map((signature) => encodeZeros(to, signature)),
    )
    const outcomes = [...(await node.multicall(calls, await node.getHead()))]
    const errors = contracts.flatMap(({ option, to, functions, foreignFunctions }) => {
      const own = outcomes.splice(0, functions.length + foreignFunctions.length)
      const failed = own.find(({ status }) => status === 'failed')
      if (failed?.status === 'failed') {
        return [error(`${option}: ${to} cannot be called (${formatReason(failed.error)})`)]
      }
      const has = own.map((outcome) => outcome.status === 'success' && hasWords(outcome.data, 1))
      const decimals = option === 'wrappedNative' ? decodeWord(own[0]) : undefined
      if (decimals !== undefined && decimals !== BigInt(nativeDecimals)) {
        return [
          error(
            `wrappedNative: ${to} has ${decimals} decimals, nativeCurrency ${nativeDecimals}, so that the price of the native asset would be wrong: correct one of them, or remove wrappedNative`,
          ),
        ]
      }
      const missing = functions.find((_, index) => !has[index])
      const foreign = foreignFunctions.find((_, index) => has[functions.length + index])
      return missing !== undefined
        ? [error(`${option}: ${to} has no function ${missing}: correct the address`)]
        : foreign !== undefined
          ? [
              error(
                `${option}: ${to} is of another kind, as it has ${foreign}: correct the address`,
              ),
            ]
          : []
    })
    if (errors.length > 0) {
      return [...results, ...errors]
    }
    return [...results, ok(`all ${contracts.length} have the expected functions`)]
  } catch (reason) {
    return [...results, error(`cannot be called (${formatReason(reason)})`)]
  }
}

/** Creates a call with zeros as arguments. */
function encodeZeros(to: string, signature: string) {
  const parameters = signature
    .slice(signature.indexOf('(') + 1, -1)
    .split(',')
    .filter(Boolean)
  return encodeCall(
    to,
    signature,
    parameters.map(() => 0),
  )
}
