/** The outcome of a request. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for an empty body. */
  readonly body?: string | ReadableStream<Uint8Array> | undefined
  /** A network failure instead of the response, or a connection that closes in the middle of the body. */
  readonly failure?: 'network' | 'cut' | undefined
  /** Milliseconds before it is delivered. */
  readonly delay?: number | undefined
  /** It is delivered once this resolves. */
  readonly held?: Promise<void> | undefined
}

/** A request, by `fetch`, Mock Service Worker or HTTP. */
export interface FakeExchange {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: Pick<Headers, 'get'>
  /** The path of the base URL, without a trailing slash: all other paths are unknown. */
  readonly basePath: string
}
