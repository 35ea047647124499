import { once } from 'node:events'
import { createServer } from 'node:net'
import { DevnetError } from '../DevnetError.ts'

/**
 * Makes sure that a port can be listened on; 0 always can. (anvil says of a taken port only that the address is in use.)
 *
 * @throws {DevnetError} naming the port and how to choose another one
 */
export async function refuseTakenPort(port: number): Promise<void> {
  if (port === 0) {
    return
  }
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch (cause) {
    throw new DevnetError(
      `Port ${port.toString()} is taken by another program: end that program, or choose other ports with --ports.`,
      { cause },
    )
  }
  await new Promise((resolve) => probe.close(resolve))
}
