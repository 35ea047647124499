import { totalmem } from 'node:os'

/** The bytes that the process may use: those of its container, or of the machine. */
export function getAvailableMemory(): number {
  // 0 or more than the machine has where no limit is set.
  const limit = process.constrainedMemory() || Infinity
  return Math.min(totalmem(), limit)
}
