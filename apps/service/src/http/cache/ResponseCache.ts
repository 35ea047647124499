import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainHeads } from '../../operations/loadHeads.ts'
import { type ChainStatus, getChainStatus } from '../../store/ChainStatus.ts'
import { type ChainState, type ChainWatch, toCondition } from '../../store/ChainWatch.ts'
import type { PreparedBody } from './prepareBody.ts'

/** A response that is ready to be sent. */
export interface PreparedResponse {
  readonly body: PreparedBody
  /** The header `X-Block-Numbers`; undefined when the response reflects no chain. */
  readonly blockNumbers: string | undefined
  /** The compute units that it costs. */
  readonly units: number
}

/** A cached response, and the chains of its request. */
export interface CachedResponse extends PreparedResponse {
  readonly chains: readonly ChainConfig[]
}

interface ComputedResponse {
  readonly body: PreparedBody
  readonly units: number
  readonly requested: ChainHeads
  readonly blocks: readonly { readonly chainId: number; readonly number: number }[]
  /** False if a retry at the same blocks may return more. */
  readonly isComplete: boolean
}

/** The state of a chain, and its status then, which changes without a change of the state. */
interface KnownState {
  readonly state: ChainState
  readonly status: ChainStatus
}

interface Entry extends CachedResponse {
  /** The states of `chains`, in the same order. */
  readonly states: readonly KnownState[]
}

/** A response that is being computed, and the states of its chains before that. */
interface Computation {
  readonly states: readonly (KnownState | undefined)[]
  readonly response: Promise<PreparedResponse>
}

const maximumBytes = 64 * 2 ** 20
/** Size of an entry in addition to its text. */
const entryBytes = 1024
/** Limits the age of responses with inputs that changed without a change of the chains' states. */
const maximumAgeMs = 10_000

/**
 * Caches responses until the state or the status of one of their chains changes, so that repeated requests do not read the
 * store.
 */
export class ResponseCache {
  readonly #watch: Pick<ChainWatch, 'get'>
  readonly #entries = new LRUCache<string, Entry>({ maxSize: maximumBytes, ttl: maximumAgeMs })
  readonly #inFlight = new Map<string, Computation>()

  constructor(watch: Pick<ChainWatch, 'get'>) {
    this.#watch = watch
  }

  /**
   * Returns the cached response of a request; undefined when it has to be computed.
   *
   * @param request - path and query, as received.
   */
  find(request: string): CachedResponse | undefined {
    const entry = this.#entries.get(request)
    const isCurrent = entry?.chains.every((chain, index) => {
      return isSame(entry.states[index], this.#getState(chain))
    })
    return isCurrent ? entry : undefined
  }

  /**
   * Computes a response and caches it. Concurrent requests share the computation unless the state of a chain has changed
   * since it began, so that a new head is not computed once per client.
   *
   * @param compute - reads the store after the states of the chains were read here, so that its result is at least as new.
   *   A result of other blocks is not cached, and neither is one of a chain with an unknown state.
   */
  async compute(
    request: string,
    chains: readonly ChainConfig[],
    compute: () => Promise<ComputedResponse>,
  ): Promise<PreparedResponse> {
    const states = chains.map((chain) => this.#getState(chain))
    const shared = this.#inFlight.get(request)
    if (shared?.states.every((state, index) => isSame(state, states[index]))) {
      return await shared.response
    }
    const response = compute()
      .then((computed) => {
        const prepared = toPrepared(computed)
        if (computed.isComplete) {
          this.#store(request, { chains, ...prepared }, states, computed)
        }
        return prepared
      })
      .finally(() => {
        if (this.#inFlight.get(request) === computation) {
          this.#inFlight.delete(request)
        }
      })
    const computation = { states, response }
    this.#inFlight.set(request, computation)
    return await response
  }

  #getState(chain: ChainConfig): KnownState | undefined {
    const state = this.#watch.get(chain.id)
    return state && { state, status: getChainStatus(toCondition(state), chain) }
  }

  #store(
    request: string,
    response: CachedResponse,
    states: readonly (KnownState | undefined)[],
    { requested, blocks }: ComputedResponse,
  ): void {
    const known = states.filter((state) => state !== undefined)
    const isReflected = ({ state: { chainId, block }, status }: KnownState) => {
      const code = requested.unavailable.find(({ id }) => id === chainId)?.code
      const isStale = requested.stale.some(({ id }) => id === chainId)
      const reflected = blocks.find((each) => each.chainId === chainId)?.number
      return (
        status === (code ?? (isStale ? 'stale' : 'current')) &&
        (code ? true : reflected === block?.number)
      )
    }
    if (known.length < states.length || !known.every(isReflected)) {
      return
    }
    const size = entryBytes + request.length + response.body.content.length
    this.#entries.set(request, { ...response, states: known }, { size })
  }
}

function toPrepared({ body, units, blocks }: ComputedResponse): PreparedResponse {
  const names = blocks.map(({ chainId, number }) => `${chainId}=${number}`)
  return { body, units, blockNumbers: names.length > 0 ? names.join(',') : undefined }
}

function isSame(before: KnownState | undefined, now: KnownState | undefined): boolean {
  return (
    before?.status === now?.status &&
    before?.state.block?.hash === now?.state.block?.hash &&
    before?.state.metadataVersion === now?.state.metadataVersion
  )
}
