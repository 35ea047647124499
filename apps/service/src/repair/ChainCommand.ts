/** Prints the state of one chain, or of all. */
export interface ChainStatusCommand {
  readonly type: 'chain-status'
  readonly chainId?: number
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

/** A command that concerns one chain only: others are indexed and served meanwhile. */
export type ChainCommand = ChainStatusCommand | ChainRewindCommand | ChainDeleteCommand
