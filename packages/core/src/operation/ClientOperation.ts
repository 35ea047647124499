import type { Operation, ValidationError } from '@headwater/contract'

/** A validator that was compiled ahead from a schema. */
export interface Validator<T, Error = ValidationError> {
  (value: unknown): value is T
  errors?: Error[] | null
}

/** A declared operation with the validators that a client needs of it. All else about it is generic. */
export interface ClientOperation<Parameters extends object, Response extends object, Item = never> {
  readonly declaration: Operation<string, Parameters, Response, Item>
  readonly isParameters: Validator<Parameters>
  /** Judges the answer but not its items. */
  readonly isResponse: Validator<Response>
  /** Judges one item, for an operation that lists. */
  readonly isItem?: ItemValidator<Item>
}

/** Tells of an item only where it is wrong. */
export type ItemValidator<Item> = Validator<Item, Pick<ValidationError, 'instancePath'>>
