import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { createPostgresPool } from './createPostgresPool.ts'
import { FallbackPool } from './FallbackPool.ts'

it('does not take a replica for away whose connections are all in use', async () => {
  const { url, drop } = await createTestDatabase()
  const size = { connections: 1, connectionTimeoutMs: 2000 }
  const [replica, primary] = [createPostgresPool(url, size), createPostgresPool(url, size)]
  const faults: unknown[] = []
  const pool = new FallbackPool(replica, primary, (error) => faults.push(error))
  onTestFinished(async () => {
    await pool.end()
    await primary.end()
    await drop()
  })
  const held = await pool.connect()
  // Whoever asks meanwhile is told to come again: the primary would not bear what the replica does not.
  await expect(pool.connect()).rejects.toThrow('timeout exceeded')
  expect(primary.totalCount).toBe(0)
  held.release()
  const next = await pool.connect()
  next.release()
  expect([replica.totalCount, primary.totalCount, faults]).toEqual([1, 0, []])
})
