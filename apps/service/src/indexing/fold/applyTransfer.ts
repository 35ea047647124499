import { numberToHex } from 'viem/utils'
import { eventBits } from '../../metadata/classifyContract.ts'
import type { LogWithSender } from '../../rpc/methods/Log.ts'
import type {
  CollectibleItem,
  CollectibleTransferEvent,
  ConsecutiveTransferEvent,
  DepositEvent,
  TransferEvent,
} from '../decode/DecodedEvent.ts'
import { zeroAddress } from '../decode/words.ts'
import {
  type BalanceChange,
  type ChangeSet,
  type CollectibleChange,
  type FoundToken,
  getOrCreate,
} from './ChangeSet.ts'

/** Applies an ERC20 transfer. Those of amount 0 are ignored, as anyone can emit them in the name of any holder. */
export function applyTransfer(changes: ChangeSet, event: TransferEvent, log: LogWithSender): void {
  const { token, from, to, amount } = event
  if (amount === 0n || !hasHolder(event)) {
    return
  }
  const { blockNumber, transactionFrom } = log
  const holders = getHolders(changes, 20, token, blockNumber)
  if (from !== zeroAddress) {
    const change = getBalanceChange(holders, from, token, 20)
    change.amount -= amount
    if (from === transactionFrom) {
      change.initiated ??= blockNumber
    }
  }
  if (to !== zeroAddress) {
    const change = getBalanceChange(holders, to, token, 20)
    change.amount += amount
    change.firstIn ??= blockNumber
  }
}

/**
 * Applies a transfer of NFTs: to the balances of each NFT and, for ERC721, of the contract. An ERC721 token belongs to the
 * latest recipient, whichever sender its log states, so that it never has two owners.
 */
export function applyCollectibleTransfer(
  changes: ChangeSet,
  event: CollectibleTransferEvent,
  log: Pick<LogWithSender, 'blockNumber' | 'transactionFrom'>,
): void {
  const { contract, from, to, standard } = event
  for (const { tokenId, amount } of event.items) {
    if (amount === 0n || !hasHolder(event)) {
      continue
    }
    if (standard === 721) {
      applyToOwner(changes, event, tokenId, log)
    } else {
      recordFirstSeen(changes, contract, standard, log.blockNumber)
      if (from !== zeroAddress) {
        getCollectibleChange(changes, contract, tokenId, from).amount -= amount
      }
      if (to !== zeroAddress) {
        receive(changes, { contract, tokenId, to, amount }, log.blockNumber)
      }
    }
    const collectibles = getOrCreate(changes.collectibles, contract, () => new Map())
    if (!collectibles.has(tokenId)) {
      collectibles.set(tokenId, { block: log.blockNumber })
    }
  }
}

function applyToOwner(
  changes: ChangeSet,
  { contract, from, to }: CollectibleTransferEvent,
  tokenId: string,
  { blockNumber, transactionFrom }: Pick<LogWithSender, 'blockNumber' | 'transactionFrom'>,
): void {
  const holders = getHolders(changes, 721, contract, blockNumber)
  const owners = getOrCreate(changes.owners, contract, () => new Map())
  const change = owners.get(tokenId)
  if (change) {
    removeFromOwner(changes, contract, tokenId, change.owner)
    change.owner = to
  } else {
    owners.set(tokenId, { owner: to })
  }
  if (from !== zeroAddress && from === transactionFrom) {
    getBalanceChange(holders, from, contract, 721).initiated ??= blockNumber
  }
  if (to !== zeroAddress) {
    const balance = getBalanceChange(holders, to, contract, 721)
    balance.amount += 1n
    balance.firstIn ??= blockNumber
    receive(changes, { contract, tokenId, to, amount: 1n }, blockNumber)
  }
}

/**
 * Limits of ERC2309, where one log of some 2,000 gas may transfer 2^256 tokens. Common implementations (OpenZeppelin,
 * ERC721A) mint at most 5,000 at once.
 */
const maxConsecutive = { perEvent: 5000, perBlock: 20_000 }

/** What a transfer of consecutive tokens transfers, or why it is skipped. */
type ExpandedTransfer = { readonly items: readonly CollectibleItem[] } | { readonly reason: string }

/**
 * Expands a transfer of consecutive ERC721 tokens, within the limits.
 *
 * @param appliedInBlock - how many tokens such events have transferred in the block so far.
 */
