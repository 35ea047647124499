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

/** Names a token as the price service does. */
export const keyOf = ({ chainId, address }: { chainId: number; address: string }) =>
  `${chainId}/${address}`
/** The manieth token of a chain. */
export const token = (number = 1, chainId = 1) => ({ chainId, address: numberedAddress(number) })
export const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1)

/** Lets the tests of a file run in fake time on a service of their own, which prices forty tokens on each of two chains. */
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
    /** That of the present test. */
    get service() {
      return service
    },
    /** Which operations were asked. */
    operations: () => service.asked.map(({ operation }) => operation),
    watch: (client = create(), of = token(), options: WatchPriceOptions<PriceTick> = {}) =>
      record(watchPrice(client, of, options)),
    watchAll: (client: Client, tokens = [token()], options: WatchPriceOptions<PriceList> = {}) =>
      record(watchPrices(client, tokens, options)),
    /** Lets a wallet hold tokens of a chain. */
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
