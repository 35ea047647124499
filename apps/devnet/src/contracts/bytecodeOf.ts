import type { Hex } from 'viem'

/** The creation bytecode in an artifact of Truffle, Hardhat or Foundry. */
export function bytecodeOf(artifact: unknown): Hex {
  const { bytecode: code } = artifact as { bytecode: string | { object: string } }
  const bytecode = typeof code === 'string' ? code : code.object
  return (bytecode.startsWith('0x') ? bytecode : `0x${bytecode}`) as Hex
}
