import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { createKey } from './createKey.ts'
import { KeyReader } from './KeyReader.ts'
import { loadKeys } from './loadKeys.ts'
import { revokeKey } from './revokeKey.ts'

const madeUp = (number: number) => `hw_${String(number).padStart(43, '0')}`

describeEachStore('KeyReader', (openTestStore) => {
  const open = async () => {
    const { db } = await openTestStore()
    /** How many keys each query asked for. */
    const queries: number[] = []
    const reader = new KeyReader((hashes) => {
      queries.push(hashes.length)
      return loadKeys(db, hashes)
    })
    return { db, reader, queries }
  }

  it('asks once for what many requests bring at once', async () => {
    const { db, reader, queries } = await open()
    const { secret, id } = await createKey(db, { name: 'app' })
    const found = await Promise.all(Array.from({ length: 50 }, () => reader.find(secret)))
    expect(new Set(found.map((key) => key?.id))).toEqual(new Set([id]))
    expect(queries).toEqual([1])
  })

  it('asks for all that are wanted in one query at a time, so that made-up keys cost little', async () => {
    const { db, reader, queries } = await open()
    const { secret, id } = await createKey(db, { name: 'app' })
    const storm = Array.from({ length: 2500 }, (_, number) => reader.find(madeUp(number)))
    const honest = reader.find(secret)
    expect(new Set(await Promise.all(storm))).toEqual(new Set([undefined]))
    expect((await honest)?.id).toBe(id)
    expect(queries).toEqual([1, 1000, 1000, 500])
  })

  it('asks nothing for what was never a key', async () => {
    const { reader, queries } = await open()
    for (const secret of ['', 'x', 'hw_', `${madeUp(1)}x`, `HW_${'0'.repeat(43)}`]) {
      expect(await reader.find(secret)).toBeUndefined()
    }
    expect(queries).toEqual([])
  })

  it('refuses when too many wait, and answers again after', async () => {
    const { db, reader } = await open()
    const { secret, id } = await createKey(db, { name: 'app' })
    const waiting = Array.from({ length: 10_000 }, (_, number) => reader.find(madeUp(number)))
    await expect(reader.find(secret)).rejects.toMatchObject({ status: 503, code: 'SERVICE_BUSY' })
    await Promise.all(waiting)
    expect((await reader.find(secret))?.id).toBe(id)
  })

  it('hears that a key was revoked', async () => {
    const { db, reader, queries } = await open()
    const { secret, id } = await createKey(db, { name: 'app' })
    expect((await reader.find(secret))?.revokedAt).toBeUndefined()
    await revokeKey(db, id)
    // As a busy client: it never pauses for long enough that what is known is forgotten.
    while (!(await reader.find(secret))?.revokedAt) {
      await delay(10)
    }
    expect(queries.length).toBeLessThan(10)
  })

  it('tells a fault of the store to all who wait, and asks again after', async () => {
    const { db } = await openTestStore()
    const { secret, id } = await createKey(db, { name: 'app' })
    let isAway = true
    const reader = new KeyReader((hashes) =>
      isAway ? Promise.reject(new Error('away')) : loadKeys(db, hashes),
    )
    const outcomes = await Promise.allSettled([reader.find(secret), reader.find(madeUp(1))])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isAway = false
    expect((await reader.find(secret))?.id).toBe(id)
  })
})
