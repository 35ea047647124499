import { InvalidRequestError } from './InvalidRequestError.ts'

/** A chain that is served. */
export interface ServedChain {
  readonly id: number
  readonly tags: readonly string[]
}

/** Which chains a request is about. */
export interface ResolvedChains<Chain> {
  /** Those that are served, each once, by id. */
  readonly chains: readonly Chain[]
  /** Ids that were asked for and that are not served. */
  readonly unsupportedChainIds: readonly number[]
}

/**
 * Finds the chains that ids and tags name. Without any, those tagged `default`.
 *
 * @throws {InvalidRequestError} 400 for a tag that no chain carries.
 */
export function resolveChains<Chain extends ServedChain>(
  served: readonly Chain[],
  chainIds: readonly (number | string)[] | undefined,
): ResolvedChains<Chain> {
  const found = new Set<Chain>()
  const unsupportedChainIds: number[] = []
  for (const asked of chainIds ?? ['default']) {
    const matching = served.filter(({ id, tags }) =>
      typeof asked === 'number' ? id === asked : tags.includes(asked),
    )
    for (const chain of matching) found.add(chain)
    if (matching.length > 0 || chainIds === undefined) continue
    if (typeof asked === 'number') unsupportedChainIds.push(asked)
    else throw refuseTag(asked, served)
  }
  return { chains: [...found].sort((a, b) => a.id - b.id), unsupportedChainIds }
}

function refuseTag(tag: string, served: readonly ServedChain[]): InvalidRequestError {
  const tags = [...new Set(served.flatMap(({ tags }) => tags))].sort().join(', ')
  const message = `No chain carries the tag "${tag}"; there are: ${tags}`
  return new InvalidRequestError(400, 'UNKNOWN_CHAIN_TAG', message, 'chain_ids')
}
