import type { Command } from 'commander'
import { CommandError } from '../commands/CommandError.ts'
import { defaultConfigFile } from '../config/loadConfig.ts'

/** The options that select a store. */
export interface StoreOptions {
  readonly config: string
  readonly data?: string | undefined
}

/** Adds the options that select a store. */
export function withStoreOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file', defaultConfigFile)
    .option('--data <folder>', 'folder of the embedded database (HEADWATER_DATA)')
}

/**
 * Parses the value of `--chain`.
 *
 * @throws {CommandError} when it is not a chain id.
 */
export function parseChainOption(value: string): number {
  if (!/^[1-9]\d{0,15}$/.test(value) || !Number.isSafeInteger(Number(value))) {
    throw new CommandError(`--chain must be a numeric chain id, not "${value}"`)
  }
  return Number(value)
}

/**
 * Parses the address in an option's value.
 *
 * @returns the address in lower case.
 * @throws {CommandError} when it is not an address.
 */
export function parseAddressOption(option: string, value: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(value)) {
    throw new CommandError(`${option} must be 0x and 40 hex digits, not "${value}"`)
  }
  return value.toLowerCase()
}
