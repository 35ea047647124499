/** What comes of a request. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for none. */
  readonly body?: string | undefined
  /** What happens on the way: nothing arrives, or the body breaks off in its middle. */
  readonly failure?: 'network' | 'cut' | undefined
  /** Milliseconds after which it comes. */
  readonly delay?: number | undefined
  /** After what it comes. */
  readonly held?: Promise<void> | undefined
}

/** A request as the fake service reads it, whichever way it came. */
export interface FakeExchange {
  readonly method: string
  /** Whole. */
  readonly url: string
  readonly headers: Pick<Headers, 'get'>
}
