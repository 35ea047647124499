import type { ChainConfig } from '../config/Config.ts'
import { RefusalError } from '../operations/RefusalError.ts'
import { refuseChainNames } from './refuseChainNames.ts'

/** Which chains a request is about. */
export interface ResolvedChains {
  /** The supported ones, each once, by id. */
  readonly chains: readonly ChainConfig[]
  /** Ids that were asked for and that are not configured. */
  readonly unsupportedChainIds: readonly number[]
}

/**
 * Finds the chains that ids and tags name. Without any, those tagged `default`.
 *
 * @throws {RefusalError} 400 for the name of a chain, and for a tag that no chain carries.
 */
export function resolveChains(
  configured: readonly ChainConfig[],
  chainIds: readonly (number | string)[] | undefined,
): ResolvedChains {
  const found = new Set<ChainConfig>()
  const unsupportedChainIds: number[] = []
  for (const asked of chainIds ?? ['default']) {
    const matching = configured.filter(({ id, tags }) =>
      typeof asked === 'number' ? id === asked : tags.includes(asked),
    )
    for (const chain of matching) found.add(chain)
    if (matching.length > 0 || chainIds === undefined) continue
    if (typeof asked === 'number') unsupportedChainIds.push(asked)
    else throw refuseWord(asked, configured)
  }
  return { chains: [...found].sort((a, b) => a.id - b.id), unsupportedChainIds }
}

function refuseWord(word: string, configured: readonly ChainConfig[]): RefusalError {
  const param = 'chain_ids'
  refuseChainNames([word], param, configured)
  const tags = [...new Set(configured.flatMap(({ tags }) => tags))].sort().join(', ')
  return new RefusalError(
    400,
    'UNKNOWN_CHAIN_TAG',
    `No chain carries the tag "${word}"; there are: ${tags}`,
    { param },
  )
}
