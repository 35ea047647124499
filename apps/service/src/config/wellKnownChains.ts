import chains from './wellKnownChains.json' with { type: 'json' }

/** A chain that viem defines. */
interface WellKnownChain {
  readonly id: number
  /** The name of its definition, such as `mainnet`. */
  readonly key: string
  readonly name: string
  readonly testnet?: boolean
  readonly nativeCurrency: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
  }
}

/**
 * What the service uses of viem's chain definitions, in their order: some have the id of another one. Loading all of these
 * takes half a second.
 */
export const wellKnownChains: readonly WellKnownChain[] = chains
