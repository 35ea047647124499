import { CHANGES_PATH, type ChangesEvent } from '@headwater/contract'
import { type ChangesSubjects, parseChangesRequest } from '@headwater/contract/schemas'
import type { World } from '../world/World.ts'

/** What a test has changed. */
export interface FakeChange {
  readonly chainId: number
  readonly wallets?: Iterable<string>
  readonly tokens?: Iterable<string>
  readonly holders?: Iterable<string>
}

interface Stream {
  readonly chains: ReadonlyMap<number, ChangesSubjects>
  readonly controller: ReadableStreamDefaultController<Uint8Array>
}

/** Whether a path is that of changes, below any base path. */
export function isChangesPath(path: string): boolean {
  return path.endsWith(CHANGES_PATH)
}

/** The streams of changes of a fake service, and what has changed. */
export class FakeChanges {
  readonly #streams = new Set<Stream>()
  readonly #log: { readonly change: FakeChange; readonly block: number }[] = []

  /** The number of open streams. */
  get count(): number {
    return this.#streams.size
  }

  /**
   * Opens a stream.
   *
   * @throws {InvalidRequestError} when the query is invalid.
   */
  open(query: URLSearchParams, lastEventId: string | null, world: World): ReadableStream {
    const { chains } = parseChangesRequest(query, (chainId) =>
      world.chains.some(({ id }) => id === chainId),
    )
    let stream: Stream
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = { chains, controller }
        this.#streams.add(stream)
        const followed = [...chains.keys()].map((chain_id) => ({
          ...{ chain_id, block_number: world.block, block_hash: hashOf(world.block) },
        }))
        const from = lastEventId === null ? this.#log.length : Number(lastEventId)
        send(stream, { type: 'heartbeat', chains: followed }, from)
        for (const [index, { change, block }] of this.#log.entries()) {
          if (index >= from) {
            sendChange(stream, change, block, index + 1)
          }
        }
      },
      cancel: () => void this.#streams.delete(stream),
    })
  }

  publish(change: FakeChange, { block }: World): void {
    this.#log.push({ change, block })
    for (const stream of this.#streams) {
      sendChange(stream, change, block, this.#log.length)
    }
  }

  /** Ends all streams, as a restart of the service does. */
  disconnect(): void {
    for (const { controller } of this.#streams) {
      controller.close()
    }
    this.#streams.clear()
  }
}

function sendChange(stream: Stream, change: FakeChange, block: number, id: number): void {
  const followed = stream.chains.get(change.chainId)
  const pick = (kind: 'wallets' | 'tokens' | 'holders') => {
    const changed = [...(change[kind] ?? [])].filter((each) => followed?.[kind].has(each))
    return changed.length > 0 ? { [kind]: changed } : undefined
  }
  const changed = { ...pick('wallets'), ...pick('tokens'), ...pick('holders') }
  if (Object.keys(changed).length > 0) {
    const place = { chain_id: change.chainId, block_number: block, block_hash: hashOf(block) }
    send(stream, { type: 'change', ...place, ...changed }, id)
  }
}

function send({ controller }: Stream, event: ChangesEvent, id: number): void {
  const text = `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`
  controller.enqueue(new TextEncoder().encode(text))
}

function hashOf(block: number): string {
  return `0x${block.toString(16).padStart(64, '0')}`
}
