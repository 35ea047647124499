import { useUsage } from '@headwater/react'

export function Units() {
  const { spent, byMinute, remaining } = useUsage()
  return (
    <p>
      {spent} units, {byMinute.at(-1)?.spent ?? 0} in the last minute with requests
      {remaining !== undefined && `, ${remaining} left`}
    </p>
  )
}
