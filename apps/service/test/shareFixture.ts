import { afterAll, beforeAll, onTestFinished } from 'vitest'

type Cleanup = () => Promise<void> | void

/** Cleanups of the shared fixture that is starting. */
let sharedCleanups: Cleanup[] | undefined

/** Registers a cleanup for the end of the test or, while a shared fixture starts, for the end of its block. */
export function onFixtureFinished(cleanup: Cleanup): void {
  if (sharedCleanups) {
    sharedCleanups.push(cleanup)
  } else {
    onTestFinished(cleanup)
  }
}

/**
 * Starts a fixture once for all tests of a `describe` block. They must not change what the others read.
 *
 * @returns a function that returns the fixture within a test.
 */
export function shareFixture<Fixture extends object>(start: () => Promise<Fixture>): () => Fixture {
  const cleanups: Cleanup[] = []
  let fixture: Fixture | undefined
  beforeAll(async () => {
    sharedCleanups = cleanups
    try {
      fixture = await start()
    } finally {
      sharedCleanups = undefined
    }
  })
  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) {
      await cleanup()
    }
  })
  return () => {
    if (!fixture) {
      throw new Error('The shared fixture is not started')
    }
    return fixture
  }
}
