import type { OperationName } from '@headwater/core'
import type { FakeToken } from '@headwater/testing'
import type { Stage } from '../Stage.ts'

/** Two wallets, which are initially empty. */
export const alice = `0x${'a'.repeat(40)}`
export const bob = `0x${'b'.repeat(40)}`

/** Sets a wallet's amount of the native asset of the first chain, in smallest units. */
export function give(stage: Stage, wallet: string, amount: number): void {
  stage.service.setAmount(wallet, native(stage), BigInt(amount))
}

/** The native asset of the first chain. */
export const native = ({ service }: Stage): FakeToken => service.token('native')

/** The number of requests, in total or of an operation. */
export const countRequests = ({ service }: Stage, operation?: OperationName): number =>
  service.requests.filter((each) => operation === undefined || each.operation === operation).length

/** Milliseconds that include the next poll after a response. */
export const interval = 10_200
