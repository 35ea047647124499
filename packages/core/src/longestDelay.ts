/** The longest delay that timers take, in milliseconds; a longer one would pass at once. */
export const longestDelay = 2 ** 31 - 1
