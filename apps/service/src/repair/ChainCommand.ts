import { CommandError } from '../commands/CommandError.ts'
import type { ChainConfig } from '../config/Config.ts'

/** Prints the state of one chain, or of all. */
export interface ChainStatusCommand {
  readonly type: 'chain-status'
  readonly chainId?: number
  /** The chains of the configuration, whether they are indexed, and from when on they are stale; undefined without a file. */
  readonly configured?: readonly Pick<ChainConfig, 'id' | 'history' | 'staleness'>[]
}

/** Undoes the blocks of a chain above a block. */
export interface ChainRewindCommand {
  readonly type: 'chain-rewind'
  readonly chainId: number
  readonly to: number
}

/** Deletes what was indexed of a chain, and indexes it again, or with `chain-detach` not. */
export interface ChainDeleteCommand {
  readonly type: 'chain-reset' | 'chain-detach'
  readonly chainId: number
}

/** The error of a command for a chain that its store does not have. */
export function createNotInStore(chainId: number): CommandError {
  return new CommandError(
    `Chain ${chainId} is not in the store. If it has a database of its own, it must be in the configuration, or the variable DATABASE_URL_${chainId} must name its database`,
  )
}

/** A command that concerns one chain only: others are indexed and served meanwhile. */
export type ChainCommand = ChainStatusCommand | ChainRewindCommand | ChainDeleteCommand
