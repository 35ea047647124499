import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { CommandError } from './CommandError.ts'
import { type CommandResponse, getCommandSocketPaths } from './commandSocket.ts'

/** Longer than between two lines of a command that runs. */
const responseTimeoutMs = 60_000

/** EINVAL: the path is longer than that of a socket may be. ENOTDIR: the data folder would be below a file. */
const withoutSocket = new Set<string | undefined>(['ENOENT', 'ECONNREFUSED', 'EINVAL', 'ENOTDIR'])

/**
 * Sends a command to the running service.
 *
 * @returns the output to print; undefined when no service runs on the data folder.
 * @throws {CommandError} with the message of the service when the command fails.
 */
export async function sendCommandToService(
  dataFolder: string,
  command: object,
  onProgress: (text: string) => void = () => {},
): Promise<string | undefined> {
  const { path } = getCommandSocketPaths(dataFolder)
  let socket: Socket
  try {
    socket = connect(path)
    await once(socket, 'connect')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (withoutSocket.has(code)) {
      return undefined
    }
    if (code === 'EACCES') {
      throw new CommandError(
        `The service on ${dataFolder} runs as another user; run this command as that user`,
      )
    }
    throw error
  }
  socket.setTimeout(responseTimeoutMs, () => socket.destroy())
  socket.end(JSON.stringify(command))
  // The reader does not pass on errors of the socket, which it ends with.
  socket.on('error', () => {})
  for await (const line of createInterface({ input: socket })) {
    const response = JSON.parse(line) as CommandResponse
    if ('error' in response) {
      throw new CommandError(response.error)
    }
    if ('output' in response) {
      return response.output
    }
    if (response.progress) {
      onProgress(response.progress)
    }
  }
  throw new CommandError('The service did not respond; check its log for the outcome')
}
