/** The user's settings, which persist across visits. */
export interface Settings {
  readonly theme: Theme
  /** Locale of number and time formats: a BCP 47 tag of `locales`. */
  readonly locale: string
  /** Recently shown wallets, the newest first. */
  readonly recentWallets: readonly string[]
  /** Whether balances worth less than a dollar are hidden. */
  readonly hidesSmall: boolean
  /** Whether tokens with nearly no liquidity are hidden. */
  readonly hidesSpam: boolean
  /** Compute units per minute that the page may spend; null for no limit. */
  readonly budget: number | null
}

/** Light, dark, or the theme of the system. */
export type Theme = 'system' | 'light' | 'dark'
