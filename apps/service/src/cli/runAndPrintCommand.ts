import { setTimeout as delay } from 'node:timers/promises'
import { sendCommandToService } from '../commands/sendCommandToService.ts'
import type { Config } from '../config/Config.ts'
import { openStore } from '../store/openStore.ts'
import { StoreError } from '../store/StoreError.ts'
import { storeLocation } from '../store/storeLocation.ts'
import { runStoreCommand, type StoreCommand } from './runStoreCommand.ts'

const retryMs = 200
/** Longer than a service takes to create the embedded database. */
const startTimeoutMs = 60_000

/**
 * Runs a command and prints its output. If a service has the embedded database open, sends the command to it; otherwise
 * runs it here. While another process has the database open and does not accept commands, such as a service that starts,
 * it waits.
 */
export async function runAndPrintCommand(config: Config, command: StoreCommand): Promise<void> {
  const deadline = performance.now() + startTimeoutMs
  for (let attempt = 0; ; attempt++) {
    try {
      process.stdout.write(`${await run(config, command)}\n`)
      return
    } catch (error) {
      const isInUse = error instanceof StoreError && error.isInUse
      if (!isInUse || performance.now() > deadline) {
        throw error
      }
      if (attempt === 0) {
        process.stderr.write(`Waiting for the process that uses ${config.dataFolder}\n`)
      }
      await delay(retryMs)
    }
  }
}

async function run(config: Config, command: StoreCommand): Promise<string> {
  const output =
    config.databaseUrl === undefined
      ? await sendCommandToService(config.dataFolder, command, printProgress)
      : undefined
  return output ?? (await openStoreAndRun(config, command))
}

function printProgress(text: string): void {
  process.stderr.write(`${text}\n`)
}

async function openStoreAndRun(config: Config, command: StoreCommand): Promise<string> {
  const store = await openStore(storeLocation(config))
  try {
    return await runStoreCommand(store, command, printProgress)
  } finally {
    await store.close()
  }
}
