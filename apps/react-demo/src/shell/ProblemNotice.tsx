import type { Problem } from '@headwater/demo-kit'

interface ProblemNoticeProps {
  problem: Problem
  /** Whether it stands over what is still shown, rather than in its place. */
  isFloating?: boolean
  onRetry?: () => Promise<void>
}

/** What went wrong and what to do about it; read out by what stands around it. */
export function ProblemNotice({ problem, isFloating = false, onRetry }: ProblemNoticeProps) {
  const { kind, title, advice } = problem
  // The banner says so already.
  if (isFloating && kind === 'offline') {
    return null
  }
  return (
    <div
      className={isFloating ? 'problem floating' : 'problem'}
      id="problem"
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
