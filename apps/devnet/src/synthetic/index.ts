export { type NodeLimits, startSyntheticNode, type SyntheticNode } from './startSyntheticNode.ts'
export { SyntheticChain, type SyntheticPair, type SyntheticToken } from './SyntheticChain.ts'
