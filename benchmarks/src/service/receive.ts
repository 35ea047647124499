import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Sends a message to a process, if there is one, and waits for its next one. */
export async function receive<Message>(
  child: ChildProcess,
  message?: object | string,
): Promise<Message> {
  const received = once(child, 'message')
  if (message !== undefined) {
    child.send(message)
  }
  const [result] = (await received) as [Message]
  return result
}
