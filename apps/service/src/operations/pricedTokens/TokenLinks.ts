/** Finds what token lists tell of a token; `native` is the native asset of a chain. It waits for nothing. */
export interface TokenLinks {
  /** Absolute URL of the logo as this service answers it. */
  logo(chainId: number, token: string): string | undefined
  /** Home page. Untrusted. */
  homePage(chainId: number, token: string): string | undefined
}
