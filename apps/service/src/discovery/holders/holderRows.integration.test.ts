import { expect, it } from 'vitest'
import { openSharedStore } from '../../../test/describeEachStore.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { loadHolderBatch, mergeHolders, writeHolderDetails } from './holderRows.ts'
import { insertScan } from './scanRows.ts'

it('writes the details of a page also where those of a holder are not known', async () => {
  const { db } = await openSharedStore('postgres')
  const key = { chainId: 1, token: testAddress(9) }
  await insertScan(db, key, { standard: 20, startBlock: 0, isIndexed: false })
  const holders = [testAddress(1), testAddress(2)] as const
  const found = { amount: 1n, firstIn: 5, firstTime: undefined, hasDeposit: false }
  const merged = holders.map((holder) => [holder, { ...found, sentIn: new Set<string>() }] as const)
  await mergeHolders(db, key, new Map(merged), true)
  const unknown = { firstInTime: undefined, initiated: undefined, sentIn: [], isContract: false }
  await writeHolderDetails(db, key, [
    { ...unknown, holder: holders[0] },
    { ...unknown, holder: holders[1], firstInTime: 123, initiated: false },
  ])
  expect(await loadHolderBatch(db, key, undefined, 10)).toMatchObject([
    { firstInTime: undefined, hasInitiated: undefined },
    { firstInTime: 123, hasInitiated: false },
  ])
})
