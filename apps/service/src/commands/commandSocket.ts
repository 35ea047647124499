import { join } from 'node:path'

/**
 * The lines of the response of the service to a command, as JSON: any number about its progress, and its result. Progress
 * without text shows that the command still runs.
 */
export type CommandResponse =
  { readonly progress: string } | { readonly output: string } | { readonly error: string }

/** Sufficient for a command with all its options. */
export const maximumCommandBytes = 16_384

/** Returns the paths of the command socket of a data folder, and of its folder, which other users cannot enter. */
export function getCommandSocketPaths(dataFolder: string): { folder: string; path: string } {
  const folder = join(dataFolder, 'commands')
  return { folder, path: join(folder, 'service.sock') }
}
