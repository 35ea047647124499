/** What the reader chose, kept from visit to visit. */
export interface Settings {
  readonly theme: Theme
  /** How numbers and times are written: a BCP 47 locale out of `locales`. */
  readonly locale: string
  /** The wallets looked at last, the newest first. */
  readonly recentWallets: readonly string[]
  /** Whether balances worth less than a dollar are hidden. */
  readonly hidesSmall: boolean
  /** Whether tokens that nearly nothing can be sold into are hidden. */
  readonly hidesSpam: boolean
  /** Compute units that the page may spend a minute; null for any number. */
  readonly budget: number | null
}

/** Light or dark, or as the system has it. */
export type Theme = 'system' | 'light' | 'dark'
