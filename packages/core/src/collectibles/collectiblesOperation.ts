import {
  collectibles,
  isCollectible,
  isCollectiblesParameters,
  isCollectiblesResponse,
  type Collectible,
  type CollectiblesParameters,
  type CollectiblesResponse,
} from '@headwater/contract'
import type { ListOperation } from '../operation/ClientOperation.ts'

/** The operation `collectibles` as a client needs it. */
export const collectiblesOperation: ListOperation<
  CollectiblesParameters,
  CollectiblesResponse,
  Collectible
> = {
  declaration: collectibles,
  isParameters: isCollectiblesParameters,
  isResponse: isCollectiblesResponse,
  isItem: isCollectible,
}
