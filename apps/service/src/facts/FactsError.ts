import { IndexingError } from '../indexing/IndexingError.ts'

/** An error of the facts that an operator has to correct; the message contains the remedy. */
export class FactsError extends IndexingError {}
