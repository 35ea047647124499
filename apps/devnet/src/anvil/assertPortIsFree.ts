import { once } from 'node:events'
import { createServer } from 'node:net'
import { DevnetError } from '../DevnetError.ts'

/**
 * Checks that a port is free; 0 always is. (The error of anvil does not contain the port.)
 *
 * @throws {DevnetError} when the port is in use
 */
export async function assertPortIsFree(port: number): Promise<void> {
  if (port === 0) {
    return
  }
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch (cause) {
    throw new DevnetError(
      `Port ${port} is in use by another program: stop that program, or choose other ports with --ports.`,
      { cause },
    )
  }
  await new Promise((resolve) => probe.close(resolve))
}
