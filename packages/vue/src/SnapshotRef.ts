import type { ComputedRef } from 'vue'

/**
 * A computed reference to the newest snapshot of a stream.
 *
 * @example
 * ```ts
 * import type { BalancesSnapshot } from '@headwater/core'
 * import type { SnapshotRef } from '@headwater/vue'
 *
 * const count = (balances: SnapshotRef<BalancesSnapshot>) => balances.value.data?.length ?? 0
 * ```
 */
export interface SnapshotRef<Shown> extends ComputedRef<Shown> {
  /**
   * Asks, on a server too, until there is an answer or an error: for an async `setup` inside of `<Suspense>`, and for
   * `onServerPrefetch`. What is known is not waited for, nor what is not `enabled`. Needs no `this`.
   *
   * @returns The snapshot then. Never rejects.
   */
  readonly suspense: () => Promise<Shown>
}
