import type { ChainNode } from '../../rpc/ChainNode.ts'

/** The requests to nodes that responses without an index need. */
export type NodeSource = Pick<
  ChainNode,
  | 'stats'
  | 'verifyChainIds'
  | 'someNodeHas'
  | 'getHead'
  | 'getHeader'
  | 'getNewestLogs'
  | 'getBlockTimes'
  | 'getContractLogs'
  | 'getSenders'
  | 'getContracts'
  | 'multicall'
  | 'getNativeBalance'
  | 'aggregateNativeBalances'
>
