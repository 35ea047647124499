import type { StreamName, Streams } from './Streams.ts'

/** What a component shows: one hook of a binding, and what is written of its value. */
export interface View<Name extends StreamName = StreamName> {
  readonly stream: Name
  readonly parameters: Streams[Name]['parameters']
  readonly options: Streams[Name]['options']
  /** The text of a value; called whenever the component renders, or its framework's counterpart of that. */
  readonly write: (value: never) => string
}

/**
 * Makes a view of any hook.
 *
 * @param write - The text of a value.
 */
export function view<Name extends StreamName>(
  stream: Name,
  parameters: Streams[Name]['parameters'],
  options: Streams[Name]['options'],
  write: (value: Streams[Name]['value']) => string,
): View<Name> {
  return { stream, parameters, options, write }
}
