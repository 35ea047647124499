import { sendCommand } from '../commands/sendCommand.ts'
import type { Config } from '../config/Config.ts'
import { openStore } from '../store/openStore.ts'
import { storeLocation } from '../store/storeLocation.ts'
import { runCommand, type StoreCommand } from './runCommand.ts'

/**
 * Runs a command and prints its result. While a service runs on the data folder, it holds the lock of the embedded
 * database; the command is then sent to that service.
 */
export async function executeCommand(config: Config, command: StoreCommand): Promise<void> {
  const output =
    config.databaseUrl === undefined ? await sendCommand(config.dataFolder, command) : undefined
  process.stdout.write(`${output ?? (await runOnStore(config, command))}\n`)
}

async function runOnStore(config: Config, command: StoreCommand): Promise<string> {
  const store = await openStore(storeLocation(config))
  try {
    return await runCommand(store.db, command)
  } finally {
    await store.close()
  }
}
