import type { FollowedEntries } from './FollowedEntries.ts'
import type { Subject, SubjectKind } from './getSubjects.ts'

/** The lengths of lists and of the query that the service accepts. */
const maxPerKind = 150
const maxQueryLength = 7_000

/** Selects what a stream follows: the subjects of as many entries as fit. The others are polled. */
export function selectSubjects(entries: FollowedEntries): {
  readonly subjects: ReadonlySet<Subject>
  /** Empty without subjects. */
  readonly query: string
} {
  const lists: Record<SubjectKind, string[]> = { wallets: [], tokens: [], holders: [] }
  const subjects = new Set<Subject>()
  let length = 0
  for (const entry of entries) {
    const followed = entry.interval < Infinity ? entries.getFollowed(entry) : undefined
    const added = followed?.subjects.filter((subject) => !subjects.has(subject)) ?? []
    const addedLength = added.reduce((sum, subject) => sum + subject.length, 0)
    const count = (kind: string) => added.filter((subject) => subject.startsWith(kind)).length
    const fits = Object.entries(lists).every(
      ([kind, list]) => list.length + count(kind) <= maxPerKind,
    )
    if (!fits || length + addedLength > maxQueryLength) {
      continue
    }
    length += addedLength
    for (const subject of added) {
      const [kind, name] = subject.split('/') as [SubjectKind, string]
      subjects.add(subject)
      lists[kind].push(name)
    }
  }
  const query = Object.entries(lists)
    .filter(([, list]) => list.length > 0)
    .map(([kind, list]) => `${kind}=${list.sort().join()}`)
    .join('&')
  return { subjects, query }
}
