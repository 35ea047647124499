import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { sendCommandToService } from '../commands/sendCommandToService.ts'
import type { StoreConfig } from '../config/Config.ts'
import { defaultConfigFile, findChainDatabase } from '../config/loadConfig.ts'
import { formatReason } from '../formatReason.ts'
import { toStoreError } from '../store/describeDatabaseError.ts'
import { mainDatabase, openStore } from '../store/openStore.ts'
import { groupByDatabase } from '../store/openStores.ts'
import type { StoreLocation } from '../store/Store.ts'
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
export async function runAndPrintCommand(
  config: StoreConfig,
  command: StoreCommand,
): Promise<void> {
  const { databaseUrl, dataFolder } = config
  const deadline = performance.now() + startTimeoutMs
  // A key that is issued in the wrong folder is unknown to the service.
  if (config.chains.length === 0) {
    const store = databaseUrl === undefined ? `the data folder ${dataFolder}` : 'DATABASE_URL'
    process.stderr.write(`Using ${store}, as there is no ${defaultConfigFile}\n`)
  } else if (databaseUrl === undefined && !existsSync(dataFolder)) {
    process.stderr.write(
      `Creating the data folder ${dataFolder}: if a service uses another one, name it with --data\n`,
    )
  }
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
        process.stderr.write(`Waiting for the process that uses ${dataFolder}\n`)
      }
      await delay(retryMs)
    }
  }
}

async function run(config: StoreConfig, command: StoreCommand): Promise<string> {
  const ownDatabase = findOwnDatabase(config, command)
  if (ownDatabase !== undefined) {
    return await runOn({ databaseUrl: ownDatabase.url }, command, ownDatabase.name)
  }
  const output =
    config.databaseUrl === undefined
      ? await sendCommandToService(config.dataFolder, command, printProgress)
      : undefined
  return output ?? (await openStoresAndRun(config, command))
}

/** The database of the chain that a command concerns, if it is not in the main one. */
function findOwnDatabase(
  { chains }: StoreConfig,
  command: StoreCommand,
): { readonly url: string; readonly name: string } | undefined {
  const chainId = 'chainId' in command ? command.chainId : undefined
  if (chainId === undefined) {
    return undefined
  }
  const url = chains.find(({ id }) => id === chainId)?.databaseUrl ?? findChainDatabase(chainId)
  return url === undefined ? undefined : { url, name: `chain ${chainId}` }
}

function printProgress(text: string): void {
  process.stderr.write(`${text}\n`)
}

/**
 * Runs a command on the main database, or on all for the status of all chains.
 * A database that is unavailable is part of the output, and does not prevent that of others. */
async function openStoresAndRun(config: StoreConfig, command: StoreCommand): Promise<string> {
  if (command.type !== 'chain-status' || command.chainId !== undefined) {
    return await runOn(storeLocation(config), command)
  }
  const outputs = [await runOn(storeLocation(config), command)]
  for (const [databaseUrl, chains] of groupByDatabase(config)) {
    const name = `chain ${chains.map(({ id }) => id).join(', ')}`
    const describe = (error: unknown) => `${name}: ${formatReason(error)}`
    outputs.push(await runOn({ databaseUrl }, command, name).catch(describe))
  }
  return outputs.join('\n')
}

/** @param name - of its database, for errors. */
async function runOn(
  location: StoreLocation,
  command: StoreCommand,
  name = mainDatabase,
): Promise<string> {
  const store = await openStore(location, undefined, { name })
  try {
    return await runStoreCommand(store, command, printProgress)
  } catch (error) {
    throw toStoreError(error, location, name)
  } finally {
    await store.close()
  }
}
