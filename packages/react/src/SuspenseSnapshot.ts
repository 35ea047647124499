import type { Snapshot } from '@headwater/core'

/**
 * A snapshot that has data, as the hooks return that suspend: the newest answer, or the last good one beside the error
 * of a later attempt.
 *
 * @example
 * ```ts
 * import type { BalancesSnapshot } from '@headwater/core'
 * import type { SuspenseSnapshot } from '@headwater/react'
 *
 * export const count = ({ data }: SuspenseSnapshot<BalancesSnapshot>) => data.length
 * ```
 */
export type SuspenseSnapshot<Shown extends Snapshot<unknown>> = Exclude<
  Shown,
  { readonly status: 'pending' }
> & { readonly data: Extract<Shown, { readonly status: 'success' }>['data'] }
