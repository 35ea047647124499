import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { IndexerStatus } from './IndexerStatus.ts'

it('reports while there is nothing to index, until it is closed', async () => {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
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
  await expect.poll(load).toBeGreaterThan(0)
  const first = await load()
  await expect.poll(load).toBeGreaterThan(first)
  await status.close()
  const last = await load()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await load()).toBe(last)
})
