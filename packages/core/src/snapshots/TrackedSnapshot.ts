import type { SourceFetchState, SourceSnapshot } from './SharedSource.ts'

/** A source of snapshots whose tracked fields are read on demand. */
export interface TrackedSource {
  /** Returns the tracked fields; the same reference until one of them changed. */
  readonly readFetchState: () => SourceFetchState
  /** From now on listeners are also called for changes of the tracked fields. */
  readonly track: () => void
}

/** The tracked fields of a snapshot, and of the later ones until one of them is read. */
export class TrackedFields {
  readonly source: TrackedSource
  /** Undefined until it is read, unless a field of an earlier snapshot was read. */
  fetchState: SourceFetchState | undefined
  /** Whether a component, or any subscriber of a stream, has read a field. */
  isTracked: boolean

  constructor(source: TrackedSource, fetchState?: SourceFetchState, isTracked = false) {
    this.source = source
    this.fetchState = fetchState
    this.isTracked = isTracked
  }

  read(): SourceFetchState {
    this.isTracked = true
    this.source.track()
    return (this.fetchState ??= this.source.readFetchState())
  }
}

/** One object for all calls, which take half as long as with an object each. */
const descriptor: { value: TrackedFields | undefined; configurable: true } = {
  value: undefined,
  configurable: true,
}

/** A snapshot whose tracked fields are getters of the prototype: own ones take ten times as long to create. */
export class TrackedSnapshot {
  declare status: SourceSnapshot<unknown>['status']
  declare data: unknown
  declare error: unknown
  declare isPlaceholderData: boolean
  declare isPartialData?: boolean
  /** Not enumerable, and not a private member, which a proxy of Vue could not access. */
  declare private readonly tracked: TrackedFields

  constructor(input: SourceSnapshot<unknown>, tracked: TrackedFields) {
    descriptor.value = tracked
    Object.defineProperty(this, 'tracked', descriptor)
    Object.assign(this, input)
  }

  get fetchStatus() {
    return this.tracked.read().fetchStatus
  }

  get isFetching() {
    return this.fetchStatus === 'fetching'
  }

  get dataUpdatedAt() {
    return this.tracked.read().dataUpdatedAt
  }

  get response_time() {
    return this.tracked.read().response_time
  }
}
