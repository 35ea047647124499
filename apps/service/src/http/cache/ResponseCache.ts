import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainState, ChainWatch } from '../../store/ChainWatch.ts'
import type { PreparedBody } from './prepareBody.ts'

/** A response that is ready to be sent. */
export interface PreparedResponse {
  readonly body: PreparedBody
  /** The header `X-Block-Numbers`; undefined when the response reflects no chain. */
  readonly blockNumbers: string | undefined
}

/** A cached response, and what is known of its request once that is parsed. */
export interface CachedResponse extends PreparedResponse {
  readonly chains: readonly ChainConfig[]
  readonly units: number
}

interface ComputedResponse {
  readonly body: PreparedBody
  readonly blocks: readonly { readonly chainId: number; readonly number: number }[]
  /** False if a retry at the same blocks may return more. */
  readonly isComplete: boolean
}

interface Entry extends CachedResponse {
  /** The states of `chains`, in the same order. */
  readonly states: readonly ChainState[]
}

/** A response that is being computed, and the states of its chains before that. */
interface Computation {
  readonly states: readonly (ChainState | undefined)[]
  readonly response: Promise<PreparedResponse>
}

const maximumBytes = 64 * 2 ** 20
/** Size of an entry in addition to its text. */
const entryBytes = 1024
/** Limits the age of responses with inputs that changed without a change of the chains' states. */
const maximumAgeMs = 10_000

/** Caches responses until the state of one of their chains changes, so that repeated requests do not read the store. */
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
    if (entry?.states.every((state) => isSame(state, this.#watch.get(state.chainId)))) {
      return entry
    }
    return undefined
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
    parsed: Omit<CachedResponse, keyof PreparedResponse>,
    compute: () => Promise<ComputedResponse>,
  ): Promise<PreparedResponse> {
    const states = parsed.chains.map(({ id }) => this.#watch.get(id))
    const shared = this.#inFlight.get(request)
    if (shared?.states.every((state, index) => isSame(state, states[index]))) {
      return await shared.response
    }
    const response = compute()
      .then((computed) => {
        const prepared = toPrepared(computed)
        if (computed.isComplete) {
          this.#store(request, { ...parsed, ...prepared }, states, computed.blocks)
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

  #store(
    request: string,
    response: CachedResponse,
    states: readonly (ChainState | undefined)[],
    blocks: ComputedResponse['blocks'],
  ): void {
    const known = states.filter((state) => state?.block !== undefined) as ChainState[]
    if (known.length < response.chains.length || blocks.length !== known.length) {
      return
    }
    const isReflected = (state: ChainState) =>
      blocks.some(({ chainId, number }) => {
        return chainId === state.chainId && number === state.block?.number
      })
    if (!known.every(isReflected)) {
      return
    }
    const size = entryBytes + request.length + response.body.content.length
    this.#entries.set(request, { ...response, states: known }, { size })
  }
}

function toPrepared({ body, blocks }: ComputedResponse): PreparedResponse {
  const names = blocks.map(({ chainId, number }) => `${chainId}=${number}`)
  return { body, blockNumbers: names.length > 0 ? names.join(',') : undefined }
}

function isSame(state: ChainState | undefined, now: ChainState | undefined): boolean {
  return state?.block?.hash === now?.block?.hash && state?.metadataVersion === now?.metadataVersion
}
