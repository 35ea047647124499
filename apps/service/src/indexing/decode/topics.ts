import { toEventSelector } from 'viem/utils'

const seaportItem = '(uint8,address,uint256,uint256)'
const seaportReceivedItem = '(uint8,address,uint256,uint256,address)'

/** First topics of the events that the ledger is derived from. */
const ledgerTopics = {
  /** Of ERC20 and ERC721, which differ in the number of topics. */
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  /** Of ERC404 before its version 2, whose `Transfer` is that of ERC721. */
  erc20Transfer: toEventSelector('ERC20Transfer(address,address,uint256)'),
  transferSingle: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  transferBatch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
  /** Of ERC2309, which transfers a range of ERC721 tokens. */
  consecutiveTransfer: toEventSelector('ConsecutiveTransfer(uint256,uint256,address,address)'),
  deposit: toEventSelector('Deposit(address,uint256)'),
  withdrawal: toEventSelector('Withdrawal(address,uint256)'),
} as const

/** First topics of the events of pools and their factories. */
export const poolTopics = {
  pairCreated: toEventSelector('PairCreated(address,address,address,uint256)'),
  sync: toEventSelector('Sync(uint112,uint112)'),
  poolCreated: toEventSelector('PoolCreated(address,address,uint24,int24,address)'),
  initialize: toEventSelector('Initialize(uint160,int24)'),
  mint: toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)'),
  burn: toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)'),
  swap: toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  /** Of PancakeSwap V3, a fork of Uniswap's, which adds two fees. */
  swapWithFees: toEventSelector(
    'Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)',
  ),
} as const

/** First topics of the events of marketplaces. */
export const saleTopics = {
  /** Of Seaport. */
  orderFulfilled: toEventSelector(
    `OrderFulfilled(bytes32,address,address,address,${seaportItem}[],${seaportReceivedItem}[])`,
  ),
} as const

/** First topics of all events that are decoded. */
export const topics = { ...ledgerTopics, ...poolTopics, ...saleTopics } as const
