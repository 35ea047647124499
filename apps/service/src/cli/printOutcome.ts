import { sendCommand } from '../commands/sendCommand.ts'
import type { Config } from '../config/Config.ts'
import { openStore } from '../store/openStore.ts'
import { storeLocation } from '../store/storeLocation.ts'
import { runCommand, type StoreCommand } from './runCommand.ts'

/**
 * Does a command and prints what comes of it. The embedded database belongs to the service while that runs: then the
 * service does it.
 */
export async function printOutcome(config: Config, command: StoreCommand): Promise<void> {
  const output =
    config.databaseUrl === undefined ? await sendCommand(config.dataFolder, command) : undefined
  process.stdout.write(`${output ?? (await runHere(config, command))}\n`)
}

async function runHere(config: Config, command: StoreCommand): Promise<string> {
  const store = await openStore(storeLocation(config))
  try {
    return await runCommand(store.db, command)
  } finally {
    await store.close()
  }
}
