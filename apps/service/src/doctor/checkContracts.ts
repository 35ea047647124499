import { toFunctionSelector } from 'viem'
import type { ChainConfig } from '../config/Config.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import { type Finding, findingsOf } from './Finding.ts'
import { sentenceOf } from './sentenceOf.ts'

/** Functions that the contracts of each option have, and few others. */
const expected = [
  { option: 'wrappedNative', signature: 'decimals()' },
  { option: 'stablecoins', signature: 'decimals()' },
  { option: 'quoteTokens', signature: 'decimals()' },
  { option: 'uniswapV2Factories', signature: 'allPairsLength()' },
  { option: 'uniswapV3Factories', signature: 'owner()' },
  { option: 'marketplaces', signature: 'name()' },
] as const

/** Checks that the configured contracts are there and are what they are configured as. */
export async function checkContracts(chain: ChainConfig): Promise<Finding[]> {
  const { ok, warning, error } = findingsOf(`chain ${chain.id}, contracts`)
  const asked = expected.flatMap(({ option, signature }) =>
    [chain[option] ?? []].flat().map((to) => ({ option, to, signature })),
  )
  const findings: Finding[] = []
  if (chain.stablecoins.length === 0)
    findings.push(warning('without stablecoins nothing has a price: configure some'))
  if (chain.uniswapV2Factories.length + chain.uniswapV3Factories.length === 0)
    findings.push(warning('without factories of pools nothing but stablecoins has a price'))
  try {
    const node = new ChainNode(chain.rpcUrls)
    const calls = asked.map(({ to, signature }) => ({ to, data: toFunctionSelector(signature) }))
    const outcomes = await node.callMany(calls, await node.getHead())
    const wrong = asked.filter((_, index) => {
      const outcome = outcomes[index]
      return outcome?.kind === 'reverted' || (outcome?.kind === 'answered' && outcome.data === '0x')
    })
    for (const { option, to, signature } of wrong)
      findings.push(error(`${option} names ${to}, which has no ${signature}: correct it`))
    if (wrong.length === 0 && asked.length > 0)
      findings.push(ok(`all ${asked.length} configured contracts are what they are said to be`))
  } catch (reason) {
    findings.push(error(`cannot be asked (${sentenceOf(reason)})`))
  }
  return findings
}
