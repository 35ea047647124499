import type { ChainConfig } from '../../config/Config.ts'

/** What a wallet has of one token, above zero. */
export interface Holding {
  readonly chain: ChainConfig
  /** Token contract in lower case, or `native`. */
  readonly address: string
  /** In smallest units. */
  readonly amount: bigint
  readonly name: string | undefined
  readonly symbol: string | undefined
  /** Undefined when the contract tells none that are possible; no price can be told per whole token then. */
  readonly decimals: number | undefined
}
