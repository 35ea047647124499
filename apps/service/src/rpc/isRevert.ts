import type { NodeError } from './NodeError.ts'

/** JSON-RPC's code for a call that the contract reverted. */
const reverted = 3
/** What nodes say when the contract ran and ended so; anything else they say of themselves. */
const contractFailures =
  /revert|invalid opcode|bad instruction|opcode not found|out of ?gas|stack (?:under|over)flow|stack limit|bad jump|invalid jump|vm execution error/i

/** Whether it was the contract that failed, and not the node. */
export function isRevert({ code, message, kind }: NodeError): boolean {
  return kind === 'refused' && (code === reverted || contractFailures.test(message))
}
