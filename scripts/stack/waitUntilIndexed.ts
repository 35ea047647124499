import { setTimeout as delay } from 'node:timers/promises'

/** Waits until the service has indexed chains up to their heads, or the signal aborts. */
export async function waitUntilIndexed(
  apiUrl: string,
  chainIds: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !(await areIndexed(apiUrl, chainIds))) {
    await delay(200)
  }
}

async function areIndexed(apiUrl: string, chainIds: readonly number[]): Promise<boolean> {
  try {
    const response = await fetch(`${apiUrl}/ready`)
    const { chains } = (await response.json()) as {
      chains: readonly { chain_id: number; source: string | null; stale: boolean }[]
    }
    const indexed = chains.filter(({ source, stale }) => source === 'index' && !stale)
    return chainIds.every((id) => indexed.some(({ chain_id }) => chain_id === id))
  } catch {
    // The service does not listen yet.
    return false
  }
}
