import type { Operation, OperationList, ValidationError } from '@headwater/contract'
import type { OperationName } from './OperationName.ts'

/** A validator that was compiled ahead from a schema. */
export interface Validator<T, Error = ValidationError> {
  (value: unknown): value is T
  errors?: Error[] | null
}

/** A declared operation with the validators that a client needs of it. All else about it is generic. */
export interface ClientOperation<Parameters extends object, Response extends object, Item = never> {
  readonly declaration: Operation<OperationName, Parameters, Response, Item>
  readonly isParameters: Validator<Parameters>
  /** Judges the answer but not its items. */
  readonly isResponse: Validator<Response>
  /** Judges one item, for an operation that lists. */
  readonly isItem?: ItemValidator<Item>
  /** Which items, where the declaration knows no list because the answer has no pages. */
  readonly list?: Pick<OperationList<Parameters, Response, Item>, 'items' | 'identity'>
}

/** Tells of an item only where it is wrong. */
export type ItemValidator<Item> = Validator<Item, Pick<ValidationError, 'instancePath'>>

/** A client operation that lists. */
export interface ListOperation<
  Parameters extends object,
  Response extends object,
  Item,
> extends ClientOperation<Parameters, Response, Item> {
  readonly declaration: Operation<OperationName, Parameters, Response, Item> & {
    readonly list: OperationList<Parameters, Response, Item>
  }
}
