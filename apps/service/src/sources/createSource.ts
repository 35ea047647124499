import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { NodeError } from '../rpc/transport/NodeError.ts'
import type { BlockSource } from './BlockSource.ts'
import { CryoSource } from './CryoSource.ts'
import { PortalSource } from './PortalSource.ts'
import { VerifiedSource } from './VerifiedSource.ts'

/**
 * @param onFailure - called with the error of a source that fails, while the nodes are requested instead.
 * @returns the configured source of a chain's final blocks; undefined for the nodes.
 */
export function createSource(
  { source }: Pick<ChainConfig, 'source'>,
  node: ChainNode,
  onFailure: (error: NodeError) => void,
): VerifiedSource | undefined {
  return source && new VerifiedSource(open(source), node, onFailure)
}

/** Creates the configured source of a chain's final blocks, which logs why it fails. */
export function createLoggedSource(
  chain: Pick<ChainConfig, 'source'>,
  node: ChainNode,
  logger: Logger,
): VerifiedSource | undefined {
  return createSource(chain, node, (err) =>
    logger.warn({ err }, 'the source failed; requesting the nodes'),
  )
}

function open({ cryo, portal }: NonNullable<ChainConfig['source']>): BlockSource {
  return cryo === undefined ? new PortalSource(portal ?? '') : new CryoSource(cryo)
}
