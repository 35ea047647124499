import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../config/Config.ts'
import type { ChainState, ChainWatch } from '../store/ChainWatch.ts'
import type { PreparedBody } from './prepareBody.ts'

/** An answer that is ready to be sent. */
export interface PreparedAnswer {
  readonly body: PreparedBody
  /** What the header `X-Block-Numbers` tells of it; undefined when it is of no chain. */
  readonly blockNumbers: string | undefined
}

/** A request that was read and answered. */
interface CachedAnswer extends PreparedAnswer {
  readonly chains: readonly ChainConfig[]
  readonly units: number
}

interface Entry extends CachedAnswer {
  /** The states of its chains, in their order. */
  readonly states: readonly ChainState[]
}

const maximumBytes = 64 * 2 ** 20
/** What an entry takes beside its text. */
const entryBytes = 1024
/** Whatever may change without a trace in the chains' states does so unseen for no longer than this. */
const maximumAgeMs = 5_000

/**
 * Keeps answers, ready to be sent, for as long as nothing has changed of the chains that they are of. Whoever asks the
 * same again costs the store nothing.
 */
export class AnswerCache {
  readonly #watch: Pick<ChainWatch, 'get'>
  readonly #entries = new LRUCache<string, Entry>({ maxSize: maximumBytes, ttl: maximumAgeMs })

  constructor(watch: Pick<ChainWatch, 'get'>) {
    this.#watch = watch
  }

  /** What is known of the chains now; to be taken before an answer is made that is to be kept. */
  statesOf(chains: readonly ChainConfig[]): readonly (ChainState | undefined)[] {
    return chains.map(({ id }) => this.#watch.get(id))
  }

  /** The answer to a request, by its path and query as they came; undefined when it has to be made. */
  find(request: string): CachedAnswer | undefined {
    const entry = this.#entries.get(request)
    if (entry?.states.every((state) => isSame(state, this.#watch.get(state.chainId)))) return entry
    return undefined
  }

  /**
   * Keeps an answer.
   *
   * @param states of its chains before it was made. The answer read the store after that, so it is as new or newer; one
   *   that tells other blocks is not kept, and neither is one of a chain whose state was not known.
   */
  keep(
    request: string,
    answer: CachedAnswer,
    states: readonly (ChainState | undefined)[],
    blocks: readonly { readonly chainId: number; readonly number: number }[],
  ): void {
    const known = states.filter((state) => state?.block !== undefined) as ChainState[]
    if (known.length < answer.chains.length || blocks.length !== known.length) return
    const isOf = (state: ChainState) =>
      blocks.some(({ chainId, number }) => {
        return chainId === state.chainId && number === state.block?.number
      })
    if (!known.every(isOf)) return
    const size = entryBytes + request.length + answer.body.content.length
    this.#entries.set(request, { ...answer, states: known }, { size })
  }
}

function isSame(state: ChainState, now: ChainState | undefined): boolean {
  return (
    now !== undefined &&
    state.block?.hash === now.block?.hash &&
    state.metadataVersion === now.metadataVersion
  )
}
