#!/usr/bin/env -S node --conditions=@headwater/source
import { enableCompileCache } from 'node:module'

// Loading takes half the time from the second start on. It must be on before anything else is loaded.
enableCompileCache()
const { createProgram } = await import('./cli/createProgram.ts')

try {
  await createProgram().parseAsync()
  process.exit()
} catch (error) {
  // These were thrown to be read by a person; anything else is a fault of ours and needs its stack.
  const isSentence =
    error instanceof Error && /^(Config|Store|Listen|Command|Indexing)Error$/.test(error.name)
  process.stderr.write(`headwater: ${isSentence ? error.message : (error as Error).stack}\n`)
  process.exit(1)
}
