import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import type { Logger } from 'pino'
import { CommandError } from './CommandError.ts'
import {
  type CommandResponse,
  getCommandSocketPaths,
  maximumCommandBytes,
} from './commandSocket.ts'

/** A command. Its other fields are validated by `run`. */
interface AnyCommand {
  readonly type: string
}

/** Runs a command, reports its progress, and returns the output to print. */
type RunCommand<Command> = (command: Command, onProgress: (text: string) => void) => Promise<string>

/** A client has to send its command within this time. */
const receiveTimeoutMs = 5000
/** Shorter than a client waits for a line. */
const heartbeatMs = 10_000

/**
 * Serves commands of other processes of the same user over a Unix socket in the data folder, because only this process
 * can open the embedded database. Every process that may enter the folder of the socket may send commands, as it may read
 * the data folder as well.
 *
 * If the socket cannot be created, that is logged and the service runs without it.
 *
 * @param run - runs a command; the message of a `CommandError` is sent to the client.
 * @returns a function that stops serving.
 */
export async function serveCommands<Command extends AnyCommand>(
  dataFolder: string,
  run: RunCommand<Command>,
  logger: Logger,
): Promise<() => Promise<void>> {
  const { folder, path } = getCommandSocketPaths(dataFolder)
  const sockets = new Set<Socket>()
  // A client half-closes the connection at the end of its command.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.setTimeout(receiveTimeoutMs, () => socket.destroy())
    void respond(socket, run, logger)
  })
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    // This process has the data folder to itself: an existing socket was left by a killed process.
    rmSync(path, { force: true })
    server.listen(path)
    await once(server, 'listening')
    chmodSync(path, 0o600)
  } catch (error) {
    logger.warn(
      { err: error },
      (error as NodeJS.ErrnoException).code === 'EINVAL'
        ? 'failed to create the command socket: the path of the data folder is too long, so that commands require that this process is stopped'
        : 'failed to create the command socket',
    )
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

async function respond<Command extends AnyCommand>(
  socket: Socket,
  run: RunCommand<Command>,
  logger: Logger,
): Promise<void> {
  let response: CommandResponse
  let heartbeat: ReturnType<typeof setInterval> | undefined
  try {
    const command = await readCommand<Command>(socket)
    // A command may wait for a busy store.
    socket.setTimeout(0)
    const onProgress = (progress: string) => void socket.write(toLine({ progress }))
    heartbeat = setInterval(() => onProgress(''), heartbeatMs)
    response = { output: await run(command, onProgress) }
    logger.info({ command: command.type }, 'command succeeded')
  } catch (error) {
    const isCommandError = error instanceof CommandError
    if (!isCommandError) {
      logger.error({ err: error }, 'command failed')
    }
    response = {
      error: isCommandError
        ? error.message
        : 'The command failed; the log of the service contains the reason',
    }
  }
  clearInterval(heartbeat)
  socket.end(toLine(response))
}

function toLine(response: CommandResponse): string {
  return `${JSON.stringify(response)}\n`
}

async function readCommand<Command>(socket: Socket): Promise<Command> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maximumCommandBytes) {
      throw new Error('The command is too long')
    }
  }
  // Sent by the same program and user; `run` validates its fields.
  return JSON.parse(Buffer.concat(chunks).toString()) as Command
}
