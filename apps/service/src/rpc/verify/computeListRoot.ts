import { encodeData, encodeList, encodeQuantity, keccak256 } from './rlp.ts'

/** A value and its path in the trie, one hex digit per level. */
interface Leaf {
  readonly path: string
  /** Hex with `0x`. */
  readonly value: string
}

const nibbles = '0123456789abcdef'
/** The encoding of an empty child or value. */
const nothing = '80'
const emptyRoot = keccak256(nothing)

/**
 * Computes the root of the Merkle Patricia trie of a list, whose keys are the RLP-encoded indices: that of the
 * transactions, receipts or withdrawals of a block.
 *
 * The list is complete, so that each node is encoded and hashed once. A trie that supports insertions hashes the nodes
 * of a path at each of them.
 *
 * @param values - hex with `0x`, each of at least one byte.
 * @see https://ethereum.github.io/yellowpaper/paper.pdf appendix D
 */
export function computeListRoot(values: readonly string[]): string {
  if (values.length === 0) {
    return emptyRoot
  }
  const leaves = values.map((value, index) => ({
    path: encodeQuantity(`0x${index.toString(16)}`),
    value,
  }))
  leaves.sort((a, b) => (a.path < b.path ? -1 : 1))
  return keccak256(encodeNode(leaves, 0))
}

/**
 * Encodes the node of these leaves, with those below it.
 *
 * @param leaves - ordered by path, at least one.
 * @param depth - the digits that all paths share.
 */
function encodeNode(leaves: readonly Leaf[], depth: number): string {
  const [first, last] = [leaves[0], leaves.at(-1)] as [Leaf, Leaf]
  if (first === last) {
    return encodeList([encodePath(first.path.slice(depth), true), encodeData(first.value)])
  }
  let shared = depth
  while (first.path[shared] === last.path[shared]) {
    shared++
  }
  if (shared > depth) {
    const path = encodePath(first.path.slice(depth, shared), false)
    return encodeList([path, encodeReference(leaves, shared)])
  }
  const children: string[] = []
  let start = 0
  for (const nibble of nibbles) {
    let end = start
    while (leaves[end]?.path[depth] === nibble) {
      end++
    }
    children.push(end > start ? encodeReference(leaves.slice(start, end), depth + 1) : nothing)
    start = end
  }
  // No path ends here: the encoding of an index is never the beginning of another one.
  return encodeList([...children, nothing])
}

/** A node within its parent: its hash, or itself where that is shorter. */
function encodeReference(leaves: readonly Leaf[], depth: number): string {
  const node = encodeNode(leaves, depth)
  return node.length < 64 ? node : encodeData(keccak256(node))
}

/** The hex-prefix encoding of a path. */
function encodePath(path: string, isLeaf: boolean): string {
  const isOdd = path.length % 2 === 1
  return encodeData(`0x${(isLeaf ? 2 : 0) + (isOdd ? 1 : 0)}${isOdd ? '' : '0'}${path}`)
}
