import { expect, it } from 'vitest'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { seedChain, testAddress, testBlockHash } from '../../../test/seedChain.ts'
import { loadChanges } from '../../store/changes.ts'
import { ChangeSet, setPoolState } from '../fold/ChangeSet.ts'
import { commitBatch } from './commitBatch.ts'

const usd = testAddress(1)
const spam = testAddress(2)
const pool = testAddress(3)
const hashOf = (block: number) => testBlockHash(1, block)

describeEachStore('recordBatch', (openTestStore) => {
  it('records no change of all accounts for an empty pool of a token with many holders', async () => {
    const { db } = await openTestStore()
    await seedChain(db, {
      chainId: 1,
      blocks: { 1: 1000, 2: 1012 },
      tokens: [{ address: usd }, { address: spam }],
      balances: Array.from({ length: 10_001 }, (_, index) => {
        return { holder: testAddress(1_000 + index), token: spam, amount: 1n }
      }),
      pools: [{ address: pool, token0: usd, token1: spam, states: { 1: [0n, 0n] } }],
    })
    const start = (await loadChanges(db, 1, { after: -1 })).at(-1)?.version ?? -1
    const commit = async (number: number, reserve: bigint) => {
      const changes = new ChangeSet()
      const state = { pool, block: number, reserve0: reserve, reserve1: reserve, sqrtPrice: null }
      setPoolState(changes, `${number} `, state)
      const blocks = [{ number, hash: hashOf(number), time: 1000 + 12 * number }]
      await commitBatch(
        db,
        {
          blocks,
          logCount: 1,
          undoBlock: 0,
          permanent: new ChangeSet(),
          undoable: [{ block: number, changes }],
        },
        { chainId: 1, from: { number: number - 1, hash: hashOf(number - 1) } },
      )
      return (await loadChanges(db, 1, { after: start })).at(-1)?.keys
    }
    // One of its reserves changes, and it remains empty.
    expect((await commit(3, 0n))?.pooled).toEqual(expect.arrayContaining([usd, spam]))
    // The token gets its first price.
    expect(await commit(4, 10n ** 18n)).toBeUndefined()
    expect(await commit(5, 2n * 10n ** 18n)).toBeDefined()
  })
})
