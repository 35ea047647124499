import { createFakeService, type FakeService } from '@headwater/testing'
import { listen } from '@headwater/testing/node'

/** The wallets that the apps link to, by the text of the link, and their amounts of the native asset in wei. */
export const wallets = {
  'vitalik.eth': {
    address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
    amount: 1_234_567_500_000_000_000_000_000n,
    /** The amount in units of the asset, by locale. */
    text: { 'en-US': '1,234,567.5', 'de-CH': '1’234’567.5' },
  },
  'nick.eth': {
    address: '0xb8c2c29ee19d8307cb7255e1cd9cbde883a267d5',
    amount: 7_654_321_250_000_000_000_000_000n,
    text: { 'en-US': '7,654,321.25', 'de-CH': '7’654’321.25' },
  },
}

export type Wallet = (typeof wallets)[keyof typeof wallets]

/** The fake service of a test, over HTTP. */
export interface WalletService extends Pick<FakeService, 'fail' | 'heal' | 'token'> {
  readonly url: string
  readonly key: string
  /** Address of a wallet with a token that has a logo, and with NFTs. */
  readonly collector: string
  /** What no page and no file of an app may contain. */
  readonly secrets: readonly string[]
  setAmount(wallet: Wallet, amount: bigint): void
  /** The requests that the service has received. */
  readonly requests: FakeService['requests']
  /** The number of requests whose client left before the response. */
  abortedCount(): number
  close(): Promise<void>
}

/** Starts a fake service with the wallets. */
export async function startWalletService(
  options: {
    /** Whether it pushes changes. */
    readonly changes?: boolean
  } = {},
): Promise<WalletService> {
  const key = 'hw_key_of_the_server'
  const service = createFakeService({ key, ...options })
  const native = { chainId: service.chains[0]!.id, address: 'native' }
  // The tests count rows: each wallet has one.
  for (const { address } of Object.values(wallets)) {
    service.tokens.forEach((token) => service.setAmount(address, token, 0n))
  }
  const setAmount = ({ address }: Wallet, amount: bigint) =>
    service.setAmount(address, native, amount)
  for (const wallet of Object.values(wallets)) {
    setAmount(wallet, wallet.amount)
  }
  let abortedCount = 0
  const { url, close } = await listen({
    async fetch(input, init) {
      try {
        return await service.fetch(input, init)
      } catch (error) {
        abortedCount++
        throw error
      }
    },
  })
  const { fail, heal, token, requests } = service
  const collector = service.wallet('everyday').address
  const secrets = [key, new URL(url).host]
  return {
    url,
    key,
    collector,
    secrets,
    requests,
    fail,
    heal,
    token,
    setAmount,
    abortedCount: () => abortedCount,
    close,
  }
}

/** Environment variables of an app's server. */
export function variablesOf({ url, key }: WalletService): NodeJS.ProcessEnv {
  return {
    HEADWATER_URL: url,
    HEADWATER_API_KEY: key,
    NUXT_HEADWATER_URL: url,
    NUXT_HEADWATER_API_KEY: key,
  }
}
