/** What token lists tell of a token. */
export interface TokenLinks {
  /** Absolute URL of the logo as this service answers it. */
  readonly logo?: string
  /** Home page. Untrusted. */
  readonly url?: string
}

/** Finds what is known of a token; `native` for the native asset of a chain. It must not wait for anything. */
export type FindTokenLinks = (chainId: number, address: string) => TokenLinks
