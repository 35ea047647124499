import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import type { ChainState } from '../../store/ChainWatch.ts'
import { loadChanges, recordChange } from '../../store/changes.ts'
import { fromHex, toHex } from '../../store/hex.ts'
import type { Store } from '../../store/Store.ts'
import { MissedChanges } from './MissedChanges.ts'
import { abbreviateHash } from './Subscription.ts'

const chainId = 7
const addresses = [1, 2, 3, 4].map((number) => `0x${String(number).repeat(40)}`)
const hashOf = (block: number) => `0x${block.toString(16).padStart(64, '0')}`

const arbitraryStep = fc.record({
  kind: fc.constantFrom('block', 'block', 'block', 'reorg', 'metadata', 'all', 'unrecorded'),
  holders: fc.subarray(addresses),
  ledgers: fc.subarray(addresses),
  contracts: fc.subarray(addresses),
})
type Step = typeof arbitraryStep extends fc.Arbitrary<infer T> ? T : never

async function write({ db }: Store, { kind, ...keys }: Step, block: number): Promise<void> {
  await db
    .updateTable('chains')
    .set({ indexed_block: block, indexed_hash: fromHex(hashOf(block)) })
    .where('chain_id', '=', chainId)
    .execute()
  const options = {
    ancestor: kind === 'reorg' ? block - 3 : undefined,
    isMetadata: kind === 'metadata',
  }
  if (kind === 'unrecorded') {
    await db
      .updateTable('chains')
      .set(({ eb }) => ({ metadata_version: eb('metadata_version', '+', 1) }))
      .execute()
  } else {
    await recordChange(db, chainId, kind === 'all' ? undefined : keys, options)
  }
}

async function loadState({
  db,
}: Store): Promise<ChainState & { block: NonNullable<ChainState['block']> }> {
  const row = await db.selectFrom('chains').selectAll().executeTakeFirstOrThrow()
  return {
    chainId,
    sequence: 0,
    confirmedAt: 0,
    stoppedReason: undefined,
    isStopped: false,
    hold: undefined,
    metadataVersion: row.metadata_version,
    changeVersion: row.change_version,
    block: {
      number: row.indexed_block ?? 0,
      hash: toHex(row.indexed_hash ?? fromHex('0x')),
      time: 0,
    },
  }
}

/** What a scan of all rows finds. */
async function scan(store: Store, from: number, steps: readonly (Step & { version: number })[]) {
  const rows = await loadChanges(store.db, chainId, { after: from })
  const isUnknown =
    rows.some(({ keys }) => !keys) ||
    steps.some(({ kind, version }) => kind === 'unrecorded' && version >= Math.max(from, 1))
  const changed = (kind: 'holders' | 'ledgers' | 'contracts') =>
    addresses.filter((address) => rows.some(({ keys }) => keys?.[kind].includes(address)))
  const ancestors = rows.flatMap(({ ancestor }) => ancestor ?? [])
  return isUnknown
    ? undefined
    : {
        holders: changed('holders'),
        ledgers: changed('ledgers'),
        contracts: changed('contracts'),
        ancestor: ancestors.length > 0 ? Math.min(...ancestors) : undefined,
      }
}

/** The position of a client that was connected at a version. */
async function positionAt({ db }: Store, version: number) {
  const row = await db
    .selectFrom('changes')
    .select('block_hash')
    .where('version', '=', version)
    .executeTakeFirst()
  return { version, block: row ? abbreviateHash(toHex(row.block_hash)) : '' }
}

async function find(missed: MissedChanges, store: Store, from: number) {
  const found = await missed.load(await loadState(store), await positionAt(store, from))
  return (
    found && {
      holders: found.select('holders', addresses),
      ledgers: found.select('ledgers', addresses),
      contracts: found.select('contracts', addresses),
      ancestor: found.ancestor,
    }
  )
}

async function createChain({ db }: Store): Promise<void> {
  await db.deleteFrom('changes').execute()
  await db.deleteFrom('chains').execute()
  await db
    .insertInto('chains')
    .values({ chain_id: chainId, genesis_hash: fromHex('0x00') })
    .execute()
}

describeEachStore('MissedChanges', (openTestStore) => {
  it('returns what a scan of the recorded changes finds, loaded before or after they happened', async () => {
    const store = await openTestStore()
    const runs = fc.array(arbitraryStep, { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(runs, fc.nat(8), async (steps, loadedAt) => {
        await createChain(store)
        const kept = new MissedChanges({ of: () => store })
        const done: (Step & { version: number })[] = []
        for (const [index, step] of steps.entries()) {
          if (index === loadedAt) {
            await kept.load(await loadState(store), await positionAt(store, index))
          }
          const { changeVersion } = await loadState(store)
          await write(store, step, index + 10)
          done.push({ ...step, version: changeVersion })
          const changes = await loadChanges(store.db, chainId, { after: changeVersion })
          kept.add({ chainId, changes: step.kind === 'unrecorded' ? undefined : changes })
        }
        const { changeVersion } = await loadState(store)
        for (let from = 0; from <= changeVersion; from++) {
          const expected = await scan(store, from, done)
          expect(await find(new MissedChanges({ of: () => store }), store, from)).toEqual(expected)
          expect(await find(kept, store, from)).toEqual(expected)
        }
      }),
      { numRuns: Number(process.env['MISSED_RUNS'] ?? 12), seed: 1 },
    )
  })

  it('loads no more addresses than it keeps, once, and does not know what happened before', async () => {
    const store = await openTestStore()
    await createChain(store)
    const holders = Array.from({ length: 50 }, (_, index) => `0x${String(index).padStart(40, '0')}`)
    for (let block = 1; block <= 6; block++) {
      await write(store, { kind: 'block', holders, ledgers: [], contracts: [] }, block)
    }
    let queries = 0
    const stores = { of: () => (queries++, store) }
    const missed = new MissedChanges(stores, 160)
    const state = await loadState(store)
    const positions = await Promise.all([6, 5, 4, 3, 2, 0].map((from) => positionAt(store, from)))
    const found = await Promise.all(positions.map((from) => missed.load(state, from)))
    expect(found.map((each) => each?.select('holders', holders).length)).toEqual([
      ...[0, 50, 50, undefined, undefined, undefined],
    ])
    expect(queries).toBe(1)
    // More in one update than are kept.
    const many = Array.from({ length: 200 }, (_, index) => `0x${String(index).padStart(40, 'a')}`)
    await write(store, { kind: 'block', holders: many, ledgers: [], contracts: [] }, 7)
    missed.add({ chainId, changes: await loadChanges(store.db, chainId, { after: 6 }) })
    const after = await loadState(store)
    expect(await missed.load(after, await positionAt(store, 6))).toBeUndefined()
    const latest = await missed.load(after, await positionAt(store, 7))
    expect(latest?.select('holders', many)).toEqual([])
  })
})
