import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { sendCommand } from '../commands/sendCommand.ts'
import { serveCommands } from '../commands/serveCommands.ts'
import { fromHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { runCommand, type StoreCommand } from './runCommand.ts'

const contract = testAddress(0xaf)
const refetch = { type: 'refetch', chainId: 1, contract } as const
const reset = { type: 'audit-reset', chainId: 1, token: contract } as const

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describeEachStore('runCommand', (openTestStore) => {
  async function seed(): Promise<Store> {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 1, blocks: { 0: 0 }, tokens: [{ address: contract }] })
    const collectible = { chain_id: 1, contract: fromHex(contract), first_block: 0 }
    await store.db
      .insertInto('collectibles')
      .values([
        { ...collectible, token_id: 1n, metadata: 'failed', attempts: 6 },
        { ...collectible, token_id: 2n ** 255n, metadata: 'read' },
      ])
      .execute()
    return store
  }
  const states = async ({ db }: Store) => {
    const rows = await db
      .selectFrom('collectibles')
      .select('metadata')
      .orderBy('token_id')
      .execute()
    return rows.map(({ metadata }) => metadata)
  }

  it('refetches one NFT or a whole contract, and prints the counts', async () => {
    const store = await seed()
    expect(await runCommand(store.db, { ...refetch, tokenId: String(2n ** 255n) })).toMatch(
      /^1 NFT documents and the metadata of 0 contracts/,
    )
    expect(await states(store)).toEqual(['failed', 'pending'])
    expect(await runCommand(store.db, refetch)).toMatch(
      /^2 NFT documents and the metadata of 1 contracts/,
    )
    expect(await states(store)).toEqual(['pending', 'pending'])
  })

  it('rejects an unknown contract or NFT', async () => {
    const { db } = await seed()
    await expect(runCommand(db, { ...refetch, chainId: 2 })).rejects.toThrow(
      `Chain 2 has no ${contract} in this store`,
    )
    await expect(runCommand(db, { ...refetch, tokenId: '3' })).rejects.toThrow(
      `no 3 of ${contract}`,
    )
  })

  it('is run by the service that runs on the data folder', async () => {
    const store = await seed()
    const folder = temporaryFolder()
    const end = await serveCommands<StoreCommand>(
      folder,
      (command) => runCommand(store.db, command),
      pino({ level: 'silent' }),
    )
    expect(await sendCommand(folder, refetch)).toMatch(/^2 NFT documents/)
    await expect(sendCommand(folder, { ...refetch, chainId: 2 })).rejects.toThrow('Chain 2 has')
    expect(await sendCommand(folder, { type: 'list' })).toMatch(/^ID /)
    await end()
  })

  it('resets the audit of a token, directly or through the service that runs on the data folder', async () => {
    const { db } = await openTestStore()
    await seedChain(db, { chainId: 1, blocks: { 0: 0 }, tokens: [{ address: contract }] })
    const readFromChain = () => db.updateTable('tokens').set({ amounts_from: 'chain' }).execute()
    const source = async () => await db.selectFrom('tokens').select('amounts_from').execute()
    await readFromChain()
    expect(await runCommand(db, reset)).toContain(`${contract} are read from the ledger again`)
    expect(await source()).toEqual([{ amounts_from: 'ledger' }])
    await expect(runCommand(db, reset)).rejects.toThrow(`Chain 1 has no ${contract} that is read`)

    await readFromChain()
    const folder = temporaryFolder()
    const end = await serveCommands<StoreCommand>(
      folder,
      (command) => runCommand(db, command),
      pino({ level: 'silent' }),
    )
    expect(await sendCommand(folder, reset)).toContain('its audit restarts')
    expect(await source()).toEqual([{ amounts_from: 'ledger' }])
    await end()
  })
})
