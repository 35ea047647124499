import { createServer } from 'node:net'
import { StartError } from './StartError.ts'

/**
 * Checks that a local port is free.
 *
 * @throws {StartError} that names the port, its use and the option that chooses another.
 */
export async function checkPort(port: number, use: string, option: string): Promise<void> {
  const server = createServer()
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(undefined))
  })
  await new Promise((resolve) => server.close(resolve))
  if (!error) {
    return
  }
  const reason =
    error.code === 'EADDRINUSE'
      ? 'is in use by another program'
      : `cannot be used (${error.message})`
  throw new StartError(
    `Port ${port} (${use}) ${reason}. Stop that program, or choose another port: npm start -- ${option} ${port + 1000}`,
  )
}
