import { sql } from 'kysely'
import { openStore } from '../src/store/openStore.ts'
import { createPartitions } from '../src/store/partitions.ts'

// A second process for the tests of the store. It opens a folder, commits blocks one by one, prints the number of each
// committed block, and runs until it is killed.
const [folder = ''] = process.argv.slice(2)
try {
  const { db } = await openStore({ folder })
  await createPartitions(db, 1)
  const { rows } = await sql<{ next: number }>`select count(*) as next from blocks`.execute(db)
  for (let number = rows[0]?.next ?? 0; ; number++) {
    await db.transaction().execute((transaction) =>
      transaction
        .insertInto('blocks')
        .values({ chain_id: 1, number, hash: new Uint8Array(32), time: number })
        .execute(),
    )
    process.stdout.write(`${number}\n`)
  }
} catch (error) {
  process.stderr.write((error as Error).message)
  process.exitCode = 1
}
