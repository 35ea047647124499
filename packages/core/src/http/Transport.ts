/** Sends a request and gives its body. One attempt; retries belong to the query. */
export interface Transport {
  /**
   * @param pathAndQuery - From the base URL on, such as `/v1/evm/balances/0x…?limit=1`.
   * @param signal - Aborts the request.
   * @param onHeaders - Told of the headers of the answer, or of the refusal, as soon as they are there.
   * @returns The parsed JSON body and the whole URL.
   * @throws NetworkError, TimeoutError, HttpError, MalformedAnswerError, or the reason of the signal.
   */
  get(
    pathAndQuery: string,
    signal: AbortSignal | undefined,
    onHeaders?: (answer: Pick<Response, 'ok' | 'headers'>) => void,
  ): Promise<{ readonly url: string; readonly body: unknown }>
  /**
   * What tells requests of this client from those of another: where they go and with which key.
   *
   * @param digest - Makes of it what may be shown. The key leaves in no other way.
   */
  identify(digest: (secret: string) => string): string
  /** Aborts all that is under way. */
  destroy(): void
}
