import { zeroAddress } from '../../indexing/decode/words.ts'
import {
  type Call,
  type CallResult,
  decodeWord,
  itemBalanceCall,
  ownerOfCall,
} from '../../rpc/methods/Call.ts'
import type { WrongItem } from './correctItems.ts'
import type { LedgerItem } from './loadItems.ts'

/** The calls that return the state of a row. */
interface ItemCalls {
  readonly ownerOf: Call | undefined
  readonly balanceOf: Call | undefined
}

/** A row with its calls. */
export interface ComparedItem extends LedgerItem {
  readonly calls: ItemCalls
}

/** The results of calls at the block of the rows. */
export type CallResults = (call: Call) => CallResult | undefined

/**
 * Whether a row is compared: each, except the empty rows of previous owners of an ERC721 token, and the rows of contracts that
 * have no NFTs.
 */
export function needsCall({ holder, owner, amount, isCollectible }: LedgerItem): boolean {
  const isPreviousOwner = owner !== null && owner !== zeroAddress && owner !== holder
  return isCollectible && !(isPreviousOwner && amount === 0n)
}

/**
 * Adds the calls of a row: `ownerOf` of an ERC721 token, `balanceOf` of ERC1155; both where the logs contradict the standard
 * of the contract.
 *
 * @param ownerFunctions - selectors of collections with another function than `ownerOf`.
 */
export function addCalls(
  item: LedgerItem,
  ownerFunctions: ReadonlyMap<string, string> | undefined,
): ComparedItem {
  const { contract, tokenId, holder, owner, standard } = item
  return {
    ...item,
    calls: {
      ownerOf:
        owner !== null || standard === 721
          ? ownerOfCall(contract, tokenId, ownerFunctions?.get(contract))
          : undefined,
      balanceOf:
        owner === null || standard === 1155
          ? itemBalanceCall(contract, holder, tokenId)
          : undefined,
    },
  }
}

/**
 * Finds the rows that differ from the results of their calls. One whose calls revert does not differ, unless `ownerOf`
 * returns owners of other tokens of the contract: then the token was burned, as ERC721 specifies.
 */
export function findWrong(items: readonly ComparedItem[], results: CallResults): WrongItem[] {
  const withOwners = new Set(findOwned(items, results).map(({ contract }) => contract))
  return items.flatMap((item): WrongItem[] => {
    const { calls } = item
    const [ownerOf, balanceOf] = [calls.ownerOf, calls.balanceOf].map(
      (call) => call && results(call),
    )
    const ownerWord = decodeWord(ownerOf)
    const amount = decodeWord(balanceOf)
    const isBurned =
      ownerOf?.status === 'reverted' &&
      balanceOf?.status !== 'failed' &&
      amount === undefined &&
      withOwners.has(item.contract)
    if (ownerWord === undefined && !isBurned) {
      const isWrong = ownerOf?.status !== 'failed' && amount !== undefined && amount !== item.amount
      return isWrong ? [{ ...item, actual: { amount } }] : []
    }
    const owner = toAddress(ownerWord ?? 0n)
    if (item.owner !== null && item.owner !== owner) {
      return [{ ...item, actual: { owner } }]
    }
    const held = owner === item.holder ? 1n : 0n
    return held === item.amount ? [] : [{ ...item, actual: { amount: held } }]
  })
}

/** The rows of ERC721 tokens with an owner. */
export function findOwned(items: readonly ComparedItem[], results: CallResults): ComparedItem[] {
  return items.filter(({ calls: { ownerOf } }) => ownerOf && decodeWord(results(ownerOf)))
}

function toAddress(word: bigint): string {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}
