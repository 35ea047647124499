import { toEventSelector } from 'viem'

/** First topics of the events that carry facts. */
export const topics = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  deposit: toEventSelector('Deposit(address,uint256)'),
  withdrawal: toEventSelector('Withdrawal(address,uint256)'),
  pairCreated: toEventSelector('PairCreated(address,address,address,uint256)'),
  sync: toEventSelector('Sync(uint112,uint112)'),
} as const
