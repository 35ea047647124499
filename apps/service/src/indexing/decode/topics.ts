import { toEventSelector } from 'viem/utils'
import { poolTopics } from '../../pricing/venues/venues.ts'

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

/** First topics of the events of marketplaces. */
export const saleTopics = {
  /** Of Seaport. */
  orderFulfilled: toEventSelector(
    `OrderFulfilled(bytes32,address,address,address,${seaportItem}[],${seaportReceivedItem}[])`,
  ),
} as const

/** First topics of the events of the ledger and of marketplaces. */
export const topics = { ...ledgerTopics, ...saleTopics } as const

/** First topics of all events that are decoded. */
export const allTopics: readonly string[] = [...Object.values(topics), ...poolTopics]
