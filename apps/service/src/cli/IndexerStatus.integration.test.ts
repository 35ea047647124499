import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { IndexerStatus } from './IndexerStatus.ts'

it('reports while there is nothing to index, until it is closed', async () => {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const status = new IndexerStatus({
    db: store.db,
    chainId: 7,
    logger: pino({ level: 'silent' }),
    progress: () => undefined,
    finality: () => 'depth',
    warnAfterSeconds: 1,
  })
  const load = async () => {
    const row = await store.db.selectFrom('indexers').select('reported_at').executeTakeFirst()
    return row?.reported_at?.getTime() ?? 0
  }
  vi.advanceTimersByTime(1_500)
  await expect.poll(load).toBeGreaterThan(0)
  const first = await load()
  vi.advanceTimersByTime(1_500)
  await expect.poll(load).toBeGreaterThan(first)
  await status.close()
  expect(vi.getTimerCount()).toBe(0)
})
