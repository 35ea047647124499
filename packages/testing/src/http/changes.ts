import type { ChangesEvent, FollowedChain } from '@headwater/contract'
import { type ChangesSubjects, parseChangesRequest } from '@headwater/contract/schemas'
import type { World } from '../world/World.ts'

/**
 * An event of changes, for {@link FakeService.publish}.
 *
 * @example
 * import { createFakeService, type FakeChange } from '@headwater/testing'
 * const service = createFakeService({ changes: true })
 * const reorg: FakeChange = { chainId: 1, type: 'reorg', wallets: [service.wallet('everyday').address] }
 * service.publish(reorg)
 */
export interface FakeChange {
  readonly chainId: number
  /** All that follow the chain receive a `reorg` and a `reset`, whatever they follow of it. Default `change`. */
  readonly type?: 'change' | 'reorg' | 'reset'
  /** In a reorg, how many blocks were replaced. Default 1. */
  readonly depth?: number
  readonly wallets?: Iterable<string>
  readonly tokens?: Iterable<string>
  readonly holders?: Iterable<string>
}

/** A stream, or a request that waits for a change. */
interface Follower {
  readonly chains: ReadonlyMap<number, ChangesSubjects>
  send(event: ChangesEvent, id: number): void
  end(): void
}

/** The streams of changes of a fake service, and what has changed. */
export class FakeChanges {
  readonly #followers = new Set<Follower>()
  readonly #log: { readonly change: FakeChange; readonly block: number }[] = []
  /** The position of the first change of the log. Those of before a reset are never used again. */
  #start = 0

  /** The number of open streams, and of requests that wait. */
  get count(): number {
    return this.#followers.size
  }

  /**
   * Opens a stream.
   *
   * @throws {InvalidRequestError} when the query is invalid.
   */
  open(query: URLSearchParams, lastEventId: string | null, world: World): ReadableStream {
    const chains = parseChains(query, world)
    let stream: Follower
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = (event: ChangesEvent, id: number) => {
          const data = JSON.stringify(event)
          controller.enqueue(encode(`event: ${event.type}\nid: ${id}\ndata: ${data}\n\n`))
        }
        stream = { chains, send, end: () => controller.close() }
        this.#followers.add(stream)
        const from = this.#parsePosition(lastEventId)
        send({ type: 'heartbeat', chains: describe(chains, world) }, from ?? unknownPosition)
        this.#findMissed(chains, from, world).forEach(({ event, id }) => send(event, id))
      },
      cancel: () => void this.#followers.delete(stream),
    })
  }

  /**
   * Responds to a request with `Prefer: wait`, once something has changed or after a time. The only timer of these.
   *
   * @throws {InvalidRequestError} when the query is invalid.
   */
  poll(
    query: URLSearchParams,
    lastEventId: string | null,
    waitSeconds: number,
    world: World,
  ): ReadableStream {
    const chains = parseChains(query, world)
    let timer: ReturnType<typeof setTimeout> | undefined
    let follower: Follower
    const end = () => {
      clearTimeout(timer)
      this.#followers.delete(follower)
    }
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const respond = (events: readonly ChangesEvent[]) => {
          end()
          const last_event_id = String(this.#position)
          const body = { last_event_id, chains: describe(chains, world), events }
          controller.enqueue(encode(JSON.stringify(body)))
          controller.close()
        }
        follower = { chains, send: (event) => respond([event]), end: () => respond([]) }
        const missed = this.#findMissed(chains, this.#parsePosition(lastEventId), world)
        if (lastEventId === null || missed.length > 0) {
          respond(missed.map(({ event }) => event))
        } else {
          this.#followers.add(follower)
          timer = setTimeout(() => respond([]), 1000 * waitSeconds)
        }
      },
      cancel: end,
    })
  }

  publish(change: FakeChange, { block }: World): void {
    this.#log.push({ change, block })
    for (const { chains, send } of [...this.#followers]) {
      const event = toEvent(change, block, chains)
      if (event) {
        send(event, this.#position)
      }
    }
  }

  /** Ends all streams, and forgets what has changed: what resumes from before receives a reset. */
  reset(): void {
    this.disconnect()
    this.#start = this.#position + 1
    this.#log.length = 0
  }

  /** Ends all streams, as a restart of the service does. */
  disconnect(): void {
    const followers = [...this.#followers]
    this.#followers.clear()
    followers.forEach((follower) => follower.end())
  }

  /** The position after the latest change. */
  get #position(): number {
    return this.#start + this.#log.length
  }

  /** The position of a client that was connected before; undefined if what it missed is unknown. */
  #parsePosition(lastEventId: string | null): number | undefined {
    const position = lastEventId === null ? this.#position : Number(lastEventId)
    return position >= this.#start && position <= this.#position ? position : undefined
  }

  #findMissed(chains: Follower['chains'], from: number | undefined, { block }: World) {
    if (from === undefined) {
      return [...chains.keys()].flatMap((chainId, index) => {
        const event = toEvent({ chainId, type: 'reset' }, block, chains)
        const id = index === chains.size - 1 ? this.#position : unknownPosition
        return event ? [{ event, id }] : []
      })
    }
    return this.#log.slice(from - this.#start).flatMap(({ change, block: at }, index) => {
      const event = toEvent(change, at, chains)
      return event ? [{ event, id: from + index + 1 }] : []
    })
  }
}

/** The position of a client that has not received all of its resets: it receives them again if it is cut. */
const unknownPosition = -1

function parseChains(query: URLSearchParams, world: World): Follower['chains'] {
  const isSupported = (chainId: number) => world.chains.some(({ id }) => id === chainId)
  return parseChangesRequest(query, isSupported).chains
}

/** The followed chains, in a heartbeat. */
function describe(chains: Follower['chains'], { block }: World): FollowedChain[] {
  return [...chains.keys()].map((chain_id) => ({
    chain_id,
    block_number: block,
    block_hash: hashOf(block),
  }))
}

/** The event of a change; undefined if it does not concern what is followed. */
function toEvent(
  { type = 'change', depth = 1, ...change }: FakeChange,
  block: number,
  chains: Follower['chains'],
): ChangesEvent | undefined {
  const followed = chains.get(change.chainId)
  const pick = (kind: 'wallets' | 'tokens' | 'holders') => {
    const addresses = [...(change[kind] ?? [])].map((each) => each.toLowerCase())
    const changed = addresses.filter((each) => followed?.[kind].has(each))
    return changed.length > 0 ? { [kind]: changed } : undefined
  }
  const changed = { ...pick('wallets'), ...pick('tokens'), ...pick('holders') }
  if (!followed || (type === 'change' && Object.keys(changed).length === 0)) {
    return undefined
  }
  return {
    type,
    chain_id: change.chainId,
    block_number: block,
    block_hash: hashOf(block),
    // The block of the change is after the replaced ones.
    ...(type === 'reorg' && { ancestor_block_number: block - 1 - depth }),
    ...(type !== 'reset' && changed),
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function hashOf(block: number): string {
  return `0x${block.toString(16).padStart(64, '0')}`
}
