import { LRUCache } from 'lru-cache'
import type { ChainConfig } from '../../config/Config.ts'
import { ApiError } from '../../operations/ApiError.ts'
import { type Dependencies, getMaximumAge } from '../../operations/Dependencies.ts'
import type { ChainHeads } from '../../operations/loadHeads.ts'
import type { TimedBlock } from '../../rpc/methods/BlockHeader.ts'
import { type ChainStatus, isAvailable } from '../../store/ChainStatus.ts'
import { type ChainState, type ChainWatch, getStatus } from '../../store/ChainWatch.ts'
import {
  type ChangeIndex,
  hashDependencies,
  type HashedDependencies,
} from '../../store/ChangeIndex.ts'
import type { PreparedBody } from './prepareBody.ts'

/** A response that is ready to be sent. */
export interface PreparedResponse {
  readonly body: PreparedBody
  /** The header `X-Block-Numbers`; undefined when the response reflects no chain. */
  readonly blockNumbers: string | undefined
  /** The compute units that it costs. */
  readonly units: number
}

type Blocks = readonly { readonly chainId: number; readonly number: number }[]

/** A request whose response is computed. */
interface ComputedRequest {
  /** Path and query, as received. */
  readonly path: string
  readonly chains: readonly ChainConfig[]
  /**
   * The API key. Its limits may change the response of a chain that is not indexed, so that only requests of the same key share
   * its computation.
   */
  readonly keyId: number
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** A response, and what decides how long it is valid. */
export interface ComputedResponse extends Omit<PreparedResponse, 'blockNumbers'> {
  readonly requested: ChainHeads
  readonly blocks: Blocks
  /** False if a retry at the same blocks may return more. */
  readonly isComplete: boolean
  /** Undefined if each block may change the response. */
  readonly dependencies: Dependencies | undefined
}

/** Its signal aborts when all clients that share the computation have disconnected. */
type Compute = (signal: AbortSignal) => Promise<ComputedResponse>

/** The state of a chain, and its status then, which changes without a change of the state. */
interface KnownState {
  readonly state: ChainState
  readonly status: ChainStatus
}

/** A cached response, and the chains of its request. */
interface Entry {
  readonly chains: readonly ChainConfig[]
  /** By chain id; empty if each block may change the response. */
  readonly hashed: ReadonlyMap<number, HashedDependencies>
  readonly isSameAt: Dependencies['isSameAt']
  /** At which the response is known to be the same. */
  latest: Validity
  response: PreparedResponse
}

interface Validity {
  /** The states of the chains of a response, in the same order. */
  readonly states: readonly KnownState[]
  /** The blocks that it reflects, which may be later than those of the states. */
  readonly blocks: Blocks
}

/** The states of some chains, and what a response states that is the same at them. */
interface DescribedStates extends Validity {
  /** The blocks of the available chains. */
  readonly heads: ReadonlyMap<number, TimedBlock>
  readonly blockNumbers: string | undefined
}

/** A response that is being computed, and the states of its chains before that. */
interface Computation {
  readonly states: readonly (KnownState | undefined)[]
  readonly response: Promise<PreparedResponse>
  /** Aborts when all of its clients have disconnected. */
  readonly controller: AbortController
  clients: number
}

const defaultMaximumBytes = 64 * 2 ** 20
/** Size of an entry in addition to its text. */
const entryBytes = 1024
/** Size per hash of what it depends on. */
const hashBytes = 8

/**
 * Caches responses until something that they depend on changes, so that repeated requests do not read the store. A cached
 * response equals the one that would be computed at the block that it states.
 */
export class ResponseCache {
  readonly #watch: Pick<ChainWatch, 'get'>
  readonly #changes: Pick<ChangeIndex, 'hasChanged'>
  readonly #entries: LRUCache<string, Entry>
  readonly #inFlight = new Map<string, Computation>()
  /** The latest state of each chain, by its id. */
  readonly #known = new Map<number, KnownState>()
  #described: DescribedStates | undefined

