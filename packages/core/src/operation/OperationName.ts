/**
 * The nouns of the service.
 *
 * @example
 * import type { OperationName, Usage } from '@headwater/core'
 * const spentOn = ({ byOperation }: Usage, name: OperationName) => byOperation[name] ?? 0
 */
export type OperationName =
  'tokenInfo' | 'tokenHolders' | 'balances' | 'tokenBalance' | 'collectibles'
