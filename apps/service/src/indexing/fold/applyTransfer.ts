import type { Log } from '../../rpc/methods/Log.ts'
import type { CollectibleTransferEvent, TransferEvent } from '../decode/DecodedEvent.ts'
import { zeroAddress } from '../decode/words.ts'
import {
  type BalanceChange,
  type ChangeSet,
  type CollectibleChange,
  getOrCreate,
} from './ChangeSet.ts'

/** Applies an ERC20 transfer. Those of amount 0 are ignored, as anyone can emit them in the name of any holder. */
export function applyTransfer(changes: ChangeSet, event: TransferEvent, log: Log): void {
  if (event.amount === 0n || !hasHolder(event)) {
    return
  }
  applyToBalances(changes, 20, event, log)
}

/** Applies a transfer of NFTs: to the balances of each NFT and, for ERC721, of the contract. */
export function applyCollectibleTransfer(
  changes: ChangeSet,
  event: CollectibleTransferEvent,
  log: Log,
): void {
  if (!hasHolder(event)) {
    return
  }
  const { contract, from, to, standard } = event
  const block = log.blockNumber
  for (const { tokenId, amount } of event.items) {
    if (amount === 0n) {
      continue
    }
    if (from !== zeroAddress) {
      getCollectibleChange(changes, contract, tokenId, from).amount -= amount
    }
    if (to !== zeroAddress) {
      const change = getCollectibleChange(changes, contract, tokenId, to)
      change.amount += amount
      change.lastIn = block
    }
    const collectibles = getOrCreate(changes.collectibles, contract, () => new Map())
    if (!collectibles.has(tokenId)) {
      collectibles.set(tokenId, { block })
    }
    if (standard === 721) {
      applyToBalances(changes, 721, { token: contract, from, to, amount }, log)
    } else {
      recordFirstSeen(changes, contract, standard, block)
    }
  }
}

/** Records the first block of a token, and the standard of the event in it. */
export function recordFirstSeen(
  changes: ChangeSet,
  token: string,
  standard: 20 | 721 | 1155,
  block: number,
): void {
  if (!changes.tokens.has(token)) {
    changes.tokens.set(token, { standard, block })
  }
}

/** A transfer from the zero address to itself has no effect. */
function hasHolder({ from, to }: { readonly from: string; readonly to: string }): boolean {
  return from !== zeroAddress || to !== zeroAddress
}

function applyToBalances(
  changes: ChangeSet,
  standard: BalanceChange['standard'],
  { token, from, to, amount }: Omit<TransferEvent, 'kind'>,
  { blockNumber, transactionFrom }: Log,
): void {
  const holders = getOrCreate(changes.balances[standard], token, () => {
    recordFirstSeen(changes, token, standard, blockNumber)
    return new Map<string, BalanceChange>()
  })
  if (from !== zeroAddress) {
    const change = getBalanceChange(holders, from, token, standard)
    change.amount -= amount
    if (from === transactionFrom) {
      change.initiated ??= blockNumber
    }
  }
  if (to !== zeroAddress) {
    const change = getBalanceChange(holders, to, token, standard)
    change.amount += amount
    change.firstIn ??= blockNumber
  }
}

function getBalanceChange(
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

function getCollectibleChange(
  changes: ChangeSet,
  contract: string,
  tokenId: string,
  holder: string,
): CollectibleChange {
  const ofContract = getOrCreate(changes.collectibleBalances, contract, () => new Map())
  return getOrCreate(ofContract, tokenId + holder, () => ({
    holder,
    contract,
    tokenId,
    amount: 0n,
    lastIn: null,
  }))
}
