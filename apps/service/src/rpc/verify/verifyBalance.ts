import { verifyMerkleProof } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { bytesToBigInt, hexToBytes, keccak256 } from 'viem/utils'

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
 * @returns false for another balance, and for a proof that is incomplete or of another state.
 */
export async function verifyBalance(
  proof: readonly string[],
  { address, balance, stateRoot }: AccountState,
): Promise<boolean> {
  const [root] = proof
  if (root === undefined || keccak256(root as `0x${string}`) !== stateRoot) {
    return false
  }
  const path = keccak256(hexToBytes(address as `0x${string}`), 'bytes')
  let account: Uint8Array | null
  try {
    account = await verifyMerkleProof(
      path,
      proof.map((node) => hexToBytes(node as `0x${string}`)),
    )
  } catch {
    return false
  }
  if (!account) {
    return balance === 0n
  }
  const fields = RLP.decode(account)
  const proven = fields[1]
  return proven instanceof Uint8Array && bytesToBigInt(proven) === balance
}
