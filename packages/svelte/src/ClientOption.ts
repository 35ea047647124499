import type { Client } from '@headwater/core'

/**
 * What every store takes beside the core's options.
 *
 * @example
 * ```ts
 * import { createClient } from '@headwater/core'
 * import { createUsage, type ClientOption } from '@headwater/svelte'
 *
 * const elsewhere: ClientOption = { client: createClient({ baseUrl: 'http://127.0.0.1:4000' }) }
 * const usage = createUsage(elsewhere)
 * ```
 */
export interface ClientOption {
  /** Used instead of the context's. */
  readonly client?: Client | undefined
}
