/**
 * Where clients reach this service: what URLs in answers begin with. It is never taken from a request, as answers are
 * kept and given to others.
 */
export class PublicUrl {
  #value: string
  readonly #isConfigured: boolean

  /** @param configured - by the operator, who knows what stands before the service. */
  constructor(configured?: string) {
    this.#isConfigured = configured !== undefined
    this.#value = (configured ?? 'http://localhost').replace(/\/+$/, '')
  }

  /** Without a slash at its end. */
  get value(): string {
    return this.#value
  }

  /** Takes where the server listens, where nothing else is configured. */
  listensAt(url: string): void {
    if (!this.#isConfigured) {
      this.#value = url
    }
  }
}
