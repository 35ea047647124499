export const msPerMinute = 60_000
export const msPerHour = 60 * msPerMinute
export const msPerDay = 24 * msPerHour

export const secondsPerMinute = 60
export const secondsPerHour = 3_600
export const secondsPerDay = 24 * secondsPerHour
