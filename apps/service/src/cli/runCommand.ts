import type { Kysely } from 'kysely'
import { resetAudit } from '../audit/resetAudit.ts'
import { CommandError } from '../commands/CommandError.ts'
import type { KeyCommand } from '../keys/commands/KeyCommand.ts'
import { runKeyCommand } from '../keys/commands/runKeyCommand.ts'
import { refetchCollectibles } from '../metadata/refetchCollectibles.ts'
import type { Database } from '../store/Database.ts'

/** Reads the amounts of a token from the ledger again. */
export interface AuditResetCommand {
  readonly type: 'audit-reset'
  readonly chainId: number
  /** Lower case. */
  readonly token: string
}

/** Fetches the metadata of a contract, or of one of its NFTs, again. */
export interface RefetchCommand {
  readonly type: 'refetch'
  readonly chainId: number
  /** Lower case. */
  readonly contract: string
  /** A decimal string: JSON has no integers of this size. */
  readonly tokenId?: string
}

/** A command that runs on a store, in this process or in the service that has it open. */
export type StoreCommand = KeyCommand | RefetchCommand | AuditResetCommand

/**
 * Runs a command on a store.
 *
 * @returns the text to print.
 * @throws {CommandError} when the command cannot be run.
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
    return `The amounts of ${token} are read from the ledger again; its audit restarts`
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
    return `${collectibles} NFT documents and the metadata of ${tokens} contracts are queued to be fetched again by the indexing service`
  }
  const subject = tokenId === undefined ? contract : `${tokenId} of ${contract}`
  throw new CommandError(`Chain ${chainId} has no ${subject} in this store`)
}
