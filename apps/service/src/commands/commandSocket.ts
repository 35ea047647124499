import { join } from 'node:path'

/** What the service answers to a command. */
export type CommandReply = { readonly output: string } | { readonly error: string }

/** A command with all its options fits well. */
export const MAXIMUM_COMMAND_BYTES = 16_384

/** Where a service that has a data folder takes commands: a folder of its own, closed to other users, and a socket in it. */
export function commandSocket(dataFolder: string): { folder: string; path: string } {
  const folder = join(dataFolder, 'commands')
  return { folder, path: join(folder, 'service.sock') }
}