  /** @param changes - must have the changes that led to the states of the chains. */
  constructor(
    watch: Pick<ChainWatch, 'get'>,
    changes: Pick<ChangeIndex, 'hasChanged'>,
    maximumBytes = defaultMaximumBytes,
  ) {
    this.#entries = new LRUCache({ maxSize: maximumBytes })
    this.#watch = watch
    this.#changes = changes
  }

  /**
   * Finds the cached response of a request. One that contains values of the nodes is confirmed at new blocks, by reading these.
   *
   * @param path - path and query, as received.
   * @returns undefined, or a promise of it, when the response has to be computed.
   */
  find(path: string): PreparedResponse | Promise<PreparedResponse | undefined> | undefined {
    const entry = this.#entries.get(path)
    const states = entry && this.#getUnchanged(entry)
    if (!entry || !states) {
      return undefined
    }
    const { latest, isSameAt } = entry
    if (states.every((state, index) => isSameState(latest.states[index], state))) {
      return entry.response
    }
    const current = this.#describe(states)
    const advance = (same: boolean) => (same ? advanceTo(current, entry, latest) : undefined)
    const isSame = isSameAt?.(current.heads) ?? true
    return isSame instanceof Promise ? isSame.then(advance) : advance(isSame)
  }

  /**
   * Computes a response and caches it. Concurrent requests share the computation unless the state of a chain has changed
   * since it began, so that a new head is not computed once per client.
   *
   * @param compute - reads the store after the states of the chains were read here. Its result may be of later blocks, as
   *   states are published after the store has them; it is cached as one of the states before, so that it is computed
   *   again if later blocks changed it. A result of earlier blocks, as of a lagging replica, is not cached, and neither is
   *   one of a chain with an unknown state.
   * @throws {ApiError} 499 when all clients have disconnected, and the computation ended because of that.
   */
  async compute(request: ComputedRequest, compute: Compute): Promise<PreparedResponse> {
    const { path, chains, keyId, signal } = request
    const states = chains.map((chain) => this.#getState(chain))
    const isIndexed = states.every((known) => known && isAvailable(known.status))
    const sharedKey = isIndexed ? path : `${keyId} ${path}`
    const shared = this.#inFlight.get(sharedKey)
    const isShared = shared?.states.every((state, index) => isSameState(state, states[index]))
    const computation =
      shared && isShared ? shared : this.#start(request, sharedKey, states, compute)
    addClient(computation, signal)
    try {
      return await computation.response
    } catch (error) {
      // It ended because its other clients had disconnected.
      if (error === computation.controller.signal.reason && !signal.aborted) {
        return await this.compute(request, compute)
      }
      throw error
    }
  }

  #start(
    request: ComputedRequest,
    sharedKey: string,
    states: Computation['states'],
    compute: Compute,
  ): Computation {
    const controller = new AbortController()
    const response = compute(controller.signal)
      .then((computed) => {
        const { body, units, blocks } = computed
        const prepared = { body, units, blockNumbers: formatBlocks(blocks) }
        if (computed.isComplete) {
          this.#store(request, states, computed, prepared)
        }
        return prepared
      })
      .finally(() => {
        if (this.#inFlight.get(sharedKey) === computation) {
          this.#inFlight.delete(sharedKey)
        }
      })
    const computation: Computation = { states, response, controller, clients: 0 }
    this.#inFlight.set(sharedKey, computation)
    return computation
  }

  #getState(chain: ChainConfig): KnownState | undefined {
    const state = this.#watch.get(chain.id)
    if (!state) {
      return undefined
    }
    const status = getStatus(state, chain)
    const known = this.#known.get(chain.id)
    if (known?.state === state && known.status === status) {
      return known
    }
    const latest = { state, status }
    this.#known.set(chain.id, latest)
    return latest
  }

