import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { sendCommand } from '../commands/sendCommand.ts'
import { serveCommands } from '../commands/serveCommands.ts'
import { createProgram } from './createProgram.ts'
import { runCommand, type StoreCommand } from './runCommand.ts'

const token = testAddress(0xaf)
const reset = { type: 'audit-reset', chainId: 1, token } as const

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describeEachStore('audit reset', (openTestStore) => {
  it('resets a token to its ledger, directly or through the service that runs on the data folder', async () => {
    const { db } = await openTestStore()
    await seedChain(db, { chainId: 1, blocks: { 0: 0 }, tokens: [{ address: token }] })
    const readFromChain = () => db.updateTable('tokens').set({ amounts_from: 'chain' }).execute()
    const source = async () => await db.selectFrom('tokens').select('amounts_from').execute()
    await readFromChain()
    expect(await runCommand(db, reset)).toContain(`${token} are read from the ledger again`)
    expect(await source()).toEqual([{ amounts_from: 'ledger' }])
    await expect(runCommand(db, reset)).rejects.toThrow(`Chain 1 has no ${token} that is read`)

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

describe('headwater audit reset', () => {
  it.each([
    [['--chain', 'ethereum', '--token', token], /^--chain must/],
    [['--chain', '1', '--token', '0x12'], /^--token must/],
  ])('rejects %j', async (options, message) => {
    const file = join(temporaryFolder(), 'headwater.config.json')
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const chain = { id: 1, name: 'one', rpcUrls: ['http://127.0.0.1:1'], nativeCurrency }
    writeFileSync(file, JSON.stringify({ chains: [chain] }))
    const command = ['audit', 'reset', '--config', file, ...options]
    const parse = async () => await createProgram().parseAsync(command, { from: 'user' })
    await expect(parse()).rejects.toThrow(message)
  })
})
