export const msPerMinute = 60_000
