import type { Problem } from '@headwater/demo-kit'

interface ProblemNoticeProps {
  problem: Problem
  onRetry?: () => Promise<void>
}

/** What went wrong and what to do about it; read out by what stands around it. */
export function ProblemNotice({ problem: { kind, title, advice }, onRetry }: ProblemNoticeProps) {
  return (
    <div className="problem" id="problem" data-testid="state-error" data-kind={kind}>
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
