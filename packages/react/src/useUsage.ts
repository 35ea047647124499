import { useCallback, useSyncExternalStore } from 'react'
import type { Usage } from '@headwater/core'
import { type ClientOption, useResolvedClient } from './client.tsx'

/** Rendered by servers: the browser starts with no usage, so other figures would be a hydration mismatch. */
const none: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }
const getNone = () => none

/**
 * The compute units that the client spent, in total, by operation and by minute, and the remaining quota of the key.
 *
 * @param options - `client`, used instead of that of the provider.
 * @returns The latest usage, the same object until it changes. Zero on a server.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useUsage } from '@headwater/react'
 *
 * function Spent() {
 *   const { spent, remaining } = useUsage()
 *   return <p>{spent} units spent, {remaining ?? '?'} left</p>
 * }
 * ```
 */
export function useUsage(options: ClientOption = {}): Usage {
  const { usage$, getUsage } = useResolvedClient(options)
  const subscribe = useCallback(
    (onChange: () => void) => {
      const subscription = usage$.subscribe(onChange)
      return () => subscription.unsubscribe()
    },
    [usage$],
  )
  return useSyncExternalStore(subscribe, getUsage, getNone)
}
