import type { Operation, OperationList, Validator } from '@headwater/contract'
import type { OperationName } from './OperationName.ts'

/** A declared operation with the validators that a client needs of it. All else about it is generic. */
export interface ClientOperation<Parameters extends object, Response extends object, Item = never> {
  readonly declaration: Operation<OperationName, Parameters, Response, Item>
  readonly isParameters: Validator<Parameters>
  /** Judges the answer but not its items. */
  readonly isResponse: Validator<Response>
  /** Judges one item, for an operation that lists. */
  readonly isItem?: Validator<Item>
  /** Which items, where the declaration knows no list because the answer has no pages. */
  readonly list?: Pick<OperationList<Parameters, Response, Item>, 'items' | 'identity'>
}

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
