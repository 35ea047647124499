#!/usr/bin/env node
import nodeModule from 'node:module'
import manifest from '../package.json' with { type: 'json' }

const required = manifest.engines.node.replace('>=', '')
if (process.versions.node.localeCompare(required, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `headwater: Node ${required} or newer is required, and this is ${process.versions.node}: install it from https://nodejs.org\n`,
  )
  process.exit(1)
}

// Halves the load time from the second start on. It must be enabled before other modules are loaded. A named import would be a
// syntax error in a version of Node without it, before the line above.
nodeModule.enableCompileCache()
const { createProgram } = await import('./cli/createProgram.ts')

try {
  await createProgram().parseAsync()
  process.exit()
} catch (error) {
  // The messages of these errors are complete for an operator; anything else is a bug and needs its stack.
  const isOperatorError =
    error instanceof Error && /^(Config|Store|Listen|Command|Indexing|Node)Error$/.test(error.name)
  process.stderr.write(`headwater: ${isOperatorError ? error.message : (error as Error).stack}\n`)
  process.exit(1)
}
