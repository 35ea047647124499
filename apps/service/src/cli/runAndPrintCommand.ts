import { sendCommandToService } from '../commands/sendCommandToService.ts'
import type { Config } from '../config/Config.ts'
import { openStore } from '../store/openStore.ts'
import { storeLocation } from '../store/storeLocation.ts'
import { runStoreCommand, type StoreCommand } from './runStoreCommand.ts'

/**
 * Runs a command and prints its output. If a service has the embedded database open, sends the command to it; otherwise
 * runs it here.
 */
export async function runAndPrintCommand(config: Config, command: StoreCommand): Promise<void> {
  const output =
    config.databaseUrl === undefined
      ? await sendCommandToService(config.dataFolder, command)
      : undefined
  process.stdout.write(`${output ?? (await openStoreAndRun(config, command))}\n`)
}

async function openStoreAndRun(config: Config, command: StoreCommand): Promise<string> {
  const store = await openStore(storeLocation(config))
  try {
    return await runStoreCommand(store.db, command)
  } finally {
    await store.close()
  }
}
