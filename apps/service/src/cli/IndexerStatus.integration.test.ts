import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { IndexerStatus } from './IndexerStatus.ts'

/** The status of a chain, in fake time, and its row. */
async function start() {
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
  const row = () => store.db.selectFrom('indexers').selectAll().executeTakeFirst()
  return { status, row }
}

it('reports while there is nothing to index, until it is closed', async () => {
  const { status, row } = await start()
  const load = async () => (await row())?.reported_at?.getTime() ?? 0
  vi.advanceTimersByTime(1_500)
  await expect.poll(load).toBeGreaterThan(0)
  const first = await load()
  vi.advanceTimersByTime(1_500)
  await expect.poll(load).toBeGreaterThan(first)
  await status.close()
  expect(vi.getTimerCount()).toBe(0)
})

it('reports what fails besides the indexing, which comes first, until it succeeds', async () => {
  const { status, row } = await start()
  const becomes = async (failure: string | null) => {
    vi.advanceTimersByTime(1_500)
    await expect.poll(async () => (await row())?.failure).toBe(failure)
  }
  status.setFailure('audit', 'no response')
  await becomes('amounts are not audited: no response')
  status.setFailure('facts', 'the disk of the facts is full')
  await becomes('facts are not written: the disk of the facts is full')
  status.setFailure('indexing', 'connection failed')
  await becomes('connection failed')
  status.setFailure('facts', undefined)
  status.setFailure('indexing', undefined)
  await becomes('amounts are not audited: no response')
  status.setFailure('audit', undefined)
  await becomes(null)
  await status.close()
})
