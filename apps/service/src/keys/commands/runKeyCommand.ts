import type { Kysely } from 'kysely'
import { CommandError } from '../../commands/CommandError.ts'
import type { Database } from '../../store/Database.ts'
import { createKey } from '../createKey.ts'
import { listKeys } from '../listKeys.ts'
import { revokeKey } from '../revokeKey.ts'
import { updateKey } from '../updateKey.ts'
import { formatKeys } from './formatKeys.ts'
import type { KeyChangeOptions, KeyCommand, NewKeyOptions } from './KeyCommand.ts'
import { dateOf, idOf, nameOf, noSuchKey, purposeOf, rateOf, unitsOf } from './parseOptions.ts'

/**
 * Does what an operator wants of the keys.
 *
 * @returns what to print.
 * @throws {CommandError} when it cannot be done.
 */
export async function runKeyCommand(db: Kysely<Database>, command: KeyCommand): Promise<string> {
  switch (command.type) {
    case 'create':
      return await create(db, command)
    case 'update':
      return await update(db, command.id, command)
    case 'list': {
      const keys = await listKeys(db)
      return command.json ? JSON.stringify(keys, undefined, 2) : formatKeys(keys)
    }
    case 'revoke':
      if (!(await revokeKey(db, idOf(command.id)))) {
        throw noSuchKey(command.id)
      }
      return `Key ${command.id} is revoked`
    default:
      throw new CommandError('The service that runs is of another version than this command')
  }
}

async function create(db: Kysely<Database>, options: NewKeyOptions): Promise<string> {
  const { name, purpose, rate, units, expires } = options
  const { secret } = await createKey(db, {
    name: nameOf(name),
    purpose: purpose === undefined ? undefined : purposeOf(purpose),
    rate: rate === undefined ? undefined : rateOf(rate),
    unitsQuota: units === undefined ? undefined : unitsOf('--units', units),
    expiresAt: expires === undefined ? undefined : dateOf(expires),
  })
  return secret
}

async function update(
  db: Kysely<Database>,
  id: string,
  { name, rate, units, addUnits, expires }: KeyChangeOptions,
): Promise<string> {
  const given = [name, rate, units, addUnits, expires].filter((value) => value !== undefined)
  if (given.length === 0) {
    throw new CommandError('Say what to change of the key')
  }
  if (units !== undefined && addUnits !== undefined) {
    throw new CommandError('Give either --units or --add-units')
  }
  const key = await updateKey(db, idOf(id), {
    name: name === undefined ? undefined : nameOf(name),
    rate: rate === undefined ? undefined : rate === 'default' ? null : rateOf(rate),
    unitsQuota:
      units === undefined ? undefined : units === 'unlimited' ? null : unitsOf('--units', units),
    addedUnits: addUnits === undefined ? undefined : unitsOf('--add-units', addUnits),
    expiresAt: expires === undefined ? undefined : expires === 'never' ? null : dateOf(expires),
  })
  if (key) {
    return formatKeys([key])
  }
  const known = (await listKeys(db)).find((other) => String(other.id) === id && !other.revokedAt)
  if (!known) {
    throw noSuchKey(id)
  }
  throw new CommandError(`Key ${id} has no quota to add units to; set one with --units`)
}
