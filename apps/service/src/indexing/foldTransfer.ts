import type { Log } from '../rpc/Log.ts'
import { type BalanceChange, type Changes, type CollectibleChange, entry } from './Changes.ts'
import type { CollectibleTransferFact, TransferFact } from './Fact.ts'
import { zeroAddress } from './words.ts'

/** Adds a transfer of an ERC20 token. One of nothing is no transfer: anybody may write it in anybody's name. */
export function foldTransfer(changes: Changes, fact: TransferFact, log: Log): void {
  if (fact.amount === 0n || !hasHolder(fact)) return
  moveBalance(changes, 20, fact, log)
}

/** Adds a transfer of NFTs: to what their holders have of each and, of ERC721, to how many of the contract's. */
export function foldCollectibleTransfer(
  changes: Changes,
  fact: CollectibleTransferFact,
  log: Log,
): void {
  if (!hasHolder(fact)) return
  const { contract, from, to, standard } = fact
  const block = log.blockNumber
  for (const { tokenId, amount } of fact.items) {
    if (amount === 0n) continue
    if (from !== zeroAddress) collectible(changes, contract, tokenId, from).amount -= amount
    if (to !== zeroAddress) {
      const change = collectible(changes, contract, tokenId, to)
      change.amount += amount
      change.lastIn = block
    }
    const seen = entry(changes.collectibles, contract, () => new Map())
    if (!seen.has(tokenId)) seen.set(tokenId, { block })
    if (standard === 721) moveBalance(changes, 721, { token: contract, from, to, amount }, log)
    else see(changes, contract, standard, block)
  }
}

/** Notes a token's first appearance, and the standard that it showed then. */
export function see(changes: Changes, token: string, standard: 20 | 721 | 1155, block: number) {
  if (!changes.tokens.has(token)) changes.tokens.set(token, { standard, block })
}

/** What moves from nobody to nobody is nobody's. */
function hasHolder({ from, to }: { readonly from: string; readonly to: string }): boolean {
  return from !== zeroAddress || to !== zeroAddress
}

function moveBalance(
  changes: Changes,
  standard: BalanceChange['standard'],
  { token, from, to, amount }: Omit<TransferFact, 'kind'>,
  { blockNumber, transactionFrom }: Log,
): void {
  const holders = entry(changes.balances[standard], token, () => {
    see(changes, token, standard, blockNumber)
    return new Map<string, BalanceChange>()
  })
  if (from !== zeroAddress) {
    const change = balance(holders, from, token, standard)
    change.amount -= amount
    if (from === transactionFrom) change.initiated ??= blockNumber
  }
  if (to !== zeroAddress) {
    const change = balance(holders, to, token, standard)
    change.amount += amount
    change.firstIn ??= blockNumber
  }
}

function balance(
  holders: Map<string, BalanceChange>,
  holder: string,
  token: string,
  standard: BalanceChange['standard'],
): BalanceChange {
  let change = holders.get(holder)
  if (!change) {
    change = { holder, token, standard, amount: 0n, firstIn: null, initiated: null }
    holders.set(holder, change)
  }
  return change
}

function collectible(
  changes: Changes,
  contract: string,
  tokenId: string,
  holder: string,
): CollectibleChange {
  const ofContract = entry(changes.collectibleBalances, contract, () => new Map())
  return entry(ofContract, tokenId + holder, () => ({
    ...{ holder, contract, tokenId, amount: 0n },
    lastIn: null,
  }))
}
