import { useUsage } from '@headwater/react'

export function Units() {
  const { spent, byMinute, remaining } = useUsage()
  return (
    <p>
      {spent} units, {byMinute.at(-1)?.spent ?? 0} in this minute
      {remaining !== undefined && `, ${remaining} left`}
    </p>
  )
}
