import { parentPort, workerData } from 'node:worker_threads'
import { focusManager } from '@tanstack/query-core'
import { createClient, shareTabs, watchTokenInfo } from '../../src/index.ts'

// A tab of an app, as a thread: tells which prices it shows, and hides or shows itself when it is told.
const { baseUrl, tab } = workerData as { baseUrl: string; tab: string }
const client = createClient({
  baseUrl,
  ssr: false,
  fetch: (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as object), 'x-tab': tab } }),
})
shareTabs(client)
watchTokenInfo(
  client,
  { address: 'native', chainIds: [31337] },
  { refetchInterval: 100 },
).subscribe(({ data }) => parentPort?.postMessage(data?.tokens[0]?.price_usd ?? 0))
parentPort?.on('message', (isSeen: boolean) => focusManager.setFocused(isSeen))
