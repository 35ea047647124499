import { parentPort, workerData } from 'node:worker_threads'
import { focusManager } from '@tanstack/query-core'
import { openTab } from './openTab.ts'

// A tab as a thread: posts displayed prices, and changes its visibility on messages.
const { baseUrl, tab } = workerData as { baseUrl: string; tab: string }
openTab(tab, { baseUrl, ssr: false }, 100, (price) => parentPort?.postMessage(price ?? 0))
parentPort?.on('message', (isVisible: boolean) => focusManager.setFocused(isVisible))
