import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import type { Database } from '../store/Database.ts'
import { openStore } from '../store/openStore.ts'
import { createKey } from './createKey.ts'
import { hashKey } from './hashKey.ts'
import type { Key } from './Key.ts'
import { listKeys } from './listKeys.ts'
import { UnitMeter } from './UnitMeter.ts'
import { updateKey } from './updateKey.ts'

const quiet = pino({ level: 'silent' })

async function usedUnits(db: Kysely<Database>): Promise<number | undefined> {
  const [key] = await listKeys(db)
  return key?.unitsUsed
}

describeEachStore('UnitMeter', (openTestStore) => {
  /** Serving processes on one store, and the key as each of them reads it. */
  const open = async (unitsQuota?: number, processes = 1) => {
    const { db } = await openTestStore()
    const { secret, id } = await createKey(db, { name: 'app', unitsQuota })
    const read = async (meter: UnitMeter): Promise<Key> => {
      const [key] = (await meter.loadKeys([hashKey(secret)])).values()
      return key as Key
    }
    const meters = Array.from({ length: processes }, () => new UnitMeter(db, quiet))
    return { db, id, read, meters: meters as [UnitMeter, UnitMeter] }
  }

  it('counts what is committed, and nothing that is released or comes twice', async () => {
    const { db, meters, read } = await open(10)
    const [meter] = meters
    const key = await read(meter)
    const charge = meter.reserve(key, 3)
    expect(meter.remaining(key)).toBe(10)
    charge?.commit()
    charge?.commit()
    charge?.release()
    expect(meter.remaining(key)).toBe(7)
    const other = meter.reserve(key, 4)
    other?.release()
    other?.commit()
    expect(meter.remaining(key)).toBe(7)
    expect(meter.remaining(key, 2)).toBe(5)
    await meter.close()
    expect(await usedUnits(db)).toBe(3)
    const [stored] = await listKeys(db)
    expect(stored?.usedAt).toBeInstanceOf(Date)
    await meter.close()
    expect(await usedUnits(db)).toBe(3)
  })

  it('lets requests at the same time set aside no more than the quota', async () => {
    const { meters, read } = await open(5)
    const [meter] = meters
    const key = await read(meter)
    const charges = Array.from({ length: 4 }, () => meter.reserve(key, 2))
    expect(charges.map(Boolean)).toEqual([true, true, false, false])
    expect(meter.reserve(key, 1)).toBeDefined()
    charges[0]?.release()
    expect(meter.reserve(key, 2)).toBeDefined()
    expect(meter.reserve(key, 1)).toBeUndefined()
    expect(meter.reserve(key, 0)).toBeDefined()
    await meter.close()
  })

  it('takes any number from a key without a quota, and counts it', async () => {
    const { db, meters, read } = await open()
    const [meter] = meters
    const key = await read(meter)
    meter.reserve(key, 1_000_000)?.commit()
    expect(meter.remaining(key)).toBeUndefined()
    await meter.close()
    expect(await usedUnits(db)).toBe(1_000_000)
  })

  it('adds up what several processes use, and each hears of the others', async () => {
    const { db, meters, read } = await open(100, 2)
    const [one, two] = meters
    const keys = [await read(one), await read(two)] as const
    one.reserve(keys[0], 30)?.commit()
    two.reserve(keys[1], 50)?.commit()
    await Promise.all([one.flush(), two.flush()])
    expect(await usedUnits(db)).toBe(80)
    for (const meter of meters) {
      const key = await read(meter)
      expect(meter.remaining(key)).toBe(20)
      expect(meter.reserve(key, 21)).toBeUndefined()
    }
    await one.close()
    await two.close()
  })

  it('takes a quota that was raised', async () => {
    const { db, id, meters, read } = await open(1)
    const [meter] = meters
    meter.reserve(await read(meter), 1)?.commit()
    expect(meter.reserve(await read(meter), 1)).toBeUndefined()
    await updateKey(db, id, { addedUnits: 1 })
    const key = await read(meter)
    expect(meter.remaining(key)).toBe(1)
    expect(meter.reserve(key, 1)).toBeDefined()
    await meter.close()
  })

  it('writes without being told to', async () => {
    const { db, meters, read } = await open()
    const [meter] = meters
    meter.reserve(await read(meter), 2)?.commit()
    while ((await usedUnits(db)) !== 2) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await meter.close()
  })

  it('never lets a key use more than its quota, whatever comes between', async () => {
    const { db, meters, read, id } = await open(0)
    const [meter] = meters
    let committed = 0
    let quota = 0
    const step = fc.oneof(
      fc.record({ type: fc.constant('reserve' as const), units: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ type: fc.constantFrom('commit', 'release', 'flush', 'read') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        quota += 20
        await updateKey(db, id, { unitsQuota: quota })
        let key = await read(meter)
        const open: { charge: NonNullable<ReturnType<UnitMeter['reserve']>>; units: number }[] = []
        const background: Promise<unknown>[] = []
        for (const { type, ...rest } of steps) {
          if (type === 'reserve' && 'units' in rest) {
            const reserved = open.reduce((sum, { units }) => sum + units, 0)
            const charge = meter.reserve(key, rest.units)
            expect(charge !== undefined).toBe(committed + reserved + rest.units <= quota)
            if (charge) {
              open.push({ charge, units: rest.units })
            }
          }
          if (type === 'commit' || type === 'release') {
            const first = open.shift()
            first?.charge[type]()
            if (type === 'commit') {
              committed += first?.units ?? 0
            }
          }
          if (type === 'flush') {
            background.push(meter.flush())
          }
          if (type === 'read') {
            if (background.length % 2) {
              background.push(read(meter))
            } else {
              key = await read(meter)
            }
          }
          expect(meter.remaining(key)).toBe(quota - committed)
        }
        for (const { charge } of open) {
          charge.release()
        }
        await Promise.all(background)
        await meter.flush()
        expect(await usedUnits(db)).toBe(committed)
      }),
      { numRuns: 30 },
    )
    await meter.close()
  })
})

it.skipIf('missing' in inject('postgres'))(
  'counts once what was written though nobody heard of it',
  async () => {
    const { url, drop } = await createTestDatabase()
    const proxy = await startCuttingProxy(url)
    const direct = await openStore({ databaseUrl: url })
    const { secret } = await createKey(direct.db, { name: 'app', unitsQuota: 10 })
    const store = await openStore({ databaseUrl: proxy.url })
    const meter = new UnitMeter(store.db, quiet)
    const read = async () => {
      const [key] = (await meter.loadKeys([hashKey(secret)])).values()
      return key as Key
    }
    const key = await read()
    meter.reserve(key, 3)?.commit()
    proxy.cutAfterCommit()
    await meter.flush()
    // Written, and yet to be written for all that the process knows.
    expect(await usedUnits(direct.db)).toBe(3)
    meter.reserve(key, 4)?.commit()
    expect(meter.remaining(key)).toBe(3)
    expect(meter.remaining(await read())).toBe(3)
    await meter.close()
    expect(await usedUnits(direct.db)).toBe(7)
    await store.close()
    await direct.close()
    await proxy.close()
    await drop()
  },
)
