/** Whether two objects or lists hold the same values under the same names; lists inside of them may be copies. */
export function isSame(one: object, other: object): boolean {
  if (one === other) return true
  const names = Object.keys(one) as (keyof typeof one)[]
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => {
      const [a, b]: unknown[] = [one[name], other[name]]
      const isCopy = Array.isArray(a) && Array.isArray(b) && isSame(a, b)
      return (isCopy || Object.is(a, b)) && name in other
    })
  )
}
