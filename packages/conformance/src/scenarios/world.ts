import type { OperationName } from '@headwater/core'
import type { FakeToken } from '@headwater/testing'
import type { Stage } from '../Stage.ts'

/** Two wallets that hold nothing until they are given something. */
export const alice = `0x${'a'.repeat(40)}`
export const bob = `0x${'b'.repeat(40)}`

/** Gives somebody so much of the native asset of the first chain, in smallest units, and nothing else. */
export function give(stage: Stage, wallet: string, amount: number): void {
  stage.service.setAmount(wallet, native(stage), BigInt(amount))
}

/** The native asset of the first chain. */
export const native = ({ service }: Stage): FakeToken => service.token('native')

/** How many requests the service was asked, all or of an operation. */
export const countRequests = ({ service }: Stage, operation?: OperationName): number =>
  service.requests.filter((each) => operation === undefined || each.operation === operation).length

/** Milliseconds from an answer to the next poll, and a little. */
export const interval = 10_200
