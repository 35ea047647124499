/** How long a condition is waited for: tests end when it holds, however busy the machine is. */
export const patience = { timeout: 60_000 }
