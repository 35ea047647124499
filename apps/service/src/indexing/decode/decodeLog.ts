import type { PoolEvent, PoolRegistration, PoolStateEvent } from '../../pricing/venues/Venue.ts'
import { changeDecoders } from '../../pricing/venues/venues.ts'
import type { Log } from '../../rpc/methods/Log.ts'
import type { DecodedEvent, SaleEvent } from './DecodedEvent.ts'
import { decodeSale } from './decodeSale.ts'
import {
  decodeConsecutiveTransfer,
  decodeTransfer,
  decodeTransferBatch,
  decodeTransferSingle,
} from './decodeTransfer.ts'
import { decodeLegacyLog } from './legacyCollections.ts'
import type { Scope } from './Scope.ts'
import { topics } from './topics.ts'
import { decodeAddress, getUint, hasWords, zeroAddress } from './words.ts'

/**
 * Decodes a log. It never throws, as any contract can emit any log.
 *
 * @param previous - the log before, if it was fetched: some events lack a field that is in the one before.
 * @returns undefined for other events, also those of the same signature with other fields, and for contracts that are
 *   untrusted or out of scope.
 */
export function decodeLog(log: Log, scope: Scope, previous?: Log): DecodedEvent | undefined {
  if (scope.nativeEmitters.has(log.address)) {
    return undefined
  }
  const { tokens } = scope
  const isIndexed = !tokens || tokens.has(log.address)
  const legacy = scope.legacyCollections.get(log.address)
  if (legacy) {
    return isIndexed ? decodeLegacyLog(legacy, log, previous) : undefined
  }
  switch (log.topics[0]) {
    case topics.transfer:
      return isIndexed ? decodeTransfer(log) : undefined
    case topics.erc20Transfer:
      return isIndexed && log.topics.length === 3 ? decodeTransfer(log) : undefined
    case topics.transferSingle:
      return isIndexed ? decodeTransferSingle(log) : undefined
    case topics.transferBatch:
      return isIndexed ? decodeTransferBatch(log) : undefined
    case topics.consecutiveTransfer:
      return isIndexed ? decodeConsecutiveTransfer(log) : undefined
    case topics.deposit:
    case topics.withdrawal:
      return isIndexed ? decodeDeposit(log, scope) : undefined
    case topics.orderFulfilled: {
      if (!scope.marketplaces.has(log.address)) {
        return undefined
      }
      const sale: SaleEvent | undefined = decodeSale(log, scope.wrappedNative)
      return sale && (!tokens || tokens.has(sale.contract)) ? sale : undefined
    }
    case undefined:
      return undefined
    default:
      return decodePoolLog(log, scope)
  }
}

function decodePoolLog(
  log: Log,
  scope: Scope,
): PoolEvent | PoolRegistration | PoolStateEvent | undefined {
  const [topic = ''] = log.topics
  const event =
    // First, as a vault is its own factory.
    scope.factoryDecoders.get(log.address)?.[topic]?.(log, scope.wrappedNative) ??
    changeDecoders.get(topic)?.(log)
  return event?.kind === 'pool' && !scope.indexesPool(event) ? undefined : event
}

/**
 * WETH9 emits `Deposit` and `Withdrawal` for mints and burns, without a `Transfer`. Other contracts emit them for anything,
 * so that only the account is decoded.
 */
function decodeDeposit(
  { address, topics: [topic, word, ...rest], data }: Log,
  { wrappedNative, countsDeposits }: Scope,
): DecodedEvent | undefined {
  const account = decodeAddress(word)
  if (rest.length > 0 || !hasWords(data, 1) || !account) {
    return undefined
  }
  if (address !== wrappedNative) {
    return { kind: 'deposit', token: address, account }
  }
  if (!countsDeposits) {
    return undefined
  }
  const parties =
    topic === topics.deposit
      ? { from: zeroAddress, to: account }
      : { from: account, to: zeroAddress }
  return { kind: 'transfer', token: address, ...parties, amount: getUint(data, 0) }
}