  /** The states of the chains of an entry, if none of the changes since those of the entry concerns the store's part of it. */
  #getUnchanged({ chains, latest, hashed }: Entry): KnownState[] | undefined {
    const { states, blocks } = latest
    const current: KnownState[] = []
    for (const [index, chain] of chains.entries()) {
      const before = states[index]
      const now = this.#getState(chain)
      if (!before || !now || before.status !== now.status) {
        return undefined
      }
      current.push(now)
      // A stale chain is described with its block.
      if (isSameState(before, now) || !isAvailable(now.status)) {
        continue
      }
      const { sequence } = before.state
      const dependencies = hashed.get(chain.id)
      if (
        now.status === 'stale' ||
        (findBlock(blocks, chain.id) ?? 0) > (now.state.block?.number ?? 0) ||
        !dependencies ||
        this.#changes.hasChanged(chain.id, dependencies, sequence)
      ) {
        return undefined
      }
    }
    return current
  }

  /** Describes states: the same object as for the response before, if its chains and their states are the same. */
  #describe(states: readonly KnownState[]): DescribedStates {
    const described = this.#described
    const isSame =
      described?.states.length === states.length &&
      states.every((state, index) => state === described.states[index])
    return isSame ? described : (this.#described = describeStates(states))
  }

  #store(
    { path, chains }: ComputedRequest,
    states: Computation['states'],
    { requested, blocks, dependencies }: ComputedResponse,
    response: PreparedResponse,
  ): void {
    const known = states.filter((state) => state !== undefined)
    const isReflected = ({ state: { chainId, block }, status }: KnownState) => {
      const code = requested.unavailable.find(({ id }) => id === chainId)?.code
      const isStale = requested.stale.some(({ id }) => id === chainId)
      const reflected = findBlock(blocks, chainId) ?? -1
      return (
        status === (code ?? (isStale ? 'stale' : 'current')) &&
        (code !== undefined || (block !== undefined && reflected >= block.number))
      )
    }
    if (known.length < states.length || !known.every(isReflected)) {
      return
    }
    const latest = { states: known, blocks }
    const hashed = hashDependencies(dependencies?.chains ?? new Map<number, never>())
    const entry = { chains, hashed, isSameAt: dependencies?.isSameAt, latest, response }
    this.#entries.set(path, entry, {
      size: getSize(path, entry),
      ttl: getMaximumAge(dependencies?.isVolatile ?? true),
    })
  }
}

function addClient(computation: Computation, signal: AbortSignal): void {
  computation.clients++
  const removeClient = () => {
    computation.clients--
    if (computation.clients === 0) {
      computation.controller.abort(
        new ApiError(499, 'CLIENT_DISCONNECTED', 'The client has disconnected'),
      )
    }
  }
  if (signal.aborted) {
    removeClient()
  } else {
    signal.addEventListener('abort', removeClient, { once: true })
  }
}

function describeStates(states: readonly KnownState[]): DescribedStates {
  const heads = new Map<number, TimedBlock>()
  for (const { state, status } of states) {
    if (state.block && isAvailable(status)) {
      heads.set(state.chainId, state.block)
    }
  }
  const blocks = [...heads].map(([chainId, { number }]) => ({ chainId, number }))
  return { states, heads, blocks, blockNumbers: formatBlocks(blocks) }
}

/** Marks a response as that of later states, unless it was meanwhile. Its age remains. */
function advanceTo(current: DescribedStates, entry: Entry, before: Validity): PreparedResponse {
  const response = { ...entry.response, blockNumbers: current.blockNumbers }
  if (entry.latest === before) {
    entry.latest = current
    entry.response = response
  }
  return response
}

function getSize(path: string, { response, hashed }: Entry): number {
  let bytes = entryBytes + path.length + response.body.content.length
  for (const { hashes } of hashed.values()) {
    bytes += hashBytes * hashes.reduce((sum, { length }) => sum + length, 0)
  }
  return bytes
}

function findBlock(blocks: Blocks, chainId: number): number | undefined {
  return blocks.find((block) => block.chainId === chainId)?.number
}

function formatBlocks(blocks: Blocks): string | undefined {
  const names = blocks.map(({ chainId, number }) => `${chainId}=${number}`)
  return names.length > 0 ? names.join(',') : undefined
}

function isSameState(before: KnownState | undefined, now: KnownState | undefined): boolean {
  return before?.status === now?.status && before?.state.sequence === now?.state.sequence
}
