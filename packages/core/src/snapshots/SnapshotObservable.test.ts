import { combineLatest, map, merge, NEVER, type Observable, Subject, type Subscription } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { idle } from './createSnapshots.ts'
import { SharedSource } from './SharedSource.ts'
import { type Snapshot } from './Snapshot.ts'
import { SnapshotObservable } from './SnapshotObservable.ts'

const refetch = () => Promise.resolve()
const snapshot = (data: string): Snapshot<string> => ({
  status: 'success',
  data,
  error: null,
  isPlaceholderData: false,
  fetchStatus: 'idle',
  isFetching: false,
  dataUpdatedAt: 0,
  refetch,
})
/** One snapshot per letter, so that equal letters are the same object. */
const letters = Object.fromEntries([...'abcdefgh'].map((letter) => [letter, snapshot(letter)]))

/** A stream whose source emits the snapshots of a marble diagram. */
function createStream(changes: Observable<Snapshot<string>>, first = 'a') {
  let newest = letters[first] ?? snapshot(first)
  let isCompleted = false
  let subscription: Subscription | undefined
  let starts = 0
  const source = new SharedSource<Snapshot<string>>(
    {
      read: () => newest,
      readFetchState: () => idle,
      start: ({ update }) => {
        starts++
        subscription = changes.subscribe((next) => {
          newest = next
          update()
        })
      },
      stop: () => subscription?.unsubscribe(),
    },
    () => isCompleted,
  )
  const stream = new SnapshotObservable<string>(source)
  return {
    stream,
    starts: () => starts,
    end: () => {
      isCompleted = true
      source.complete()
    },
  }
}

const marbles = (test: (helpers: Parameters<Parameters<TestScheduler['run']>[0]>[0]) => void) =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test)

describe('a snapshot observable', () => {
  it('replays the latest snapshot to each subscriber, and emits changes to all', () => {
    marbles(({ hot, expectObservable }) => {
      const { stream } = createStream(hot('  ---b---c---d', letters))
      expectObservable(stream).toBe('        a--b---c---d', letters)
      expectObservable(stream, '-----^').toBe('-----b-c---d', letters)
      expectObservable(stream, '--------^').toBe('--------c--d', letters)
    })
  })

  it('emits nothing without a change', () => {
    marbles(({ hot, expectObservable }) => {
      const { stream } = createStream(hot('-a-a-b-b-b-a', letters))
      expectObservable(stream).toBe('      a----b-----a', letters)
    })
  })

  it('subscribes to its source from the first subscriber to the last, repeatedly', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const changes = hot('               -b--c--d--e--f--g-', letters)
      const { stream } = createStream(changes)
      expectObservable(stream, '          --^---!').toBe('--a-c-', letters)
      expectObservable(stream, '          ---^----!').toBe('---ac--d', letters)
      expectObservable(stream, '          -----------^--!').toBe('-----------d-f', letters)
      expectSubscriptions(changes.subscriptions).toBe([
        '                                 --^-----!',
        '                                 -----------^--!',
      ])
    })
  })

  it('does not restart its source for an additional subscriber', () => {
    const { stream, starts } = createStream(NEVER)
    const first = stream.subscribe()
    const second = stream.subscribe()
    expect(starts()).toBe(1)
    first.unsubscribe()
    second.unsubscribe()
    stream.subscribe().unsubscribe()
    expect(starts()).toBe(2)
  })

  it('completes with its source, and emits the last snapshot to later subscribers', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const { stream, end } = createStream(hot('--b-----c', letters))
      expectObservable(cold('-----x').pipe(map(end))).toBe('-----x', { x: undefined })
      expectObservable(stream).toBe('a-b--|', letters)
      expectObservable(stream, '-------^').toBe('-------(b|)', letters)
    })
  })

  it('can be combined, with errors as snapshots', () => {
    marbles(({ hot, expectObservable }) => {
      const failed: Snapshot<string> = {
        status: 'error',
        data: undefined,
        error: new Error('No') as never,
        isPlaceholderData: false,
        fetchStatus: 'idle',
        isFetching: false,
        dataUpdatedAt: 0,
        refetch,
      }
      const one = createStream(hot('--x--b', { ...letters, x: failed })).stream
      const two = createStream(hot('---c--', letters)).stream
      const combined = combineLatest([one, two]).pipe(
        map((both) => both.map(({ status, data }) => data ?? status).join('+')),
      )
      expectObservable(combined).toBe('v-wx-y', {
        v: 'a+a',
        w: 'error+a',
        x: 'error+c',
        y: 'b+c',
      })
    })
  })

  it('emits only the latest snapshot to all when a subscriber causes a change', () => {
    marbles(({ hot, expectObservable }) => {
      const changes = new Subject<Snapshot<string>>()
      const { stream } = createStream(merge(hot('-b--d', letters), changes))
      const emitted: string[] = []
      stream.subscribe((each) => {
        emitted.push(`one ${each.data}`)
        if (each.data === 'b') {
          changes.next(letters['c'] ?? each)
        }
      })
      expectObservable(stream).toBe('ac--d', letters)
      expectObservable(hot('-----(x|)').pipe(map(() => emitted.join()))).toBe('-----(x|)', {
        x: 'one a,one b,one c,one d',
      })
    })
  })

  it('allows subscribing and unsubscribing during an emission', () => {
    marbles(({ hot, expectObservable }) => {
      const { stream } = createStream(hot('-b-c-', letters))
      const emitted: string[] = []

      stream.subscribe(({ data }) => {
        emitted.push(`one ${data}`)
        if (data === 'b') {
          other.unsubscribe()
        }
        if (data === 'c') {
          stream.subscribe(({ data: last }) => void emitted.push(`three ${last}`))
        }
      })
      const other = stream.subscribe(({ data }) => void emitted.push(`two ${data}`))
      expectObservable(stream).toBe('ab-c-', letters)
      expectObservable(hot('-----(x|)').pipe(map(() => emitted.join()))).toBe('-----(x|)', {
        x: 'one a,two a,one b,one c,three c',
      })
    })
  })
})
