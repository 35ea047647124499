import type { Problem } from '@headwater/demo-kit'

interface ProblemNoticeProps {
  problem: Problem
  /** Whether the notice is shown above stale content instead of replacing it. */
  isFloating?: boolean
  id?: string
  onRetry?: () => Promise<void>
}

/** An error and its remedy. The surrounding live region announces it. */
export function ProblemNotice({
  problem,
  isFloating = false,
  id = 'problem',
  onRetry,
}: ProblemNoticeProps) {
  const { kind, title, advice } = problem
  if (!title) {
    return null
  }
  return (
    <div
      className={isFloating ? 'problem floating' : 'problem'}
      id={id}
      data-testid="state-error"
      data-kind={kind}
    >
      <strong>{title}</strong>
      <p>{advice}</p>
      {onRetry && kind !== 'invalid-address' && (
        <button type="button" onClick={onRetry}>
          Try now
        </button>
      )}
    </div>
  )
}
