import { hashKey, type QueryClient } from '@tanstack/query-core'
import { createInvalidSource } from './createInvalidSource.ts'
import { createSnapshotReader } from './createSnapshotReader.ts'
import { OperationStream, type StreamSource } from './OperationStream.ts'
import type { PollLimit } from './Pollable.ts'
import { Poller } from './Poller.ts'
import type { Question } from './Question.ts'
import { SharedQuery } from './SharedQuery.ts'
import type { SnapshotStream } from './SnapshotStream.ts'
import { StreamCache } from './StreamCache.ts'
import { streamKey } from './streamKey.ts'
import { createWatcher, type Watcher } from './Watcher.ts'
import type { WatchOptions } from './WatchOptions.ts'

/** The streams of a client and the questions that they watch. */
export class StreamRegistry {
  readonly #queryClient: QueryClient
  readonly #ssr: boolean
  /** Polls what is watched, and whatever else is added to it. */
  readonly poller: Poller
  readonly #streams = new StreamCache()
  readonly #running = new Map<string, SharedQuery>()
  #destroyed = false

  /**
   * @param queryClient - The cache.
   * @param ssr - Whether this is a server, where nothing polls.
   * @param limit - What holds polling back.
   */
  constructor(queryClient: QueryClient, ssr: boolean, limit?: PollLimit) {
    this.#queryClient = queryClient
    this.#ssr = ssr
    this.poller = new Poller(!ssr, limit)
  }

  /** The stream of a question. */
  watch<T, S>(question: Question<T>, options: WatchOptions<T, S>): SnapshotStream<S> {
    return this.share(streamKey(question.query, options), () =>
      question.invalid
        ? createInvalidSource(options, question.invalid)
        : this.#createSource(question, options),
    )
  }

  /** The stream of a key, over a source that is made when there is none. */
  share<S>(key: string, create: () => StreamSource<S>): SnapshotStream<S> {
    // The key says which types the stream was made with.
    const existing = this.#streams.get(key) as SnapshotStream<S> | undefined
    if (existing) return existing
    const source = create()
    const stream: OperationStream<S> = new OperationStream({
      read: source.read,
      start: (update) => {
        this.#streams.activate(key, stream)
        source.start(update)
      },
      stop: () => {
        source.stop()
        this.#streams.release(key, stream)
      },
      isOver: () => this.#destroyed,
    })
    this.#streams.add(key, stream)
    return stream
  }

  /**
   * What is watched now, at which interval in milliseconds it is polled (`Infinity` for not at all), and what is awaited.
   */
  watched(): Pick<SharedQuery, 'queryKey' | 'interval' | 'underWay'>[] {
    return [...this.#running.values()]
  }

  destroy(): void {
    this.#destroyed = true
    this.#streams.complete()
    for (const shared of [...this.#running.values()]) shared.stop()
  }

  #createSource<T, S>(question: Question<T>, options: WatchOptions<T, S>): StreamSource<S> {
    const { query } = question
    const hash = hashKey(query.queryKey)
    const refetch = async () => {
      const shared = this.#running.get(hash)
      if (shared) await shared.ask()
      else if (!this.#destroyed) await this.#queryClient.prefetchQuery({ ...query, staleTime: 0 })
    }
    const read = createSnapshotReader(options, refetch)
    const { staleTime: defaultStaleTime } = this.#queryClient.defaultQueryOptions(query)
    let shared: SharedQuery | undefined
    let watcher: Watcher
    return {
      read: () => {
        const running = shared ?? this.#running.get(hash)
        const { state } = running ?? this.#queryClient.getQueryCache().get(hash) ?? {}
        // No failure goes over to the browser, which begins without an answer: so does what is rendered for it.
        const isLeftOut = this.#ssr && !running && state?.status === 'error'
        return read(isLeftOut ? undefined : state)
      },
      start: (update) => {
        watcher = createWatcher(options, defaultStaleTime, update)
        shared = this.#run(hash, question)
        shared.add(watcher)
      },
      stop: () => {
        shared?.remove(watcher)
        shared = undefined
      },
    }
  }

  #run(hash: string, question: Question<unknown>): SharedQuery {
    const existing = this.#running.get(hash)
    if (existing) return existing
    const shared = new SharedQuery(question, {
      queryClient: this.#queryClient,
      poller: this.poller,
      ssr: this.#ssr,
      onStop: () => {
        this.#running.delete(hash)
        if (this.#running.size === 0 && !this.#ssr) this.#queryClient.unmount()
      },
    })
    // A mounted cache resumes retries that waited for the page to be seen; nobody else may have mounted it.
    if (this.#running.size === 0 && !this.#ssr) this.#queryClient.mount()
    this.#running.set(hash, shared)
    return shared
  }
}
