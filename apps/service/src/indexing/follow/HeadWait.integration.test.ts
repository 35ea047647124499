import { expect, it, onTestFinished } from 'vitest'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { openMemoryStore } from '../../../test/openMemoryStore.ts'
import { startAnvil } from '../../../test/startAnvil.ts'
import { startTcpProxy } from '../../../test/startTcpProxy.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { loadCursor } from './Cursor.ts'

const waits = { timeout: 60_000, interval: 100 }

it('indexes blocks that a node announces at once, also after its WebSocket was cut', async () => {
  const anvil = await startAnvil()
  const proxy = await startTcpProxy(Number(new URL(anvil.url).port))
  const store = await openMemoryStore()
  const indexer = indexTestChain(
    store,
    testChainConfig(31_337, {
      rpcUrls: [{ url: anvil.url, webSocketUrl: `ws://127.0.0.1:${proxy.port}` }],
      pollIntervalMs: 600_000,
      verify: 'basic',
    }),
  )
  onTestFinished(() => indexer.stop())
  const indexed = async () => (await loadCursor(store.db, 31_337))?.block?.number ?? -1
  await expect.poll(indexed, waits).toBe(0)
  const mineAndRead = async () => {
    await anvil.call('evm_mine')
    return await indexed()
  }
  // The connection may still be opening. Blocks that it missed are indexed with the next one.
  const followsHead = async () => {
    const head = Number(await anvil.call<string>('eth_blockNumber'))
    await expect.poll(mineAndRead, waits).toBeGreaterThan(head)
  }
  await followsHead()
  proxy.cut()
  await followsHead()
  await indexer.stop()
  await expect.poll(() => proxy.sockets.size, waits).toBe(0)
})
