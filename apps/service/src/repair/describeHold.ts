import type { ChainHold } from '../store/Database.ts'

/** Describes why a chain is not indexed, and what to do if that is not intended: the command may have been killed. */
export function describeHold(chainId: number, hold: ChainHold): string {
  const reset = `headwater chain reset --chain ${chainId}`
  return hold === 'detached'
    ? `detached: ${reset} indexes it again`
    : `held by chain ${hold}: if that does not run any more, repeat it or run ${reset}`
}
