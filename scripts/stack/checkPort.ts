import { createServer } from 'node:net'
import { StartError } from './StartError.ts'

/**
 * Checks that a local port is free, and that browsers send requests to it.
 *
 * @throws {StartError} that names the port, its use and the option that chooses another.
 */
export async function checkPort(port: number, use: string, option: string): Promise<void> {
  const problem = (await findListenProblem(port)) ?? (await findFetchProblem(port))
  if (problem) {
    throw new StartError(
      `Port ${port} (${use}) ${problem}. Choose another port: npm start -- ${option} <port>`,
    )
  }
}

async function findListenProblem(port: number): Promise<string | undefined> {
  const server = createServer()
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(undefined))
  })
  await new Promise((resolve) => server.close(resolve))
  return error?.code === 'EADDRINUSE'
    ? 'is in use by another program'
    : error && `cannot be used (${error.message})`
}

/** The Fetch standard blocks the ports of other protocols, such as 6000 of X11. */
async function findFetchProblem(port: number): Promise<string | undefined> {
  const error: unknown = await fetch(`http://127.0.0.1:${port}`).catch(
    (failure: Error) => failure.cause,
  )
  return error instanceof Error && error.message === 'bad port'
    ? 'is blocked by browsers'
    : undefined
}
