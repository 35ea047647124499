import type { Kysely } from 'kysely'
import { resetAudit } from '../audit/resetAudit.ts'
import { CommandError } from '../commands/CommandError.ts'
import type { KeyCommand } from '../keys/commands/KeyCommand.ts'
import { runKeyCommand } from '../keys/commands/runKeyCommand.ts'
import { refetchCollectibles } from '../metadata/refetchCollectibles.ts'
import type { Database } from '../store/Database.ts'
import type { AuditResetCommand } from './AuditResetCommand.ts'
import type { RefetchCommand } from './RefetchCommand.ts'

/** What a command may want of a store, here or where a service has it open. */
export type StoreCommand = KeyCommand | RefetchCommand | AuditResetCommand

/**
 * Does what an operator wants of a store.
 *
 * @returns what to print.
 * @throws {CommandError} when it cannot be done.
 */
export async function runCommand(db: Kysely<Database>, command: StoreCommand): Promise<string> {
  if (command.type === 'refetch') {
    return await refetch(db, command)
  }
  if (command.type === 'audit-reset') {
    return await reset(db, command)
  }
  return await runKeyCommand(db, command)
}

async function reset(db: Kysely<Database>, { chainId, token }: AuditResetCommand): Promise<string> {
  if (await resetAudit(db, chainId, token)) {
    return `The amounts of ${token} are told by the ledger again, and audited anew`
  }
  throw new CommandError(`Chain ${chainId} has no ${token} that is read from the chain`)
}

async function refetch(
  db: Kysely<Database>,
  { chainId, contract, tokenId }: RefetchCommand,
): Promise<string> {
  const { tokens, collectibles } = await refetchCollectibles(db, {
    chainId,
    contract,
    ...(tokenId !== undefined && { tokenId: BigInt(tokenId) }),
  })
  if (tokens + collectibles > 0) {
    return `${collectibles} NFT documents and the texts of ${tokens} contracts are read again by the service that indexes`
  }
  const subject = tokenId === undefined ? contract : `${tokenId} of ${contract}`
  throw new CommandError(`Chain ${chainId} has no ${subject} in this store`)
}
