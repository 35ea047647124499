import type { ChainConfig } from '../config/Config.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockSource } from './BlockSource.ts'
import { CryoSource } from './CryoSource.ts'
import { PortalSource } from './PortalSource.ts'
import { VerifiedSource } from './VerifiedSource.ts'

/** @returns the configured source of a chain's final blocks; undefined for the nodes. */
export function createSource(
  { source }: Pick<ChainConfig, 'source'>,
  node: ChainNode,
): VerifiedSource | undefined {
  return source && new VerifiedSource(open(source), node)
}

function open({ cryo, portal }: NonNullable<ChainConfig['source']>): BlockSource {
  return cryo === undefined ? new PortalSource(portal ?? '') : new CryoSource(cryo)
}
