import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

type Message = { type: 'progress'; text: string } | { type: 'ready'; url: string }

/**
 * Starts the service as a child process with an IPC channel.
 *
 * @param isSupervised - false to start it without the channel, as from a shell.
 * @param main - the program of another version, as it is installed.
 */
export function startServiceProcess(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  isSupervised = true,
  main?: string,
) {
  const program =
    main === undefined
      ? ['--conditions=@headwater/source', join(import.meta.dirname, '../src/main.ts')]
      : [main]
  const child = spawn(process.execPath, [...program, ...args], {
    // The variables of the test run do not apply to the service.
    env: {
      ...process.env,
      DATABASE_URL: '',
      PORT: '',
      HOST: '',
      HEADWATER_DATA: '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(isSupervised ? (['ipc'] as const) : [])],
  }) as ChildProcessByStdio<null, Readable, Readable>
  const printed = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()))
  const messages: Message[] = []
  child.on('message', (message: Message) => messages.push(message))
  // `close` is not emitted after this side disconnects.
  const ended = Promise.all([
    once(child, 'exit'),
    once(child.stdout, 'end'),
    once(child.stderr, 'end'),
  ]).then(([[code, signal]]) => (code ?? signal) as number | string)
  return {
    pid: child.pid,
    printed,
    /** Resolves to the exit code, or the signal that ended the process. */
    ended,
    /** Waits for a message of a type; messages that arrived earlier count. */
    async waitFor<Type extends Message['type']>(
      type: Type,
    ): Promise<Extract<Message, { type: Type }>> {
      for (;;) {
        const found = messages.find((message) => message.type === type)
        if (found) {
          return found as Extract<Message, { type: Type }>
        }
        const end = ended.then((how) => {
          throw new Error(`The service exited (${how}):\n${printed.stderr}`)
        })
        await Promise.race([once(child, 'message'), end])
      }
    },
    async kill(signal: NodeJS.Signals): Promise<number | string> {
      child.kill(signal)
      return await ended
    },
    /** Closes the IPC channel, as happens when the supervisor is killed. */
    disconnect: () => child.disconnect(),
  }
}
