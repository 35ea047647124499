import { combineLatest, map, merge, NEVER, type Observable, Subject, type Subscription } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { type Snapshot } from './Snapshot.ts'
import { SnapshotObservable } from './SnapshotObservable.ts'

const refetch = () => Promise.resolve()
const snapshot = (data: string): Snapshot<string> => ({
  status: 'success',
  data,
  error: null,
  isPlaceholderData: false,
  refetch,
})
/** One snapshot a letter, so that the same letter is the same snapshot. */
const letters = Object.fromEntries([...'abcdefgh'].map((letter) => [letter, snapshot(letter)]))

/** A stream over a source whose snapshots a marble diagram tells. */
function createStream(changes: Observable<Snapshot<string>>, first = 'a') {
  let newest = letters[first] ?? snapshot(first)
  let isOver = false
  let subscription: Subscription | undefined
  let starts = 0
  const stream = new SnapshotObservable<string>(
    {
      read: () => newest,
      start: (update) => {
        starts++
        subscription = changes.subscribe((next) => {
          newest = next
          update()
        })
      },
      stop: () => subscription?.unsubscribe(),
    },
    () => isOver,
  )
  return {
    stream,
    starts: () => starts,
    end: () => {
      isOver = true
      stream.complete()
    },
  }
}

const marbles = (test: (helpers: Parameters<Parameters<TestScheduler['run']>[0]>[0]) => void) =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test)

describe('a stream, by marbles,', () => {
  it('replays the newest snapshot to each subscriber, and tells all of changes', () => {
    marbles(({ hot, expectObservable }) => {
      const { stream } = createStream(hot('  ---b---c---d', letters))
      expectObservable(stream).toBe('        a--b---c---d', letters)
      expectObservable(stream, '-----^').toBe('-----b-c---d', letters)
      expectObservable(stream, '--------^').toBe('--------c--d', letters)
    })
  })

  it('emits nothing while nothing changes', () => {
    marbles(({ hot, expectObservable }) => {
      const { stream } = createStream(hot('-a-a-b-b-b-a', letters))
      expectObservable(stream).toBe('      a----b-----a', letters)
    })
  })

  it('listens to its source from the first subscriber to the last, and again', () => {
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

  it('does not start anew for one who comes while others listen', () => {
    const { stream, starts } = createStream(NEVER)
    const first = stream.subscribe()
    const second = stream.subscribe()
    expect(starts()).toBe(1)
    first.unsubscribe()
    second.unsubscribe()
    stream.subscribe().unsubscribe()
    expect(starts()).toBe(2)
  })

  it('completes when its source is over, and gives the last snapshot to whoever comes later', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const { stream, end } = createStream(hot('--b-----c', letters))
      expectObservable(cold('-----x').pipe(map(end))).toBe('-----x', { x: undefined })
      expectObservable(stream).toBe('a-b--|', letters)
      expectObservable(stream, '-------^').toBe('-------(b|)', letters)
    })
  })

  it('survives combining, with an error as a snapshot like any other', () => {
    marbles(({ hot, expectObservable }) => {
      const failed: Snapshot<string> = {
        status: 'error',
        data: undefined,
        error: new Error('No') as never,
        isPlaceholderData: false,
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

  it('tells all the newest, and nobody what is over, when a subscriber brings something newer', () => {
    marbles(({ hot, expectObservable }) => {
      const changes = new Subject<Snapshot<string>>()
      const { stream } = createStream(merge(hot('-b--d', letters), changes))
      const seen: string[] = []
      stream.subscribe((each) => {
        seen.push(`one ${each.data}`)
        if (each === letters['b']) {
          changes.next(letters['c'] ?? each)
        }
      })
      expectObservable(stream).toBe('ac--d', letters)
      expectObservable(hot('-----(x|)').pipe(map(() => seen.join()))).toBe('-----(x|)', {
        x: 'one a,one b,one c,one d',
      })
    })
  })

  it('lets subscribers come and go while it tells', () => {
    marbles(({ hot, expectObservable }) => {
      const { stream } = createStream(hot('-b-c-', letters))
      const seen: string[] = []

      stream.subscribe(({ data }) => {
        seen.push(`one ${data}`)
        if (data === 'b') {
          other.unsubscribe()
        }
        if (data === 'c') {
          stream.subscribe(({ data: last }) => void seen.push(`three ${last}`))
        }
      })
      const other = stream.subscribe(({ data }) => void seen.push(`two ${data}`))
      expectObservable(stream).toBe('ab-c-', letters)
      expectObservable(hot('-----(x|)').pipe(map(() => seen.join()))).toBe('-----(x|)', {
        x: 'one a,two a,one b,one c,three c',
      })
    })
  })
})
