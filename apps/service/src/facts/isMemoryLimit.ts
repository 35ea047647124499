/** What DuckDB needs to sort and to aggregate, whatever the size of the tables. */
export const minMemory = '256MB'

const megabytes: Readonly<Record<string, number>> = {
  MB: 1,
  MiB: 1.048_576,
  GB: 1e3,
  GiB: 1073.741_824,
}

/** Whether a text is a size of DuckDB, such as `1GB`, of at least {@link minMemory}. */
export function isMemoryLimit(text: string): boolean {
  const [, count, unit = ''] = /^([1-9]\d{0,5}) ?([MG]i?B)$/.exec(text) ?? []
  return Number(count) * (megabytes[unit] ?? 0) >= Number.parseInt(minMemory, 10)
}
