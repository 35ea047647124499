import type { Logger } from 'pino'
import type { Config, Role } from '../config/Config.ts'
import type { Media } from '../media/createMedia.ts'
import type { ChainSource } from '../operations/ChainReader.ts'
import type { NodeStats } from '../rpc/transport/NodeStatistics.ts'
import type { ChainWatch } from '../store/ChainWatch.ts'
import type { Store } from '../store/Store.ts'
import type { Metrics } from './Metrics.ts'

/** What the HTTP API answers from. */
export interface Service {
  readonly config: Pick<Config, 'chains' | 'defaultRate'>
  readonly store: Pick<Store, 'db' | 'hasReplica' | 'reader'>
  /** What is known of the stored chains. */
  readonly watch: ChainWatch
  /** With `index` the operations are another process's to answer. */
  readonly role?: Role
  /** The nodes of each chain, by chain id. */
  readonly nodes: ReadonlyMap<number, ChainSource & { stats(): NodeStats[] }>
  /** Chains whose indexing ended for good, by id: what is stored of them may not be the chain any more. */
  readonly stoppedChains: ReadonlySet<number>
  readonly media: Media
  readonly metrics: Metrics
  readonly logger: Logger
}
