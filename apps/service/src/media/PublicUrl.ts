/**
 * The base URL at which clients reach this service, for URLs in responses. It is never derived from a request, as
 * responses are cached and served to other clients.
 */
export class PublicUrl {
  #value: string
  readonly #isConfigured: boolean

  /** @param configured - the configured URL, such as that of a reverse proxy. */
  constructor(configured?: string) {
    this.#isConfigured = configured !== undefined
    this.#value = (configured ?? 'http://localhost').replace(/\/+$/, '')
  }

  /** Without a trailing slash. */
  get value(): string {
    return this.#value
  }

  /** Sets the URL at which the server listens, which applies unless another one is configured. */
  setListenUrl(url: string): void {
    if (!this.#isConfigured) {
      this.#value = url
    }
  }
}
