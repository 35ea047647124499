import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainState, ChainWatch } from '../../store/ChainWatch.ts'
import type { PreparedBody } from './prepareBody.ts'

/** An answer that is ready to be sent. */
export interface PreparedResponse {
  readonly body: PreparedBody
  /** What the header `X-Block-Numbers` tells of it; undefined when it is of no chain. */
  readonly blockNumbers: string | undefined
}

/** A request that was read and answered. */
interface CachedAnswer extends PreparedResponse {
  readonly operation: string
  readonly chains: readonly ChainConfig[]
  readonly units: number
}

interface MadeAnswer {
  readonly body: PreparedBody
  readonly blocks: readonly { readonly chainId: number; readonly number: number }[]
  /** Whether a later try could not tell more. */
  readonly isWhole: boolean
}

interface Entry extends CachedAnswer {
  /** The states of its chains, in their order. */
  readonly states: readonly ChainState[]
}

const maximumBytes = 64 * 2 ** 20
/** An answer in the making, and the states of its chains when that began. */
interface Making {
  readonly states: readonly (ChainState | undefined)[]
  readonly answer: Promise<PreparedResponse>
}

/** What an entry takes beside its text. */
const entryBytes = 1024
/** Whatever may change without a trace in the chains' states does so unseen for no longer than this. */
const maximumAgeMs = 10_000

/**
 * Keeps answers, ready to be sent, for as long as nothing has changed of the chains that they are of. Whoever asks the
 * same again costs the store nothing.
 */
export class ResponseCache {
  readonly #watch: Pick<ChainWatch, 'get'>
  readonly #entries = new LRUCache<string, Entry>({ maxSize: maximumBytes, ttl: maximumAgeMs })

  readonly #making = new Map<string, Making>()

  constructor(watch: Pick<ChainWatch, 'get'>) {
    this.#watch = watch
  }

  /** The answer to a request, by its path and query as they came; undefined when it has to be made. */
  find(request: string): CachedAnswer | undefined {
    const entry = this.#entries.get(request)
    if (entry?.states.every((state) => isSame(state, this.#watch.get(state.chainId)))) {
      return entry
    }
    return undefined
  }

  /**
   * Makes an answer and keeps it. Who asks the same while it is made, waits for it too, unless more is known of its chains
   * by then: a new head must not have all who follow it do the same work.
   *
   * @param make - reads the store after the chains' states were looked at here, so that it is as new or newer. An answer
   *   that tells other blocks is not kept, and neither is one of a chain whose state was not known.
   */
  async make(
    request: string,
    read: Omit<CachedAnswer, keyof PreparedResponse>,
    make: () => Promise<MadeAnswer>,
  ): Promise<PreparedResponse> {
    const states = read.chains.map(({ id }) => this.#watch.get(id))
    const known = this.#making.get(request)
    if (known?.states.every((state, at) => isSame(state, states[at]))) {
      return await known.answer
    }
    const answer = make()
      .then((answer) => {
        if (answer.isWhole) {
          this.#keep(request, { ...read, ...prepared(answer) }, states, answer.blocks)
        }
        return prepared(answer)
      })
      .finally(() => {
        if (this.#making.get(request) === making) {
          this.#making.delete(request)
        }
      })
    const making = { states, answer }
    this.#making.set(request, making)
    return await answer
  }

  #keep(
    request: string,
    answer: CachedAnswer,
    states: readonly (ChainState | undefined)[],
    blocks: MadeAnswer['blocks'],
  ): void {
    const known = states.filter((state) => state?.block !== undefined) as ChainState[]
    if (known.length < answer.chains.length || blocks.length !== known.length) {
      return
    }
    const isOf = (state: ChainState) =>
      blocks.some(({ chainId, number }) => {
        return chainId === state.chainId && number === state.block?.number
      })
    if (!known.every(isOf)) {
      return
    }
    const size = entryBytes + request.length + answer.body.content.length
    this.#entries.set(request, { ...answer, states: known }, { size })
  }
}

function prepared({ body, blocks }: MadeAnswer): PreparedResponse {
  const names = blocks.map(({ chainId, number }) => `${chainId}=${number}`)
  return { body, blockNumbers: names.length > 0 ? names.join(',') : undefined }
}

function isSame(state: ChainState | undefined, now: ChainState | undefined): boolean {
  return state?.block?.hash === now?.block?.hash && state?.metadataVersion === now?.metadataVersion
}
