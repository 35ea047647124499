import { readFileSync } from 'node:fs'
import type { FileChange } from './FileChange.ts'

/** The changes of a recording, in their order, each with the position in the recording at which it ends. */
export function* readRecording(
  file: string,
): Generator<{ readonly change: FileChange; readonly bytes: Buffer; readonly end: number }> {
  const recording = readFileSync(file)
  for (let start = 0; start < recording.length;) {
    const headerEnd = recording.indexOf('\n', start)
    const header = recording.subarray(start, headerEnd).toString()
    const { length, ...change } = JSON.parse(header) as FileChange & { readonly length: number }
    const end = headerEnd + 1 + length
    yield { change: change as FileChange, bytes: recording.subarray(headerEnd + 1, end), end }
    start = end
  }
}
