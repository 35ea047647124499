import type { Client } from '@headwater/core'

/**
 * What every composable takes beside the core's options.
 *
 * @example
 * ```ts
 * import { createClient } from '@headwater/core'
 * import { useUsage, type ClientOption } from '@headwater/vue'
 *
 * const elsewhere: ClientOption = { client: createClient({ baseUrl: 'http://127.0.0.1:4000' }) }
 * const usage = useUsage(elsewhere)
 * ```
 */
export interface ClientOption {
  /** Used instead of the plugin's. */
  readonly client?: Client | undefined
}