export function expandConsecutiveTransfer(
  { firstId, lastId }: ConsecutiveTransferEvent,
  appliedInBlock: number,
): ExpandedTransfer {
  const count = lastId - firstId + 1n
  const { perEvent, perBlock } = maxConsecutive
  if (count > BigInt(perEvent) || appliedInBlock + Number(count) > perBlock) {
    const limit = count > BigInt(perEvent) ? `${perEvent} per event` : `${perBlock} per block`
    return { reason: `ConsecutiveTransfer of ${count} tokens exceeds the limit of ${limit}` }
  }
  return {
    items: Array.from({ length: Number(count) }, (_, index) => ({
      tokenId: numberToHex(firstId + BigInt(index), { size: 32 }),
      amount: 1n,
    })),
  }
}

/**
 * Applies a transfer of consecutive ERC721 tokens as one transfer each. Beyond the limits, it is recorded as skipped.
 *
 * @param appliedInBlock - how many tokens such events have transferred in the block so far.
 * @returns the number of transferred tokens.
 */
export function applyConsecutiveTransfer(
  changes: ChangeSet,
  transfer: ConsecutiveTransferEvent,
  log: LogWithSender,
  appliedInBlock: number,
): number {
  const { contract, from, to } = transfer
  const { blockNumber: block, logIndex } = log
  const expanded = expandConsecutiveTransfer(transfer, appliedInBlock)
  if ('reason' in expanded) {
    recordFirstSeen(changes, contract, 721, block)
    changes.skipped.push({ contract, block, logIndex, reason: expanded.reason })
    return 0
  }
  const { items } = expanded
  const event = { kind: 'collectible-transfer', standard: 721, contract, from, to, items } as const
  applyCollectibleTransfer(changes, event, log)
  return items.length
}

/** Adds an account without changing its amount, so that the audit compares it with the contract. */
export function applyDeposit(
  changes: ChangeSet,
  { token, account }: DepositEvent,
  { blockNumber }: Pick<LogWithSender, 'blockNumber'>,
): void {
  if (account !== zeroAddress) {
    getBalanceChange(getHolders(changes, 20, token, blockNumber), account, token, 20)
  }
}

/** Removes an ERC721 token from its owner, which the zero address is not. */
export function removeFromOwner(
  changes: ChangeSet,
  contract: string,
  tokenId: string,
  owner: string,
): void {
  const holders = changes.balances[721].get(contract)
  if (owner === zeroAddress || !holders) {
    return
  }
  getBalanceChange(holders, owner, contract, 721).amount -= 1n
  getCollectibleChange(changes, contract, tokenId, owner).amount -= 1n
}

function receive(
  changes: ChangeSet,
  item: { contract: string; tokenId: string; to: string; amount: bigint },
  block: number,
): void {
  const change = getCollectibleChange(changes, item.contract, item.tokenId, item.to)
  change.amount += item.amount
  change.lastIn = block
}

/** Records the first block of a token, the standard of the event in it, and which standards its events have. */
export function recordFirstSeen(
  changes: ChangeSet,
  token: string,
  standard: 20 | 721 | 1155,
  block: number,
): void {
  const found = getToken(changes, token, standard, block)
  found.events |= eventBits[standard]
}

/**
 * Records that a pool of a token was created. Anyone can create one of any address, also one without a contract, so that it
 * is not an event of the token.
 */
export function recordPooledToken(changes: ChangeSet, token: string, block: number): void {
  getToken(changes, token, 20, block)
}

function getToken(
  { tokens }: ChangeSet,
  token: string,
  standard: 20 | 721 | 1155,
  block: number,
): FoundToken {
  return getOrCreate(tokens, token, () => ({ standard, block, events: 0 }))
}

/** A transfer from the zero address to itself has no effect. */
function hasHolder({ from, to }: { readonly from: string; readonly to: string }): boolean {
  return from !== zeroAddress || to !== zeroAddress
}

function getHolders(
  changes: ChangeSet,
  standard: BalanceChange['standard'],
  token: string,
  block: number,
): Map<string, BalanceChange> {
  return getOrCreate(changes.balances[standard], token, () => {
    recordFirstSeen(changes, token, standard, block)
    return new Map<string, BalanceChange>()
  })
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
