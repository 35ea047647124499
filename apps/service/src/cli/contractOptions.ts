import { CommandError } from '../commands/CommandError.ts'

/**
 * The chain that `--chain` names.
 *
 * @throws {CommandError} when it is no chain id.
 */
export function chainOption(value: string): number {
  if (!/^[1-9]\d{0,15}$/.test(value)) {
    throw new CommandError(`--chain must be a numeric chain id, not "${value}"`)
  }
  return Number(value)
}

/**
 * The contract that an option names, in lower case.
 *
 * @throws {CommandError} when it is no address.
 */
export function addressOption(option: string, value: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(value)) {
    throw new CommandError(`${option} must be 0x and 40 hex digits, not "${value}"`)
  }
  return value.toLowerCase()
}
