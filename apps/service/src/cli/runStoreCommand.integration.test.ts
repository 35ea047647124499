import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { sendCommandToService } from '../commands/sendCommandToService.ts'
import { serveCommands } from '../commands/serveCommands.ts'
import { fromHex } from '../store/hex.ts'
import type { Store } from '../store/Store.ts'
import { runStoreCommand, type StoreCommand } from './runStoreCommand.ts'

const contract = testAddress(0xaf)
const refetch = { type: 'metadata-refetch', chainId: 1, contract } as const
const reset = { type: 'audit-reset', chainId: 1, token: contract } as const

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describeEachStore('runStoreCommand', (openTestStore) => {
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
    expect(await runStoreCommand(store, { ...refetch, tokenId: String(2n ** 255n) })).toMatch(
      'Queued for refetching: 1 NFTs, 0 contracts',
    )
    expect(await states(store)).toEqual(['failed', 'pending'])
    expect(await runStoreCommand(store, refetch)).toMatch(
      'Queued for refetching: 2 NFTs, 1 contracts',
    )
    expect(await states(store)).toEqual(['pending', 'pending'])
  })

  it('rejects an unknown contract or NFT', async () => {
    const store = await seed()
    await expect(runStoreCommand(store, { ...refetch, chainId: 2 })).rejects.toThrow(
      `Contract ${contract} is not indexed on chain 2`,
    )
    await expect(runStoreCommand(store, { ...refetch, tokenId: '3' })).rejects.toThrow(
      `NFT 3 of ${contract} is not indexed on chain 1`,
    )
  })

  it('is run by the service that runs on the data folder', async () => {
    const store = await seed()
    const folder = temporaryFolder()
    const end = await serveCommands<StoreCommand>(
      folder,
      (command) => runStoreCommand(store, command),
      pino({ level: 'silent' }),
    )
    expect(await sendCommandToService(folder, refetch)).toMatch('Queued for refetching: 2 NFTs')
    await expect(sendCommandToService(folder, { ...refetch, chainId: 2 })).rejects.toThrow(
      'is not indexed on chain 2',
    )
    expect(await sendCommandToService(folder, { type: 'keys-list' })).toMatch(/^ID /)
    await end()
  })

  it('resets the audit of a token, directly or through the service that runs on the data folder', async () => {
    const store = await openTestStore()
    const { db } = store
    await seedChain(db, { chainId: 1, blocks: { 0: 0 }, tokens: [{ address: contract }] })
    const readFromChain = () => db.updateTable('tokens').set({ amounts_from: 'chain' }).execute()
    const source = async () => await db.selectFrom('tokens').select('amounts_from').execute()
    await readFromChain()
    expect(await runStoreCommand(store, reset)).toContain(
      `Token ${contract} uses ledger balances again`,
    )
    expect(await source()).toEqual([{ amounts_from: 'ledger' }])
    await expect(runStoreCommand(store, reset)).rejects.toThrow(
      `Token ${contract} on chain 1 is not indexed or already`,
    )

    await readFromChain()
    const folder = temporaryFolder()
    const end = await serveCommands<StoreCommand>(
      folder,
      (command) => runStoreCommand(store, command),
      pino({ level: 'silent' }),
    )
    expect(await sendCommandToService(folder, reset)).toContain('its audit was restarted')
    expect(await source()).toEqual([{ amounts_from: 'ledger' }])
    await end()
  })
})
