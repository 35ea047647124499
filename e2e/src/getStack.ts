import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import type { StackInfo } from './Stack.ts'

/** The stack that all files share. The first call starts it. */
export async function getStack(): Promise<StackInfo> {
  // Not `fetch`, which times out after five minutes.
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(inject('stackUrl'), resolve).on('error', reject)
  })
  const body = await text(response)
  if (response.statusCode !== 200) {
    throw new Error(body)
  }
  return JSON.parse(body) as StackInfo
}
