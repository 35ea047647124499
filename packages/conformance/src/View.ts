import type { StreamName, Streams } from './Streams.ts'

/** A component: one hook of a binding, and the text of its value. */
export interface View<Name extends StreamName = StreamName> {
  readonly stream: Name
  readonly parameters: Streams[Name]['parameters']
  readonly options: Streams[Name]['options']
  /** Returns the text of a value; called at each render of the component. */
  readonly write: (value: never) => string
}

/**
 * Creates a view of any hook.
 *
 * @param write - Returns the text of a value.
 */
export function view<Name extends StreamName>(
  stream: Name,
  parameters: Streams[Name]['parameters'],
  options: Streams[Name]['options'],
  write: (value: Streams[Name]['value']) => string,
): View<Name> {
  return { stream, parameters, options, write }
}
