import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import type { Logger } from 'pino'
import { CommandError } from './CommandError.ts'
import { type CommandReply, commandSocket, MAXIMUM_COMMAND_BYTES } from './commandSocket.ts'

/** A command, whose other fields are checked by whoever does it. */
interface AnyCommand {
  readonly type: string
}

/** Whoever connects has sent its command after this time. */
const PATIENCE_MS = 5000

/**
 * Takes commands from other processes of the same user, over a Unix socket in the data folder: the embedded
 * database belongs to this process alone. Who may enter the folder of the socket may do everything with them, as
 * whoever may read the data folder always could.
 *
 * A socket that cannot be made is logged and does not keep the service from running.
 *
 * @param run - does a command and gives what to print; a `CommandError` of it is told to whoever sent the command.
 * @returns how to stop.
 */
export async function serveCommands<Command extends AnyCommand>(
  dataFolder: string,
  run: (command: Command) => Promise<string>,
  logger: Logger,
): Promise<() => Promise<void>> {
  const { folder, path } = commandSocket(dataFolder)
  const sockets = new Set<Socket>()
  // What is sent ends with the sender's half of the connection.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    void answer(socket, run, logger)
  })
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    // The data folder is ours, so that a socket in it is one of a process that was killed.
    rmSync(path, { force: true })
    server.listen(path)
    await once(server, 'listening')
    chmodSync(path, 0o600)
  } catch (error) {
    logger.warn({ err: error }, 'no commands can be taken while the service runs')
    return async () => {}
  }
  return async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) {
      socket.destroy()
    }
    await closed
  }
}

async function answer<Command extends AnyCommand>(
  socket: Socket,
  run: (command: Command) => Promise<string>,
  logger: Logger,
): Promise<void> {
  let reply: CommandReply
  try {
    const command = await readCommand<Command>(socket)
    // The store may be busy for longer.
    socket.setTimeout(0)
    reply = { output: await run(command) }
    logger.info({ command: command.type }, 'a command of the operator')
  } catch (error) {
    const isSentence = error instanceof CommandError
    if (!isSentence) {
      logger.error({ err: error }, 'a command of the operator failed')
    }
    reply = {
      error: isSentence ? error.message : 'The service failed to do it; its log tells why',
    }
  }
  socket.end(JSON.stringify(reply))
}

async function readCommand<Command>(socket: Socket): Promise<Command> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAXIMUM_COMMAND_BYTES) {
      throw new Error('The command is too long')
    }
  }
  // Sent by the same program, of a user who may do everything here: what is in it is checked where it is used.
  return JSON.parse(Buffer.concat(chunks).toString()) as Command
}
