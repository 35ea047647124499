import type { Command } from 'commander'

/** What tells a command which store it is about. */
export interface StoreOptions {
  readonly config: string
  readonly data?: string
}

/** Adds the options that tell a command which store it is about. */
export function withStoreOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file', 'headwater.config.json')
    .option('--data <folder>', 'folder of the embedded database (HEADWATER_DATA)')
}
