import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { Stack, type StackInfo, stackPlace } from './Stack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stack: StackInfo
  }
}

/** One stack for all files, from nothing, as a newcomer has it. */
export default async function setup(project: TestProject) {
  // The quick loop leaves out what needs a browser, and so has no use for a stack.
  if (project.config.exclude.some((pattern) => pattern.includes('integration'))) return
  const data = await mkdtemp(path.join(tmpdir(), 'headwater-e2e-'))
  const stack = new Stack(await stackPlace(data))
  project.provide('stack', await stack.ready())
  return async () => {
    await stack.interrupt()
    await rm(data, { recursive: true })
  }
}
