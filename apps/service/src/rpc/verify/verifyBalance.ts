import { RLP } from '@ethereumjs/rlp'
import { hexToBytes, keccak256 } from 'viem/utils'

interface AccountState {
  readonly address: string
  readonly balance: bigint
  /** The root in the header of the block. */
  readonly stateRoot: string
}

/**
 * Verifies the native balance of an account against the state root of its block.
 *
 * @param proof - `accountProof` of `eth_getProof` (EIP-1186).
 * @returns `other_state` for a proof of another state, or of a chain with another kind of state.
 */
export async function verifyBalance(
  proof: readonly string[],
  { address, balance, stateRoot }: AccountState,
): Promise<'valid' | 'invalid' | 'other_state'> {
  const [root] = proof
  if (root === undefined || keccak256(root as `0x${string}`) !== stateRoot) {
    return 'other_state'
  }
  // Most processes verify none, and the library consists of a hundred modules.
  const { verifyMerkleProof } = await import('@ethereumjs/mpt')
  const path = keccak256(hexToBytes(address as `0x${string}`), 'bytes')
  try {
    const nodes = proof.map((node) => hexToBytes(node as `0x${string}`))
    const account = await verifyMerkleProof(path, nodes)
    // The fields of an account are its nonce, balance, storage root and code hash. Zero has no bytes.
    const proven = account ? RLP.decode(account)[1] : new Uint8Array()
    const digits = Buffer.from(proven as Uint8Array).toString('hex')
    return BigInt(`0x0${digits}`) === balance ? 'valid' : 'invalid'
  } catch {
    return 'invalid'
  }
}
