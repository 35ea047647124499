import type { OperationStream } from './OperationStream.ts'

type AnyStream = OperationStream<unknown>

/** Streams that nobody listens to are kept up to this number, so that asking again finds them. */
const mostIdle = 100

/** Finds streams again by their key: all that somebody listens to, and the newest of the others. */
export class StreamCache {
  readonly #active = new Map<string, AnyStream>()
  readonly #idle = new Map<string, AnyStream>()
  /** All that somebody listens to, twins of one key included. */
  readonly #listened = new Set<AnyStream>()

  get(key: string): AnyStream | undefined {
    return this.#active.get(key) ?? this.#idle.get(key)
  }

  /** Adds a stream that nobody listens to yet. */
  add(key: string, stream: AnyStream): void {
    this.#idle.set(key, stream)
    if (this.#idle.size <= mostIdle) return
    for (const oldest of this.#idle.keys()) {
      this.#idle.delete(oldest)
      break
    }
  }

  /** Somebody listens to a stream from now on. */
  activate(key: string, stream: AnyStream): void {
    if (this.#idle.get(key) === stream) this.#idle.delete(key)
    this.#active.set(key, stream)
    this.#listened.add(stream)
  }

  /** Nobody listens to a stream any more. */
  release(key: string, stream: AnyStream): void {
    this.#listened.delete(stream)
    // A twin may have taken its place, if it was forgotten while somebody held it.
    if (this.#active.get(key) !== stream) return
    this.#active.delete(key)
    this.add(key, stream)
  }

  /** Completes all streams and forgets them. */
  complete(): void {
    for (const stream of [...this.#listened]) stream.complete()
    this.#active.clear()
    this.#idle.clear()
  }
}
