import type { Kysely } from 'kysely'
import { CommandError } from '../../commands/CommandError.ts'
import type { Database } from '../../store/Database.ts'
import { createKey } from '../createKey.ts'
import { loadAllKeys } from '../loadAllKeys.ts'
import { revokeKey } from '../revokeKey.ts'
import { updateKey } from '../updateKey.ts'
import { formatKeys } from './formatKeys.ts'
import type { KeyChangeOptions, KeyCommand, NewKeyOptions } from './KeyCommand.ts'
import {
  createUnknownKeyError,
  parseDate,
  parseKeyId,
  parseName,
  parsePurpose,
  parseRateOption,
  parseUnits,
} from './parseOptions.ts'

/**
 * Runs a command that manages keys.
 *
 * @returns the output to print.
 * @throws {CommandError} when the command is invalid or cannot be applied.
 */
export async function runKeyCommand(db: Kysely<Database>, command: KeyCommand): Promise<string> {
  switch (command.type) {
    case 'keys-create':
      return await create(db, command)
    case 'keys-update':
      return await update(db, command.id, command)
    case 'keys-list': {
      const keys = await loadAllKeys(db)
      return command.json ? JSON.stringify(keys, undefined, 2) : formatKeys(keys)
    }
    case 'keys-revoke':
      if (!(await revokeKey(db, parseKeyId(command.id)))) {
        throw createUnknownKeyError(command.id)
      }
      return `Key ${command.id} is revoked`
    default:
      throw new CommandError('The running service is of another version than this command')
  }
}

async function create(db: Kysely<Database>, options: NewKeyOptions): Promise<string> {
  const { name, purpose, rate, units, expires } = options
  const { secret } = await createKey(db, {
    name: parseName(name),
    purpose: parseGiven(purpose, parsePurpose),
    rate: parseGiven(rate, parseRateOption),
    unitsQuota: parseGiven(units, (text) => parseUnits('--units', text)),
    expiresAt: parseGiven(expires, parseDate),
  })
  return secret
}

async function update(
  db: Kysely<Database>,
  id: string,
  { name, rate, units, addUnits, expires }: KeyChangeOptions,
): Promise<string> {
  const changes = [name, rate, units, addUnits, expires].filter((value) => value !== undefined)
  if (changes.length === 0) {
    throw new CommandError('Give what to change: --name, --rate, --units, --add-units or --expires')
  }
  if (units !== undefined && addUnits !== undefined) {
    throw new CommandError('Give either --units or --add-units')
  }
  const key = await updateKey(db, parseKeyId(id), {
    name: parseGiven(name, parseName),
    rate: parseGiven(rate, (text) => (text === 'default' ? null : parseRateOption(text))),
    unitsQuota: parseGiven(units, (text) =>
      text === 'unlimited' ? null : parseUnits('--units', text),
    ),
    addedUnits: parseGiven(addUnits, (text) => parseUnits('--add-units', text)),
    expiresAt: parseGiven(expires, (text) => (text === 'never' ? null : parseDate(text))),
  })
  if (key) {
    return formatKeys([key])
  }
  const existing = (await loadAllKeys(db)).find(
    (other) => String(other.id) === id && !other.revokedAt,
  )
  if (!existing) {
    throw createUnknownKeyError(id)
  }
  throw new CommandError(`Key ${id} has no quota to add units to; set one with --units`)
}

function parseGiven<Value>(
  text: string | undefined,
  parse: (text: string) => Value,
): Value | undefined {
  return text === undefined ? undefined : parse(text)
}
