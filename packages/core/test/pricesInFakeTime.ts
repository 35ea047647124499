import { beforeEach } from 'vitest'
import { type Client } from '../src/client/Client.ts'
import { type PriceTick } from '../src/prices/PriceTick.ts'
import {
  type PriceList,
  watchPrice,
  type WatchPriceOptions,
  watchPrices,
} from '../src/prices/watchPrices.ts'
import { address as wallet, numberedAddress } from './balances.ts'
import { clientsInFakeTime, record } from './clientsInFakeTime.ts'
import { createPriceService } from './createPriceService.ts'

/** The key of a token in the price service. */
export const keyOf = ({ chainId, address }: { chainId: number; address: string }) =>
  `${chainId}/${address}`
/** A different token of a chain for each number. */
export const token = (number = 1, chainId = 1) => ({ chainId, address: numberedAddress(number) })
export const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1)

/** Runs the tests of a file in fake time on a new service each, with prices for forty tokens on two chains. */
export function pricesInFakeTime() {
  let service = createPriceService()
  const create = clientsInFakeTime(() => service.fetch)
  beforeEach(() => {
    service = createPriceService()
    for (const chainId of [1, 10]) {
      for (const number of upTo(40)) {
        service.prices.set(keyOf(token(number, chainId)), number)
      }
    }
  })

  return {
    create,
    /** The service of the current test. */
    get service() {
      return service
    },
    /** The requested operations, in order. */
    operations: () => service.requests.map(({ operation }) => operation),
    watch: (client = create(), of = token(), options: WatchPriceOptions<PriceTick> = {}) =>
      record(watchPrice(client, of, options)),
    watchAll: (client: Client, tokens = [token()], options: WatchPriceOptions<PriceList> = {}) =>
      record(watchPrices(client, tokens, options)),
    /** Adds tokens to a wallet. */
    hold(numbers: number[], chainIds = [1], of = wallet) {
      const held = service.wallets.get(of) ?? new Set()
      service.wallets.set(of, held)
      for (const chainId of chainIds) {
        for (const each of numbers) {
          held.add(keyOf(token(each, chainId)))
        }
      }
    },
  }
}
