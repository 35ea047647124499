import { hashKey, type Query } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import { findInvalidParameter } from '../operation/findInvalidParameter.ts'
import { normalizeParameters } from '../operation/normalizeParameters.ts'
import { makeQueryKey, readQueryKey } from '../operation/queryKey.ts'
import { readAnswer } from '../operation/readAnswer.ts'
import { findOperation } from './operations.ts'
import type { TabAnswer } from './TabMessage.ts'

/** Of so many answers it is remembered when other tabs learned them. */
const mostTimes = 1000

/** The answers in a client's cache, as tabs tell them to each other. */
export class SharedAnswers {
  readonly #client: Client
  readonly #tell: (answers: TabAnswer[]) => void
  readonly #learned = new Set<Query>()
  readonly #times = new Set<number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #stop: () => void

  /** @param tell - Takes what this tab learned of the service; all of a moment together. */
  constructor(client: Client, tell: (answers: TabAnswer[]) => void) {
    this.#client = client
    this.#tell = tell
    this.#stop = client.queryClient.getQueryCache().subscribe((event) => {
      // What was put into the cache by hand, as what other tabs told, came from no service.
      if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
      this.#learned.add(event.query)
      this.#timer ??= setTimeout(this.#flush)
    })
  }

  /** All that this tab knows. */
  all(): TabAnswer[] {
    return this.#client.queryClient.getQueryCache().getAll().flatMap(this.#read)
  }

  /**
   * Puts what another tab told into the cache, unless as much is known already.
   *
   * @returns Whether it did.
   */
  take({ operation: name, parameters: asked, data, updatedAt: toldAt }: TabAnswer): boolean {
    const operation = findOperation(name)
    if (operation === undefined || findInvalidParameter(operation, asked)) return false
    const parameters = normalizeParameters(asked)
    const { baseUrl, queryClient } = this.#client
    const queryKey = makeQueryKey(baseUrl, name, parameters)
    // The tabs of a machine share its clock, which may have been set back.
    const updatedAt = Math.min(toldAt, Date.now())
    const known = queryClient.getQueryCache().get(hashKey(queryKey))?.state
    if (known?.data !== undefined && known.dataUpdatedAt >= updatedAt) return false
    try {
      const answer = readAnswer(operation, '', data)
      this.#times.add(updatedAt)
      queryClient.setQueryData(queryKey, answer, { updatedAt })
      for (const oldest of this.#times) {
        if (this.#times.size <= mostTimes) break
        this.#times.delete(oldest)
      }
      return true
    } catch {
      // An answer of another version of the app that is none to this one.
      return false
    }
  }

  /** Whether what was learned at a time was learned by another tab, which may go on to. */
  cameFromOthers(updatedAt: number): boolean {
    return this.#times.has(updatedAt)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#stop()
  }

  readonly #flush = (): void => {
    this.#timer = undefined
    const answers = [...this.#learned].flatMap(this.#read)
    this.#learned.clear()
    if (answers.length > 0) this.#tell(answers)
  }

  readonly #read = ({ queryKey, state }: Query): TabAnswer[] => {
    const asked = readQueryKey(this.#client.baseUrl, queryKey)
    if (state.data === undefined || findOperation(asked?.operation) === undefined) return []
    // A page below the first belongs to the listing that asked for it.
    if (asked === undefined || 'offset' in asked.parameters) return []
    return [{ ...asked, data: state.data as object, updatedAt: state.dataUpdatedAt }]
  }
}
