/** A chain to choose. */
export interface KnownChain {
  readonly id: number
  readonly name: string
  readonly tags: readonly string[]
}
