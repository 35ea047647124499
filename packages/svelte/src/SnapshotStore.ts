import type { Readable } from 'svelte/store'

/**
 * A store of the newest snapshot of a stream: `$store` in a component, or `store.current` where runes are used.
 *
 * @example
 * ```ts
 * import type { BalancesSnapshot } from '@headwater/core'
 * import type { SnapshotStore } from '@headwater/svelte'
 *
 * const count = (balances: SnapshotStore<BalancesSnapshot>) => balances.current.data?.length ?? 0
 * ```
 */
export interface SnapshotStore<Shown> extends Readable<Shown> {
  /**
   * The newest snapshot. Read in a template, a `$derived` or an `$effect` it is followed, and work goes on for as long as
   * these are there; read elsewhere it is what is known, and nothing is asked.
   */
  readonly current: Shown
}
