import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Hex } from 'viem'

const require = createRequire(import.meta.url)
const source = new URL('Burst.sol', import.meta.url)

interface Solc {
  compile(input: string): string
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: { 'Burst.sol'?: { Burst?: { evm: { bytecode: { object: string } } } } }
}

/** The creation bytecode of `Burst`. */
export function compileBurst(): Hex {
  const solc = require('solc') as Solc
  const input = {
    language: 'Solidity',
    sources: { 'Burst.sol': { content: readFileSync(source, 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 1000 },
      outputSelection: { 'Burst.sol': { Burst: ['evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const bytecode = output.contracts?.['Burst.sol']?.Burst?.evm.bytecode.object
  if (!bytecode) {
    throw new Error(output.errors?.map(({ formattedMessage }) => formattedMessage).join('\n'))
  }
  return `0x${bytecode}`
}
