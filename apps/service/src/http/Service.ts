import type { Logger } from 'pino'
import type { Config, Role } from '../config/Config.ts'
import type { Media } from '../media/createMedia.ts'
import type { NodeSource } from '../operations/fromNode/NodeSource.ts'
import type { NodeStats } from '../rpc/transport/NodeStatistics.ts'
import type { ChainWatches } from '../store/ChainWatches.ts'
import type { Store } from '../store/Store.ts'
import type { Stores } from '../store/Stores.ts'
import type { Metrics } from './Metrics.ts'

/** What the HTTP API depends on. */
export interface Service {
  readonly config: Pick<Config, 'chains' | 'defaultRate'> & {
    /** Without it, prices are those of each block. */
    readonly prices?: Config['prices']
    readonly compression?: boolean
    readonly cacheMegabytes?: number
    readonly metricsPort?: number
  }
  readonly stores: Stores<Pick<Store, 'db' | 'reader' | 'replica'>>
  /** The states of the stored chains. */
  readonly watch: Pick<
    ChainWatches,
    | 'get'
    | 'getFailure'
    | 'isStopped'
    | 'isUnavailable'
    | 'onPublished'
    | 'onUpdate'
    | 'publishing'
    | 'refresh'
  >
  /** With `index`, another process serves the operations and media. */
  readonly role?: Role
  /** The nodes of each chain, by chain id. */
  readonly nodes: ReadonlyMap<number, NodeSource & { stats(): NodeStats[] }>
  readonly media: Media
  readonly metrics: Metrics
  readonly logger: Logger
}
