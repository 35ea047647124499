import type { ChainError, Warning } from './generated/types.ts'

interface NamedChain {
  readonly id: number
  readonly name: string
}

/**
 * Why a chain cannot be part of a response: its initial indexing is not complete, it is not indexed at all, it is
 * stopped because its indexing failed or its nodes serve another chain, its head was not confirmed for longer than the second
 * limit, none of its nodes responds, its database is unavailable, or the API key has too many searches of wallets in progress.
 *
 * @example
 * import type { ChainFault } from '@headwater/contract/schemas'
 * const needsOperator = (code: ChainFault) => code === 'CHAIN_STOPPED'
 */
export type ChainFault =
  | 'CHAIN_NOT_READY'
  | 'CHAIN_NOT_INDEXED'
  | 'CHAIN_STOPPED'
  | 'CHAIN_STALE'
  | 'NODES_UNAVAILABLE'
  | 'STORE_UNAVAILABLE'
  | 'SEARCH_LIMIT_REACHED'

/** Why, and the seconds after which a retry may succeed. */
const faults: Readonly<Record<ChainFault, { reason: string; retryAfterSeconds: number }>> = {
  CHAIN_NOT_READY: { reason: 'its initial indexing is not complete', retryAfterSeconds: 10 },
  CHAIN_NOT_INDEXED: {
    reason: 'it is not indexed, which this operation requires',
    retryAfterSeconds: 3600,
  },
  CHAIN_STOPPED: { reason: 'it is stopped until its operator acts', retryAfterSeconds: 60 },
  CHAIN_STALE: { reason: 'no node has confirmed its head for too long', retryAfterSeconds: 30 },
  NODES_UNAVAILABLE: { reason: 'none of its nodes responds', retryAfterSeconds: 5 },
  STORE_UNAVAILABLE: { reason: 'its database is unavailable', retryAfterSeconds: 5 },
  SEARCH_LIMIT_REACHED: {
    reason:
      'the API key has as many searches of wallets in progress as its limit searches.walletsPerKey allows',
    retryAfterSeconds: 30,
  },
}

/**
 * The chains of a request that are not, or not currently, part of its response.
 *
 * @example
 * import type { MissingChains } from '@headwater/contract/schemas'
 * const missing: MissingChains = {
 *   unsupportedChainIds: [5],
 *   unavailable: [{ id: 10, name: 'OP Mainnet', code: 'CHAIN_STOPPED' }],
 *   stale: [],
 * }
 */
export interface MissingChains {
  readonly unsupportedChainIds: readonly number[]
  /** Not part of the response. */
  readonly unavailable: readonly (NamedChain & { readonly code: ChainFault })[]
  /** Part of the response, as of a block whose successors are unknown. Its time is in Unix seconds. */
  readonly stale: readonly (NamedChain & {
    readonly block: { readonly number: number; readonly time: number }
  })[]
}

/**
 * The `warnings` of a response, and its `errors`, for the chains that are missing or outdated.
 *
 * @param chains - The chains.
 * @returns Only the fields with content.
 * @example
 * import { describeMissingChains } from '@headwater/contract/schemas'
 * describeMissingChains({ unsupportedChainIds: [5], unavailable: [], stale: [] }).warnings
 */
export function describeMissingChains({ unsupportedChainIds, unavailable, stale }: MissingChains): {
  readonly warnings?: Warning[]
  readonly errors?: { readonly error_message: string; readonly chain_errors: ChainError[] }
} {
  const chain_errors = unavailable.map((chain) => {
    return { chain_id: chain.id, code: chain.code, description: describeUnavailable(chain) }
  })
  const warnings: Warning[] = [
    ...chain_errors.map(({ chain_id, code, description }) => {
      return { code, message: description, chain_id }
    }),
    ...stale.map(({ id, name, block }) => ({
      code: 'STALE_CHAIN',
      message: `Chain ${id} (${name}) may be outdated: no node has confirmed its head recently`,
      chain_id: id,
      block_number: block.number,
      block_time: `${new Date(block.time * 1000).toISOString().slice(0, 19)}Z`,
    })),
  ]
  if (unsupportedChainIds.length > 0) {
    warnings.unshift({
      code: 'UNSUPPORTED_CHAIN_IDS',
      message: `Unsupported chains were ignored: ${unsupportedChainIds.join(', ')}`,
      chain_ids: [...unsupportedChainIds],
    })
  }
  return {
    ...(warnings.length > 0 && { warnings }),
    ...(chain_errors.length > 0 && {
      errors: { error_message: 'Some chains are missing', chain_errors },
    }),
  }
}

/**
 * The error 503 of a request without a chain that can be part of its response.
 *
 * @param unavailable - The chains, at least one.
 * @returns The code of the first chain, and the shortest time after which a retry may succeed.
 * @example
 * import { describeUnavailableChains } from '@headwater/contract/schemas'
 * describeUnavailableChains([{ id: 10, name: 'OP Mainnet', code: 'CHAIN_STOPPED' }]).code
 */
export function describeUnavailableChains(unavailable: MissingChains['unavailable']): {
  readonly code: ChainFault
  readonly message: string
  readonly retryAfterSeconds: number
} {
  return {
    code: unavailable[0]?.code ?? 'CHAIN_NOT_READY',
    message: unavailable.map(describeUnavailable).join('; '),
    retryAfterSeconds: Math.min(...unavailable.map(({ code }) => faults[code].retryAfterSeconds)),
  }
}

function describeUnavailable({ id, name, code }: MissingChains['unavailable'][number]): string {
  return `Chain ${id} (${name}) is unavailable: ${faults[code].reason}`
}
