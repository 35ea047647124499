import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { CommandError } from './CommandError.ts'
import { type CommandResponse, getCommandSocketPaths } from './commandSocket.ts'

/** Longer than a command takes on a busy store. */
const responseTimeoutMs = 60_000

/**
 * Sends a command to the running service.
 *
 * @returns the output to print; undefined when no service runs on the data folder.
 * @throws {CommandError} with the message of the service when the command fails.
 */
export async function sendCommandToService(
  dataFolder: string,
  command: object,
): Promise<string | undefined> {
  const { path } = getCommandSocketPaths(dataFolder)
  let socket: Socket
  try {
    socket = connect(path)
    await once(socket, 'connect')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') {
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
  const body = await text(socket).catch(() => '')
  if (body === '') {
    throw new CommandError('The service did not respond; check its log for the outcome')
  }
  const response = JSON.parse(body) as CommandResponse
  if ('error' in response) {
    throw new CommandError(response.error)
  }
  return response.output
}
