import type { Kysely } from 'kysely'
import { loadAuditCoverage } from '../audit/loadAuditCoverage.ts'
import { resetAudit } from '../audit/resetAudit.ts'
import { CommandError } from '../commands/CommandError.ts'
import { loadNodeLimits } from '../discovery/NodeLimitStore.ts'
import type { KeyCommand } from '../keys/commands/KeyCommand.ts'
import { runKeyCommand } from '../keys/commands/runKeyCommand.ts'
import { markMetadataPending } from '../metadata/markMetadataPending.ts'
import type { ChainCommand } from '../repair/ChainCommand.ts'
import { loadIndexStates } from '../repair/loadIndexStates.ts'
import { runChainCommand } from '../repair/runChainCommand.ts'
import type { Database } from '../store/Database.ts'
import type { Store } from '../store/Store.ts'

/** Switches a token back to ledger balances and restarts its audit. */
export interface AuditResetCommand {
  readonly type: 'audit-reset'
  readonly chainId: number
  /** Lower case. */
  readonly token: string
}

/** Fetches the metadata of a contract, or of one of its NFTs, again. */
export interface MetadataRefetchCommand {
  readonly type: 'metadata-refetch'
  readonly chainId: number
  /** Lower case. */
  readonly contract: string
  /** A decimal string: a JavaScript number would lose precision. */
  readonly tokenId?: string
}

/** Prints the coverage of the audit as JSON, for `doctor`. */
export interface AuditCoverageCommand {
  readonly type: 'audit-coverage'
}

/** Prints the limits that were found of nodes as JSON, for `doctor`. */
export interface NodeLimitsCommand {
  readonly type: 'node-limits'
}

/** Prints how far chains are indexed, and why they are not, as JSON, for `doctor`. */
export interface IndexStatesCommand {
  readonly type: 'index-states'
}

/** A command that runs on a store, in this process or in the service that has it open. */
export type StoreCommand =
  | KeyCommand
  | MetadataRefetchCommand
  | AuditResetCommand
  | AuditCoverageCommand
  | NodeLimitsCommand
  | IndexStatesCommand
  | ChainCommand

/**
 * Runs a command on a store.
 *
 * @param onProgress - called with lines to print before that.
 * @returns the text to print.
 * @throws {CommandError} when the command cannot be run.
 */
export async function runStoreCommand(
  store: Pick<Store, 'db' | 'lockChain'>,
  command: StoreCommand,
  onProgress?: (text: string) => void,
): Promise<string> {
  const { db } = store
  if (isChainCommand(command)) {
    return await runChainCommand(store, command, onProgress)
  }
  if (command.type === 'metadata-refetch') {
    return await refetch(db, command)
  }
  if (command.type === 'audit-reset') {
    return await reset(db, command)
  }
  if (command.type === 'audit-coverage') {
    return JSON.stringify(await loadAuditCoverage(db))
  }
  if (command.type === 'node-limits') {
    return JSON.stringify(await loadNodeLimits(db))
  }
  if (command.type === 'index-states') {
    return JSON.stringify(await loadIndexStates(db))
  }
  return await runKeyCommand(db, command)
}

function isChainCommand(command: StoreCommand): command is ChainCommand {
  return command.type.startsWith('chain-')
}

async function reset(db: Kysely<Database>, { chainId, token }: AuditResetCommand): Promise<string> {
  if (await resetAudit(db, chainId, token)) {
    return `Token ${token} uses ledger balances again; its audit was restarted`
  }
  throw new CommandError(
    `Token ${token} on chain ${chainId} is not indexed or already uses ledger balances`,
  )
}

async function refetch(
  db: Kysely<Database>,
  { chainId, contract, tokenId }: MetadataRefetchCommand,
): Promise<string> {
  const { tokens, collectibles } = await markMetadataPending(db, {
    chainId,
    contract,
    ...(tokenId !== undefined && { tokenId: BigInt(tokenId) }),
  })
  if (tokens + collectibles > 0) {
    return `Queued for refetching: ${collectibles} NFTs, ${tokens} contracts`
  }
  const subject = tokenId === undefined ? `Contract ${contract}` : `NFT ${tokenId} of ${contract}`
  throw new CommandError(`${subject} is not indexed on chain ${chainId}`)
}
