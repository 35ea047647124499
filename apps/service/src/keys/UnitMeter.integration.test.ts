import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { pino } from 'pino'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import type { Database } from '../store/Database.ts'
import { openStore } from '../store/openStore.ts'
import type { ApiKey } from './ApiKey.ts'
import { createKey } from './createKey.ts'
import { hashKey } from './hashKey.ts'
import { loadAllKeys } from './loadAllKeys.ts'
import { UnitMeter } from './UnitMeter.ts'
import { updateKey } from './updateKey.ts'

const quiet = pino({ level: 'silent' })

async function usedUnits(db: Kysely<Database>): Promise<number | undefined> {
  const [key] = await loadAllKeys(db)
  return key?.unitsUsed
}

describeEachStore('UnitMeter', (openTestStore, kind) => {
  /** The meters of several processes on one store, and the key as each of them loads it. */
  const open = async (unitsQuota?: number, processes = 1) => {
    const { db } = await openTestStore()
    const { secret, id } = await createKey(db, { name: 'app', unitsQuota })
    const load = async (meter: UnitMeter): Promise<ApiKey> => {
      const [key] = (await meter.loadKeys([hashKey(secret)])).values()
      return key as ApiKey
    }
    const meters = Array.from({ length: processes }, () => new UnitMeter(db, quiet))
    return { db, id, load, meters: meters as [UnitMeter, UnitMeter] }
  }

  it('charges a reservation once, unless it was released', async () => {
    const { db, meters, load } = await open(10)
    const [meter] = meters
    const key = await load(meter)
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
    const [stored] = await loadAllKeys(db)
    expect(stored?.usedAt).toBeInstanceOf(Date)
    await meter.close()
    expect(await usedUnits(db)).toBe(3)
  })

  it('limits concurrent reservations by the quota', async () => {
    const { meters, load } = await open(5)
    const [meter] = meters
    const key = await load(meter)
    const charges = Array.from({ length: 4 }, () => meter.reserve(key, 2))
    expect(charges.map(Boolean)).toEqual([true, true, false, false])
    expect(meter.reserve(key, 1)).toBeDefined()
    charges[0]?.release()
    expect(meter.reserve(key, 2)).toBeDefined()
    expect(meter.reserve(key, 1)).toBeUndefined()
    expect(meter.reserve(key, 0)).toBeDefined()
    await meter.close()
  })

  it('counts any number of units of a key without a quota', async () => {
    const { db, meters, load } = await open()
    const [meter] = meters
    const key = await load(meter)
    meter.reserve(key, 1_000_000)?.commit()
    expect(meter.remaining(key)).toBeUndefined()
    await meter.close()
    expect(await usedUnits(db)).toBe(1_000_000)
  })

  it('adds up the units of several processes, and loads the totals of the others', async () => {
    const { db, meters, load } = await open(100, 2)
    const [one, two] = meters
    const keys = [await load(one), await load(two)] as const
    one.reserve(keys[0], 30)?.commit()
    two.reserve(keys[1], 50)?.commit()
    await Promise.all([one.flush(), two.flush()])
    expect(await usedUnits(db)).toBe(80)
    for (const meter of meters) {
      const key = await load(meter)
      expect(meter.remaining(key)).toBe(20)
      expect(meter.reserve(key, 21)).toBeUndefined()
    }
    await one.close()
    await two.close()
  })

  it('applies a raised quota', async () => {
    const { db, id, meters, load } = await open(1)
    const [meter] = meters
    meter.reserve(await load(meter), 1)?.commit()
    expect(meter.reserve(await load(meter), 1)).toBeUndefined()
    await updateKey(db, id, { addedUnits: 1 })
    const key = await load(meter)
    expect(meter.remaining(key)).toBe(1)
    expect(meter.reserve(key, 1)).toBeDefined()
    await meter.close()
  })

  it('writes charged units after half a second', async () => {
    const { db, meters, load } = await open()
    const [meter] = meters
    const key = await load(meter)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    meter.reserve(key, 2)?.commit()
    vi.advanceTimersByTime(500)
    await expect.poll(() => usedUnits(db)).toBe(2)
    await meter.close()
  })

  // The embedded database ends with the process where its disk is full.
  it.runIf(kind === 'postgres')(
    'loads keys while units cannot be written, as with a full disk, and counts none twice',
    async () => {
      const { db, meters, load } = await open(10, 2)
      const [meter, other] = meters
      const key = await load(meter)
      await sql`
        create function reject_write() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(db)
      onTestFinished(async () => void (await sql`drop function reject_write cascade`.execute(db)))
      await sql`
        create trigger reject_write before insert on unit_flushes
        execute function reject_write()`.execute(db)
      meter.reserve(key, 3)?.commit()
      await meter.flush()
      expect(meter.remaining(await load(meter))).toBe(7)
      await sql`drop trigger reject_write on unit_flushes`.execute(db)
      other.reserve(await load(other), 2)?.commit()
      await other.flush()
      expect(meter.remaining(await load(meter))).toBe(5)
      await meter.close()
      await other.close()
      expect(await usedUnits(db)).toBe(5)
    },
  )

  it('never exceeds the quota in any order of operations', async () => {
    const { db, meters, load, id } = await open(0)
    const [meter] = meters
    let committed = 0
    let quota = 0
    const step = fc.oneof(
      fc.record({ type: fc.constant('reserve' as const), units: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ type: fc.constantFrom('commit', 'release', 'flush', 'load') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        quota += 20
        await updateKey(db, id, { unitsQuota: quota })
        let key = await load(meter)
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
          if (type === 'load') {
            if (background.length % 2) {
              background.push(load(meter))
            } else {
              key = await load(meter)
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
  'counts units once when the connection is cut after the commit',
  async () => {
    const { url, drop } = await createTestDatabase()
    const proxy = await startCuttingProxy(url)
    const direct = await openStore({ databaseUrl: url })
    const { secret } = await createKey(direct.db, { name: 'app', unitsQuota: 10 })
    const store = await openStore({ databaseUrl: proxy.url })
    const meter = new UnitMeter(store.db, quiet)
    const load = async () => {
      const [key] = (await meter.loadKeys([hashKey(secret)])).values()
      return key as ApiKey
    }
    const key = await load()
    meter.reserve(key, 3)?.commit()
    proxy.cutAfterCommit()
    await meter.flush()
    // The units are stored, but the process has received no confirmation.
    expect(await usedUnits(direct.db)).toBe(3)
    meter.reserve(key, 4)?.commit()
    expect(meter.remaining(key)).toBe(3)
    expect(meter.remaining(await load())).toBe(3)
    await meter.close()
    expect(await usedUnits(direct.db)).toBe(7)
    await store.close()
    await direct.close()
    await proxy.close()
    await drop()
  },
)

it.skipIf('missing' in inject('postgres')).each(['away', 'silent'])(
  'reads keys from the replica while the primary is %s, logs that once, and writes the units of that time later',
  async (fault) => {
    const { url, drop } = await createTestDatabase()
    const proxy = await startCuttingProxy(url)
    const replica = await openStore({ databaseUrl: url })
    const { secret } = await createKey(replica.db, { name: 'app', unitsQuota: 10 })
    const store = await openStore({ databaseUrl: proxy.url })
    const warnings: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(line) })
    const meter = new UnitMeter(store.db, logger, replica.reader, 500)
    const setAway = fault === 'away' ? proxy.setAway : proxy.setSilent
    const load = async () => {
      const [key] = (await meter.loadKeys([hashKey(secret)])).values()
      return key as ApiKey
    }
    const key = await load()
    meter.reserve(key, 3)?.commit()
    setAway(true)
    await meter.flush()
    await meter.flush()
    expect(warnings).toHaveLength(1)
    meter.reserve(await load(), 4)?.commit()
    expect(meter.remaining(await load())).toBe(3)
    expect(meter.reserve(key, 4)).toBeUndefined()
    expect(await usedUnits(replica.db)).toBe(0)
    setAway(false)
    expect(meter.remaining(await load())).toBe(3)
    await meter.close()
    expect(await usedUnits(replica.db)).toBe(7)
    await store.close()
    await replica.close()
    await proxy.close()
    await drop()
  },
)
