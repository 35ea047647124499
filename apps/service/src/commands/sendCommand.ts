import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { CommandError } from './CommandError.ts'
import { type CommandReply, commandSocket } from './commandSocket.ts'

/** Longer than a busy store takes. */
const PATIENCE_MS = 60_000

/**
 * Has a running service do a command.
 *
 * @returns what to print; undefined when no service runs on the data folder.
 * @throws {CommandError} what the service says when it cannot.
 */
export async function sendCommand(
  dataFolder: string,
  command: object,
): Promise<string | undefined> {
  const { path } = commandSocket(dataFolder)
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
        `The service on ${dataFolder} runs as another user; run this command as that one`,
      )
    }
    throw error
  }
  socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  socket.end(JSON.stringify(command))
  const answer = await text(socket).catch(() => '')
  if (answer === '') {
    throw new CommandError('The service did not answer; its log tells whether it was done')
  }
  const reply = JSON.parse(answer) as CommandReply
  if ('error' in reply) {
    throw new CommandError(reply.error)
  }
  return reply.output
}
